// RUN: not pypto-opt --split-input-file --pass-pipeline='builtin.module(inline-functions,transform-interpreter,cse)' %s 2>&1 | FileCheck %s --check-prefixes=CHECK,EXIT
// RUN: not pypto-opt --pass-pipeline='builtin.module(inline-functions,transform-interpreter,cse,convert-to-ssa,symbol-dce)' %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,OWN
// RUN: pypto-opt --pass-pipeline='builtin.module(transform-interpreter,cse)' %s -o /dev/null
// RUN: pypto-opt --verify-properties=false --pass-pipeline='builtin.module(inline-functions,transform-interpreter,cse,convert-to-ssa)' %s -o /dev/null
// A foreign pass that breaks a property which a pass of the project established is reported, once, with its
// name; the next pass of the project fails, or the tool does when there is none. A property that nobody
// established is not looked at.

// CHECK: error: property 'InlineFunctionsEliminated' does not hold any more after 'transform-interpreter': function 'f' is inline
// CHECK-NOT: error:
// EXIT: pl.func inline @f
// OWN-NOT: pl.func inline @f
pl.func @f() {
  pl.return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["pl.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %kind = transform.param.constant #pl<kind inline> -> !transform.any_param
    transform.annotate %f "kind" = %kind : !transform.any_op, !transform.any_param
    transform.yield
  }
}

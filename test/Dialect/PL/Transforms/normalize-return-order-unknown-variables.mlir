// RUN: pypto-opt --normalize-return-order %s | FileCheck %s
// Variables that `--convert-to-ssa` refuses: nothing is known of them, and the pass does not fail.

!tensor = !pl.tensor<[16], f32>

// A variable that is never set has no value.
// CHECK-LABEL: pl.func incore @unset(
// CHECK: %[[VALUE:.*]] = pl.get
// CHECK: pl.return %[[VALUE]]
pl.func incore @unset(out %a: !tensor) -> !tensor {
  %r = pl.var "r" : !tensor
  %0 = pl.get %r : !tensor
  pl.set %r, %a : !tensor
  pl.return %0 : !tensor
}

// NRO-23: a branch that leaves the variable unset proves nothing.
// CHECK-LABEL: pl.func incore @unset_in_a_branch(
// CHECK: %[[VALUE:.*]] = pl.get
// CHECK: pl.return %[[VALUE]]
pl.func incore @unset_in_a_branch(%c: i1, out %a: !tensor) -> !tensor {
  %r = pl.var "r" : !tensor
  scf.if %c {
    pl.set %r, %a : !tensor
  }
  %0 = pl.get %r : !tensor
  pl.return %0 : !tensor
}

// Control flow that is not structured is not followed.
// CHECK-LABEL: pl.func incore @unstructured(
// CHECK: %[[VALUE:.*]] = pl.get
// CHECK: pl.return %[[VALUE]]
pl.func incore @unstructured(out %a: !tensor) -> !tensor {
  %r = pl.var "r" = %a : !tensor
  scf.execute_region {
    cf.br ^next
  ^next:
    pl.set %r, %a : !tensor
    scf.yield
  }
  %0 = pl.get %r : !tensor
  pl.return %0 : !tensor
}

// A launch that binds a variable to something else: what the variable is afterwards is not known.
// CHECK-LABEL: pl.func incore @launch_that_replaces(
// CHECK: %[[VALUE:.*]] = pl.get
// CHECK: pl.return %[[VALUE]]
pl.func incore @launch_that_replaces(out %a: !tensor, out %b: !tensor) -> !tensor {
  %r = pl.var "r" = %a : !tensor
  pl.split_aiv none (%i) {
    pl.set %r, %b : !tensor
  }
  %0 = pl.get %r : !tensor
  pl.return %0 : !tensor
}

// RUN: split-file --leading-lines %s %t
// RUN: pypto-opt %t/main.mlir --keep-value-names --mlir-use-nameloc-as-prefix | FileCheck %s
// RUN: pypto-opt %t/main.mlir --keep-value-names --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC
// RUN: pypto-opt %t/main.mlir --mlir-use-nameloc-as-prefix | FileCheck %s --check-prefix=WITHOUT
// RUN: not pypto-opt %t/reserved.mlir --keep-value-names 2>&1 | FileCheck %s --check-prefix=RESERVED
// RUN: not pypto-opt %t/reserved-argument.mlir --keep-value-names 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: pypto-opt %t/reserved.mlir
// RUN: not pypto-opt %t/broken.mlir --keep-value-names 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: pypto-opt %t/parts.mlir --split-input-file --keep-value-names --mlir-use-nameloc-as-prefix | FileCheck %s --check-prefix=PARTS

// Names that values have in text become locations: of operations with one result and of block arguments.

//--- main.mlir
// CHECK-LABEL: pl.func @names(%first: index, %second: index)
// CHECK-NEXT: %sum = arith.addi %first, %second
// CHECK-NEXT: %[[NUMBER:[0-9]+]] = arith.addi %sum, %sum
// CHECK-NEXT: %explicit = arith.addi
// CHECK-NEXT: %loop = scf.for %i = %first to %second step %sum iter_args(%acc = %[[NUMBER]])
// INL-106: a name that the compiler made is allowed.
// CHECK: %t__inline_arg_v0 = arith.addi
// LOC: loc("sum"(#loc
// WITHOUT-NOT: %sum
// WITHOUT-NOT: %first
// WITHOUT: %explicit
pl.func @names(%first: index, %second: index) {
  %sum = arith.addi %first, %second : index
  %0 = arith.addi %sum, %sum : index
  %other = arith.addi %0, %sum : index loc("explicit")
  %loop = scf.for %i = %first to %second step %sum iter_args(%acc = %0) -> index {
    scf.yield %acc : index
  }
  %t__inline_arg_v0 = arith.addi %loop, %loop : index
  pl.return
}
//--- reserved.mlir
// INL-108: a name that an author may not write.
// RESERVED: reserved.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: expects a name without the reserved delimiter '__', but got 'a__b'
pl.func @reserved(%k: index) {
  %a__b = arith.addi %k, %k : index
  pl.return
}
//--- reserved-argument.mlir
// ARGUMENT: error: expects a name without the reserved delimiter '__', but got 'k__'
pl.func @reserved(%k__: index) {
  pl.return
}
//--- broken.mlir
// BROKEN: broken.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: use of undeclared SSA value name
pl.func @broken() {
  pl.return %x : index
}
//--- parts.mlir
// PARTS-LABEL: pl.func @one(%a: index)
pl.func @one(%a: index) {
  pl.return
}
// -----
// PARTS-LABEL: pl.func @two(%b: index)
pl.func @two(%b: index) {
  pl.return
}

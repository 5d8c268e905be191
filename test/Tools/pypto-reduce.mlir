// RUN: pypto-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-fault.sh' -o %t.mlir
// RUN: FileCheck %s < %t.mlir

// The reducer drops the functions without which the script still finds the fault.

// CHECK-NOT: pl.func @innocent
// CHECK: pl.func @guilty
// CHECK-NOT: pl.func @innocent
pl.func @innocent_1(%x: index) -> index {
  pl.return %x : index
}
pl.func @guilty(%x: index) -> index {
  %0 = arith.addi %x, %x : index
  pl.return %0 : index
}
pl.func @innocent_2(%x: index) -> index {
  pl.return %x : index
}

// RUN: pypto-opt --convert-to-ssa %s | FileCheck %s
// RUN: pypto-opt --convert-to-ssa --mlir-use-nameloc-as-prefix %s | FileCheck %s --check-prefix=NAMES
// A read of a variable is the value that it was bound to last, in a block without control flow.

// CHECK-LABEL: pl.func @bound_again
// CHECK-SAME: %[[K:.*]]: index
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[K]], %[[K]] : index
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[SUM]], %[[K]] : index
// CHECK-NEXT: pl.return %[[PRODUCT]], %[[SUM]] : index, index
// NAMES-LABEL: pl.func @bound_again
// NAMES: %n = arith.addi
// NAMES: %n_0 = arith.muli
pl.func @bound_again(%k: index) -> (index, index) {
  %n = pl.var "n" = %k : index
  %0 = pl.get %n : index
  %1 = arith.addi %0, %0 : index
  pl.set %n, %1 : index
  %2 = pl.get %n : index
  %3 = arith.muli %2, %k : index
  pl.set %n, %3 : index
  %4 = pl.get %n : index
  pl.return %4, %2 : index, index
}

// A name that a value has already stays.
// CHECK-LABEL: pl.func @named_before
// NAMES-LABEL: pl.func @named_before
// NAMES: %author = arith.addi
pl.func @named_before(%k: index) -> index {
  %n = pl.var "n" : index
  %0 = arith.addi %k, %k : index loc("author")
  pl.set %n, %0 : index
  %1 = pl.get %n : index
  pl.return %1 : index
}

// A constant is not computed for one variable.
// CHECK-LABEL: pl.func @constant
// NAMES-LABEL: pl.func @constant
// NAMES: %c1 = arith.constant 1
pl.func @constant() -> index {
  %c1 = arith.constant 1 : index
  %n = pl.var "n" = %c1 : index
  %0 = pl.get %n : index
  pl.return %0 : index
}

// The old value of one variable can be the new one of another.
// CHECK-LABEL: pl.func @swap
// CHECK-SAME: %[[A:.*]]: index, %[[B:.*]]: index
// CHECK-NEXT: pl.return %[[B]], %[[A]]
pl.func @swap(%a: index, %b: index) -> (index, index) {
  %x = pl.var "x" = %a : index
  %y = pl.var "y" = %b : index
  %0 = pl.get %x : index
  %1 = pl.get %y : index
  pl.set %x, %1 : index
  pl.set %y, %0 : index
  %2 = pl.get %x : index
  %3 = pl.get %y : index
  pl.return %2, %3 : index, index
}

// CHECK-LABEL: pl.func @never_read
// CHECK-NEXT: pl.return
pl.func @never_read(%k: index) {
  %n = pl.var "n" : index
  pl.set %n, %k : index
  pl.return
}

// CHECK-LABEL: pl.func @every_kind_of_value
// CHECK-SAME: %[[F:.*]]: f32, %[[ARRAY:.*]]: !pl.array<{{[^>]*}}>, %[[TENSOR:.*]]: !pl.tensor<[4], f32>
// CHECK: %[[TASK:.*]] = orchestration.task_invalid
// CHECK: %[[VALID:.*]] = orchestration.task_is_valid %[[TASK]]
// CHECK: pl.return %[[F]], %[[ARRAY]], %[[TENSOR]], %[[VALID]]
pl.func @every_kind_of_value(%f: f32, %array: !pl.array<4 x index>, %tensor: !pl.tensor<[4], f32>)
    -> (f32, !pl.array<4 x index>, !pl.tensor<[4], f32>, i1) {
  %a = pl.var "a" = %f : f32
  %b = pl.var "b" = %array : !pl.array<4 x index>
  %c = pl.var "c" = %tensor : !pl.tensor<[4], f32>
  %id = orchestration.task_invalid
  %d = pl.var "d" = %id : !orchestration.task
  %0 = pl.get %a : f32
  %1 = pl.get %b : !pl.array<4 x index>
  %2 = pl.get %c : !pl.tensor<[4], f32>
  %3 = pl.get %d : !orchestration.task
  %4 = orchestration.task_is_valid %3
  pl.return %0, %1, %2, %4 : f32, !pl.array<4 x index>, !pl.tensor<[4], f32>, i1
}

// An inline function without variables among its parameters is like any other.
// CHECK-LABEL: pl.func inline @helper
// CHECK-SAME: %[[K:.*]]: index
// CHECK-NEXT: pl.return %[[K]]
pl.func inline @helper(%k: index) -> index {
  %n = pl.var "n" = %k : index
  %0 = pl.get %n : index
  pl.return %0 : index
}

// Not only `pl.func`.
// CHECK-LABEL: func.func @foreign_function
// CHECK-SAME: %[[K:.*]]: index
// CHECK-NEXT: return %[[K]]
func.func @foreign_function(%k: index) -> index {
  %n = pl.var "n" = %k : index
  %0 = pl.get %n : index
  return %0 : index
}

// Nothing of a function without variables changes: not its dead code, its casts or its one-trip loops.
// CHECK-LABEL: pl.func @no_variables
// CHECK: pl.cast_shape
// CHECK: pl.cast_shape
// CHECK: arith.constant 0
// CHECK: scf.for
// CHECK: pl.at core_group
// CHECK: scf.while
pl.func @no_variables(%t: !pl.tensor<[4], f32>, %c: i1) {
  %0 = pl.cast_shape %t : !pl.tensor<[4], f32> -> !pl.tensor<[?], f32>
  %1 = pl.cast_shape %0 : !pl.tensor<[?], f32> -> !pl.tensor<[4], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    pl.at core_group {
    }
  }
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  pl.return
}

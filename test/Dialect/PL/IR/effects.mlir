// RUN: pypto-opt %s --allow-unregistered-dialect --cse --canonicalize --sccp --loop-invariant-code-motion --symbol-dce --split-input-file | FileCheck %s

// What upstream passes may do to operations on handles, cells and symbols, and what they may not.

// Two allocations are two storages.
// CHECK-LABEL: pl.func @allocations_are_not_merged
// CHECK: %[[A:.*]] = pl.create
// CHECK: %[[B:.*]] = pl.create
// CHECK: pl.return %[[A]], %[[B]]
pl.func @allocations_are_not_merged() -> (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) {
  %a = pl.create : !pl.tensor<[4], f32>
  %b = pl.create : !pl.tensor<[4], f32>
  pl.return %a, %b : !pl.tensor<[4], f32>, !pl.tensor<[4], f32>
}

// -----

// A sum is a storage of its own: someone may write to one of two.
// CHECK-LABEL: pl.func @sums_are_not_merged
// CHECK-COUNT-2: pl.add
pl.func @sums_are_not_merged(%a: !pl.tensor<[4], f32>) -> (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) {
  %0 = pl.add %a, %a : !pl.tensor<[4], f32>, !pl.tensor<[4], f32>
  %1 = pl.add %a, %a : !pl.tensor<[4], f32>, !pl.tensor<[4], f32>
  pl.return %0, %1 : !pl.tensor<[4], f32>, !pl.tensor<[4], f32>
}

// -----

// CHECK-LABEL: pl.func @unused_compute_is_erased
// CHECK-NEXT: pl.return
pl.func @unused_compute_is_erased(%a: !pl.tensor<[4, 32], f32>, %i: !pl.tensor<[4, 32], i32>) {
  %0 = pl.add %a, %a : !pl.tensor<[4, 32], f32>, !pl.tensor<[4, 32], f32>
  %1 = pl.row_sum %a : !pl.tensor<[4, 32], f32>
  %2 = pl.matmul %a, %a b_trans : !pl.tensor<[4, 32], f32>, !pl.tensor<[4, 32], f32>
  %3 = pl.gather %a, %i dim 1 : !pl.tensor<[4, 32], f32>, !pl.tensor<[4, 32], i32>
  %4, %5 = pl.sort32 %a : !pl.tensor<[4, 32], f32>
  %6 = pl.create : !pl.tensor<[4], f32>
  %c0 = arith.constant 0 : index
  %7 = pl.read %a[%c0, %c0] : !pl.tensor<[4, 32], f32>
  pl.return
}

// -----

// CHECK-LABEL: pl.func @writes_are_kept
// CHECK: pl.assemble
// CHECK: pl.write
// CHECK: pl.matmul_acc
// CHECK: pl.scatter
// CHECK: pl.scatter_update
// CHECK: pl.return
pl.func @writes_are_kept(%a: !pl.tensor<[4, 4], f32>, inout %b: !pl.tensor<[4, 4], f32>,
                         %i: !pl.tensor<[4, 4], i32>, %k: !pl.tensor<[4], i32>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %0 = pl.assemble %a, %b[0, 0] : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  %1 = pl.write %x, %b[%c0, %c0] : !pl.tensor<[4, 4], f32>
  %2 = pl.matmul_acc %b, %a, %a : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  %3 = pl.scatter %a, %i, %b dim 1 : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], i32>, !pl.tensor<[4, 4], f32>
  %4 = pl.scatter_update %a, %k, %b : !pl.tensor<[4, 4], f32>, !pl.tensor<[4], i32>, !pl.tensor<[4, 4], f32>
  pl.return
}

// -----

// CHECK-LABEL: pl.func @reads_are_merged_up_to_a_write
// CHECK: %[[BEFORE:.*]] = pl.read
// CHECK: pl.write
// CHECK: %[[AFTER:.*]] = pl.read
// CHECK: pl.return %[[BEFORE]], %[[BEFORE]], %[[AFTER]]
pl.func @reads_are_merged_up_to_a_write(inout %t: !pl.tensor<[4], f32>, %i: index, %x: f32) -> (f32, f32, f32) {
  %0 = pl.read %t[%i] : !pl.tensor<[4], f32>
  %1 = pl.read %t[%i] : !pl.tensor<[4], f32>
  %2 = pl.write %x, %t[%i] : !pl.tensor<[4], f32>
  %3 = pl.read %t[%i] : !pl.tensor<[4], f32>
  pl.return %0, %1, %3 : f32, f32, f32
}

// -----

// CHECK-LABEL: pl.func @cells_are_read_in_order
// CHECK: %[[BEFORE:.*]] = pl.get
// CHECK: pl.set
// CHECK: %[[AFTER:.*]] = pl.get
// CHECK: pl.return %[[BEFORE]], %[[BEFORE]], %[[AFTER]]
pl.func @cells_are_read_in_order(%k: index, %v: index) -> (index, index, index) {
  %n = pl.var "n" = %k : index
  %0 = pl.get %n : index
  %1 = pl.get %n : index
  pl.set %n, %v : index
  %2 = pl.get %n : index
  pl.return %0, %1, %2 : index, index, index
}

// -----

// CHECK-LABEL: pl.func @variables_are_not_merged
// CHECK-COUNT-2: pl.var
pl.func @variables_are_not_merged(%k: index, %v: index) -> index {
  %n = pl.var "n" = %k : index
  %m = pl.var "m" = %k : index
  pl.set %n, %v : index
  %0 = pl.get %m : index
  pl.return %0 : index
}

// -----

// A view has no effects: it merges, and moves out of a loop.
// CHECK-LABEL: pl.func @views_move
// CHECK: pl.slice
// CHECK-NOT: pl.slice
// CHECK: scf.for
pl.func @views_move(%t: !pl.tensor<[64, N], f32>, out %r: !pl.tensor<[16, N], f32>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %0 = pl.slice %t[%i, 0] : !pl.tensor<[64, N], f32> -> !pl.tensor<[16, N], f32>
    %1 = pl.slice %t[%i, 0] : !pl.tensor<[64, N], f32> -> !pl.tensor<[16, N], f32>
    %2 = pl.assemble %0, %r[0, 0] : !pl.tensor<[16, N], f32>, !pl.tensor<[16, N], f32>
    %3 = pl.assemble %1, %r[0, 0] : !pl.tensor<[16, N], f32>, !pl.tensor<[16, N], f32>
  }
  pl.return
}

// -----

// CHECK-LABEL: pl.func @compute_and_reads_stay_in_loops
// CHECK: scf.for
// CHECK: pl.add
// CHECK: pl.read
// CHECK: pl.create
// CHECK: "test.use"
pl.func @compute_and_reads_stay_in_loops(%t: !pl.tensor<[4], f32>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %0 = pl.add %t, %t : !pl.tensor<[4], f32>, !pl.tensor<[4], f32>
    %1 = pl.read %t[%i] : !pl.tensor<[4], f32>
    %2 = pl.create : !pl.tensor<[4], f32>
    "test.use"(%0, %1, %2) : (!pl.tensor<[4], f32>, f32, !pl.tensor<[4], f32>) -> ()
  }
  pl.return
}

// -----

// The name in the type is bound inside the loop.
// CHECK-LABEL: pl.func @types_stay_behind_their_symbol
// CHECK: scf.for
// CHECK: pl.symbol @rows
// CHECK: pl.slice
pl.func @types_stay_behind_their_symbol(%t: !pl.tensor<[64, N], f32>, %k: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    pl.symbol @rows = %k : index
    %0 = pl.slice %t[0, 0] : !pl.tensor<[64, N], f32> -> !pl.tensor<[rows, N], f32>
    "test.use"(%0) : (!pl.tensor<[rows, N], f32>) -> ()
  }
  pl.return
}

// -----

// In two loops a name is two numbers.
// CHECK-LABEL: pl.func @symbols_are_kept
// CHECK-COUNT-2: pl.symbol @rows
pl.func @symbols_are_kept(%k: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    pl.symbol @rows = %k : index
  }
  scf.for %j = %c0 to %n step %c1 {
    pl.symbol @rows = %n : index
  }
  pl.return
}

// -----

// Calls are unknown: kept, in order, and what they name too. A function that nobody names goes.
// CHECK-LABEL: module
// CHECK-NOT: @unused
// CHECK: pl.func private incore @kernel
// CHECK-NOT: @unused
// CHECK-LABEL: pl.func @calls_are_kept
// CHECK: %[[BEFORE:.*]] = pl.read
// CHECK-COUNT-2: pl.call @kernel
// CHECK: %[[AFTER:.*]] = pl.read
// CHECK: pl.return %[[BEFORE]], %[[AFTER]]
module {
  pl.func private incore @kernel(inout !pl.tensor<[4], f32>)
  pl.func private incore @unused(inout !pl.tensor<[4], f32>)
  pl.func @calls_are_kept(inout %t: !pl.tensor<[4], f32>, %i: index) -> (f32, f32) {
    %0 = pl.read %t[%i] : !pl.tensor<[4], f32>
    pl.call @kernel(%t) : (!pl.tensor<[4], f32>) -> ()
    pl.call @kernel(%t) : (!pl.tensor<[4], f32>) -> ()
    %1 = pl.read %t[%i] : !pl.tensor<[4], f32>
    pl.return %0, %1 : f32, f32
  }
}

// -----

// The effects of a scope are those of its body.
// CHECK-LABEL: pl.func @scopes
// CHECK-NOT: pl.add
// CHECK: pl.at core_group
// CHECK: pl.assemble
pl.func @scopes(%a: !pl.tensor<[4], f32>, out %r: !pl.tensor<[4], f32>) {
  pl.at core_group {
    %0 = pl.add %a, %a : !pl.tensor<[4], f32>, !pl.tensor<[4], f32>
  }
  pl.at core_group {
    %0 = pl.assemble %a, %r[0] : !pl.tensor<[4], f32>, !pl.tensor<[4], f32>
  }
  pl.return
}

// -----

// Constants go through arithmetic, not through cells or tensors.
// CHECK-LABEL: pl.func @sccp
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK: %[[CELL:.*]] = pl.get
// CHECK: pl.return %[[C3]], %[[CELL]]
pl.func @sccp() -> (index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = pl.var "n" = %c1 : index
  %0 = arith.addi %c1, %c2 : index
  %1 = pl.get %n : index
  pl.return %0, %1 : index, index
}

// RUN: pypto-opt %s --allow-unregistered-dialect --cse --canonicalize --sccp --loop-invariant-code-motion --symbol-dce --split-input-file | FileCheck %s

// What upstream passes may do to operations on tiles, and to synchronisation and queues.

// CHECK-LABEL: pl.func incore @compute_is_merged_and_erased
// CHECK: %[[SUM:.*]] = tile.add
// CHECK-NOT: tile.add
// CHECK-NOT: tile.matmul
// CHECK: tile.store %[[SUM]]
// CHECK: tile.store %[[SUM]]
pl.func incore @compute_is_merged_and_erased(%x: !pl.tensor<[4, 4], f32>, out %y: !pl.tensor<[4, 4], f32>) {
  %t = tile.load %x[0, 0] : !pl.tensor<[4, 4], f32> -> !tile.tile<[4, 4], f32>
  %0 = tile.add %t, %t : !tile.tile<[4, 4], f32>
  %1 = tile.add %t, %t : !tile.tile<[4, 4], f32>
  %2 = tile.matmul %t, %t : !tile.tile<[4, 4], f32>, !tile.tile<[4, 4], f32>
  %3 = tile.store %0, %y[0, 0] : !tile.tile<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  %4 = tile.store %1, %y[0, 0] : !tile.tile<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  pl.return
}

// -----

// CHECK-LABEL: pl.func incore @loads_are_merged_up_to_a_store
// CHECK: %[[BEFORE:.*]] = tile.load
// CHECK: tile.store
// CHECK: %[[AFTER:.*]] = tile.load
// CHECK: "test.use"(%[[BEFORE]], %[[BEFORE]], %[[AFTER]])
pl.func incore @loads_are_merged_up_to_a_store(inout %x: !pl.tensor<[4], f32>) {
  %0 = tile.load %x[0] : !pl.tensor<[4], f32> -> !tile.tile<[4], f32>
  %1 = tile.load %x[0] : !pl.tensor<[4], f32> -> !tile.tile<[4], f32>
  %2 = tile.store %0, %x[0] : !tile.tile<[4], f32>, !pl.tensor<[4], f32>
  %3 = tile.load %x[0] : !pl.tensor<[4], f32> -> !tile.tile<[4], f32>
  "test.use"(%0, %1, %3) : (!tile.tile<[4], f32>, !tile.tile<[4], f32>, !tile.tile<[4], f32>) -> ()
  pl.return
}

// -----

// The load reads what the store of the trip before wrote.
// CHECK-LABEL: pl.func incore @loads_stay_in_loops
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.store
pl.func incore @loads_stay_in_loops(inout %x: !pl.tensor<[4], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = tile.load %x[0] : !pl.tensor<[4], f32> -> !tile.tile<[4], f32>
    %1 = tile.add %0, %0 : !tile.tile<[4], f32>
    %2 = tile.store %1, %x[0] : !tile.tile<[4], f32>, !pl.tensor<[4], f32>
  }
  pl.return
}

// -----

// CHECK-LABEL: pl.func incore @compute_moves_out_of_loops
// CHECK: tile.exp
// CHECK: tile.slice
// CHECK: scf.for
pl.func incore @compute_moves_out_of_loops(%x: !pl.tensor<[4, 4], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[0, 0] : !pl.tensor<[4, 4], f32> -> !tile.tile<[4, 4], f32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = tile.exp %t : !tile.tile<[4, 4], f32>
    %1 = tile.slice %t[1, 0] : !tile.tile<[4, 4], f32> -> !tile.tile<[2, 4], f32>
    "test.use"(%0, %1) : (!tile.tile<[4, 4], f32>, !tile.tile<[2, 4], f32>) -> ()
  }
  pl.return
}

// -----

// Undefined if the offset or index is out of range, which a loop of no trips never asks.
// CHECK-LABEL: pl.func incore @ranged_operations_stay_in_loops
// CHECK: scf.for
// CHECK: tile.slice
// CHECK: tile.extract
// CHECK: tile.assemble
// CHECK: tile.read
// CHECK: tile.write
// CHECK: tile.gather
// CHECK: tile.scatter
// CHECK: "test.use"
pl.func incore @ranged_operations_stay_in_loops(%x: !pl.tensor<[4, 4], f32>, %y: !pl.tensor<[4, 4], i32>, %k: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[0, 0] : !pl.tensor<[4, 4], f32> -> !tile.tile<[4, 4], f32>
  %d = tile.load %y[0, 0] : !pl.tensor<[4, 4], i32> -> !tile.tile<[4, 4], i32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = tile.slice %t[%k, 0] : !tile.tile<[4, 4], f32> -> !tile.tile<[2, 4], f32>
    %1 = tile.extract %t[%k, 0] : !tile.tile<[4, 4], f32> -> !tile.tile<[2, 4], f32>
    %2 = tile.assemble %0, %t[%k, 0] : !tile.tile<[2, 4], f32>, !tile.tile<[4, 4], f32>
    %3 = tile.read %t[%k, 0] : !tile.tile<[4, 4], f32>
    %4 = tile.write %3, %t[%k, 0] : !tile.tile<[4, 4], f32>
    %5 = tile.gather %t, %d dim 1 : !tile.tile<[4, 4], f32>, !tile.tile<[4, 4], i32>
    %6 = tile.scatter %t, %d, %t dim 1 : !tile.tile<[4, 4], f32>, !tile.tile<[4, 4], i32>, !tile.tile<[4, 4], f32>
    "test.use"(%1, %2, %4, %5, %6) : (!tile.tile<[2, 4], f32>, !tile.tile<[4, 4], f32>, !tile.tile<[4, 4], f32>,
      !tile.tile<[4, 4], f32>, !tile.tile<[4, 4], f32>) -> ()
  }
  pl.return
}

// -----

// Division by zero is defined, so a division of tiles moves; one of scalars does not.
// CHECK-LABEL: pl.func incore @division
// CHECK: tile.div
// CHECK: scf.for
// CHECK-NOT: tile.div
// CHECK: arith.divui
pl.func incore @division(%x: !pl.tensor<[4], ui32>, %a: i32, %b: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[0] : !pl.tensor<[4], ui32> -> !tile.tile<[4], ui32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = tile.div %t, %t : !tile.tile<[4], ui32>
    %1 = arith.divui %a, %b : i32
    "test.use"(%0, %1) : (!tile.tile<[4], ui32>, i32) -> ()
  }
  pl.return
}

// -----

// A name that a parameter declares means the same everywhere, one that `pl.symbol` binds only behind it.
// CHECK-LABEL: pl.func incore @symbols
// CHECK: tile.create : !tile.tile<[4], f32, valid = [N]>
// CHECK: scf.for
// CHECK: pl.symbol @rows
// CHECK: tile.create : !tile.tile<[4], f32, valid = [rows]>
pl.func incore @symbols(%x: !pl.tensor<[N], f32>, %k: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    pl.symbol @rows = %k : index
    %0 = tile.create : !tile.tile<[4], f32, valid = [N]>
    %1 = tile.create : !tile.tile<[4], f32, valid = [rows]>
    "test.use"(%0, %1) : (!tile.tile<[4], f32, valid = [N]>, !tile.tile<[4], f32, valid = [rows]>) -> ()
  }
  pl.return
}

// -----

// CHECK-LABEL: pl.func incore @synchronisation_is_kept
// CHECK-NEXT: tile.bar_all
// CHECK-NEXT: tile.bar_all
// CHECK-NEXT: tile.bar_v
// CHECK-NEXT: tile.bar_m
// CHECK-NEXT: tile.fence
// CHECK-NEXT: tile.sync_src
// CHECK-NEXT: tile.sync_dst
// CHECK-NEXT: tile.set_ffts
// CHECK-NEXT: tile.wait
// CHECK-NEXT: tile.defer_wait
// CHECK-NEXT: tile.notify
// CHECK-NEXT: tile.notify
// CHECK-NEXT: pl.return
pl.func incore @synchronisation_is_kept(%w: !pl.tensor<[256], i64>, inout %s: !pl.tensor<[8], i32>, %n: i32) {
  tile.bar_all
  tile.bar_all
  tile.bar_v
  tile.bar_m
  tile.fence
  tile.sync_src mte2 -> v event 0
  tile.sync_dst mte2 -> v event 0
  tile.set_ffts %w : !pl.tensor<[256], i64>
  tile.wait ge %s[0], %n : !pl.tensor<[8], i32>
  tile.defer_wait ge %s[0], %n : !pl.tensor<[8], i32>
  tile.notify add %n, %s[0] : !pl.tensor<[8], i32>
  tile.notify add %n, %s[0] : !pl.tensor<[8], i32>
  pl.return
}

// -----

// What another core wrote is seen after the wait.
// CHECK-LABEL: pl.func incore @loads_are_not_merged_over_synchronisation
// CHECK: tile.load
// CHECK: tile.wait
// CHECK: tile.load
// CHECK: tile.bar_all
// CHECK: tile.load
pl.func incore @loads_are_not_merged_over_synchronisation(%x: !pl.tensor<[4], f32>, %s: !pl.tensor<[8], i32>, %n: i32) {
  %0 = tile.load %x[0] : !pl.tensor<[4], f32> -> !tile.tile<[4], f32>
  tile.wait ge %s[0], %n : !pl.tensor<[8], i32>
  %1 = tile.load %x[0] : !pl.tensor<[4], f32> -> !tile.tile<[4], f32>
  tile.bar_all
  %2 = tile.load %x[0] : !pl.tensor<[4], f32> -> !tile.tile<[4], f32>
  "test.use"(%0, %1, %2) : (!tile.tile<[4], f32>, !tile.tile<[4], f32>, !tile.tile<[4], f32>) -> ()
  pl.return
}

// -----

// CHECK-LABEL: pl.func private aiv @consumer
// CHECK-LABEL: pl.func aic @queues_are_kept
// CHECK-NEXT: tile.reserve_buffer
// CHECK-NEXT: tile.import_peer_buffer "slots" from @consumer
// CHECK-NEXT: tile.aic_initialize_pipe
// CHECK-NEXT: tile.aiv_initialize_pipe
// CHECK-NEXT: tile.tpop_from_aiv
// CHECK-NEXT: tile.tpop_from_aiv
// CHECK-NEXT: tile.tpush_to_aiv
// CHECK-NEXT: tile.tpush_to_aiv
// CHECK-NEXT: tile.tfree_to_aiv
// CHECK-NEXT: pl.return
pl.func private aiv @consumer()
pl.func aic @queues_are_kept() {
  %u = tile.reserve_buffer "unused" size 64
  %b = tile.import_peer_buffer "slots" from @consumer
  tile.aic_initialize_pipe c2v %b slot_size 32 slot_num 2
  tile.aiv_initialize_pipe c2v %b slot_size 32 slot_num 2
  %0 = tile.tpop_from_aiv : !tile.tile<[4], f32>
  %1 = tile.tpop_from_aiv : !tile.tile<[4], f32>
  tile.tpush_to_aiv %0 : !tile.tile<[4], f32>
  tile.tpush_to_aiv %0 : !tile.tile<[4], f32>
  tile.tfree_to_aiv %0 : !tile.tile<[4], f32>
  pl.return
}

// -----

// Each block has its own index, so the inner one is not the outer one, and does not leave its loop.
// CHECK-LABEL: pl.func @block_indices_stay
// CHECK: %[[OUTER:.*]] = tile.get_block_idx
// CHECK: pl.spmd
// CHECK: %[[INNER:.*]] = tile.get_block_idx
// CHECK: "test.use"(%[[OUTER]], %[[INNER]])
// CHECK: scf.for
// CHECK: tile.get_subblock_idx
pl.func @block_indices_stay(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.get_block_idx
  pl.spmd (%b) in (%n) {
    %1 = tile.get_block_idx
    "test.use"(%0, %1) : (index, index) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    %2 = tile.get_subblock_idx
    "test.use"(%2) : (index) -> ()
  }
  pl.return
}

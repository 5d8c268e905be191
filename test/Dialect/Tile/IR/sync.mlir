// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Identity of the block that runs, synchronisation, signals and queues.

// CHECK-LABEL: pl.func incore @blocks
// CHECK: tile.get_block_idx
// CHECK: tile.get_block_num
// CHECK: tile.get_subblock_idx
pl.func incore @blocks() {
  %0 = tile.get_block_idx
  "test.use"(%0) : (index) -> ()
  %1 = tile.get_block_num
  "test.use"(%1) : (index) -> ()
  %2 = tile.get_subblock_idx
  "test.use"(%2) : (index) -> ()
  pl.return
}

// CHECK-LABEL: pl.func incore @barriers
// CHECK: tile.bar_all
// CHECK: tile.bar_v
// CHECK: tile.bar_m
// CHECK: tile.fence
// CHECK: tile.set_ffts %{{[a-z0-9#]+}} : !pl.tensor<[256], i64>
pl.func incore @barriers(%w: !pl.tensor<[256], i64>) {
  tile.bar_all
  tile.bar_v
  tile.bar_m
  tile.fence
  tile.set_ffts %w : !pl.tensor<[256], i64>
  pl.return
}

// CHECK-LABEL: pl.func incore @events
// CHECK: tile.sync_src s -> v event 0
// CHECK: tile.sync_src v -> m event 1
// CHECK: tile.sync_src m -> mte1 event 2
// CHECK: tile.sync_src mte1 -> mte2 event 3
// CHECK: tile.sync_src mte2 -> mte3 event 4
// CHECK: tile.sync_src mte3 -> fix event 5
// CHECK: tile.sync_src fix -> all event 6
// CHECK: tile.sync_src all -> s event 7
// CHECK: tile.sync_dst mte2 -> v event 0
pl.func incore @events() {
  tile.sync_src s -> v event 0
  tile.sync_src v -> m event 1
  tile.sync_src m -> mte1 event 2
  tile.sync_src mte1 -> mte2 event 3
  tile.sync_src mte2 -> mte3 event 4
  tile.sync_src mte3 -> fix event 5
  tile.sync_src fix -> all event 6
  tile.sync_src all -> s event 7
  tile.sync_dst mte2 -> v event 0
  pl.return
}

// CHECK-LABEL: pl.func incore @signals
// CHECK: tile.wait ge %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}], %{{[a-z0-9#]+}} : !pl.tensor<[8], i32>
// CHECK: tile.wait eq %{{[a-z0-9#]+}}[3], %{{[a-z0-9#]+}} : !pl.tensor<[8], i32>
// CHECK: tile.defer_wait ne %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}], %{{[a-z0-9#]+}} : !pl.tensor<[8], i32>
// CHECK: tile.notify add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}] : !pl.tensor<[8], i32>
// CHECK: tile.notify set %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}[0] peer %{{[a-z0-9#]+}} : !pl.tensor<[8], i32>
pl.func incore @signals(%s: !pl.tensor<[8], i32>, %n: i32, %i: index, %p: index) {
  tile.wait ge %s[%i], %n : !pl.tensor<[8], i32>
  tile.wait eq %s[3], %n : !pl.tensor<[8], i32>
  tile.defer_wait ne %s[%i], %n : !pl.tensor<[8], i32>
  tile.notify add %n, %s[%i] : !pl.tensor<[8], i32>
  tile.notify set %n, %s[0] peer %p : !pl.tensor<[8], i32>
  pl.return
}

// CHECK-LABEL: pl.func aic @cube_side
// CHECK: tile.import_peer_buffer "slots" from @barriers
// CHECK: tile.aic_initialize_pipe c2v %{{[a-z0-9#]+}} slot_size 4096 slot_num 2 id 1
// CHECK: tile.full %{{[a-z0-9#]+}} : f32, !tile.tile<[16, 64], f32>
// CHECK: tile.tpush_to_aiv %{{[a-z0-9#]+}} split up_down id 1 : !tile.tile<[16, 64], f32>
// CHECK: tile.tpop_from_aiv : !tile.tile<[16, 64], f32>
// CHECK: tile.tpop_from_aiv valid(%{{[a-z0-9#]+}}) split left_right id 2 : !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK: tile.tfree_to_aiv %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
pl.func aic @cube_side(%v: f32, %n: index) {
  %b = tile.import_peer_buffer "slots" from @barriers
  "test.use"(%b) : (index) -> ()
  tile.aic_initialize_pipe c2v %b slot_size 4096 slot_num 2 id 1
  %0 = tile.full %v : f32, !tile.tile<[16, 64], f32>
  tile.tpush_to_aiv %0 split up_down id 1 : !tile.tile<[16, 64], f32>
  %1 = tile.tpop_from_aiv : !tile.tile<[16, 64], f32>
  "test.use"(%1) : (!tile.tile<[16, 64], f32>) -> ()
  %2 = tile.tpop_from_aiv valid(%n) split left_right id 2 : !tile.tile<[16, 64], f32, valid = [?, 64]>
  tile.tfree_to_aiv %1 : !tile.tile<[16, 64], f32>
  pl.return
}

// CHECK-LABEL: pl.func aiv @vector_side
// CHECK: tile.reserve_buffer "slots" size 8192
// CHECK: tile.reserve_buffer "more" size 64 base 0
// CHECK: tile.aiv_initialize_pipe c2v %{{[a-z0-9#]+}} v2c %{{[a-z0-9#]+}} slot_size 4096 slot_num 2
// CHECK: tile.tpop_from_aic id 1 : !tile.tile<[16, 64], f32>
// CHECK: tile.tfree_to_aic %{{[a-z0-9#]+}} split up_down id 1 : !tile.tile<[16, 64], f32>
// CHECK: tile.tpush_to_aic %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
pl.func aiv @vector_side(%v: f32) {
  %b = tile.reserve_buffer "slots" size 8192
  "test.use"(%b) : (index) -> ()
  %c = tile.reserve_buffer "more" size 64 base 0
  "test.use"(%c) : (index) -> ()
  tile.aiv_initialize_pipe c2v %b v2c %c slot_size 4096 slot_num 2
  %0 = tile.tpop_from_aic id 1 : !tile.tile<[16, 64], f32>
  "test.use"(%0) : (!tile.tile<[16, 64], f32>) -> ()
  tile.tfree_to_aic %0 split up_down id 1 : !tile.tile<[16, 64], f32>
  tile.tpush_to_aic %0 : !tile.tile<[16, 64], f32>
  pl.return
}

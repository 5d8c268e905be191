// RUN: pypto-opt %s --vectorize-elements --split-input-file | FileCheck %s
// RUN: pypto-opt %s --parallelize-operations --split-input-file | FileCheck %s --check-prefix=PARTS
// RUN: pypto-opt %s --block-transposes --split-input-file | FileCheck %s --check-prefix=BLOCKS
// RUN: pypto-opt %s --parallelize-rows --split-input-file | FileCheck %s --check-prefix=ROWS

// The passes that make loops follow the schedule of an operation.

// CHECK-LABEL: func @vectors
// CHECK:         scf.for
// CHECK-COUNT-2:   vector.store {{.*}}vector<8xf32>
// CHECK-NOT:       vector.store
// CHECK:         scf.for
func.func @vectors(%x: memref<100xf32>, %y: memref<100xf32>) {
  linalg.negf {pypto.schedule = {vector_bits = 256, unroll = 2}} ins(%x : memref<100xf32>) outs(%y : memref<100xf32>)
  return
}

// -----

// Eight vectors in turn to four accumulators, then those that are left, so that each gets what it gets without a schedule.
// CHECK-LABEL: func @accumulators
// CHECK:         %[[C128:.*]] = arith.constant 128 : index
// CHECK:         %[[WHOLE:.*]]:4 = scf.for {{.*}} step %[[C128]]
// CHECK-COUNT-8:   vector.load
// CHECK:         %[[C64:.*]] = arith.constant 64 : index
// CHECK:         %[[ALL:.*]]:4 = scf.for {{.*}} step %[[C64]] iter_args(%{{.*}} = %[[WHOLE]]#0
// CHECK-COUNT-4:   vector.load
// CHECK:         arith.addf %[[ALL]]#0, %[[ALL]]#2
func.func @accumulators(%x: memref<200xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<200xf32>) outs(%y : memref<f32>) attrs = {pypto.schedule = {unroll = 8}} {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// CHECK-LABEL: func @row_block
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-COUNT-2:     arith.addf
// CHECK-NOT:         arith.addf
// CHECK:             vector.store
func.func @row_block(%x: memref<64x16xf32>, %y: memref<16xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<64x16xf32>) outs(%y : memref<16xf32>) attrs = {pypto.schedule = {row_block = 2}} {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// CHECK-LABEL: func @prefetch
// CHECK:         memref.prefetch
// CHECK:         return
// CHECK-LABEL: func @no_prefetch
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func @prefetch(%x: memref<64x256xf32>, %y: memref<64x256xf32>) {
  linalg.negf {pypto.schedule = {prefetch = true}} ins(%x : memref<64x256xf32>) outs(%y : memref<64x256xf32>)
  return
}
func.func @no_prefetch(%x: memref<64x256xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x256xf32>) outs(%y : memref<64xf32>) attrs = {pypto.schedule = {prefetch = false}} {
  ^bb0(%e: f32, %best: f32):
    %0 = arith.maximumf %best, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Where nothing says at what address a buffer begins nothing goes past the caches.
// CHECK-LABEL: func @stream
// CHECK:         vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:         llvm.fence
// CHECK-LABEL: func @no_stream
// CHECK-NOT:     nontemporal
// CHECK:         return
// CHECK-LABEL: func @unknown_address
// CHECK-NOT:     nontemporal
// CHECK:         return
func.func @stream(%x: memref<64xf32>, %y: memref<64xf32> {llvm.align = 64 : i64}) {
  linalg.negf {pypto.schedule = {stream = true}} ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
func.func @no_stream(%x: memref<4194304xf32>, %y: memref<4194304xf32> {llvm.align = 64 : i64}) {
  linalg.negf {pypto.schedule = {stream = false}} ins(%x : memref<4194304xf32>) outs(%y : memref<4194304xf32>)
  return
}
func.func @unknown_address(%x: memref<64xf32>, %y: memref<64xf32>) {
  linalg.negf {pypto.schedule = {stream = true}} ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// -----

// Fewer than the heuristics would make, and more.
// PARTS-LABEL: func @parts
// PARTS:         %[[C4:.*]] = arith.constant 4 : index
// PARTS:         scf.parallel {{.*}} to (%[[C4]])
// PARTS:           linalg.negf
// PARTS-LABEL: func @one_part
// PARTS-NOT:     scf.parallel
// PARTS:         return
func.func @parts(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  linalg.negf {pypto.schedule = {parts = 4}} ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  return
}
func.func @one_part(%x: memref<4096x4096xf32>, %y: memref<4096x4096xf32>) {
  linalg.negf {pypto.schedule = {parts = 1}} ins(%x : memref<4096x4096xf32>) outs(%y : memref<4096x4096xf32>)
  return
}

// -----

// BLOCKS-LABEL: func @blocks
// BLOCKS:         memref.alloca() {{.*}}: memref<32x32xf32>
// BLOCKS:         linalg.generic
// BLOCKS-SAME:      pypto.schedule = {transpose_block = 17 : i64}
// BLOCKS-LABEL: func @no_blocks
// BLOCKS-NOT:     memref.alloca
// BLOCKS:         linalg.transpose
func.func @blocks(%x: memref<256x256xf32>, %y: memref<256x256xf32>) {
  linalg.transpose ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>) permutation = [1, 0]
      {pypto.schedule = {transpose_block = 17}}
  return
}
func.func @no_blocks(%x: memref<256x256xf32>, %y: memref<256x256xf32>) {
  linalg.transpose ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32>) permutation = [1, 0]
      {pypto.schedule = {transpose_block = 1}}
  return
}

// -----

// ROWS-LABEL: func @rows
// ROWS:         %[[C5:.*]] = arith.constant 5 : index
// ROWS:         scf.parallel {{.*}} to (%[[C5]])
// ROWS-NOT:     pypto.schedule
// ROWS:         return
func.func @rows(%y: memref<10x32xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %row = memref.subview %y[%i, 0] [1, 32] [1, 1] : memref<10x32xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%row : memref<1x32xf32, strided<[32, 1], offset: ?>>)
  } {pypto.rows, pypto.schedule = {parts = 5}}
  return
}

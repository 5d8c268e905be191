// RUN: pypto-opt %s --schedule-loops --split-input-file | FileCheck %s
// RUN: pypto-opt %s --schedule-loops=vector-bits=256 --split-input-file | FileCheck %s --check-prefix=NARROW

// What is open for a loop and not said is chosen; what is said stays as far as there is a choice.

// CHECK-LABEL: func @elementwise
// CHECK:         linalg.exp
// CHECK-SAME:      {pypto.schedule = {parts = 64 : i64, prefetch = false, stream = true, unroll = 1 : i64, vector_bits = 512 : i64}}
// NARROW-LABEL: func @elementwise
// NARROW:         vector_bits = 256 : i64
func.func @elementwise(%x: memref<4096x4096xf32> {llvm.align = 64 : i64}, %y: memref<4096x4096xf32> {llvm.align = 64 : i64}) {
  linalg.exp ins(%x : memref<4096x4096xf32>) outs(%y : memref<4096x4096xf32>)
  return
}

// -----

// A small output stays in the caches; nothing says where one begins that is no parameter, so it does, too.
// CHECK-LABEL: func @small
// CHECK:         linalg.negf
// CHECK-SAME:      {pypto.schedule = {parts = 1 : i64, prefetch = false, stream = false, unroll = 4 : i64, vector_bits = 512 : i64}}
// CHECK:         linalg.negf
// CHECK-SAME:      {pypto.schedule = {parts = 1 : i64, prefetch = false, unroll = 4 : i64, vector_bits = 512 : i64}}
func.func @small(%x: memref<64x64xf32>, %y: memref<64x64xf32> {llvm.align = 64 : i64}) {
  linalg.negf ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  %z = memref.alloc() : memref<64x64xf32>
  linalg.negf ins(%x : memref<64x64xf32>) outs(%z : memref<64x64xf32>)
  memref.dealloc %z : memref<64x64xf32>
  return
}

// -----

// Entries of the operation come before those of the function, which may be about products, too.
// CHECK-LABEL: func @given
// CHECK:         linalg.negf
// CHECK-SAME:      {pypto.schedule = {parts = 3 : i64, prefetch = false, unroll = 2 : i64, vector_bits = 256 : i64}}
func.func @given(%x: memref<64x64xf32>, %y: memref<64x64xf32>)
    attributes {pypto.schedule = {parts = 5, vector_bits = 256, rows = 4}} {
  linalg.negf {pypto.schedule = {parts = 3, unroll = 2}} ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  return
}

// -----

// No more than there is: 2 vectors in a row, 6 rows.
// CHECK-LABEL: func @rounded
// CHECK:         linalg.negf
// CHECK-SAME:      {pypto.schedule = {parts = 6 : i64, prefetch = false, unroll = 2 : i64, vector_bits = 512 : i64}}
func.func @rounded(%x: memref<6x32xf32>, %y: memref<6x32xf32>) {
  linalg.negf {pypto.schedule = {parts = 100, unroll = 16}} ins(%x : memref<6x32xf32>) outs(%y : memref<6x32xf32>)
  return
}

// -----

// The lanes of a sum of floats, and the four accumulators that it has, decide about its bits.
// CHECK-LABEL: func @row_sums
// CHECK:         linalg.generic
// CHECK-SAME:      {pypto.schedule = {parts = 1 : i64, prefetch = false, unroll = 12 : i64}}
// CHECK:         linalg.generic
// CHECK-SAME:      {pypto.schedule = {parts = 1 : i64, prefetch = false, unroll = 12 : i64, vector_bits = 128 : i64}}
func.func @row_sums(%x: memref<8x1024xf32>, %y: memref<8xf32>, %i: memref<8x1024xi32>, %j: memref<8xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x1024xf32>) outs(%y : memref<8xf32>)
      attrs = {pypto.schedule = {unroll = 9, vector_bits = 128}} {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%i : memref<8x1024xi32>) outs(%j : memref<8xi32>)
      attrs = {pypto.schedule = {unroll = 9, vector_bits = 128}} {
  ^bb0(%e: i32, %sum: i32):
    %0 = arith.addi %sum, %e : i32
    linalg.yield %0 : i32
  }
  return
}

// -----

// One sum of floats is made of parts that nothing changes; one of integers is not.
// CHECK-LABEL: func @sum_of_all
// CHECK:         linalg.generic
// CHECK-SAME:      {pypto.schedule = {unroll = 4 : i64}}
// CHECK:         linalg.generic
// CHECK-SAME:      {pypto.schedule = {parts = 7 : i64, unroll = 4 : i64, vector_bits = 512 : i64}}
func.func @sum_of_all(%x: memref<1048576xf32>, %y: memref<f32>, %i: memref<1048576xi32>, %j: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<1048576xf32>) outs(%y : memref<f32>) attrs = {pypto.schedule = {parts = 7}} {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%i : memref<1048576xi32>) outs(%j : memref<i32>) attrs = {pypto.schedule = {parts = 7}} {
  ^bb0(%e: i32, %sum: i32):
    %0 = arith.addi %sum, %e : i32
    linalg.yield %0 : i32
  }
  return
}

// -----

// CHECK-LABEL: func @column_sums
// CHECK:         linalg.generic
// CHECK-SAME:      {pypto.schedule = {parts = 1 : i64, prefetch = false, row_block = 8 : i64, unroll = 2 : i64, vector_bits = 512 : i64}}
func.func @column_sums(%x: memref<1024x64xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<1024x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Sides of blocks are multiples of what is turned around in registers.
// CHECK-LABEL: func @transposed
// CHECK:         linalg.transpose
// CHECK-SAME:      {pypto.schedule = {parts = 64 : i64, transpose_block = 64 : i64}}
// CHECK:         linalg.transpose
// CHECK-SAME:      {pypto.schedule = {parts = 64 : i64, transpose_block = 48 : i64}}
func.func @transposed(%x: memref<4096x4096xf32>, %y: memref<4096x4096xf32>) {
  linalg.transpose ins(%x : memref<4096x4096xf32>) outs(%y : memref<4096x4096xf32>) permutation = [1, 0]
  linalg.transpose ins(%x : memref<4096x4096xf32>) outs(%y : memref<4096x4096xf32>) permutation = [1, 0]
      {pypto.schedule = {transpose_block = 40}}
  return
}

// -----

// A loop over rows is shared as a whole.
// CHECK-LABEL: func @rows
// CHECK:         linalg.fill
// CHECK-SAME:      {pypto.schedule = {prefetch = false, unroll = 4 : i64, vector_bits = 512 : i64}}
// CHECK:         } {pypto.rows, pypto.schedule = {parts = 16 : i64}}
func.func @rows(%y: memref<1024x2048xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c1 {
    %row = memref.subview %y[%i, 0] [1, 2048] [1, 1] : memref<1024x2048xf32> to memref<1x2048xf32, strided<[2048, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%row : memref<1x2048xf32, strided<[2048, 1], offset: ?>>)
  } {pypto.rows}
  return
}

// -----

// On tensors operations may still get one loop over their rows; products are of another kind.
// CHECK-LABEL: func @tensors
// CHECK:         linalg.negf
// CHECK-SAME:      {pypto.schedule = {fuse_rows = true, parts = 1 : i64, prefetch = false, unroll = 4 : i64, vector_bits = 512 : i64}}
// CHECK:         linalg.matmul
// CHECK-NOT:       pypto.schedule
// CHECK:         return
func.func @tensors(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.negf ins(%x : tensor<64x64xf32>) outs(%y : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%0, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%y : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

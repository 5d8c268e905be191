// RUN: pypto-opt %s --schedule-matmul --split-input-file | FileCheck %s

// What is not said is chosen; what is said stays.

// CHECK-LABEL: func @all_is_chosen
// CHECK:         linalg.matmul
// CHECK-SAME:      k_block = 512 : i64
// CHECK-SAME:      pack_rhs = true
// CHECK-SAME:      rows = 6 : i64
// CHECK-SAME:      share_rhs = true
// CHECK-SAME:      vector_bits = 512 : i64
// CHECK-SAME:      vectors = 4 : i64
func.func @all_is_chosen(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  linalg.matmul ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
  return
}

// -----

// Entries of the operation come before those of the function.
// CHECK-LABEL: func @given
// CHECK:         linalg.matmul
// CHECK-SAME:      k_block = 100 : i64
// CHECK-SAME:      rows = 5 : i64
// CHECK-SAME:      unroll = 2 : i64
func.func @given(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>)
    attributes {pypto.schedule = {rows = 4, unroll = 2}} {
  linalg.matmul {pypto.schedule = {rows = 5, k_block = 100}}
      ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>) outs(%c : memref<256x256xf32>)
  return
}

// -----

// Sizes become those of whole kernels, and no more than there is.
// CHECK-LABEL: func @rounded
// CHECK-SAME:      tensor<100x100xf32>
// CHECK:         linalg.matmul
// CHECK-SAME:      k_block = 100 : i64
// CHECK-SAME:      m_block = 24 : i64, m_part = 104 : i64
// CHECK-SAME:      n_part = 64 : i64
func.func @rounded(%a: tensor<100x100xf32>, %b: tensor<100x100xf32>, %c: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %0 = linalg.matmul {pypto.schedule = {rows = 8, vectors = 2, m_block = 20, m_part = 1000, n_part = 40, k_block = 200}}
      ins(%a, %b : tensor<100x100xf32>, tensor<100x100xf32>) outs(%c : tensor<100x100xf32>) -> tensor<100x100xf32>
  return %0 : tensor<100x100xf32>
}

// -----

// What is no product gets no schedule.
// CHECK-LABEL: func @no_product
// CHECK-NOT:     pypto.schedule
func.func @no_product(%a: memref<16xf32>, %b: memref<16xf32>) {
  linalg.copy ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  return
}

// RUN: pypto-opt %s --pypto-graph-pipeline | FileCheck %s

// A schedule stays with its product.

// CHECK-LABEL: func private @main_kernel_0
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME:      pypto.schedule = {k_block = 8 : i64, rows = 4 : i64}
func.func @main(%a: tensor<32x16xf32>, %b: tensor<32x16xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %transposed = tensor.empty() : tensor<16x32xf32>
  %t = linalg.transpose ins(%b : tensor<32x16xf32>) outs(%transposed : tensor<16x32xf32>) permutation = [1, 0]
  %1 = linalg.matmul {pypto.schedule = {rows = 4, k_block = 8}}
      ins(%a, %t : tensor<32x16xf32>, tensor<16x32xf32>) outs(%0 : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}

// So does one of a loop, and that of the graph with its kernels.
// CHECK-LABEL: func private @loops_kernel_0
// CHECK-SAME:    attributes {pypto.schedule = {parts = 3 : i64}}
// CHECK:         linalg.generic
// CHECK-SAME:      pypto.schedule = {unroll = 2 : i64}
// CHECK:           math.exp
func.func @loops(%a: tensor<32x16xf32>) -> tensor<32x16xf32> attributes {pypto.schedule = {parts = 3}} {
  %0 = arith.negf %a : tensor<32x16xf32>
  %1 = math.exp %0 {pypto.schedule = {unroll = 2}} : tensor<32x16xf32>
  return %1 : tensor<32x16xf32>
}

// RUN: pypto-opt --rangeify %s -o %t.once
// RUN: pypto-opt --rangeify %t.once -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: FileCheck %s < %t.once

// A pipeline leaves nothing for itself to do: a softmax of a transposed and padded matrix, and a sum of windows.

// CHECK-NOT: linalg.transpose
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @softmax(%x: tensor<16x8xf32>) -> tensor<8x18xf32> {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %turned = tensor.empty() : tensor<8x16xf32>
  %row = tensor.empty() : tensor<8xf32>
  %space = tensor.empty() : tensor<8x18xf32>
  %t = linalg.transpose ins(%x : tensor<16x8xf32>) outs(%turned : tensor<8x16xf32>) permutation = [1, 0]
  %p = tensor.pad %t low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x16xf32> to tensor<8x18xf32>
  %init = linalg.fill ins(%least : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.reduce {arith.maximumf} ins(%p : tensor<8x18xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
  %maxes = linalg.broadcast ins(%max : tensor<8xf32>) outs(%space : tensor<8x18xf32>) dimensions = [1]
  %shifted = arith.subf %p, %maxes : tensor<8x18xf32>
  %exp = math.exp %shifted : tensor<8x18xf32>
  return %exp : tensor<8x18xf32>
}
func.func @windows(%x: tensor<4x64xi32>) -> tensor<4xi32> {
  %zero = arith.constant 0 : i32
  %row = tensor.empty() : tensor<4xi32>
  %init = linalg.fill ins(%zero : i32) outs(%row : tensor<4xi32>) -> tensor<4xi32>
  %s = tensor.extract_slice %x[0, 1] [4, 32] [1, 2] : tensor<4x64xi32> to tensor<4x32xi32>
  %r = tensor.collapse_shape %s [[0, 1]] : tensor<4x32xi32> into tensor<128xi32>
  %e = tensor.expand_shape %r [[0, 1]] output_shape [4, 32] : tensor<128xi32> into tensor<4x32xi32>
  %sum = linalg.reduce {arith.addi} ins(%e : tensor<4x32xi32>) outs(%init : tensor<4xi32>) dimensions = [1]
  return %sum : tensor<4xi32>
}

// RUN: pypto-opt --verify-rangeified --split-input-file --verify-diagnostics %s

// Views of memory may stay, of arguments and of what a loop nest writes.
func.func @views(%x: tensor<2x3xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %empty = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xf32>) outs(%empty : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %2 = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %1, %2 : tensor<6xf32>, tensor<6xf32>
}

// -----

func.func @transpose(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %empty = tensor.empty() : tensor<3x2xf32>
  // expected-error @below {{expects index arithmetic in loop nests, but got a movement op}}
  %0 = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%empty : tensor<3x2xf32>) permutation = [1, 0]
  return %0 : tensor<3x2xf32>
}

// -----

func.func @slice(%x: tensor<6xf32>) -> tensor<2xf32> {
  // expected-error @below {{expects index arithmetic in loop nests, but got a movement op}}
  %0 = tensor.extract_slice %x[1] [2] [1] : tensor<6xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @reshape_of_value(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = math.exp %x : tensor<2x3xf32>
  // expected-error @below {{expects index arithmetic in loop nests, but got a movement op}}
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %1 : tensor<6xf32>
}

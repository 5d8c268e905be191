// RUN: pypto-opt %s --window-outputs --split-input-file --verify-diagnostics

// Outputs that are no windows.

func.func @sum_of_loops(%x: tensor<4x3xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{expects outputs that are indexed by loops, each at most once, with a stride and an offset, but got affine_map<(d0, d1) -> (d0 + d1)>}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + j)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x3xf32>) outs(%y : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @part_that_is_turned(%x: tensor<4xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{expects an output that is written as a whole or in the order of its loops, but got affine_map<(d0) -> (-d0 + 3)>}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (3 - i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%y : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

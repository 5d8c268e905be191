// RUN: pypto-run %s --random=1 --check

// Sums of infinite terms on their way are infinite, also where the term does not change.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<1x11xf32>) -> tensor<2x16xf32> {
    %cst = arith.constant dense<0x7F800000> : tensor<f32>
    %extracted = tensor.extract %cst[] : tensor<f32>
    %padded = tensor.pad %arg0 low[1, 5] high[0, 0] {
    ^bb0(%arg1: index, %arg2: index):
      tensor.yield %extracted : f32
    } : tensor<1x11xf32> to tensor<2x16xf32>
    %cst_0 = arith.constant -0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2xf32>) -> tensor<2xf32>
    %2 = tensor.empty() : tensor<2x16xf32>
    %3:2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "reduction"]} ins(%padded : tensor<2x16xf32>) outs(%1, %2 : tensor<2xf32>, tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32, %out_1: f32):
      %4 = arith.addf %out, %in : f32
      linalg.yield %4, %4 : f32, f32
    } -> (tensor<2xf32>, tensor<2x16xf32>)
    return %3#1 : tensor<2x16xf32>
  }
}

// RUN: pypto-opt --merge-ranges %s | FileCheck %s

// Loops whose dimensions are not next to each other in the result.

// CHECK-LABEL: func.func @apart(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]
func.func @apart(%x: tensor<4x5x6xf32>) -> tensor<4x6x5xf32> {
  %e = tensor.empty() : tensor<4x6x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e : tensor<4x6x5xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %a = tensor.extract %x[%i, %j, %k] : tensor<4x5x6xf32>
    linalg.yield %a : f32
  } -> tensor<4x6x5xf32>
  return %0 : tensor<4x6x5xf32>
}

// A product, a bias and an activation.
func.func @main(%a: tensor<30x20xf32>, %b: tensor<20x40xf32>, %bias: tensor<40xf32>) -> tensor<30x40xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<30x40xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<30x40xf32>) -> tensor<30x40xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<30x20xf32>, tensor<20x40xf32>) outs(%0 : tensor<30x40xf32>) -> tensor<30x40xf32>
  %2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%1, %bias : tensor<30x40xf32>, tensor<40xf32>) outs(%empty : tensor<30x40xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  } -> tensor<30x40xf32>
  return %2 : tensor<30x40xf32>
}

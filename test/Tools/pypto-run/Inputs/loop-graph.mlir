// A loop with a poor schedule.
func.func @main(%x: tensor<64x512xf32>, %b: tensor<512xf32>) -> tensor<64x512xf32> {
  %empty = tensor.empty() : tensor<64x512xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<64x512xf32>, tensor<512xf32>) outs(%empty : tensor<64x512xf32>)
      attrs = {pypto.schedule = {vector_bits = 128, parts = 5}}
    {
  ^bb0(%e: f32, %f: f32, %o: f32):
    %1 = math.exp %e : f32
    %2 = arith.addf %1, %f : f32
    linalg.yield %2 : f32
  } -> tensor<64x512xf32>
  return %0 : tensor<64x512xf32>
}

// RUN: pypto-run %s --random=1 --check --rtol=1e-3 | FileCheck %s

// The maximum of whole rows is far above the scores that count: their exponentials are zero, not NaN, in blocks of keys too.

// CHECK: equal within tolerance
#lhs = affine_map<(h, i, j, k) -> (h, i, k)>
#rhs = affine_map<(h, i, j, k) -> (h, j, k)>
#val = affine_map<(h, i, j, k) -> (h, k, j)>
#out = affine_map<(h, i, j, k) -> (h, i, j)>
#all = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>
func.func @main(%q: tensor<1x128x16xf32>, %k: tensor<1x2048x16xf32>, %v: tensor<1x2048x16xf32>) -> tensor<1x128x16xf32> {
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x128x2048xf32>
  %f = tensor.empty() : tensor<1x128xf32>
  %g = tensor.empty() : tensor<1x128x16xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128x2048xf32>) -> tensor<1x128x2048xf32>
  %scores = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<1x128x16xf32>, tensor<1x2048x16xf32>) outs(%s : tensor<1x128x2048xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %scale = arith.constant 100.0 : f32
    %scaled = arith.mulf %a, %scale : f32
    %0 = arith.mulf %scaled, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x128x2048xf32>
  %t = linalg.fill ins(%infinity : f32) outs(%f : tensor<1x128xf32>) -> tensor<1x128xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores : tensor<1x128x2048xf32>) outs(%t : tensor<1x128xf32>) {
  ^bb0(%a: f32, %max: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sge, %i, %j : index
    %0 = arith.maximumf %max, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x128xf32>
  %powers = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %most : tensor<1x128x2048xf32>, tensor<1x128xf32>) outs(%e : tensor<1x128x2048xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sge, %i, %j : index
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    %2 = arith.select %c, %1, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<1x128x2048xf32>
  %u = linalg.fill ins(%zero : f32) outs(%f : tensor<1x128xf32>) -> tensor<1x128xf32>
  %total = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%powers : tensor<1x128x2048xf32>) outs(%u : tensor<1x128xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.addf %sum, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x128xf32>
  %w = linalg.fill ins(%zero : f32) outs(%g : tensor<1x128x16xf32>) -> tensor<1x128x16xf32>
  %sums = linalg.generic {indexing_maps = [#lhs, #val, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%powers, %v : tensor<1x128x2048xf32>, tensor<1x2048x16xf32>) outs(%w : tensor<1x128x16xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x128x16xf32>
  %div = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums, %total : tensor<1x128x16xf32>, tensor<1x128xf32>) outs(%g : tensor<1x128x16xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %one = arith.constant 1.0 : f32
    %d = arith.addf %b, %one : f32
    %0 = arith.divf %a, %d : f32
    linalg.yield %0 : f32
  } -> tensor<1x128x16xf32>
  return %div : tensor<1x128x16xf32>
}

// RUN: pypto-opt --split-input-file --block-softmax='keys=16 least-scores=0' --canonicalize --cse %s | FileCheck %s
// A softmax of long rows and what it weighs are computed in blocks of keys, with the maximum so far.

#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (j, k)>
#val = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#own = affine_map<(i) -> (i)>

// CHECK-LABEL: func @attention
// CHECK-SAME: (%[[Q:[a-z0-9]*]]: tensor<8x4xf32>, %[[K:[a-z0-9]*]]: tensor<64x4xf32>, %[[V:[a-z0-9]*]]: tensor<64x4xf32>
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -3.40282347E+38 : f32
// CHECK-DAG: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK-DAG: %[[ALL:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[BLOCK:.*]] = arith.constant 16 : index
// CHECK: %[[FIRST:.*]] = linalg.fill ins(%[[LEAST]] : f32) outs(%{{.*}} : tensor<8xf32>)
// CHECK: %[[SUMS:.*]]:3 = scf.for %[[J:.*]] = %{{.*}} to %[[ALL]] step %[[BLOCK]] iter_args(%[[M:.*]] = %[[FIRST]], %[[L:.*]] = %{{.*}}, %[[O:.*]] = %{{.*}})
// CHECK: %[[KEYS:.*]] = tensor.extract_slice %[[K]][%[[J]], 0] [16, 4] [1, 1]
// CHECK: %[[SCORES:.*]] = linalg.generic {{.*}} ins(%[[Q]], %[[KEYS]] : {{.*}}) outs(%{{.*}} : tensor<8x16xf32>)
// CHECK: %[[OWN:.*]] = linalg.generic {{.*}} ins(%[[SCORES]] : tensor<8x16xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK: arith.maximumf
// CHECK: %[[GROWN:.*]]:2 = linalg.generic {{.*}} ins(%[[OWN]] : tensor<8xf32>) outs(%[[M]], %{{.*}} : tensor<8xf32>, tensor<8xf32>)
// CHECK: %[[MOST:.*]] = arith.maximumf %[[BEFORE:.*]], %{{.*}}
// CHECK: %[[LESS:.*]] = arith.subf %[[BEFORE]], %[[MOST]]
// CHECK: %[[FACTOR:.*]] = math.exp %[[LESS]]
// CHECK: linalg.yield %[[MOST]], %[[FACTOR]]
// CHECK: %[[POWERS:.*]] = linalg.generic {{.*}} ins(%[[SCORES]], %[[GROWN]]#0 :
// CHECK: %[[LESSL:.*]] = linalg.generic {{.*}} ins(%[[GROWN]]#1 : tensor<8xf32>) outs(%[[L]] : tensor<8xf32>)
// CHECK: arith.mulf
// CHECK: %[[NEXTL:.*]] = linalg.generic {{.*}} ins(%[[POWERS]] : tensor<8x16xf32>) outs(%[[LESSL]] : tensor<8xf32>)
// CHECK: %[[LESSO:.*]] = linalg.generic {{.*}} ins(%[[GROWN]]#1 : tensor<8xf32>) outs(%[[O]] : tensor<8x4xf32>)
// CHECK: %[[VALUES:.*]] = tensor.extract_slice %[[V]][%[[J]], 0] [16, 4] [1, 1]
// CHECK: %[[NEXTO:.*]] = linalg.generic {{.*}} ins(%[[POWERS]], %[[VALUES]] : {{.*}}) outs(%[[LESSO]] : tensor<8x4xf32>)
// CHECK: scf.yield %[[GROWN]]#0, %[[NEXTL]], %[[NEXTO]]
// A row of which every score is minus infinity: its sum is zero, and its maximum what it began with.
// CHECK: %[[NANS:.*]] = linalg.generic {{.*}} ins(%[[SUMS]]#1, %[[SUMS]]#0 : tensor<8xf32>, tensor<8xf32>)
// CHECK: arith.cmpf oeq
// CHECK: arith.cmpf oeq, %{{.*}}, %[[LEAST]] : f32
// CHECK: arith.select %{{.*}}, %[[NAN]], %{{.*}} : f32
// CHECK: linalg.generic {{.*}} ins(%[[NANS]], %[[SUMS]]#1 :
// CHECK: linalg.generic {{.*}} ins(%[[NANS]], %[[SUMS]]#2 :
// What divides the sums comes behind.
// CHECK: arith.divf
func.func @attention(%q: tensor<8x4xf32>, %k: tensor<64x4xf32>, %v: tensor<64x4xf32>, %r: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %infinity = arith.constant 0xFF800000 : f32
  %lines = tensor.empty() : tensor<8xf32>
  %result:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %r, %y = %lines) -> (tensor<8x4xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8x64xf32>
    %f = tensor.empty() : tensor<8xf32>
    %g = tensor.empty() : tensor<8x4xf32>
    %s = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
    %scores = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %k : tensor<8x4xf32>, tensor<64x4xf32>) outs(%s : tensor<8x64xf32>) {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %sum, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x64xf32>
    %t = linalg.fill ins(%infinity : f32) outs(%f : tensor<8xf32>) -> tensor<8xf32>
    %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
        ins(%scores : tensor<8x64xf32>) outs(%t : tensor<8xf32>) {
    ^bb0(%a: f32, %max: f32):
      %0 = arith.maximumf %max, %a : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    %powers = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%scores, %most : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %0 = arith.subf %a, %b : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x64xf32>
    %u = linalg.fill ins(%zero : f32) outs(%f : tensor<8xf32>) -> tensor<8xf32>
    %total = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
        ins(%powers : tensor<8x64xf32>) outs(%u : tensor<8xf32>) {
    ^bb0(%a: f32, %sum: f32):
      %0 = arith.addf %sum, %a : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    %share = linalg.generic {indexing_maps = [#own, #own], iterator_types = ["parallel"]}
        ins(%total : tensor<8xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%a: f32, %old: f32):
      %0 = arith.divf %one, %a : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    %w = linalg.fill ins(%zero : f32) outs(%g : tensor<8x4xf32>) -> tensor<8x4xf32>
    %sums = linalg.generic {indexing_maps = [#lhs, #val, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%powers, %v : tensor<8x64xf32>, tensor<64x4xf32>) outs(%w : tensor<8x4xf32>) {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %sum, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x4xf32>
    scf.yield %sums, %share : tensor<8x4xf32>, tensor<8xf32>
  } {pypto.rows}
  return %result#0, %result#1 : tensor<8x4xf32>, tensor<8xf32>
}

// RUN: pypto-opt --split-input-file --fuse-products='rows=10 min-elements=64' --canonicalize --cse %s | FileCheck %s
// A product of a product is computed in blocks of rows.

#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>
#same = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @chain
// CHECK-SAME: (%[[Q:[a-z0-9]*]]: tensor<40x8xf32>, %[[K:[a-z0-9]*]]: tensor<8x40xf32>, %[[V:[a-z0-9]*]]: tensor<40x8xf32>
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[ALL:.*]] =
// CHECK: %[[ROWS:.*]] = tensor.extract_slice %[[Q]][%[[ROW]], 0] [10, 8] [1, 1]
// CHECK: %[[SCORES:.*]] = linalg.generic {{.*}} ins(%[[ROWS]], %[[K]] : tensor<10x8xf32>, tensor<8x40xf32>)
// CHECK: tensor.empty() : tensor<10x40xf32>
// CHECK: %[[POWERS:.*]] = linalg.generic {{.*}} ins(%[[SCORES]] : tensor<10x40xf32>)
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[POWERS]], %[[V]] : tensor<10x40xf32>, tensor<40x8xf32>)
// CHECK: tensor.insert_slice %[[SUMS]] into %[[ALL]][%[[ROW]], 0] [10, 8] [1, 1]
// CHECK: {pypto.rows}
// CHECK-NOT: linalg
// CHECK: return
func.func @chain(%q: tensor<40x8xf32>, %k: tensor<8x40xf32>, %v: tensor<40x8xf32>, %s: tensor<40x40xf32>,
                 %o: tensor<40x8xf32>) -> tensor<40x8xf32> {
  %scores = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<40x8xf32>, tensor<8x40xf32>) outs(%s : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<40x40xf32>
  %e = tensor.empty() : tensor<40x40xf32>
  %powers = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%scores : tensor<40x40xf32>) outs(%e : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<40x40xf32>
  %result = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%powers, %v : tensor<40x40xf32>, tensor<40x8xf32>) outs(%o : tensor<40x8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<40x8xf32>
  return %result : tensor<40x8xf32>
}

// -----

#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>

// The scores are used elsewhere: they have to be computed as a whole.
// CHECK-LABEL: func @used_elsewhere
// CHECK-NOT: scf.for
func.func @used_elsewhere(%q: tensor<40x8xf32>, %k: tensor<8x40xf32>, %v: tensor<40x8xf32>, %s: tensor<40x40xf32>,
                          %o: tensor<40x8xf32>) -> (tensor<40x40xf32>, tensor<40x8xf32>) {
  %scores = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<40x8xf32>, tensor<8x40xf32>) outs(%s : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<40x40xf32>
  %result = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores, %v : tensor<40x40xf32>, tensor<40x8xf32>) outs(%o : tensor<40x8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<40x8xf32>
  return %scores, %result : tensor<40x40xf32>, tensor<40x8xf32>
}

// -----

#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>

// The factor comes from outside.
// CHECK-LABEL: func @single
// CHECK-NOT: scf.for
func.func @single(%p: tensor<40x40xf32>, %v: tensor<40x8xf32>, %o: tensor<40x8xf32>) -> tensor<40x8xf32> {
  %result = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<40x40xf32>, tensor<40x8xf32>) outs(%o : tensor<40x8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<40x8xf32>
  return %result : tensor<40x8xf32>
}

// -----

#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>
#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// What is made of the result alone runs in the loop too, with the sums that it needs.
// CHECK-LABEL: func @divided
// CHECK: scf.for
// CHECK: %[[SCORES:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<10x8xf32>, tensor<8x40xf32>)
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[SCORES]] : tensor<10x40xf32>) outs(%{{.*}} : tensor<10xf32>)
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} ins(%[[SCORES]], %{{.*}} : tensor<10x40xf32>, tensor<40x8xf32>)
// CHECK: %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[PRODUCT]], %[[SUMS]] : tensor<10x8xf32>, tensor<10xf32>)
// CHECK: arith.divf
// CHECK: tensor.insert_slice %[[RESULT]]
// CHECK: {pypto.rows}
// CHECK-NOT: linalg
// CHECK: return
func.func @divided(%q: tensor<40x8xf32>, %k: tensor<8x40xf32>, %v: tensor<40x8xf32>, %s: tensor<40x40xf32>,
                   %z: tensor<40xf32>, %o: tensor<40x8xf32>) -> tensor<40x8xf32> {
  %scores = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<40x8xf32>, tensor<8x40xf32>) outs(%s : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<40x40xf32>
  %sums = linalg.generic {indexing_maps = [#same, #row], iterator_types = ["parallel", "reduction"]}
      ins(%scores : tensor<40x40xf32>) outs(%z : tensor<40xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.addf %sum, %a : f32
    linalg.yield %0 : f32
  } -> tensor<40xf32>
  %product = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores, %v : tensor<40x40xf32>, tensor<40x8xf32>) outs(%o : tensor<40x8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<40x8xf32>
  %e = tensor.empty() : tensor<40x8xf32>
  %result = linalg.generic {indexing_maps = [#same, #row, #same], iterator_types = ["parallel", "parallel"]}
      ins(%product, %sums : tensor<40x8xf32>, tensor<40xf32>) outs(%e : tensor<40x8xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<40x8xf32>
  return %result : tensor<40x8xf32>
}

// -----

#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>

// Blocks of ten rows, and the three that are left over.
// CHECK-LABEL: func @rest
// CHECK-SAME: (%[[Q:[a-z0-9]*]]: tensor<43x8xf32>
// CHECK-DAG: %[[WHOLE:.*]] = arith.constant 40 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[WHOLE]] step
// CHECK: linalg.generic {{.*}} tensor<10x8xf32>, tensor<8x43xf32>) outs(%{{.*}} : tensor<10x43xf32>)
// CHECK: linalg.generic {{.*}} tensor<10x43xf32>, tensor<43x8xf32>) outs(%{{.*}} : tensor<10x8xf32>)
// CHECK: {pypto.rows}
// CHECK: tensor.extract_slice %[[Q]][40, 0] [3, 8] [1, 1]
// CHECK: linalg.generic {{.*}} tensor<3x8xf32>, tensor<8x43xf32>) outs(%{{.*}} : tensor<3x43xf32>)
// CHECK: linalg.generic {{.*}} tensor<3x43xf32>, tensor<43x8xf32>) outs(%{{.*}} : tensor<3x8xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @rest(%q: tensor<43x8xf32>, %k: tensor<8x43xf32>, %v: tensor<43x8xf32>) -> tensor<43x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<43x43xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<43x43xf32>) -> tensor<43x43xf32>
  %scores = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<43x8xf32>, tensor<8x43xf32>) outs(%s : tensor<43x43xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<43x43xf32>
  %r = tensor.empty() : tensor<43x8xf32>
  %o = linalg.fill ins(%zero : f32) outs(%r : tensor<43x8xf32>) -> tensor<43x8xf32>
  %result = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores, %v : tensor<43x43xf32>, tensor<43x8xf32>) outs(%o : tensor<43x8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<43x8xf32>
  return %result : tensor<43x8xf32>
}

// -----

#lhs = affine_map<(h, i, j, k) -> (0, i, k)>
#rhs = affine_map<(h, i, j, k) -> (0, k, j)>
#out = affine_map<(h, i, j, k) -> (h, i, j)>

// One head, whose index is the number zero: it has blocks as many heads have.
// CHECK-LABEL: func @one_head
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} tensor<1x10x8xf32>, tensor<1x8x40xf32>
// CHECK: linalg.generic {{.*}} tensor<1x10x40xf32>, tensor<1x40x8xf32>
// CHECK: {pypto.rows}
// CHECK-NOT: linalg
// CHECK: return
func.func @one_head(%q: tensor<1x40x8xf32>, %k: tensor<1x8x40xf32>, %v: tensor<1x40x8xf32>, %s: tensor<1x40x40xf32>,
                    %o: tensor<1x40x8xf32>) -> tensor<1x40x8xf32> {
  %scores = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<1x40x8xf32>, tensor<1x8x40xf32>) outs(%s : tensor<1x40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x40x40xf32>
  %result = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%scores, %v : tensor<1x40x40xf32>, tensor<1x40x8xf32>) outs(%o : tensor<1x40x8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x40x8xf32>
  return %result : tensor<1x40x8xf32>
}

// -----

#first = affine_map<(h, i) -> (0, i)>
#own = affine_map<(h, i) -> (h, i)>

// The first row of two is no loop of one iteration.
// CHECK: #[[FIRST:.*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-LABEL: func @first_row
// CHECK: linalg.generic {indexing_maps = [#[[FIRST]],
func.func @first_row(%x: tensor<2x8xf32>, %o: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %result = linalg.generic {indexing_maps = [#first, #own], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x8xf32>) outs(%o : tensor<1x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x8xf32>
  return %result : tensor<1x8xf32>
}

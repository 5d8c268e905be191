// RUN: pypto-opt --split-input-file --transpose-products='min-rows=8' %s | FileCheck %s
// A block of few rows times many rows is kept with the few as columns, and what is made of it.

#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (j, k)>
#out = affine_map<(i, j, k) -> (i, j)>
#sum = affine_map<(i, d, j) -> (j, d)>
#weight = affine_map<(i, d, j) -> (i, j)>
#result = affine_map<(i, d, j) -> (i, d)>
#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-DAG: #[[SAME:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[WEIGHT:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>

// CHECK-LABEL: func @attention
// CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} -> tensor<40x8xf32>
// CHECK: %[[SCORES:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[OUT]]], {{.*}} outs(%[[ZERO]] : tensor<40x8xf32>)
// The loops of what is elementwise go along memory, and know their rows.
// CHECK: %[[POWERS:.*]] = linalg.generic {indexing_maps = [#[[SAME]], #[[SAME]]], {{.*}} ins(%[[SCORES]] : tensor<40x8xf32>)
// CHECK: linalg.index 1
// CHECK: math.exp
// CHECK: linalg.generic {indexing_maps = [#[[READ]], #[[ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[POWERS]] : tensor<40x8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[WEIGHT]], {{.*}} ins(%[[POWERS]], %{{.*}} : tensor<40x8xf32>, tensor<40x4xf32>)
func.func @attention(%q: tensor<8x4xf32>, %k: tensor<40x4xf32>, %v: tensor<40x4xf32>, %sums: tensor<8xf32>,
                     %o: tensor<8x4xf32>) -> (tensor<8xf32>, tensor<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%s0 = %sums, %o0 = %o) -> (tensor<8xf32>, tensor<8x4xf32>) {
    %e = tensor.empty() : tensor<8x40xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x40xf32>) -> tensor<8x40xf32>
    %scores = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %k : tensor<8x4xf32>, tensor<40x4xf32>) outs(%f : tensor<8x40xf32>) {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %sum, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x40xf32>
    %powers = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%scores : tensor<8x40xf32>) outs(%e : tensor<8x40xf32>) {
    ^bb0(%a: f32, %b: f32):
      %row = linalg.index 0 : index
      %n = arith.index_cast %row : index to i32
      %m = arith.sitofp %n : i32 to f32
      %0 = arith.addf %a, %m : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x40xf32>
    %total = linalg.generic {indexing_maps = [#same, #row], iterator_types = ["parallel", "reduction"]}
        ins(%powers : tensor<8x40xf32>) outs(%s0 : tensor<8xf32>) {
    ^bb0(%a: f32, %sum: f32):
      %1 = arith.addf %sum, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    %out = linalg.generic {indexing_maps = [#weight, #sum, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%powers, %v : tensor<8x40xf32>, tensor<40x4xf32>) outs(%o0 : tensor<8x4xf32>) {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %sum, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x4xf32>
    scf.yield %total, %out : tensor<8xf32>, tensor<8x4xf32>
  } {pypto.rows}
  return %r#0, %r#1 : tensor<8xf32>, tensor<8x4xf32>
}

// -----

#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (k, j)>
#rows = affine_map<(i, j, k) -> (j, k)>
#out = affine_map<(i, j, k) -> (i, j)>

// The right factor has its sums along columns: nothing is to be copied.
// CHECK-LABEL: func @plain_product
// CHECK: outs(%{{.*}} : tensor<8x40xf32>)
func.func @plain_product(%q: tensor<8x4xf32>, %k: tensor<4x40xf32>, %o: tensor<8x40xf32>) -> tensor<8x40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%o0 = %o) -> (tensor<8x40xf32>) {
    %e = tensor.empty() : tensor<8x40xf32>
    %scores = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %k : tensor<8x4xf32>, tensor<4x40xf32>) outs(%e : tensor<8x40xf32>) {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %sum, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x40xf32>
    scf.yield %scores : tensor<8x40xf32>
  } {pypto.rows}
  return %r : tensor<8x40xf32>
}

// -----

#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (j, k)>
#out = affine_map<(i, j, k) -> (i, j)>

// The loop hands the product on as it is.
// CHECK-LABEL: func @seen_outside
// CHECK: outs(%{{.*}} : tensor<8x40xf32>)
func.func @seen_outside(%q: tensor<8x4xf32>, %k: tensor<40x4xf32>, %o: tensor<8x40xf32>) -> tensor<8x40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%o0 = %o) -> (tensor<8x40xf32>) {
    %e = tensor.empty() : tensor<8x40xf32>
    %scores = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %k : tensor<8x4xf32>, tensor<40x4xf32>) outs(%e : tensor<8x40xf32>) {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %sum, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x40xf32>
    scf.yield %scores : tensor<8x40xf32>
  } {pypto.rows}
  return %r : tensor<8x40xf32>
}

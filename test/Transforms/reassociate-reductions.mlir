// RUN: pypto-opt %s --reassociate-reductions | FileCheck %s
// The combiner of a float reduction, and nothing else, may be reassociated.

#whole = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: func.func @sum_of_products
func.func @sum_of_products(%x: tensor<4x8xf32>, %init: tensor<4x1xf32>) -> tensor<4x1xf32> {
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
  // CHECK-NEXT: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : f32
  %0 = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%init : tensor<4x1xf32>) {
  ^bb0(%e: f32, %acc: f32):
    %p = arith.mulf %e, %e : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// An accumulator that is read twice is not a sum.
// CHECK-LABEL: func.func @recurrence
func.func @recurrence(%x: tensor<4x8xf32>, %init: tensor<4x1xf32>) -> tensor<4x1xf32> {
  // CHECK-NOT: reassoc
  %0 = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%init : tensor<4x1xf32>) {
  ^bb0(%e: f32, %acc: f32):
    %p = arith.mulf %e, %acc : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NOT: reassoc
  %0 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%e: f32, %old: f32):
    %s = arith.addf %old, %e : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A scan may be split into lanes, too.
// CHECK-LABEL: func.func @scan
func.func @scan(%x: tensor<4x8xf32>, %init: tensor<4x1xf32>, %all: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: arith.addf {{.*}} fastmath<reassoc>
  %0:2 = linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%init, %all : tensor<4x1xf32>, tensor<4x8xf32>) {
  ^bb0(%e: f32, %acc: f32, %old: f32):
    %s = arith.addf %acc, %e : f32
    linalg.yield %s, %s : f32, f32
  } -> (tensor<4x1xf32>, tensor<4x8xf32>)
  return %0#1 : tensor<4x8xf32>
}

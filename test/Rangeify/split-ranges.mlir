// RUN: pypto-opt --split-ranges --split-input-file %s | FileCheck %s
// RUN: pypto-opt --rangeify --split-input-file %s | FileCheck %s --check-prefix=AFTER

// The loop of 6 that is divided by 3 becomes loops of 2 and 3. The result is seen in its old shape.

// CHECK-DAG: #[[WHOLE:.*]] = affine_map<()[s0, s1] -> (s0 * 3 + s1)>
// CHECK-LABEL: func.func @transposed
// CHECK: %[[RESULT:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-SAME: outs(%{{.*}} : tensor<2x3xf32>)
// CHECK-DAG: %[[OUTER:.*]] = linalg.index 0
// CHECK-DAG: %[[INNER:.*]] = linalg.index 1
// CHECK: affine.apply
// CHECK: %[[VIEW:.*]] = tensor.collapse_shape %[[RESULT]]
// CHECK: return %[[VIEW]] : tensor<6xf32>

// No division is left.

// AFTER-DAG: #[[SWAPPED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// AFTER-LABEL: func.func @transposed
// AFTER: linalg.generic {indexing_maps = [#[[SWAPPED]],
// AFTER-NOT: affine.apply
// AFTER: return
func.func @transposed(%x: tensor<3x2xf32>) -> tensor<6xf32> {
  %empty = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%empty : tensor<6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %row = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%i)
    %column = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
    %a = tensor.extract %x[%column, %row] : tensor<3x2xf32>
    linalg.yield %a : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// A divisor that does not divide the extent splits nothing.

// CHECK-LABEL: func.func @odd
// CHECK: iterator_types = ["parallel"]
func.func @odd(%x: tensor<4xf32>) -> tensor<6xf32> {
  %empty = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%empty : tensor<6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %rest = affine.apply affine_map<(d0) -> (d0 mod 4)>(%i)
    %a = tensor.extract %x[%rest] : tensor<4xf32>
    linalg.yield %a : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// RUN: pypto-opt %s --pypto-cpu-front-pipeline | FileCheck %s

// A schedule goes from a product to the loops that it becomes, and from a function to the function.

// CHECK-LABEL: func private @pl.main
// CHECK-SAME:      pypto.schedule = {rows = 5 : i64}
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "reduction", "parallel"]
// CHECK-SAME:      pypto.schedule = {vectors = 1 : i64}
pl.func incore @main(%a: !pl.tensor<[33, 20], f32>, %b: !pl.tensor<[20, 40], f32>) -> !pl.tensor<[33, 40], f32>
    attributes {pypto.schedule = {rows = 5}} {
  %0 = pl.matmul %a, %b {pypto.schedule = {vectors = 1}} : !pl.tensor<[33, 20], f32>, !pl.tensor<[20, 40], f32>
  pl.return %0 : !pl.tensor<[33, 40], f32>
}

// And to each loop that an operation becomes.
// CHECK-LABEL: func private @pl.loops
// CHECK:         linalg.fill {pypto.schedule = {unroll = 2 : i64}}
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}}pypto.schedule = {unroll = 2 : i64}
pl.func incore @loops(%a: !pl.tensor<[33, 20], f32>) -> !pl.tensor<[33, 1], f32> {
  %0 = pl.row_sum %a {pypto.schedule = {unroll = 2}} : !pl.tensor<[33, 20], f32>
  pl.return %0 : !pl.tensor<[33, 1], f32>
}

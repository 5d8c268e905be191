// RUN: pypto-run %s --entry=offset | FileCheck %s --check-prefix=OFFSET
// RUN: pypto-run %s --entry=strided | FileCheck %s --check-prefix=STRIDED
// RUN: pypto-run %s --entry=sums | FileCheck %s --check-prefix=SUMS
// RUN: pypto-run %s --entry=offset --renderer=c | FileCheck %s --check-prefix=OFFSET

// What an output has at an offset, or at each second place only, leaves the other elements as they were.

// OFFSET: result 0: float32 (2, 5), {{.*}} values 7 7 0 1 2 7 ...
func.func @offset() -> tensor<2x5xf32> {
  %seven = arith.constant dense<7.0> : tensor<2x5xf32>
  %x = arith.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j + 2)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x3xf32>) outs(%seven : tensor<2x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// STRIDED: result 0: float32 (6,), {{.*}} values 10 7 11 7 12 7
func.func @strided() -> tensor<6xf32> {
  %seven = arith.constant dense<7.0> : tensor<6xf32>
  %x = arith.constant dense<[3.0, 4.0, 5.0]> : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 * i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%seven : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// SUMS: result 0: float32 (4,), {{.*}} values 7 7 10 19
func.func @sums() -> tensor<4xf32> {
  %seven = arith.constant dense<7.0> : tensor<4xf32>
  %x = arith.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + 2)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x3xf32>) outs(%seven : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

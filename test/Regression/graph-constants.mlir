// RUN: pypto-run %s | FileCheck %s
// RUN: pypto-run %s --renderer=c | FileCheck %s
// RUN: pypto-run %s --renderer=mlir | FileCheck %s

// Constants with several elements: as results, and read in a kernel.

// CHECK:      result 0: float32 (3,), {{.*}} values nan -inf -1
// CHECK-NEXT: result 1: float16 (3,), {{.*}} values 1.5 nan -0
// CHECK-NEXT: result 2: uint16 (3,), {{.*}} values 1.5 nan -0
// CHECK-NEXT: result 3: int64 (3,), {{.*}} values -9223372036854775808 9223372036854775807 -1
// CHECK-NEXT: result 4: bool (3,), {{.*}} values 1 0 1
// CHECK-NEXT: result 5: float64 (3,), {{.*}} values 1.0000000000000001e+300 -inf 4.94
// CHECK-NEXT: result 6: int8 (3,), {{.*}} values -128 127 3
// CHECK-NEXT: result 7: int64 (1, 3), {{.*}} values -9223372036854775808 9223372036854775807 -1
// CHECK-NEXT: result 8: float32 (3,), {{.*}} values nan -inf 0
// CHECK-NEXT: result 9: int8 (3,), {{.*}} values 0 127 6
func.func @constants() -> (tensor<3xf32>, tensor<3xf16>, tensor<3xbf16>, tensor<3xi64>, tensor<3xi1>, tensor<3xf64>, tensor<3xi8>, tensor<1x3xi64>, tensor<3xf32>, tensor<3xi8>) {
  %f32 = arith.constant dense<[0x7fc00000, 0xff800000, -1.0]> : tensor<3xf32>
  %f16 = arith.constant dense<[1.5, 0x7e00, -0.0]> : tensor<3xf16>
  %bf16 = arith.constant dense<[1.5, 0x7fc0, -0.0]> : tensor<3xbf16>
  %i64 = arith.constant dense<[-9223372036854775808, 9223372036854775807, -1]> : tensor<3xi64>
  %i1 = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %f64 = arith.constant dense<[1.0e300, 0xfff0000000000000, 4.9e-324]> : tensor<3xf64>
  %i8 = arith.constant dense<[-128, 127, 3]> : tensor<3xi8>
  %reshaped = tensor.expand_shape %i64 [[0, 1]] output_shape [1, 3] : tensor<3xi64> into tensor<1x3xi64>
  %empty32 = tensor.empty() : tensor<3xf32>
  %added:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%f32, %i8 : tensor<3xf32>, tensor<3xi8>) outs(%empty32, %i8 : tensor<3xf32>, tensor<3xi8>) {
  ^bb0(%f: f32, %i: i8, %0: f32, %1: i8):
    %k = linalg.index 0 : index
    %k8 = arith.index_cast %k : index to i8
    %i2 = arith.muli %i, %k8 : i8
    %one = arith.constant 1.0 : f32
    %f2 = arith.addf %f, %one : f32
    linalg.yield %f2, %i2 : f32, i8
  } -> (tensor<3xf32>, tensor<3xi8>)
  return %f32, %f16, %bf16, %i64, %i1, %f64, %i8, %reshaped, %added#0, %added#1 : tensor<3xf32>, tensor<3xf16>, tensor<3xbf16>, tensor<3xi64>, tensor<3xi1>, tensor<3xf64>, tensor<3xi8>, tensor<1x3xi64>, tensor<3xf32>, tensor<3xi8>
}

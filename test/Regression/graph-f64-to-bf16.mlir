// RUN: pypto-run %s --random=1 | FileCheck %s
// RUN: pypto-run %s --random=1 --renderer=c | FileCheck %s

// Rounding f64 to bf16 is a call that no library of the host has; it rounds once: 1 + 2^-8 + 2^-40 is above the middle.

// CHECK: result 0: uint16 (2,), {{.*}} values 1.0078125 1
func.func @main(%x: tensor<2xf64>) -> tensor<2xbf16> {
  %empty = tensor.empty() : tensor<2xf64>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2xf64>) outs(%empty : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %above = arith.constant 1.00390625000090949 : f64
    %middle = arith.constant 1.00390625 : f64
    %i = linalg.index 0 : index
    %zero = arith.constant 0 : index
    %isFirst = arith.cmpi eq, %i, %zero : index
    %1 = arith.select %isFirst, %above, %middle : f64
    linalg.yield %1 : f64
  } -> tensor<2xf64>
  %2 = arith.truncf %0 : tensor<2xf64> to tensor<2xbf16>
  return %2 : tensor<2xbf16>
}

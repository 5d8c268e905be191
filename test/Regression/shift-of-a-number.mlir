// RUN: pypto-run %s --random=1 --check --renderer=c | FileCheck %s
// RUN: pypto-run %s --random=1 --check | FileCheck %s

// A number that is shifted has the width of its type in C, too.

// CHECK: result 0: int64 (3,), {{.*}} values -3 -12884901888 -3458764513820540928
// CHECK: result 1: int64 (3,), {{.*}} values -5000000000 -2
func.func @main() -> (tensor<3xi64>, tensor<3xi64>) {
  %empty = tensor.empty() : tensor<3xi64>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%empty, %empty : tensor<3xi64>, tensor<3xi64>) {
  ^bb0(%a: i64, %b: i64):
    %minus = arith.constant -3 : i64
    %many = arith.constant -5000000000 : i64
    %width = arith.constant 32 : i64
    %most = arith.constant 60 : i64
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.muli %j, %width : i64
    %by = arith.minsi %k, %most : i64
    %l = arith.shli %minus, %by : i64
    %r = arith.shrsi %many, %by : i64
    linalg.yield %l, %r : i64, i64
  } -> (tensor<3xi64>, tensor<3xi64>)
  return %0#0, %0#1 : tensor<3xi64>, tensor<3xi64>
}

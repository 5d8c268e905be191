// RUN: pypto-run %s --random=1 --check | FileCheck %s

// A scan that is stored as two vectors and read as one, the second one first after LLVM has reordered it: SROA would join
// them where one is not computed yet.

// CHECK: equal within tolerance
func.func @main(%x: tensor<16xf64>, %y: tensor<16xf64>) -> (tensor<16xi1>) {
  %hundred = arith.constant 1.0e+02 : f64
  %one = tensor.empty() : tensor<f64>
  %all = tensor.empty() : tensor<16xf64>
  %start = linalg.fill ins(%hundred : f64) outs(%one : tensor<f64>) -> tensor<f64>
  %m, %least = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["reduction"]} ins(%x : tensor<16xf64>) outs(%start, %all : tensor<f64>, tensor<16xf64>) {
  ^bb0(%e: f64, %so: f64, %old: f64):
    %far = arith.minimumf %so, %e : f64
    linalg.yield %far, %far : f64, f64
  } -> (tensor<f64>, tensor<16xf64>)
  %below = arith.cmpf ole, %least, %y : tensor<16xf64>
  return %below : tensor<16xi1>
}

// RUN: pypto-run %s --random=1 --check --entry=main | FileCheck %s
// RUN: not pypto-run %s --random=1 --entry=twice 2>&1 | FileCheck %s --check-prefix=ENTRY

// Functions that a graph calls are part of it. The names of graphs are listed where one is missing.

// CHECK: result 0: float32 (4,), {{.*}} values 3.87849975 1.6891129
// CHECK: equal within tolerance
// ENTRY: error: no function 'twice'; entries: 'main', 'other'
func.func private @scale(%x: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %b = tensor.splat %s : tensor<4xf32>
  %0 = arith.mulf %x, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = arith.constant 2.0 : f32
  %0 = func.call @scale(%x, %two) : (tensor<4xf32>, f32) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @other(%x: tensor<4xf32>) {
  return
}

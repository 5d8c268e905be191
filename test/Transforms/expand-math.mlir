// RUN: pypto-opt %s --expand-math | FileCheck %s
// Functions of f32 become arithmetic that may be contracted; others stay. test/Transforms/expand-math.test has the numbers.

// CHECK-LABEL: func.func @single
func.func @single(%x: f32, %v: vector<16xf32>) -> (f32, vector<16xf32>, f32, f32) {
  // CHECK-NOT: math.exp
  // CHECK-NOT: math.log
  // CHECK-NOT: math.tanh
  // CHECK: arith.mulf {{.*}} fastmath<contract> : f32
  // CHECK: arith.mulf {{.*}} fastmath<contract> : vector<16xf32>
  %0 = math.exp %x : f32
  %1 = math.exp %v : vector<16xf32>
  %2 = math.log %x : f32
  %3 = math.tanh %x : f32
  return %0, %1, %2, %3 : f32, vector<16xf32>, f32, f32
}

// CHECK-LABEL: func.func @maximum
func.func @maximum(%x: f32, %y: f32) -> (f32, f32) {
  // CHECK: llvm.intr.maximum
  // CHECK: llvm.intr.minimum
  %0 = arith.maximumf %x, %y : f32
  %1 = arith.minimumf %x, %y : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @others
func.func @others(%x: f64, %y: f32) -> (f64, f64, f32) {
  // CHECK: math.exp %{{.*}} : f64
  // CHECK: arith.maximumf
  // CHECK: math.sin
  %0 = math.exp %x : f64
  %1 = arith.maximumf %x, %x : f64
  %2 = math.sin %y : f32
  return %0, %1, %2 : f64, f64, f32
}

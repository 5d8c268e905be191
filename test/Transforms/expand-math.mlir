// RUN: pypto-opt %s --expand-math | FileCheck %s
// Functions of f32 become arithmetic, sums of products rounded once; others stay. test/Transforms/expand-math.test has the numbers.

// CHECK-LABEL: func.func @single
func.func @single(%x: f32, %v: vector<16xf32>) -> (f32, vector<16xf32>, f32, f32) {
  // CHECK-NOT: math.exp
  // CHECK-NOT: math.log
  // CHECK-NOT: math.tanh
  // CHECK: llvm.intr.fmuladd({{.*}} : (f32, f32, f32) -> f32
  // CHECK: llvm.intr.fmuladd({{.*}} : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
  // CHECK-NOT: fastmath<contract>
  // CHECK: return
  %0 = math.exp %x : f32
  %1 = math.exp %v : vector<16xf32>
  %2 = math.log %x : f32
  %3 = math.tanh %x : f32
  return %0, %1, %2, %3 : f32, vector<16xf32>, f32, f32
}

// One instruction scales vectors that fill a register of AVX-512, where it is there.
// CHECK-LABEL: func.func @vectors
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
// CHECK-NOT: llvm.call_intrinsic
// CHECK: return
func.func @vectors(%x: vector<16xf32>, %y: vector<8xf32>) -> (vector<16xf32>, vector<16xf32>, vector<8xf32>) {
  %0 = math.exp %x {pypto.has_scale} : vector<16xf32>
  %1 = math.exp %x : vector<16xf32>
  %2 = math.exp %y : vector<8xf32>
  return %0, %1, %2 : vector<16xf32>, vector<16xf32>, vector<8xf32>
}

// A fraction between bounds, which NaN passes.
// CHECK-LABEL: func.func @erf
// CHECK-SAME: (%[[X:.*]]: f32)
func.func @erf(%x: f32) -> f32 {
  // CHECK-NOT: math.erf
  // CHECK-DAG: %[[LIMIT:.*]] = arith.constant 4.0
  // CHECK: %[[ABOVE:.*]] = arith.cmpf olt, %[[LIMIT]], %[[X]]
  // CHECK: arith.select %[[ABOVE]], %[[LIMIT]], %[[X]]
  // CHECK: %[[FRACTION:.*]] = arith.divf
  // CHECK: %[[ABOVE_ONE:.*]] = arith.cmpf olt, %[[ONE:.*]], %[[FRACTION]]
  // CHECK: arith.select %[[ABOVE_ONE]], %[[ONE]], %[[FRACTION]]
  %0 = math.erf %x : f32
  return %0 : f32
}

// Of vectors by one instruction, and two for NaN; either zero will do.
// CHECK-LABEL: func.func @vector_maximum
// CHECK-SAME: (%[[X:.*]]: vector<16xf32>, %[[Y:.*]]: vector<16xf32>)
func.func @vector_maximum(%x: vector<16xf32>, %y: vector<16xf32>) -> vector<16xf32> {
  // CHECK: llvm.intr.maximum(%[[Y]], %[[X]]) {fastmathFlags = #llvm.fastmath<nsz>}
  %0 = arith.maximumf %x, %y : vector<16xf32>
  return %0 : vector<16xf32>
}

// Of three vectors: one comparison tells if one of the last two has a NaN; that of the first one stays.
// CHECK-LABEL: func.func @vector_minima
// CHECK-SAME: (%[[A:.*]]: vector<8xf64>, %[[X:.*]]: vector<8xf64>, %[[Y:.*]]: vector<8xf64>)
func.func @vector_minima(%a: vector<8xf64>, %x: vector<8xf64>, %y: vector<8xf64>) -> vector<8xf64> {
  // CHECK-NOT: minimum
  // CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[X]], %[[A]]
  // CHECK: %[[FIRST:.*]] = arith.select %[[LESS]], %[[X]], %[[A]]
  // CHECK: %[[LEAST:.*]] = arith.cmpf olt, %[[Y]], %[[FIRST]]
  // CHECK: %[[BOTH:.*]] = arith.select %[[LEAST]], %[[Y]], %[[FIRST]]
  // CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[Y]]
  // CHECK: %[[NONE:.*]] = arith.constant dense<0x7FF8000000000000>
  // CHECK: arith.select %[[NAN]], %[[NONE]], %[[BOTH]]
  %0 = arith.minimumf %a, %x : vector<8xf64>
  %1 = arith.minimumf %0, %y : vector<8xf64>
  return %1 : vector<8xf64>
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

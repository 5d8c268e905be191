// RUN: pypto-opt %s --convert-float8-to-runtime | FileCheck %s

// Conversions from and to the 8-bit floats become calls with the number of the type; others stay.

// CHECK-DAG: func.func private @pypto_f8_to_f64(i32, i8) -> f64
// CHECK-DAG: func.func private @pypto_f64_to_f8(i32, f64) -> i8

// CHECK-LABEL: func.func @widen
// CHECK-SAME: (%[[X:.*]]: f8E4M3FN)
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : f8E4M3FN to i8
// CHECK: %[[KIND:.*]] = arith.constant 2 : i32
// CHECK: %[[WIDE:.*]] = call @pypto_f8_to_f64(%[[KIND]], %[[BITS]])
// CHECK: %[[F32:.*]] = arith.truncf %[[WIDE]] : f64 to f32
// CHECK: return %[[F32]]
func.func @widen(%x: f8E4M3FN) -> f32 {
  %0 = arith.extf %x : f8E4M3FN to f32
  return %0 : f32
}

// bf16 is converted to f32 only.
// CHECK-LABEL: func.func @narrow
// CHECK: %[[F32:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[F64:.*]] = arith.extf %[[F32]] : f32 to f64
// CHECK: %[[KIND:.*]] = arith.constant 0 : i32
// CHECK: %[[BITS:.*]] = call @pypto_f64_to_f8(%[[KIND]], %[[F64]])
// CHECK: %[[R:.*]] = arith.bitcast %[[BITS]] : i8 to f8E5M2
// CHECK: return %[[R]]
func.func @narrow(%x: bf16) -> f8E5M2 {
  %0 = arith.truncf %x : bf16 to f8E5M2
  return %0 : f8E5M2
}

// CHECK-LABEL: func.func @others
// CHECK-NEXT: arith.extf %{{.*}} : f16 to f32
// CHECK-NEXT: return
func.func @others(%x: f16) -> f32 {
  %0 = arith.extf %x : f16 to f32
  return %0 : f32
}

// RUN: pypto-opt --convert-kernel-to-emitc --split-input-file %s | FileCheck %s
// RUN: pypto-opt --convert-kernel-to-emitc --split-input-file %s | mlir-translate --mlir-to-cpp --split-input-file | FileCheck %s --check-prefix=C

// C source of functions over buffers and scalars, that is loops, branches, memory, integers of both signs, floats with NaN.

// The example of the pass.

// CHECK-LABEL: emitc.func @scale
// CHECK-SAME: (%{{.*}}: !emitc.opaque<"float *restrict">, %{{.*}}: i64)
// CHECK: for
// CHECK: subscript

// C-LABEL: void scale(float *restrict v1, int64_t v2) {
// C: for (int64_t [[I:.*]] = {{.*}}; [[I]] < v2; [[I]] +=
// C: v1[[[I]]]
func.func @scale(%x: memref<8xf32> {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<8xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<8xf32>
  }
  return
}

// -----

// A sum that a loop carries, and a branch with a result: variables.

// C-LABEL: void carried(float* v1, int64_t v2, bool v3) {
// C: float [[SUM:v[0-9]+]];
// C: [[SUM]] = v
// C: for
// C: float [[OLD:v[0-9]+]] = [[SUM]];
// C: [[SUM]] = v
// C: if (v3) {
// C: } else {
// C: }
func.func @carried(%x: memref<8xf32>, %n: index, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%old = %zero) -> f32 {
    %v = memref.load %x[%i] : memref<8xf32>
    %new = arith.addf %old, %v : f32
    scf.yield %new : f32
  }
  %r = scf.if %flag -> f32 {
    scf.yield %sum : f32
  } else {
    scf.yield %zero : f32
  }
  memref.store %r, %x[%c0] : memref<8xf32>
  return
}

// -----

// Signs are chosen by the operations; i1 is bool, whose true is -1 as a signed number.

// C-LABEL: void integers(int32_t* v1, int32_t v2, int32_t v3, bool v4) {
// C: int32_t v{{.*}} = v2 / v3;
// C: uint32_t [[A:v.*]] = (uint32_t) v2;
// C: uint32_t [[B:v.*]] = (uint32_t) v3;
// C: uint32_t [[Q:v.*]] = [[A]] / [[B]];
// C: (int32_t) [[Q]];
// C: uint32_t [[L:v.*]] = (uint32_t) v2;
// C: uint32_t [[R:v.*]] = (uint32_t) v3;
// C: [[L]] < [[R]];
// C: int32_t [[ONE:v.*]] = (int32_t) v4;
// C: int32_t [[ZERO:v.*]] = 0;
// C: [[ZERO]] - [[ONE]];
func.func @integers(%x: memref<8xi32>, %a: i32, %b: i32, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %signed = arith.divsi %a, %b : i32
  memref.store %signed, %x[%c0] : memref<8xi32>
  %unsigned = arith.divui %a, %b : i32
  memref.store %unsigned, %x[%c1] : memref<8xi32>
  %less = arith.cmpi ult, %a, %b : i32
  %minimum = arith.select %less, %a, %b : i32
  memref.store %minimum, %x[%c2] : memref<8xi32>
  %wide = arith.extsi %flag : i1 to i32
  memref.store %wide, %x[%c3] : memref<8xi32>
  return
}

// -----

// A comparison that is true of NaN is not that of its opposite.

// C-LABEL: void floats(double* v1, double v2, double v3) {
// C: double [[INF:v.*]] = INFINITY;
// C: bool [[LE:v.*]] = v2 <= v3;
// C: bool [[GT:v.*]] = ![[LE]];
// C: double [[POWER:v.*]] = pow(v2, v3);
// C: [[GT]] ? [[POWER]] : [[INF]];
func.func @floats(%x: memref<8xf64>, %a: f64, %b: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %inf = arith.constant 0x7FF0000000000000 : f64
  %greater = arith.cmpf ugt, %a, %b : f64
  %power = math.powf %a, %b : f64
  %r = arith.select %greater, %power, %inf : f64
  memref.store %r, %x[%c0] : memref<8xf64>
  return
}

// -----

// C computes narrow integers in more bits: what does not fit is cut off before something else sees it.

// C-LABEL: void narrow(int16_t* v1, int16_t v2, int16_t v3) {
// C: int32_t [[SHIFTED:v[0-9]+]] = v2 << v3;
// C: int16_t [[WRAPPED:v[0-9]+]] = (int16_t) [[SHIFTED]];
// C: [[WRAPPED]] < v2
func.func @narrow(%x: memref<8xi16>, %a: i16, %n: i16) {
  %c0 = arith.constant 0 : index
  %shifted = arith.shli %a, %n : i16
  %least = arith.minsi %shifted, %a : i16
  memref.store %least, %x[%c0] : memref<8xi16>
  return
}

// -----

// bf16 is its bits, and a cast between bits copies them.

// C-LABEL: pypto_float_as_int32_t(float value) {
// C: void bits(uint16_t* v1, float v2) {
// C: pypto_float_as_int32_t(v2)
func.func @bits(%x: memref<8xbf16>, %a: f32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : i32
  %bits = arith.bitcast %a : f32 to i32
  %high = arith.shrui %bits, %c16 : i32
  %short = arith.trunci %high : i32 to i16
  %r = arith.bitcast %short : i16 to bf16
  memref.store %r, %x[%c0] : memref<8xbf16>
  return
}

// -----

// Buffers of open extents, views, memory of its own, constants.

// C-LABEL: static const float pypto_table[] = {0x1p0, -0x1.8p1};
// C: void memory(float* v1, int64_t v2) {
// C: pypto_alloc(
// C: memcpy(
// C: pypto_free(
memref.global "private" constant @table : memref<2xf32> = dense<[1.0, -3.0]>
func.func @memory(%x: memref<1xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %view = memref.reinterpret_cast %x to offset: [0], sizes: [%n, 4], strides: [4, 1] : memref<1xf32> to memref<?x4xf32>
  %space = memref.alloc(%n) : memref<?x4xf32>
  memref.copy %view, %space : memref<?x4xf32> to memref<?x4xf32>
  %table = memref.get_global @table : memref<2xf32>
  %v = memref.load %table[%c1] : memref<2xf32>
  memref.store %v, %space[%c0, %c1] : memref<?x4xf32>
  memref.copy %space, %view : memref<?x4xf32> to memref<?x4xf32>
  memref.dealloc %space : memref<?x4xf32>
  return
}

// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Allocation, views, retyping, writes and element access.

// CHECK-LABEL: pl.func @allocate
// CHECK: pl.create(%{{[a-z0-9#]+}}) : !pl.tensor<[?, 16], f32>
// CHECK: pl.create runtime_allocated : !pl.tensor<[4], f32>
// CHECK: pl.full %{{[a-z0-9#]+}}(%{{[a-z0-9#]+}}) : f32, !pl.tensor<[?, 16], f32>
// CHECK: pl.create(%{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}) : !pl.tensor<[?], f32, valid = [?]>
pl.func @allocate(%n: index, %v: f32) {
  %0 = pl.create(%n) : !pl.tensor<[?, 16], f32>
  %1 = pl.create runtime_allocated : !pl.tensor<[4], f32>
  %2 = pl.full %v(%n) : f32, !pl.tensor<[?, 16], f32>
  %3 = pl.create(%n, %n) : !pl.tensor<[?], f32, valid = [?]>
  pl.return
}

// CHECK-LABEL: pl.func @views
// CHECK: pl.slice %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 0] : !pl.tensor<[128, N], f32> -> !pl.tensor<[16, N], f32>
// CHECK: pl.slice %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 0] sizes(%{{[a-z0-9#]+}}) dropped [0] : !pl.tensor<[128, N], f32> -> !pl.tensor<[?], f32>
// CHECK: pl.reshape %{{[a-z0-9#]+}} : !pl.tensor<[4, 8], f32> -> !pl.tensor<[32], f32>
// CHECK: pl.reshape %{{[a-z0-9#]+}} sizes(%{{[a-z0-9#]+}}) : !pl.tensor<[128, N], f32> -> !pl.tensor<[?, 2], f32>
pl.func @views(%t: !pl.tensor<[128, N], f32>, %u: !pl.tensor<[4, 8], f32>, %i: index, %n: index) {
  %0 = pl.slice %t[%i, 0] : !pl.tensor<[128, N], f32> -> !pl.tensor<[16, N], f32>
  %1 = pl.slice %t[%i, 0] sizes(%n) dropped [0] : !pl.tensor<[128, N], f32> -> !pl.tensor<[?], f32>
  %2 = pl.reshape %u : !pl.tensor<[4, 8], f32> -> !pl.tensor<[32], f32>
  %3 = pl.reshape %t sizes(%n) : !pl.tensor<[128, N], f32> -> !pl.tensor<[?, 2], f32>
  pl.return
}

// CHECK-LABEL: pl.func @retype
// CHECK: pl.cast_shape %{{[a-z0-9#]+}} : !pl.tensor<[N, 4], f32> -> !pl.tensor<[?, 4], f32>
// CHECK: pl.set_validshape %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 4] : !pl.tensor<[N, 4], f32> -> !pl.tensor<[N, 4], f32, valid = [?, 4]>
pl.func @retype(%t: !pl.tensor<[N, 4], f32>, %n: index) {
  %0 = pl.cast_shape %t : !pl.tensor<[N, 4], f32> -> !pl.tensor<[?, 4], f32>
  %1 = pl.set_validshape %t[%n, 4] : !pl.tensor<[N, 4], f32> -> !pl.tensor<[N, 4], f32, valid = [?, 4]>
  pl.return
}

// CHECK-LABEL: pl.func @writes
// CHECK: pl.assemble %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 0] : !pl.tensor<[16, 8], f32>, !pl.tensor<[64, 8], f32>
// CHECK: pl.assemble %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}[0, 0] atomic : !pl.tensor<[16, 8], f32>, !pl.tensor<[64, 8], f32> -> !pl.tensor<[?, 8], f32>
// CHECK: pl.write %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}] : !pl.tensor<[64, 8], f32>
pl.func @writes(%s: !pl.tensor<[16, 8], f32>, %t: !pl.tensor<[64, 8], f32>, %i: index, %x: f32) {
  %0 = pl.assemble %s, %t[%i, 0] : !pl.tensor<[16, 8], f32>, !pl.tensor<[64, 8], f32>
  "test.use"(%0) : (!pl.tensor<[64, 8], f32>) -> ()
  %1 = pl.assemble %s, %t[0, 0] atomic : !pl.tensor<[16, 8], f32>, !pl.tensor<[64, 8], f32> -> !pl.tensor<[?, 8], f32>
  "test.use"(%1) : (!pl.tensor<[?, 8], f32>) -> ()
  %2 = pl.write %x, %t[%i, %i] : !pl.tensor<[64, 8], f32>
  "test.use"(%2) : (!pl.tensor<[64, 8], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @reads
// CHECK: pl.read %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}] : !pl.tensor<[4, N], ui16>
// CHECK: pl.dim %{{[a-z0-9#]+}}, 1 : !pl.tensor<[4, N], ui16>
pl.func @reads(%t: !pl.tensor<[4, N], ui16>, %i: index) {
  %0 = pl.read %t[%i, %i] : !pl.tensor<[4, N], ui16>
  "test.use"(%0) : (i16) -> ()
  %1 = pl.dim %t, 1 : !pl.tensor<[4, N], ui16>
  "test.use"(%1) : (index) -> ()
  pl.return
}

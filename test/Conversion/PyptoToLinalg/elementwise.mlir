// RUN: pypto-opt %s --convert-pypto-to-linalg | FileCheck %s

// Elementwise operations: one linalg.generic on the valid part, in the type that docs/numerics.md says.

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (0, d1)>

// A load is a copy made at the load, a store writes the valid part.
// CHECK-LABEL: func.func private @pl.tile_add
// CHECK: %[[WINDOW:.*]] = memref.subview %[[X:.*]][%{{.*}}, 0] [%[[N:.*]], 8] [1, 1]
// CHECK: %[[BUFFER:.*]] = memref.alloc(%[[N]]) {alignment = 64 : i64} : memref<?x8xf32>
// CHECK: linalg.copy ins(%[[WINDOW]] {{.*}} outs(%[[BUFFER]]
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[ID]]]{{.*}} ins(%[[T]], %[[T]]
// CHECK: arith.addf
// CHECK: %[[TARGET:.*]] = memref.subview %{{.*}}[%{{.*}}, 0] [%[[N]], 8] [1, 1]
// CHECK: bufferization.materialize_in_destination %[[SUM]] in writable %[[TARGET]]
pl.func @tile_add(%x: !pl.tensor<[M, 8], f32>, out %y: !pl.tensor<[M, 8], f32>, %i: index, %n: index) {
  %t = tile.load %x[%i, 0] valid(%n) : !pl.tensor<[M, 8], f32> -> !tile.tile<[4, 8], f32, valid = [?, 8]>
  %s = tile.add %t, %t : !tile.tile<[4, 8], f32, valid = [?, 8]>
  %r = tile.store %s, %y[%i, 0] : !tile.tile<[4, 8], f32, valid = [?, 8]>, !pl.tensor<[M, 8], f32>
  pl.return
}

// A tensor operation reads copies and makes storage of its own.
// CHECK-LABEL: func.func private @pl.tensor_mul
// CHECK: %[[A:.*]] = bufferization.to_tensor
// CHECK: %[[B:.*]] = bufferization.to_tensor
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ROW]], #[[ID]]]{{.*}} ins(%[[A]], %[[B]]
// CHECK: ^bb0(%[[L:.*]]: f32, %[[R:.*]]: f16, %{{.*}}: f32):
// CHECK: %[[W:.*]] = arith.extf %[[R]] : f16 to f32
// CHECK: arith.mulf %[[L]], %[[W]] : f32
// CHECK: %[[ALLOC:.*]] = memref.alloc
// CHECK: bufferization.materialize_in_destination
// CHECK: return
pl.func @tensor_mul(%a: !pl.tensor<[4, N], f32>, %b: !pl.tensor<[1, N], f16>) -> !pl.tensor<[4, N], f32> {
  %r = pl.mul %a, %b : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f16>
  pl.return %r : !pl.tensor<[4, N], f32>
}

// Half precision is computed in f32 and rounded once.
// CHECK-LABEL: func.func private @pl.half
// CHECK: ^bb0(%[[E:.*]]: bf16, %{{.*}}: bf16):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[E]] : bf16 to f32
// CHECK-NEXT: %[[R:.*]] = math.exp %[[W]] : f32
// CHECK-NEXT: %[[N:.*]] = arith.truncf %[[R]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[N]]
pl.func @half(%a: !pl.tensor<[4], bf16>) -> !pl.tensor<[4], bf16> {
  %r = pl.exp %a : !pl.tensor<[4], bf16>
  pl.return %r : !pl.tensor<[4], bf16>
}

// Whether an integer is unsigned stands in the element type alone.
// CHECK-LABEL: func.func private @pl.unsigned
// CHECK-SAME: memref<4xi8
// CHECK: arith.divui
// CHECK: arith.minui
// CHECK: arith.cmpi ult
pl.func @unsigned(%a: !pl.tensor<[4], ui8>, %s: i8) -> !pl.tensor<[4], i1> {
  %q = pl.div %a, %s : !pl.tensor<[4], ui8>, i8
  %m = pl.minimum %q, %a : !pl.tensor<[4], ui8>, !pl.tensor<[4], ui8>
  %r = pl.cmp lt %m, %a : !pl.tensor<[4], ui8>, !pl.tensor<[4], ui8>
  pl.return %r : !pl.tensor<[4], i1>
}

// An extent that may be one is looked at when the program runs.
// CHECK-LABEL: func.func private @pl.dynamic
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[GIVES:.*]] = arith.cmpi eq, %{{.*}}, %[[ONE]] : index
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[I]]
// CHECK: tensor.extract %{{.*}}[%[[AT]]]
pl.func @dynamic(%a: !pl.tensor<[?], f32>, %b: !pl.tensor<[?], f32>) -> !pl.tensor<[?], f32> {
  %r = pl.add %a, %b : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  pl.return %r : !pl.tensor<[?], f32>
}

// RUN: pypto-opt %s --convert-memref-copy-to-linalg | FileCheck %s

// A copy with strides on either side becomes linalg.copy; a copy of dense buffers, which becomes a memcpy,
// and a copy of unranked buffers stay.

// CHECK-LABEL: func.func @strided_source
// CHECK-SAME: (%[[SOURCE:.*]]: memref<4x8xf32, strided<[16, 1]>>, %[[TARGET:.*]]: memref<4x8xf32>)
func.func @strided_source(%source: memref<4x8xf32, strided<[16, 1]>>, %target: memref<4x8xf32>) {
  // CHECK-NOT: memref.copy
  // CHECK: linalg.copy ins(%[[SOURCE]] : memref<4x8xf32, strided<[16, 1]>>) outs(%[[TARGET]] : memref<4x8xf32>)
  memref.copy %source, %target : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
  return
}

// CHECK-LABEL: func.func @strided_target
// CHECK-SAME: (%[[SOURCE:.*]]: memref<?xf32>, %[[TARGET:.*]]: memref<?xf32, strided<[?], offset: ?>>)
func.func @strided_target(%source: memref<?xf32>, %target: memref<?xf32, strided<[?], offset: ?>>) {
  // CHECK-NOT: memref.copy
  // CHECK: linalg.copy ins(%[[SOURCE]] : memref<?xf32>) outs(%[[TARGET]] : memref<?xf32, strided<[?], offset: ?>>)
  memref.copy %source, %target : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return
}

// CHECK-LABEL: func.func @dense
func.func @dense(%source: memref<4x8xf32>, %target: memref<4x8xf32>) {
  // CHECK-NOT: linalg.copy
  // CHECK: memref.copy
  memref.copy %source, %target : memref<4x8xf32> to memref<4x8xf32>
  return
}

// CHECK-LABEL: func.func @unranked
func.func @unranked(%source: memref<*xf32>, %target: memref<4x8xf32, strided<[16, 1]>>) {
  // CHECK-NOT: linalg.copy
  // CHECK: memref.copy
  memref.copy %source, %target : memref<*xf32> to memref<4x8xf32, strided<[16, 1]>>
  return
}

// RUN: pypto-opt %s --canonicalize | FileCheck %s
// Where folding makes the extents of a window's memory constants, an empty window may turn out to begin behind the last
// element, which no memref.subview may; nor may one that is not reached. Then another operation makes it.

// CHECK-LABEL: func.func @no_rows
// CHECK-SAME: (%[[X:.*]]: memref<0x8xf32>, %[[N:.*]]: index)
// CHECK: %[[WINDOW:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[N]], 8], strides: [8, 1] : memref<0x8xf32> to memref<?x8xf32,
// CHECK: orchestration.sync(read %[[WINDOW]])
func.func @no_rows(%x: memref<0x8xf32>, %n: index) {
  %any = memref.cast %x : memref<0x8xf32> to memref<?x8xf32>
  %window = memref.subview %any[0, 0] [%n, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1]>>
  orchestration.sync(read %window) : memref<?x8xf32, strided<[8, 1]>>
  return
}

// CHECK-LABEL: func.func @behind_the_last_row
// CHECK-SAME: (%[[X:.*]]: memref<4x8xf32, strided<[?, 1], offset: ?>>, %[[N:.*]]: index)
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK: memref.reinterpret_cast %[[X]] to offset: [%{{.*}}], sizes: [%[[N]], 8], strides: [%[[STRIDES]]#0, 1]
func.func @behind_the_last_row(%x: memref<4x8xf32, strided<[?, 1], offset: ?>>, %n: index) {
  %any = memref.cast %x : memref<4x8xf32, strided<[?, 1], offset: ?>> to memref<?x8xf32, strided<[?, 1], offset: ?>>
  %window = memref.subview %any[4, 0] [%n, 8] [1, 1] : memref<?x8xf32, strided<[?, 1], offset: ?>> to memref<?x8xf32, strided<[?, 1], offset: ?>>
  orchestration.sync(read %window) : memref<?x8xf32, strided<[?, 1], offset: ?>>
  return
}

// A row without the dimension of rows.
// CHECK-LABEL: func.func @not_reached
// CHECK-SAME: (%[[X:.*]]: memref<0x8xf32>,
// CHECK: scf.if
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [8], strides: [1] : memref<0x8xf32> to memref<8xf32, strided<[1]
func.func @not_reached(%x: memref<0x8xf32>, %has: i1) {
  %any = memref.cast %x : memref<0x8xf32> to memref<?x8xf32>
  scf.if %has {
    %window = memref.subview %any[0, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1]>>
    orchestration.sync(read %window) : memref<8xf32, strided<[1]>>
  }
  return
}

// CHECK-LABEL: func.func @last_row
// CHECK-SAME: (%[[X:.*]]: memref<4x8xf32>,
// CHECK: memref.subview %[[X]][3, 0] [%{{.*}}, 8] [1, 1] : memref<4x8xf32> to
func.func @last_row(%x: memref<4x8xf32>, %n: index) {
  %any = memref.cast %x : memref<4x8xf32> to memref<?x8xf32>
  %window = memref.subview %any[3, 0] [%n, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1], offset: 24>>
  orchestration.sync(read %window) : memref<?x8xf32, strided<[8, 1], offset: 24>>
  return
}

// RUN: pypto-opt %s --specialize-memrefs | FileCheck %s
// Parameters of private functions get the strides that all callers agree on.

!handle = memref<4x8xf32, strided<[?, ?], offset: ?>>

// CHECK-LABEL: func.func private @dense
// CHECK-SAME: (%[[X:.*]]: memref<4x8xf32>)
func.func private @dense(%x: !handle) -> tensor<2x8xf32> {
  // CHECK: %[[ROWS:.*]] = memref.subview %[[X]][1, 0] [2, 8] [1, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 8>>
  // CHECK: bufferization.to_tensor %[[ROWS]]
  %rows = memref.subview %x[1, 0] [2, 8] [1, 1] : !handle to memref<2x8xf32, strided<[?, ?], offset: ?>>
  %0 = bufferization.to_tensor %rows restrict : memref<2x8xf32, strided<[?, ?], offset: ?>> to tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// One caller passes a window: only the inner stride is known.
// CHECK-LABEL: func.func private @rows
// CHECK-SAME: (%{{.*}}: memref<4x8xf32, strided<[?, 1], offset: ?>>)
func.func private @rows(%x: !handle) {
  return
}

// CHECK-LABEL: func.func @public
// CHECK-SAME: (%{{.*}}: memref<4x8xf32, strided<[?, ?], offset: ?>>)
func.func @public(%x: !handle) {
  return
}

// What a caller passes on comes from its own callers.
// CHECK-LABEL: func.func private @outer
// CHECK-SAME: (%{{.*}}: memref<4x8xf32>)
func.func private @outer(%x: !handle) {
  call @inner(%x) : (!handle) -> ()
  return
}
// CHECK-LABEL: func.func private @inner
// CHECK-SAME: (%{{.*}}: memref<4x8xf32>)
func.func private @inner(%x: !handle) {
  return
}

// CHECK-LABEL: func.func @main
func.func @main(%x: memref<4x8xf32>, %wide: memref<4x16xf32>) -> tensor<2x8xf32> {
  %0 = memref.cast %x : memref<4x8xf32> to !handle
  %window = memref.subview %wide[0, 8] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  %1 = memref.cast %window : memref<4x8xf32, strided<[16, 1], offset: 8>> to !handle
  %r = call @dense(%0) : (!handle) -> tensor<2x8xf32>
  call @rows(%0) : (!handle) -> ()
  call @rows(%1) : (!handle) -> ()
  call @public(%0) : (!handle) -> ()
  call @outer(%0) : (!handle) -> ()
  return %r : tensor<2x8xf32>
}

// A window of what turns out to have no rows is no subview, which may not begin there.
// CHECK-LABEL: func.func @no_rows
// CHECK-SAME: (%[[X:.*]]: memref<0x8xf32>, %[[N:.*]]: index)
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[N]], 8], strides: [8, 1]
func.func @no_rows(%x: memref<0x8xf32>, %n: index) {
  %handle = memref.cast %x : memref<0x8xf32> to memref<0x8xf32, strided<[?, ?], offset: ?>>
  %any = memref.cast %handle : memref<0x8xf32, strided<[?, ?], offset: ?>> to memref<?x8xf32, strided<[?, ?], offset: ?>>
  %window = memref.subview %any[0, 0] [%n, 8] [1, 1] : memref<?x8xf32, strided<[?, ?], offset: ?>> to memref<?x8xf32, strided<[?, ?], offset: ?>>
  call @external(%window) : (memref<?x8xf32, strided<[?, ?], offset: ?>>) -> ()
  return
}
func.func private @external(memref<?x8xf32, strided<[?, ?], offset: ?>>)

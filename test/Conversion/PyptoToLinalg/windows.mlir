// RUN: pypto-opt %s --convert-pypto-to-linalg | FileCheck %s
// A window is a subview; one that certainly has no element, or would end behind the last one, is no subview: no subview
// may be so.

// CHECK-LABEL: func.func private @pl.ordinary
// CHECK-SAME: (%[[X:[^:]*]]: memref<?x8xf32, strided<[?, ?], offset: ?>>, %[[AT:.*]]: index, %[[N:.*]]: index,
// CHECK-NOT: select
// CHECK: memref.subview %[[X]][%[[AT]], 0] [%[[N]], 8] [1, 1] : {{.*}} to memref<?x8xf32,
// CHECK-NOT: select
// CHECK: return
pl.func incore @ordinary(%x: !pl.tensor<[N, 8], f32>, %at: index, %n: index, inout %y: !pl.tensor<[4, 8], f32>) {
  %t = tile.load %x[%at, 0] valid(%n) : !pl.tensor<[N, 8], f32> -> !tile.tile<[4, 8], f32, valid = [?, 8]>
  %r = tile.store %t, %y[%at, 0] : !tile.tile<[4, 8], f32, valid = [?, 8]>, !pl.tensor<[4, 8], f32>
  pl.return
}

// CHECK-LABEL: func.func private @pl.no_rows
// CHECK-SAME: (%[[X:[^:]*]]: memref<0x8xf32, strided<[?, ?], offset: ?>>,
// CHECK-NOT: memref.subview %[[X]]
// CHECK: memref.reinterpret_cast %[[X]] to offset: [%{{.*}}], sizes: [%{{.*}}, 8], strides: [%{{.*}}, %{{.*}}] : {{.*}} to memref<?x8xf32,
// CHECK: return
pl.func incore @no_rows(%x: !pl.tensor<[0, 8], f32>, %n: index, inout %y: !pl.tensor<[4, 8], f32>) {
  %t = tile.load %x[0, 0] valid(%n) : !pl.tensor<[0, 8], f32> -> !tile.tile<[4, 8], f32, valid = [?, 8]>
  %r = tile.store %t, %y[0, 0] : !tile.tile<[4, 8], f32, valid = [?, 8]>, !pl.tensor<[4, 8], f32>
  pl.return
}

// A view is the same storage.
// CHECK-LABEL: func.func private @pl.view_of_none
// CHECK-SAME: (%[[X:[^:]*]]: memref<0x8xf32, strided<[?, ?], offset: ?>>, %[[N:.*]]: index)
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK: memref.reinterpret_cast %[[X]] to offset: [%[[OFFSET]]], sizes: [%[[N]], 8], strides: [%[[STRIDES]]#0, %[[STRIDES]]#1]
// CHECK-NOT: memref.alloc
// CHECK: return
pl.func incore @view_of_none(%x: !pl.tensor<[0, 8], f32>, %n: index) -> index {
  %v = pl.slice %x[0, 0] sizes(%n) : !pl.tensor<[0, 8], f32> -> !pl.tensor<[?, 8], f32>
  %rows = pl.dim %v, 0 : !pl.tensor<[?, 8], f32>
  pl.return %rows : index
}

// Of what has no element nothing is inserted: the result is as it was made.
// CHECK-LABEL: func.func private @pl.concat_of_none
// CHECK-NOT: tensor.insert_slice
// CHECK: return
pl.func incore @concat_of_none(%x: !pl.tensor<[0, 8], f32>) -> !pl.tensor<[0, 16], f32> {
  %r = pl.concat %x, %x : !pl.tensor<[0, 8], f32>, !pl.tensor<[0, 8], f32>
  pl.return %r : !pl.tensor<[0, 16], f32>
}

// RUN: pypto-opt %s --write-in-place | FileCheck %s
// RUN: pypto-opt %s --write-in-place --eliminate-empty-tensors | FileCheck %s --check-prefix=DIRECT
// A value is computed in its destination if nothing looks at that memory meanwhile.

// CHECK-LABEL: func.func @direct
// DIRECT-LABEL: func.func @direct
func.func @direct(%x: tensor<16xf32>, %y: memref<16xf32>) {
  // CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable
  // DIRECT: %[[INIT:.*]] = bufferization.to_tensor %{{.*}} restrict writable
  // DIRECT: linalg.exp ins(%{{.*}}) outs(%[[INIT]]
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// Each of two results has an empty tensor of its own, or the second would be filled from the first.
// CHECK-LABEL: func.func @two
func.func @two(%x: tensor<16xf32>, %y: memref<16xf32> {llvm.noalias}, %z: memref<16xf32> {llvm.noalias}) {
  // CHECK-COUNT-2: linalg.fill
  // CHECK-COUNT-2: in restrict writable
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %0 = linalg.add ins(%x, %x : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %1 = linalg.mul ins(%x, %x : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  bufferization.materialize_in_destination %1 in writable %z : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @may_be_read
func.func @may_be_read(%x: memref<16xf32>, %y: memref<16xf32>) {
  // CHECK: bufferization.materialize_in_destination %{{.*}} in writable
  %t = bufferization.to_tensor %x restrict : memref<16xf32> to tensor<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.exp ins(%t : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @read_between
func.func @read_between(%x: tensor<16xf32>, %y: memref<16xf32>, %i: index) -> f32 {
  // CHECK: bufferization.materialize_in_destination %{{.*}} in writable
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %v = memref.load %y[%i] : memref<16xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  return %v : f32
}

// Later writes of the destination must not change the value.
// CHECK-LABEL: func.func @used_later
func.func @used_later(%x: tensor<16xf32>, %y: memref<16xf32>) -> tensor<16xf32> {
  // CHECK: bufferization.materialize_in_destination %{{.*}} in writable
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  return %0 : tensor<16xf32>
}

// The view is made before the computation.
// CHECK-LABEL: func.func @view
func.func @view(%x: tensor<16xf32>, %y: memref<32xf32>) {
  // CHECK: memref.subview
  // CHECK: linalg.exp
  // CHECK: in restrict writable
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %half = memref.subview %y[16] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1], offset: 16>>
  bufferization.materialize_in_destination %0 in writable %half : (tensor<16xf32>, memref<16xf32, strided<[1], offset: 16>>) -> ()
  return
}

// What is moved between windows that overlap is copied first.
// CHECK-LABEL: func.func @overlapping_move
func.func @overlapping_move(%x: memref<16xf32>) {
  // CHECK: %[[COPY:.*]] = memref.alloc() {{.*}} : memref<8xf32>
  // CHECK: linalg.copy {{.*}} outs(%[[COPY]]
  // CHECK: %[[READ:.*]] = bufferization.to_tensor %[[COPY]] restrict writable
  // CHECK: bufferization.materialize_in_destination %[[READ]]
  %from = memref.subview %x[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %to = memref.subview %x[1] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 1>>
  %t = bufferization.to_tensor %from restrict : memref<8xf32, strided<[1]>> to tensor<8xf32>
  bufferization.materialize_in_destination %t in writable %to : (tensor<8xf32>, memref<8xf32, strided<[1], offset: 1>>) -> ()
  return
}

// Rows may run at the same time: each has an empty tensor of its own, and a filled one that it writes to.
// CHECK-LABEL: func.func @rows
func.func @rows(%x: tensor<8x16xf32>, %row: tensor<1x16xf32>) -> (tensor<8x16xf32>, tensor<1x16xf32>) {
  // CHECK: scf.for %[[ROW:.*]] =
  // CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<1x16xf32>
  // CHECK: linalg.exp ins(%{{.*}}) outs(%[[EMPTY]]
  // CHECK: %[[OTHER:.*]] = tensor.empty() : tensor<1x16xf32>
  // CHECK: %[[FILLED:.*]] = linalg.fill ins(%{{.*}}) outs(%[[OTHER]]
  // CHECK: linalg.generic {{.*}} outs(%[[FILLED]]
  // CHECK: scf.yield
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
  %own = linalg.exp ins(%row : tensor<1x16xf32>) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
  %all = tensor.empty() : tensor<8x16xf32>
  %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%out = %all) -> (tensor<8x16xf32>) {
    %part = tensor.extract_slice %x[%i, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<1x16xf32>
    %1 = linalg.exp ins(%part : tensor<1x16xf32>) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
        iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<1x16xf32>) outs(%filled : tensor<1x16xf32>) {
    ^bb0(%a: f32, %o: f32):
      %3 = arith.addf %a, %o : f32
      linalg.yield %3 : f32
    } -> tensor<1x16xf32>
    %4 = tensor.insert_slice %2 into %out[%i, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<8x16xf32>
    scf.yield %4 : tensor<8x16xf32>
  } {pypto.rows}
  return %0, %own : tensor<8x16xf32>, tensor<1x16xf32>
}

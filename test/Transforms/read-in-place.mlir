// RUN: pypto-opt %s --read-in-place | FileCheck %s
// A read stays a copy unless its memory cannot change as long as the value is used.

// CHECK-LABEL: func.func @value_that_was_written
// CHECK-SAME: (%[[VALUE:.*]]: tensor<16xf32>, %[[OUT:.*]]: memref<16xf32>)
func.func @value_that_was_written(%value: tensor<16xf32>, %out: memref<16xf32>) -> tensor<16xf32> {
  // CHECK-NEXT: materialize_in_destination %[[VALUE]] in writable %[[OUT]]
  bufferization.materialize_in_destination %value in writable %out : (tensor<16xf32>, memref<16xf32>) -> ()
  // CHECK-NEXT: return %[[VALUE]]
  %buffer = memref.alloc() : memref<16xf32>
  linalg.copy ins(%out : memref<16xf32>) outs(%buffer : memref<16xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
  return %read : tensor<16xf32>
}

// A buffer that only passes the value on goes.
// CHECK-LABEL: func.func @buffer_between
func.func @buffer_between(%value: tensor<16xf32>) -> tensor<16xf32> {
  // CHECK-NEXT: return
  %between = memref.alloc() : memref<16xf32>
  %view = memref.cast %between : memref<16xf32> to memref<16xf32, strided<[?], offset: ?>>
  bufferization.materialize_in_destination %value in writable %view
      : (tensor<16xf32>, memref<16xf32, strided<[?], offset: ?>>) -> ()
  %buffer = memref.alloc() : memref<16xf32>
  linalg.copy ins(%view : memref<16xf32, strided<[?], offset: ?>>) outs(%buffer : memref<16xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
  return %read : tensor<16xf32>
}

// CHECK-LABEL: func.func @other_window_was_written
func.func @other_window_was_written(%value: tensor<8xf32>, %out: memref<16xf32>) -> tensor<8xf32> {
  // CHECK: linalg.copy
  %low = memref.subview %out[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %high = memref.subview %out[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
  bufferization.materialize_in_destination %value in writable %low : (tensor<8xf32>, memref<8xf32, strided<[1]>>) -> ()
  %buffer = memref.alloc() : memref<8xf32>
  linalg.copy ins(%high : memref<8xf32, strided<[1], offset: 4>>) outs(%buffer : memref<8xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<8xf32> to tensor<8xf32>
  return %read : tensor<8xf32>
}

// CHECK-LABEL: func.func @overwritten_since
func.func @overwritten_since(%value: tensor<16xf32>, %out: memref<16xf32>, %i: index, %x: f32) -> tensor<16xf32> {
  // CHECK: linalg.copy
  bufferization.materialize_in_destination %value in writable %out : (tensor<16xf32>, memref<16xf32>) -> ()
  memref.store %x, %out[%i] : memref<16xf32>
  %buffer = memref.alloc() : memref<16xf32>
  linalg.copy ins(%out : memref<16xf32>) outs(%buffer : memref<16xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
  return %read : tensor<16xf32>
}

// CHECK-LABEL: func.func @other_memory_is_written
// CHECK-SAME: (%[[X:.*]]: memref<16xf32> {llvm.noalias}, %[[Y:.*]]: memref<16xf32> {llvm.noalias})
func.func @other_memory_is_written(%x: memref<16xf32> {llvm.noalias}, %y: memref<16xf32> {llvm.noalias}) {
  // CHECK-NEXT: %[[READ:.*]] = bufferization.to_tensor %[[X]] restrict : memref
  // CHECK-NOT: memref.alloc
  %buffer = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
  bufferization.materialize_in_destination %read in writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// Two parameters may be one array.
// CHECK-LABEL: func.func @parameters_may_alias
func.func @parameters_may_alias(%x: memref<16xf32>, %y: memref<16xf32>) {
  // CHECK: linalg.copy
  %buffer = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
  bufferization.materialize_in_destination %read in writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// What is stored was computed from all that was read, even if it is stored over it.
// CHECK-LABEL: func.func @last_use_overwrites
func.func @last_use_overwrites(%x: memref<16xf32>) {
  // CHECK-NOT: linalg.copy
  // CHECK: bufferization.to_tensor %{{.*}} restrict : memref
  %buffer = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
  %empty = tensor.empty() : tensor<16xf32>
  %0 = linalg.exp ins(%read : tensor<16xf32>) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  bufferization.materialize_in_destination %0 in writable %x : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// Fusion may compute the first result where the second is, after the write.
// CHECK-LABEL: func.func @written_before_dependent
func.func @written_before_dependent(%x: memref<16xf32>, %i: index, %f: f32) -> tensor<16xf32> {
  // CHECK: linalg.copy
  %buffer = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
  %empty = tensor.empty() : tensor<16xf32>
  %0 = linalg.exp ins(%read : tensor<16xf32>) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  memref.store %f, %x[%i] : memref<16xf32>
  %1 = linalg.exp ins(%0 : tensor<16xf32>) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %keep = tensor.empty() : tensor<16xf32>
  %2 = linalg.exp ins(%1 : tensor<16xf32>) outs(%keep : tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

func.func private @callee(memref<16xf32>)

// CHECK-LABEL: func.func @call_writes
func.func @call_writes(%x: memref<16xf32> {llvm.noalias}, %y: memref<16xf32> {llvm.noalias}) {
  // CHECK: linalg.copy
  %buffer = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
  call @callee(%x) : (memref<16xf32>) -> ()
  bufferization.materialize_in_destination %read in writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @call_writes_other
func.func @call_writes_other(%x: memref<16xf32> {llvm.noalias}, %y: memref<16xf32> {llvm.noalias}) {
  // CHECK-NOT: linalg.copy
  %buffer = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
  call @callee(%y) : (memref<16xf32>) -> ()
  bufferization.materialize_in_destination %read in writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// What a reduction makes of the value may leave the loop: it is no name of what was read.
// CHECK-LABEL: func.func @reduced_in_loop
// CHECK-SAME: (%[[X:.*]]: memref<16xf32>,
func.func @reduced_in_loop(%x: memref<16xf32>, %from: index, %to: index, %start: tensor<f32>) -> tensor<f32> {
  // CHECK: scf.for
  // CHECK-NEXT: %[[READ:.*]] = bufferization.to_tensor %[[X]] restrict : memref
  // CHECK: linalg.reduce{{.*}}ins(%[[READ]] : tensor<16xf32>)
  %sum = scf.for %i = %from to %to step %to iter_args(%acc = %start) -> (tensor<f32>) {
    %buffer = memref.alloc() : memref<16xf32>
    linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
    %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
    %next = linalg.reduce {arith.addf} ins(%read : tensor<16xf32>) outs(%acc : tensor<f32>) dimensions = [0]
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}

// CHECK-LABEL: func.func @written_before_end_of_loop
func.func @written_before_end_of_loop(%x: memref<16xf32>, %from: index, %to: index, %f: f32, %start: tensor<f32>) -> tensor<f32> {
  // CHECK: linalg.copy
  %sum = scf.for %i = %from to %to step %to iter_args(%acc = %start) -> (tensor<f32>) {
    %buffer = memref.alloc() : memref<16xf32>
    linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
    %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
    %next = linalg.reduce {arith.addf} ins(%read : tensor<16xf32>) outs(%acc : tensor<f32>) dimensions = [0]
    memref.store %f, %x[%i] : memref<16xf32>
    scf.yield %next : tensor<f32>
  }
  return %sum : tensor<f32>
}

// What is computed element by element may fold to the value itself.
// CHECK-LABEL: func.func @leaves_loop
func.func @leaves_loop(%x: memref<16xf32>, %from: index, %to: index, %start: tensor<16xf32>) -> tensor<16xf32> {
  // CHECK: linalg.copy
  %last = scf.for %i = %from to %to step %to iter_args(%acc = %start) -> (tensor<16xf32>) {
    %buffer = memref.alloc() : memref<16xf32>
    linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
    %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
    %next = linalg.max ins(%read, %acc : tensor<16xf32>, tensor<16xf32>) outs(%acc : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %next : tensor<16xf32>
  }
  return %last : tensor<16xf32>
}

// So may the start of a reduction.
// CHECK-LABEL: func.func @start_of_reduction
func.func @start_of_reduction(%x: memref<f32>, %values: tensor<0xf32>) -> tensor<f32> {
  // CHECK: linalg.copy
  %buffer = memref.alloc() : memref<f32>
  linalg.copy ins(%x : memref<f32>) outs(%buffer : memref<f32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<f32> to tensor<f32>
  %next = linalg.reduce {arith.addf} ins(%values : tensor<0xf32>) outs(%read : tensor<f32>) dimensions = [0]
  return %next : tensor<f32>
}

// A view that uses another one, its numbers, goes once.
// CHECK-LABEL: func.func @unread_view
// CHECK-NEXT: return
func.func @unread_view(%n: index, %value: tensor<?x4xf32>) {
  %buffer = memref.alloc(%n) : memref<?x4xf32>
  %handle = memref.cast %buffer : memref<?x4xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %handle : memref<?x4xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
  %view = memref.reinterpret_cast %handle to offset: [%offset], sizes: [%n, 4], strides: [%strides#0, %strides#1] : memref<?x4xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, ?], offset: ?>>
  bufferization.materialize_in_destination %value in writable %view : (tensor<?x4xf32>, memref<?x4xf32, strided<[?, ?], offset: ?>>) -> ()
  return
}

// Two reads of memory that nothing writes in between are one value.
// CHECK-LABEL: func.func @read_again
// CHECK-SAME: (%[[X:.*]]: memref<16xf32> {{{.*}}}, %{{.*}}: memref<16xf32>
func.func @read_again(%x: memref<16xf32> {llvm.noalias}, %y: memref<16xf32> {llvm.noalias}) -> tensor<f32> {
  // CHECK: %[[READ:.*]] = bufferization.to_tensor %[[X]] restrict
  // CHECK: linalg.generic {{.*}} ins(%[[READ]]
  // CHECK: materialize_in_destination
  // CHECK-NOT: to_tensor
  // CHECK: linalg.reduce {{.*}} ins(%[[READ]]
  %buffer = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%read : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<16xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  %other = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%other : memref<16xf32>)
  %again = bufferization.to_tensor %other restrict writable : memref<16xf32> to tensor<16xf32>
  %f = tensor.empty() : tensor<f32>
  %1 = linalg.reduce {arith.maximumf} ins(%again : tensor<16xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %1 : tensor<f32>
}

// Written in between: the second read sees something else.
// CHECK-LABEL: func.func @written_between_reads
// CHECK-SAME: (%[[X:.*]]: memref<16xf32> {{{.*}}}, %[[Y:.*]]: tensor<16xf32>
// CHECK: to_tensor %[[X]] restrict :
// CHECK: to_tensor %[[X]] restrict :
func.func @written_between_reads(%x: memref<16xf32> {llvm.noalias}, %y: tensor<16xf32>, %s: memref<f32> {llvm.noalias}) -> tensor<f32> {
  %f = tensor.empty() : tensor<f32>
  %buffer = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
  %read = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
  %0 = linalg.reduce {arith.maximumf} ins(%read : tensor<16xf32>) outs(%f : tensor<f32>) dimensions = [0]
  bufferization.materialize_in_destination %0 in writable %s : (tensor<f32>, memref<f32>) -> ()
  %n = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%y : tensor<16xf32>) outs(%y : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<16xf32>
  %window = memref.subview %x[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %half = tensor.extract_slice %n[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
  bufferization.materialize_in_destination %half in writable %window : (tensor<8xf32>, memref<8xf32, strided<[1]>>) -> ()
  %other = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%other : memref<16xf32>)
  %again = bufferization.to_tensor %other restrict writable : memref<16xf32> to tensor<16xf32>
  %1 = linalg.reduce {arith.maximumf} ins(%again : tensor<16xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %1 : tensor<f32>
}

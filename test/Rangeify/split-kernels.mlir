// RUN: pypto-opt --split-kernels --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: pypto-opt --split-kernels=single --split-input-file --verify-diagnostics %s | FileCheck %s --check-prefix=SINGLE

// One kernel for each store: outputs first, then inputs by first use, then scalars. What one kernel
// hands to the next is in a buffer of the host.

// CHECK-LABEL: func.func private @main_kernel_0(
// CHECK-SAME: %{{.*}}: memref<f32> {{{[^}]*}}}, %{{.*}}: memref<2x3xf32> {{{[^}]*}}})
// CHECK-LABEL: func.func private @main_kernel_1(
// CHECK-SAME: %{{.*}}: memref<2x3xf32> {{{[^}]*}}}, %{{.*}}: memref<2x3xf32> {{{[^}]*}}}, %{{.*}}: memref<f32> {{{[^}]*}}}, %{{.*}}: f32)
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[RESULT:.*]]: memref<2x3xf32>, %[[X:.*]]: memref<2x3xf32>, %[[SCALE:.*]]: f32)
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<f32>
// CHECK-NEXT: %[[FIRST:.*]] = orchestration.launch @main_kernel_0(write %[[SUMS]], read %[[X]])
// CHECK-NEXT: orchestration.launch @main_kernel_1(write %[[RESULT]], read %[[X]], read %[[SUMS]], %[[SCALE]]) after(%[[FIRST]])
// CHECK-NEXT: orchestration.await
// CHECK-NEXT: memref.dealloc %[[SUMS]]

// SINGLE-LABEL: func.func private @main_kernel_0
// SINGLE-NOT: @main_kernel_1
func.func @main(%scale: f32, %x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<2x3xf32>) outs(%init : tensor<f32>) dimensions = [0, 1]
  %target = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>,
      affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<2x3xf32>, tensor<f32>) outs(%target : tensor<2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.divf %a, %b : f32
    %2 = arith.mulf %1, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Each result has memory of its own: arguments and what is returned twice are copied. A reshaped result
// is written in the shape in which it is computed.

// CHECK-LABEL: func.func @results(
// CHECK-SAME: %[[A:.*]]: memref<6xf32>, %[[B:.*]]: memref<2x3xf32>, %[[C:.*]]: memref<2x3xf32>, %[[X:.*]]: memref<2x3xf32>)
// CHECK: %[[VIEW:.*]] = memref.expand_shape %[[A]]
// CHECK: %[[FIRST:.*]] = orchestration.launch @results_kernel_0(write %[[VIEW]], read %[[X]])
// CHECK: @results_kernel_1(write %[[B]], read %[[VIEW]]) after(%[[FIRST]])
// CHECK: @results_kernel_2(write %[[C]], read %[[X]])
func.func @results(%x: tensor<2x3xf32>) -> (tensor<6xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = math.exp %x : tensor<2x3xf32>
  %flat = tensor.collapse_shape %0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %flat, %0, %x : tensor<6xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// expected-error @below {{expects tensors as results of a graph, but got 'f32'}}
func.func @scalar_result(%x: f32) -> f32 {
  return %x : f32
}

// -----

// expected-error @below {{expects ranked tensors and scalars, but got 'memref<4xf32>'}}
func.func @buffer(%x: memref<4xf32>) {
  return
}

// -----

func.func private @effect()
func.func @effects() {
  // expected-error @below {{expects an operation without side effects in a graph}}
  call @effect() : () -> ()
  return
}

// -----

// expected-error @below {{expects a graph of one block, but got several}}
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}

// -----

// A number that follows from the elements of a tensor is computed in the kernel that needs it.

// CHECK-LABEL: func.func private @padding_kernel_0(
// CHECK-SAME: %[[RESULT:[a-z0-9]*]]: memref<6xf32> {{{[^}]*}}}, %[[X:[a-z0-9]*]]: memref<3xf32> {{{[^}]*}}}, %[[FILLER:[a-z0-9]*]]: memref<f32> {{{[^}]*}}})
// CHECK: %[[TENSOR:.*]] = bufferization.to_tensor %[[FILLER]]
// CHECK: tensor.extract %[[TENSOR]][] : tensor<f32>
// CHECK-LABEL: func.func @padding(
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @padding(%x: tensor<3xf32>, %filler: tensor<f32>) -> tensor<6xf32> {
  %value = tensor.extract %filler[] : tensor<f32>
  %twice = arith.addf %value, %value : f32
  %0 = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %twice : f32
  } : tensor<3xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// So is a number that is no index: the host knows extents only.

// CHECK-LABEL: func.func private @number_kernel_0(
// CHECK-SAME: memref<4xf32> {{{[^}]*}}}, %{{.*}}: memref<4xf32> {{{[^}]*}}}, %[[N:[a-z0-9]*]]: index)
// CHECK: arith.index_cast %[[N]]
// CHECK-LABEL: func.func @number(
// CHECK-NOT: arith.sitofp
// CHECK: return
func.func @number(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %integer = arith.index_cast %n : index to i32
  %factor = arith.sitofp %integer : i32 to f32
  %splat = tensor.splat %factor : tensor<4xf32>
  %0 = arith.mulf %x, %splat : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RUN: pypto-opt --rangeify --split-kernels --split-input-file %s | FileCheck %s

// Stores that read the same along the same loops, or one another, are one kernel with several outputs.

// Outputs in the order of the program, inputs by first use.

// CHECK-LABEL: func.func private @rows_kernel_0(
// CHECK: arith.maximumf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[SUM:.*]]: memref<8xf32>, %[[MAX:.*]]: memref<8xf32>, %[[X:.*]]: memref<8x64xf32>, %[[Y:.*]]: memref<8x64xf32>)
// CHECK-NEXT: orchestration.launch @rows_kernel_0(write %[[MAX]], write %[[SUM]], read %[[X]], read %[[Y]])
// CHECK-NEXT: orchestration.await
func.func @rows(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%least : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<8x64xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
  %none = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %product = arith.mulf %x, %y : tensor<8x64xf32>
  %sum = linalg.reduce {arith.addf} ins(%product : tensor<8x64xf32>) outs(%none : tensor<8xf32>) dimensions = [1]
  return %sum, %max : tensor<8xf32>, tensor<8xf32>
}

// -----

// Rows of one and elements of the other share the loop over rows: the elements stay in two loops.

// CHECK-LABEL: func.func private @mixed_kernel_0(
// CHECK: linalg.generic {{.*}} ["parallel", "parallel"]
// CHECK: linalg.generic {{.*}} ["parallel", "reduction"]
// CHECK-LABEL: func.func @mixed(
// CHECK-COUNT-1: orchestration.launch
// CHECK-NEXT: orchestration.await
func.func @mixed(%x: tensor<8x512xf32>) -> (tensor<8x512xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %negative = arith.negf %x : tensor<8x512xf32>
  %none = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<8x512xf32>) outs(%none : tensor<8xf32>) dimensions = [1]
  return %negative, %sum : tensor<8x512xf32>, tensor<8xf32>
}

// -----

// Both loops of both are one.

// CHECK-LABEL: func.func private @elements_kernel_0(%{{.*}}: memref<4096xf32> {{.*}}, %{{.*}}: memref<4096xf32>
// CHECK-LABEL: func.func @elements(
// CHECK-COUNT-1: orchestration.launch
// CHECK-NEXT: orchestration.await
func.func @elements(%x: tensor<8x512xf32>) -> (tensor<8x512xf32>, tensor<8x512xf32>) {
  %0 = arith.negf %x : tensor<8x512xf32>
  %1 = math.exp %x : tensor<8x512xf32>
  return %0, %1 : tensor<8x512xf32>, tensor<8x512xf32>
}

// -----

// The third kernel needs the second, and that the first: it would wait for itself if it also were the first.

// CHECK-LABEL: func.func @cycle(
// CHECK: %[[FIRST:.*]] = orchestration.launch @cycle_kernel_0(
// CHECK: %[[SECOND:.*]] = orchestration.launch @cycle_kernel_1({{.*}}) after(%[[FIRST]])
// CHECK: orchestration.launch @cycle_kernel_2({{.*}}) after({{.*}}%[[SECOND]]
func.func @cycle(%x: tensor<16x256xf32>) -> (tensor<16x256xf32>, tensor<16x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %scalar = tensor.empty() : tensor<f32>
  %wide = tensor.empty() : tensor<16x256xf32>
  %first = math.absf %x : tensor<16x256xf32>
  %none = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%first : tensor<16x256xf32>) outs(%none : tensor<f32>) dimensions = [0, 1]
  %sums = linalg.broadcast ins(%sum : tensor<f32>) outs(%wide : tensor<16x256xf32>) dimensions = [0, 1]
  %third = arith.divf %x, %sums : tensor<16x256xf32>
  return %first, %third : tensor<16x256xf32>, tensor<16x256xf32>
}

// -----

// A kernel of the first and the last store comes behind the one that the last needs.

// CHECK-LABEL: func.func @order(
// CHECK-SAME: %[[NEGATIVE:[a-z0-9]+]]: memref<16x256xf32>, %[[QUOTIENT:[a-z0-9]+]]: memref<16x256xf32>, %[[X:[a-z0-9]+]]: memref<16x256xf32>, %[[Y:[a-z0-9]+]]: memref<4096xf32>)
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<f32>
// CHECK: %[[TASK:.*]] = orchestration.launch @order_kernel_0(write %[[SUM]], read %[[Y]])
// CHECK: orchestration.launch @order_kernel_1(write %[[NEGATIVE]], write %[[QUOTIENT]], read %[[X]], read %[[SUM]]) after(%[[TASK]])
func.func @order(%x: tensor<16x256xf32>, %y: tensor<4096xf32>) -> (tensor<16x256xf32>, tensor<16x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %scalar = tensor.empty() : tensor<f32>
  %wide = tensor.empty() : tensor<16x256xf32>
  %negative = arith.negf %x : tensor<16x256xf32>
  %none = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%y : tensor<4096xf32>) outs(%none : tensor<f32>) dimensions = [0]
  %sums = linalg.broadcast ins(%sum : tensor<f32>) outs(%wide : tensor<16x256xf32>) dimensions = [0, 1]
  %quotient = arith.divf %x, %sums : tensor<16x256xf32>
  return %negative, %quotient : tensor<16x256xf32>, tensor<16x256xf32>
}

// -----

// Each takes long: they may run at the same time.

// CHECK-LABEL: func.func @functions(
// CHECK-COUNT-2: orchestration.launch
func.func @functions(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = math.sin %x : tensor<64x64xf32>
  %1 = math.cos %x : tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// A product, and what becomes of it.

// CHECK-LABEL: func.func @product(
// CHECK-COUNT-2: orchestration.launch
func.func @product(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<64x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%none : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = arith.negf %0 : tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Four outputs, and one more.

// CHECK-LABEL: func.func @limit(
// CHECK: orchestration.launch @limit_kernel_0(write %{{[a-z0-9_]+}}, read
// CHECK: orchestration.launch @limit_kernel_1(write %{{[a-z0-9_]+}}, write %{{[a-z0-9_]+}}, write %{{[a-z0-9_]+}}, write %{{[a-z0-9_]+}}, read
func.func @limit(%x: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>) {
  %0 = arith.negf %x : tensor<4096xf32>
  %1 = math.absf %x : tensor<4096xf32>
  %2 = arith.mulf %x, %x : tensor<4096xf32>
  %3 = arith.addf %x, %x : tensor<4096xf32>
  %4 = math.sqrt %x : tensor<4096xf32>
  return %0, %1, %2, %3, %4 : tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>
}

// RUN: pypto-opt --rangeify --split-kernels --split-input-file %s | FileCheck %s

// What is computed along the same loops is one kernel.

// CHECK-LABEL: func.func private @linear_kernel_0
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK-NOT: func.func private
func.func @linear(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>, %bias: tensor<4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  %product = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  %wide = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%empty : tensor<8x4xf32>) dimensions = [0]
  %sum = arith.addf %product, %wide : tensor<8x4xf32>
  %exp = math.exp %sum : tensor<8x4xf32>
  return %exp : tensor<8x4xf32>
}

// -----

// The passes of a softmax share the loop over rows.

// CHECK-LABEL: func.func private @softmax_kernel_0(%{{.*}}: memref<8x16xf32> {{{[^}]*}}}, %{{.*}}: memref<8x16xf32> {{{[^}]*}}})
// CHECK-COUNT-4: linalg.generic
// CHECK-NOT: func.func private
func.func @softmax(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %space = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%least : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<8x16xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
  %maxes = linalg.broadcast ins(%max : tensor<8xf32>) outs(%space : tensor<8x16xf32>) dimensions = [1]
  %shifted = arith.subf %x, %maxes : tensor<8x16xf32>
  %exp = math.exp %shifted : tensor<8x16xf32>
  %none = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.reduce {arith.addf} ins(%exp : tensor<8x16xf32>) outs(%none : tensor<8xf32>) dimensions = [1]
  %sums = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%space : tensor<8x16xf32>) dimensions = [1]
  %result = arith.divf %exp, %sums : tensor<8x16xf32>
  return %result : tensor<8x16xf32>
}

// -----

// What is wanted whole before the next step begins is in memory: the sum of all, and weights that no
// cache holds for each row.

// CHECK-LABEL: func.func private @whole_kernel_0(%{{.*}}: memref<f32>
// CHECK-LABEL: func.func private @whole_kernel_1(%{{.*}}: memref<8x16xf32>
func.func @whole(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %scalar = tensor.empty() : tensor<f32>
  %space = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<8x16xf32>) outs(%init : tensor<f32>) dimensions = [0, 1]
  %sums = linalg.broadcast ins(%sum : tensor<f32>) outs(%space : tensor<8x16xf32>) dimensions = [0, 1]
  %result = arith.divf %x, %sums : tensor<8x16xf32>
  return %result : tensor<8x16xf32>
}

// -----

// CHECK-LABEL: func.func private @weights_kernel_0(%{{.*}}: memref<64x2048xf32>
// CHECK-LABEL: func.func private @weights_kernel_1(%{{.*}}: memref<64x512xf32>
func.func @weights(%x: tensor<64x512xf32>, %up: tensor<512x2048xf32>, %down: tensor<2048x512xf32>) -> tensor<64x512xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<64x2048xf32>
  %narrow = tensor.empty() : tensor<64x512xf32>
  %init0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %0 = linalg.matmul ins(%x, %up : tensor<64x512xf32>, tensor<512x2048xf32>) outs(%init0 : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %init1 = linalg.fill ins(%zero : f32) outs(%narrow : tensor<64x512xf32>) -> tensor<64x512xf32>
  %1 = linalg.matmul ins(%0, %down : tensor<64x2048xf32>, tensor<2048x512xf32>) outs(%init1 : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %1 : tensor<64x512xf32>
}

// -----

// A store joins the kernel of its users also if it is not its first result that they read.

// CHECK-LABEL: func.func @second_result(
// CHECK: orchestration.launch @second_result_kernel_0(
// CHECK-NOT: orchestration.launch
// CHECK: orchestration.await
func.func @second_result(%x: tensor<4x7xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x7xf32>) outs(%init, %init : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %greatest: f32, %sum: f32):
    %1 = arith.maximumf %a, %greatest : f32
    %2 = arith.addf %a, %sum : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%0#1, %y : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %4 = arith.mulf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// What becomes of one number of a few is in the kernel of the number; a sum of many is not.

// CHECK-LABEL: func.func @tail(
// CHECK: orchestration.launch @tail_kernel_0(
// CHECK: orchestration.launch @tail_kernel_1(
// CHECK-NOT: orchestration.launch
// CHECK: orchestration.await
func.func @tail(%x: tensor<64xf32>, %y: tensor<4096xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 64.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %few = linalg.reduce { arith.addf } ins(%x : tensor<64xf32>) outs(%init : tensor<f32>) dimensions = [0]
  %mean = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%few : tensor<f32>) outs(%empty : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.divf %a, %count : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %many = linalg.reduce { arith.addf } ins(%y : tensor<4096xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %mean, %many : tensor<f32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @large_tail(
// CHECK-COUNT-2: orchestration.launch
func.func @large_tail(%y: tensor<4096xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %many = linalg.reduce { arith.addf } ins(%y : tensor<4096xf32>) outs(%init : tensor<f32>) dimensions = [0]
  %root = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%many : tensor<f32>) outs(%empty : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.sqrt %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %root : tensor<f32>
}

// -----

// What is returned is a second output of the kernel that needs it.

// CHECK-LABEL: func.func private @both_kernel_0(
// CHECK: arith.addf
// CHECK: math.exp
// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[SUM:.*]]: memref<8x16xf32>, %[[EXP:.*]]: memref<8x16xf32>, %[[X:.*]]: memref<8x16xf32>, %[[Y:.*]]: memref<8x16xf32>)
// CHECK: orchestration.launch @both_kernel_0(write %[[SUM]], write %[[EXP]], read %[[X]], read %[[Y]])
// CHECK-NEXT: orchestration.await
func.func @both(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %sum = arith.addf %x, %y : tensor<8x16xf32>
  %exp = math.exp %sum : tensor<8x16xf32>
  return %sum, %exp : tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// Two readers that go along different loops share none: each row of the one needs a column of the other.

// CHECK-LABEL: func.func private @crossed_kernel_0(
// CHECK: math.exp
// CHECK-LABEL: func.func private @crossed_kernel_1(
func.func @crossed(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %exp = math.exp %x : tensor<512x512xf32>
  %space = tensor.empty() : tensor<512x512xf32>
  %turned = linalg.transpose ins(%exp : tensor<512x512xf32>) outs(%space : tensor<512x512xf32>) permutation = [1, 0]
  %row = tensor.empty() : tensor<512xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%row : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.reduce {arith.addf} ins(%exp : tensor<512x512xf32>) outs(%init : tensor<512xf32>) dimensions = [1]
  %sums = linalg.broadcast ins(%sum : tensor<512xf32>) outs(%space : tensor<512x512xf32>) dimensions = [1]
  %scaled = arith.divf %turned, %sums : tensor<512x512xf32>
  return %scaled : tensor<512x512xf32>
}

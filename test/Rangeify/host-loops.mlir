// RUN: pypto-opt --pypto-graph-pipeline %s | FileCheck %s
// RUN: pypto-run %s --entry=main --arg=0 --random=3 | FileCheck %s --check-prefix=NONE
// RUN: pypto-run %s --entry=main --arg=1 --random=3 | FileCheck %s --check-prefix=ONE
// RUN: pypto-run %s --entry=main --arg=4 --random=3 | FileCheck %s --check-prefix=FOUR
// RUN: pypto-run %s --entry=main --arg=4 --random=3 --pipeline=pypto-naive-graph-pipeline | FileCheck %s --check-prefix=FOUR

// An outer range is a loop on the host: its kernels are made once. What an iteration writes the next one reads; two
// buffers take turns, so that the last iteration writes to the result, however many there are.

// CHECK-LABEL: func.func private @main_loop_0(
// CHECK: orchestration.launch @main_loop_0_kernel_0(
// CHECK-LABEL: func.func private @main_loop_0_host(
// CHECK-SAME: %[[RESULT:[a-z0-9]*]]: memref<3xf32>, %[[INIT:[a-z0-9]*]]: memref<3xf32>
// CHECK: %[[OTHER:.*]] = memref.alloc
// CHECK: %[[FIRST:.*]] = arith.select %[[ODD:.*]], %[[OTHER]], %[[RESULT]]
// CHECK: %[[SECOND:.*]] = arith.select %[[ODD]], %[[RESULT]], %[[OTHER]]
// CHECK: orchestration.launch @main_loop_0_begin_0(write %[[FIRST]], read %[[INIT]])
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[CURRENT:.*]] = %[[FIRST]], %[[NEXT:.*]] = %[[SECOND]])
// CHECK-NEXT: orchestration.launch @main_loop_0(write %[[NEXT]], read %[[CURRENT]], %[[I]])
// CHECK-NEXT: orchestration.await
// CHECK-NEXT: scf.yield %[[NEXT]], %[[CURRENT]]
// CHECK-LABEL: func.func @main(
// CHECK: %[[BEGIN:.*]] = orchestration.launch @main_kernel_0(
// CHECK: %[[LOOP:.*]] = orchestration.launch @main_loop_0_host({{.*}} after(%[[BEGIN]])
// CHECK: orchestration.launch @main_kernel_2({{.*}} after(%[[LOOP]])

// sum over i of (i + 1), times two: 0, 2, 20.

// NONE: result 0: float32 (3,), {{.*}} values 0 0 0
// ONE: result 0: float32 (3,), {{.*}} values 2 2 2
// FOUR: result 0: float32 (3,), {{.*}} values 20 20 20
func.func @main(%n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<3xf32>) {
    %next = arith.addi %i, %c1 : index
    %number = arith.index_cast %next : index to i32
    %f = arith.sitofp %number : i32 to f32
    %s = tensor.splat %f : tensor<3xf32>
    %0 = arith.addf %a, %s : tensor<3xf32>
    scf.yield %0 : tensor<3xf32>
  }
  %twice = arith.addf %r, %r : tensor<3xf32>
  return %twice : tensor<3xf32>
}

// RUN: pypto-opt --split-kernels --split-input-file --verify-diagnostics %s | FileCheck %s

// What loops leave has the extents of what they begin with, as far as they hand on the same memory:
// the host makes the buffer for it before they run.

// CHECK-LABEL: func.func private @loops_kernel_0(
// CHECK-SAME: memref<1xf32>{{.*}} memref<8xf32>{{.*}} %{{.*}}: index)
// CHECK-LABEL: func.func @loops(
// CHECK-SAME: memref<f32>, %{{.*}}: memref<8xf32>, %[[N:.*]]: index)
// CHECK: %[[BUFFER:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK-NEXT: %[[POINTER:.*]] = memref.reinterpret_cast %[[BUFFER]]
// CHECK-NEXT: @loops_kernel_0(write %[[POINTER]]
func.func @loops(%x: tensor<8xf32>, %n: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty(%n) : tensor<?xf32>
  %copy = scf.execute_region -> tensor<?xf32> {
    %0 = scf.for %round = %c0 to %c1 step %c1 iter_args(%outer = %empty) -> (tensor<?xf32>) {
      %1 = scf.for %i = %c0 to %n step %c1 iter_args(%inner = %outer) -> (tensor<?xf32>) {
        %element = tensor.extract %x[%i] : tensor<8xf32>
        %2 = tensor.insert %element into %inner[%i] : tensor<?xf32>
        scf.yield %2 : tensor<?xf32>
      }
      scf.yield %1 : tensor<?xf32>
    }
    scf.yield %0 : tensor<?xf32>
  }
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%copy : tensor<?xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  return %sum : tensor<f32>
}

// -----

// Tensors that take turns may have other extents.

func.func @turns(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expects extents that follow from arguments, but got 'tensor<?xf32>' of what is not known before it has run}}
  %last = scf.execute_region -> tensor<?xf32> {
    %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
      scf.yield %b, %a : tensor<?xf32>, tensor<?xf32>
    }
    scf.yield %0#0 : tensor<?xf32>
  }
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%last : tensor<?xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  return %sum : tensor<f32>
}

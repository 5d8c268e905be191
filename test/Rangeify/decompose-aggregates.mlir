// RUN: pypto-opt %s --decompose-aggregates | FileCheck %s
// RUN: pypto-opt %s --pypto-graph-pipeline | FileCheck %s --check-prefix=KERNELS
// RUN: pypto-run %s --random=1 --check | FileCheck %s --check-prefix=NUMBERS

// A softmax of upstream is its four steps, and one kernel.

// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[X:.*]]: tensor<5x33xf32>
// CHECK:         arith.maxnumf
// CHECK:         math.exp
// CHECK:         arith.addf
// CHECK:         %[[RESULT:.*]] = linalg.generic
// CHECK:         arith.divf
// CHECK:         return %[[RESULT]]

// KERNELS-COUNT-1: func.func private @main_kernel_0
// KERNELS-NOT:     func.func private

// NUMBERS: equal within tolerance
func.func @main(%x: tensor<5x33xf32>) -> tensor<5x33xf32> {
  %empty = tensor.empty() : tensor<5x33xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<5x33xf32>) outs(%empty : tensor<5x33xf32>) -> tensor<5x33xf32>
  return %0 : tensor<5x33xf32>
}

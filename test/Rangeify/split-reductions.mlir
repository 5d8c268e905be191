// RUN: pypto-opt --assign-ranges --split-reductions=threshold=32 %s | FileCheck %s
// RUN: pypto-opt --assign-ranges --split-reductions %s | FileCheck %s --check-prefix=SHORT

// A long sum is one of parts, in their order: sixteen parts of two elements.

// CHECK-DAG: #[[PART:.*]] = affine_map<{{.*}}[s0, s1] -> (s0 * 2 + s1)>
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[X:.*]]: tensor<32xf32>)
// CHECK: %[[PARTS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} outs(%{{.*}} : tensor<16xf32>)
// CHECK-DAG: %[[P:.*]] = linalg.index 0
// CHECK-DAG: %[[R:.*]] = linalg.index 1
// CHECK: %[[AT:.*]] = affine.apply #[[PART]]()[%[[P]], %[[R]]]
// CHECK: tensor.extract %[[X]][%[[AT]]]
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]
// CHECK: tensor.extract %[[PARTS]][%{{.*}}] : tensor<16xf32>
// CHECK-NEXT: arith.addf
// CHECK: return
// SHORT-LABEL: func.func @sum(
// SHORT-NOT: tensor<16xf32>
// SHORT: return
func.func @sum(%x: tensor<32xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<32xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}

// The first loop that can be divided is cut, and each part starts from what changes nothing.

// CHECK-LABEL: func.func @maximum(
// CHECK: %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[INIT:.*]] = linalg.fill ins(%[[LEAST]]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "reduction"]{{.*}} outs(%[[INIT]] : tensor<7x3xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} outs(%{{.*}} : tensor<3xf32>)
// CHECK: return
func.func @maximum(%x: tensor<3x1x35xf32>) -> tensor<3xf32> {
  %low = arith.constant dense<-1.0> : tensor<3xf32>
  %0 = linalg.reduce {arith.maximumf} ins(%x : tensor<3x1x35xf32>) outs(%low : tensor<3xf32>) dimensions = [1, 2]
  return %0 : tensor<3xf32>
}

// With many results there is enough to do; a number of iterations that cannot be divided stays; what is reduced only to
// be used with all elements again runs along the same loops.

// CHECK-LABEL: func.func @many_results(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @many_results(%x: tensor<65x32xf32>) -> tensor<65xf32> {
  %zero = arith.constant dense<0.0> : tensor<65xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<65x32xf32>) outs(%zero : tensor<65xf32>) dimensions = [1]
  return %0 : tensor<65xf32>
}

// CHECK-LABEL: func.func @prime(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @prime(%x: tensor<67xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<67xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @norm(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @norm(%x: tensor<2x32xf32>) -> tensor<2x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<2x32xf32>) outs(%zero : tensor<2xf32>) dimensions = [1]
  %e = tensor.empty() : tensor<2x32xf32>
  %1 = linalg.broadcast ins(%0 : tensor<2xf32>) outs(%e : tensor<2x32xf32>) dimensions = [1]
  %2 = arith.divf %x, %1 : tensor<2x32xf32>
  return %2 : tensor<2x32xf32>
}

// RUN: pypto-opt --clean-movement %s | FileCheck %s --check-prefix=CLEAN
// RUN: pypto-opt --clean-movement --assign-ranges %s | FileCheck %s --check-prefix=RANGES
// RUN: pypto-opt --rangeify %s | FileCheck %s --check-prefix=RANGEIFY
// RUN: pypto-opt --rangeify --split-kernels %s | FileCheck %s --check-prefix=SPLIT

// C = A @ B, stage by stage. The graph is a sum over the last axis of a product of two tensors that are
// repeated.
func.func @matmul(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %space = tensor.empty() : tensor<4x4x4xf32>
  %left = linalg.broadcast ins(%a : tensor<4x4xf32>) outs(%space : tensor<4x4x4xf32>) dimensions = [1]
  %empty = tensor.empty() : tensor<4x4xf32>
  %bt = linalg.transpose ins(%b : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) permutation = [1, 0]
  %right = linalg.broadcast ins(%bt : tensor<4x4xf32>) outs(%space : tensor<4x4x4xf32>) dimensions = [0]
  %product = arith.mulf %left, %right : tensor<4x4x4xf32>
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %c = linalg.reduce {arith.addf} ins(%product : tensor<4x4x4xf32>) outs(%zero : tensor<4x4xf32>) dimensions = [2]
  return %c : tensor<4x4xf32>
}

// There is nothing to merge.

// CLEAN-LABEL: func.func @matmul
// CLEAN-SAME: (%[[LEFT:.*]]: tensor<4x4xf32>, %[[RIGHT:.*]]: tensor<4x4xf32>)
// CLEAN-DAG: linalg.broadcast ins(%[[LEFT]] : {{.*}} dimensions = [1]
// CLEAN-DAG: linalg.broadcast
// CLEAN: linalg.reduce

// Each dimension has a range, and so has the sum: reads are elements at an index.

// RANGES-LABEL: func.func @matmul
// RANGES-SAME: (%[[LEFT:.*]]: tensor<4x4xf32>, %[[RIGHT:.*]]: tensor<4x4xf32>)
// RANGES: iterator_types = ["parallel", "parallel", "reduction"]
// RANGES-DAG: %[[I:.*]] = linalg.index 0
// RANGES-DAG: %[[J:.*]] = linalg.index 1
// RANGES-DAG: %[[K:.*]] = linalg.index 2
// RANGES-DAG: tensor.extract %[[LEFT]][%[[I]], %[[K]]]
// RANGES-DAG: tensor.extract %[[RIGHT]][%[[K]], %[[J]]]

// Loops i and j, and k that is summed over: A is read at (i, k), B at (k, j). Nothing is repeated in memory.

// RANGEIFY-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// RANGEIFY-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// RANGEIFY-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// RANGEIFY-LABEL: func.func @matmul
// RANGEIFY-SAME: (%[[LEFT:.*]]: tensor<4x4xf32>, %[[RIGHT:.*]]: tensor<4x4xf32>)
// RANGEIFY: linalg.fill
// RANGEIFY: linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]]
// RANGEIFY-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// RANGEIFY-SAME: ins(%[[LEFT]], %[[RIGHT]]
// RANGEIFY-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[SUM:.*]]: f32)
// RANGEIFY-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[Y]]
// RANGEIFY-NEXT: %[[NEXT:.*]] = arith.addf %[[SUM]], %[[PRODUCT]]
// RANGEIFY-NEXT: linalg.yield %[[NEXT]]
// RANGEIFY-NOT: linalg.broadcast

// One kernel, whose buffers are C, A, B.

// SPLIT-LABEL: func.func private @matmul_kernel_0(
// SPLIT-SAME: %[[C:.*]]: memref<4x4xf32> {{{[^}]*}}}, %[[A:.*]]: memref<4x4xf32> {{{[^}]*}}}, %[[B:.*]]: memref<4x4xf32> {{{[^}]*}}})
// SPLIT-DAG: %[[X:.*]] = bufferization.to_tensor %[[A]]
// SPLIT-DAG: %[[Y:.*]] = bufferization.to_tensor %[[B]]
// SPLIT: %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[Y]]
// SPLIT: bufferization.materialize_in_destination %[[RESULT]] in restrict writable %[[C]]
// SPLIT-LABEL: func.func @matmul(
// SPLIT-SAME: %[[C:.*]]: memref<4x4xf32>, %[[A:.*]]: memref<4x4xf32>, %[[B:.*]]: memref<4x4xf32>)
// SPLIT: orchestration.launch @matmul_kernel_0(write %[[C]], read %[[A]], read %[[B]]) :
// SPLIT-NOT: @matmul_kernel_1

// RUN: pypto-opt --clean-movement %s | FileCheck %s --check-prefix=CLEAN
// RUN: pypto-opt --assign-ranges %s | FileCheck %s --check-prefix=RANGES
// RUN: pypto-opt --rangeify %s | FileCheck %s --check-prefix=RANGEIFY
// RUN: pypto-opt --rangeify --split-kernels %s | FileCheck %s --check-prefix=SPLIT

// reshape [2, 3] -> expand [4, 2, 3] -> sum over axis 0.
func.func @main(%x: tensor<6xf32>) -> tensor<2x3xf32> {
  %reshaped = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %space = tensor.empty() : tensor<4x2x3xf32>
  %expanded = linalg.broadcast ins(%reshaped : tensor<2x3xf32>) outs(%space : tensor<4x2x3xf32>) dimensions = [0]
  %zero = arith.constant dense<0.0> : tensor<2x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%expanded : tensor<4x2x3xf32>) outs(%zero : tensor<2x3xf32>) dimensions = [0]
  return %sum : tensor<2x3xf32>
}

// There is nothing to clean.

// CLEAN: tensor.expand_shape
// CLEAN: linalg.broadcast
// CLEAN: linalg.reduce

// The range of 4 is summed over; it is not part of the index.

// RANGES-DAG: #[[FLAT:.*]] = affine_map<()[s0, s1] -> (s0 * 3 + s1)>
// RANGES: linalg.generic
// RANGES-SAME: iterator_types = ["reduction", "parallel", "parallel"]
// RANGES-DAG: %[[I:.*]] = linalg.index 1
// RANGES-DAG: %[[J:.*]] = linalg.index 2
// RANGES: %[[AT:.*]] = affine.apply #[[FLAT]]()[%[[I]], %[[J]]]
// RANGES: tensor.extract %{{.*}}[%[[AT]]] : tensor<6xf32>

// The two ranges of the result are dense in both buffers: they become one, over what is in memory as it is.

// RANGEIFY-DAG: #[[X:.*]] = affine_map<(d0, d1) -> (d1)>
// RANGEIFY: linalg.generic
// RANGEIFY-SAME: #[[X]]
// RANGEIFY-SAME: iterator_types = ["reduction", "parallel"]
// RANGEIFY-SAME: tensor<6xf32>
// RANGEIFY: tensor.expand_shape {{.*}} tensor<6xf32> into tensor<2x3xf32>

// SPLIT: func.func private @main_kernel_0(%{{.*}}: memref<6xf32> {{{[^}]*}}}, %{{.*}}: memref<6xf32> {{{[^}]*}}})

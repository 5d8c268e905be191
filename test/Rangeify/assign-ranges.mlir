// RUN: pypto-opt --assign-ranges --split-input-file %s | FileCheck %s

// Each movement op becomes index arithmetic in the loop nest that reads through it.

// CHECK-DAG: #[[FLAT:.*]] = affine_map<()[s0, s1] -> (s0 * 3 + s1)>
// CHECK-LABEL: func.func @expand_shape
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<6xf32>)
// CHECK: linalg.generic
// CHECK-DAG: %[[I:.*]] = linalg.index 0
// CHECK-DAG: %[[J:.*]] = linalg.index 1
// CHECK: %[[AT:.*]] = affine.apply #[[FLAT]]()[%[[I]], %[[J]]]
// CHECK: %[[X:.*]] = tensor.extract %[[SOURCE]][%[[AT]]]
// CHECK: arith.negf %[[X]] : f32
func.func @expand_shape(%x: tensor<6xf32>) -> tensor<2x3xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %1 = arith.negf %0 : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// CHECK-DAG: #[[LOW:.*]] = affine_map<()[s0] -> (s0 mod 3)>
// CHECK-DAG: #[[HIGH:.*]] = affine_map<()[s0] -> (s0 floordiv 3)>
// CHECK-LABEL: func.func @collapse_shape
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<2x3xf32>)
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK-DAG: %[[COLUMN:.*]] = affine.apply #[[LOW]]()[%[[I]]]
// CHECK-DAG: %[[ROW:.*]] = affine.apply #[[HIGH]]()[%[[I]]]
// CHECK: tensor.extract %[[SOURCE]][%[[ROW]], %[[COLUMN]]]
func.func @collapse_shape(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %1 = arith.negf %0 : tensor<6xf32>
  return %1 : tensor<6xf32>
}

// -----

// CHECK-LABEL: func.func @transpose
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<2x3xf32>)
// CHECK: linalg.generic
// CHECK-DAG: %[[I:.*]] = linalg.index 0
// CHECK-DAG: %[[J:.*]] = linalg.index 1
// CHECK: tensor.extract %[[SOURCE]][%[[J]], %[[I]]]
func.func @transpose(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %empty = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%empty : tensor<3x2xf32>) permutation = [1, 0]
  return %0 : tensor<3x2xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<3xf32>)
// CHECK: linalg.generic
// CHECK-DAG: %[[J:.*]] = linalg.index 1
// CHECK: tensor.extract %[[SOURCE]][%[[J]]]
func.func @broadcast(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %empty = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.broadcast ins(%x : tensor<3xf32>) outs(%empty : tensor<2x3xf32>) dimensions = [0]
  return %0 : tensor<2x3xf32>
}

// -----

// A read outside does not happen: the padding is another arm.

// CHECK-DAG: #[[MOVED:.*]] = affine_map<()[s0] -> (s0 - 1)>
// CHECK-LABEL: func.func @pad
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<4xf32>)
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = affine.apply #[[MOVED]]()[%[[I]]]
// CHECK-DAG: %[[BEHIND:.*]] = arith.cmpi sge, %[[AT]], %{{.*}} : index
// CHECK-DAG: %[[BEFORE:.*]] = arith.cmpi slt, %[[AT]], %{{.*}} : index
// CHECK: %[[INSIDE:.*]] = arith.andi %[[BEHIND]], %[[BEFORE]]
// CHECK: scf.if %[[INSIDE]]
// CHECK-NEXT: %[[X:.*]] = tensor.extract %[[SOURCE]][%[[AT]]]
// CHECK-NEXT: scf.yield %[[X]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %{{.*}} : f32
func.func @pad(%x: tensor<4xf32>) -> tensor<7xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// CHECK-DAG: #[[MOVED:.*]] = affine_map<()[s0] -> (s0 * 2 + 1)>
// CHECK-LABEL: func.func @extract_slice
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<5x8xf32>)
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = affine.apply #[[MOVED]]()[%[[I]]]
// CHECK: tensor.extract %[[SOURCE]][%{{.*}}, %[[AT]]]
func.func @extract_slice(%x: tensor<5x8xf32>) -> tensor<3xf32> {
  %0 = tensor.extract_slice %x[2, 1] [1, 3] [1, 2] : tensor<5x8xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// A flip is a linalg op that reads backwards.

// CHECK-DAG: #[[BACKWARDS:.*]] = affine_map<()[s0] -> (-s0 + 4)>
// CHECK-LABEL: func.func @flip
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<5xf32>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = affine.apply #[[BACKWARDS]]()[%[[I]]]
// CHECK: tensor.extract %[[SOURCE]][%[[AT]]]
func.func @flip(%x: tensor<5xf32>) -> tensor<5xf32> {
  %empty = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (4 - d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%x : tensor<5xf32>) outs(%empty : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// A chain of movement ops makes one index.

// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<12xf32>)
// CHECK-COUNT-1: linalg.generic
// CHECK: tensor.extract %[[SOURCE]]
// CHECK-NOT: linalg.generic
func.func @chain(%x: tensor<12xf32>) -> tensor<4x2xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  %1 = tensor.extract_slice %0[1, 0] [2, 4] [1, 1] : tensor<3x4xf32> to tensor<2x4xf32>
  %empty = tensor.empty() : tensor<4x2xf32>
  %2 = linalg.transpose ins(%1 : tensor<2x4xf32>) outs(%empty : tensor<4x2xf32>) permutation = [1, 0]
  %3 = math.exp %2 : tensor<4x2xf32>
  return %3 : tensor<4x2xf32>
}

// -----

// A reshape of what is in memory is a view.

// CHECK-LABEL: func.func @reshape_of_argument
// CHECK-NEXT: %[[VIEW:.*]] = tensor.collapse_shape
// CHECK-NEXT: return %[[VIEW]]
func.func @reshape_of_argument(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// A function of an element is computed once, even if its result is read many times; cheap arithmetic
// is repeated.

// CHECK-LABEL: func.func @repeated
// CHECK: %[[EXP:.*]] = linalg.generic
// CHECK: math.exp
// CHECK-NOT: linalg.generic
// CHECK: linalg.generic
// CHECK: tensor.extract %[[EXP]]
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
func.func @repeated(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<16x8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  %cheap = arith.addf %y, %y : tensor<8xf32>
  %empty = tensor.empty() : tensor<16x8xf32>
  %1 = linalg.broadcast ins(%0 : tensor<8xf32>) outs(%empty : tensor<16x8xf32>) dimensions = [0]
  %2 = linalg.broadcast ins(%cheap : tensor<8xf32>) outs(%empty : tensor<16x8xf32>) dimensions = [0]
  %3 = arith.mulf %1, %2 : tensor<16x8xf32>
  return %3 : tensor<16x8xf32>
}

// -----

// An op that is not known reads and writes memory.

// CHECK-LABEL: func.func @unknown
// CHECK: %[[EXP:.*]] = linalg.generic
// CHECK: %[[SOFTMAX:.*]] = linalg.softmax dimension(0) ins(%[[EXP]]
// CHECK: linalg.generic
// CHECK: tensor.extract %[[SOFTMAX]]
func.func @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  %empty = tensor.empty() : tensor<8xf32>
  %1 = linalg.softmax dimension(0) ins(%0 : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %2 = arith.negf %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

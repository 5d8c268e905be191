// RUN: pypto-opt --clean-movement --split-input-file %s | FileCheck %s

// Reshapes that undo each other go; what takes its shape from a value skips those in front of it.

// CHECK-LABEL: func.func @there_and_back(
// CHECK-SAME: %[[X:.*]]: tensor<2x6xf32>)
// CHECK-NEXT: return %[[X]]
func.func @there_and_back(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %shape = arith.constant dense<[3, 4]> : tensor<2xindex>
  %0 = tensor.reshape %x(%shape) : (tensor<2x6xf32>, tensor<2xindex>) -> tensor<3x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 6] : tensor<12xf32> into tensor<2x6xf32>
  return %2 : tensor<2x6xf32>
}

// CHECK-LABEL: func.func @reshape_of_reshape(
// CHECK-SAME: %[[X:.*]]: tensor<2x6xf32>)
// CHECK: tensor.reshape %[[X]]
// CHECK-NOT: tensor.reshape
func.func @reshape_of_reshape(%x: tensor<2x6xf32>) -> tensor<4x3xf32> {
  %first = arith.constant dense<[3, 4]> : tensor<2xindex>
  %0 = tensor.reshape %x(%first) : (tensor<2x6xf32>, tensor<2xindex>) -> tensor<3x4xf32>
  %second = arith.constant dense<[4, 3]> : tensor<2xindex>
  %1 = tensor.reshape %0(%second) : (tensor<3x4xf32>, tensor<2xindex>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

// Extents that are not known may be others when they come back.

// CHECK-LABEL: func.func @unknown_extents(
// CHECK: tensor.reshape
func.func @unknown_extents(%x: tensor<?x?xf32>, %shape: tensor<2xindex>) -> tensor<?x?xf32> {
  %0 = tensor.reshape %x(%shape) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Two transposes are one.

// CHECK-LABEL: func.func @transposes(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>)
// CHECK: linalg.transpose ins(%[[X]] : {{.*}} permutation = [2, 0, 1]
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @transposes(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %e = tensor.empty() : tensor<3x4x2xf32>
  %0 = linalg.transpose ins(%x : tensor<2x3x4xf32>) outs(%e : tensor<3x4x2xf32>) permutation = [1, 2, 0]
  %f = tensor.empty() : tensor<4x2x3xf32>
  %1 = linalg.transpose ins(%0 : tensor<3x4x2xf32>) outs(%f : tensor<4x2x3xf32>) permutation = [1, 2, 0]
  return %1 : tensor<4x2x3xf32>
}

// -----

// A flip of a flip is one, in either form, and none along axes that are flipped twice.

// CHECK: #[[LAST:.*]] = affine_map<(d0, d1) -> (d0, -d1 + 4)>
// CHECK-LABEL: func.func @flips(
// CHECK-SAME: %[[X:.*]]: tensor<3x5xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[LAST]], #{{.*}}]{{.*}} ins(%[[X]] : tensor<3x5xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @flips(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (2 - d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x5xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<3x5xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = affine.apply affine_map<(d0) -> (2 - d0)>(%i)
    %l = affine.apply affine_map<(d0) -> (4 - d0)>(%j)
    %2 = tensor.extract %0[%k, %l] : tensor<3x5xf32>
    linalg.yield %2 : f32
  } -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}

// -----

// A slice inside of what is padded does not need the padding; one that reaches out of it does.

// CHECK-LABEL: func.func @inside(
// CHECK-SAME: %[[X:.*]]: tensor<6xf32>)
// CHECK-NEXT: %[[SLICE:.*]] = tensor.extract_slice %[[X]][1] [2] [2]
// CHECK-NEXT: return %[[SLICE]]
func.func @inside(%x: tensor<6xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<6xf32> to tensor<9xf32>
  %1 = tensor.extract_slice %0[3] [2] [2] : tensor<9xf32> to tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @reaches_out(
// CHECK: tensor.pad
// CHECK: tensor.extract_slice
func.func @reaches_out(%x: tensor<6xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<6xf32> to tensor<9xf32>
  %1 = tensor.extract_slice %0[6] [2] [2] : tensor<9xf32> to tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// One number stays one.

// CHECK-LABEL: func.func @uniform(
// CHECK-NEXT: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<3x2x5xf32>
// CHECK-NEXT: return %[[ONES]]
func.func @uniform() -> tensor<3x2x5xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.transpose ins(%one : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  %f = tensor.empty() : tensor<3x2x5xf32>
  %1 = linalg.broadcast ins(%0 : tensor<3x2xf32>) outs(%f : tensor<3x2x5xf32>) dimensions = [2]
  return %1 : tensor<3x2x5xf32>
}

// -----

// Elementwise ops are computed before what all their operands have in common: so it meets its inverse, and what is
// repeated is computed once.

// CHECK-LABEL: func.func @sinks(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<2x3xf32>)
// CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : tensor<2x3xf32>
// CHECK-DAG: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : tensor<2x3xf32>
// CHECK-DAG: %[[RESULT:.*]] = arith.mulf %[[SUM]], %[[TWO]] : tensor<2x3xf32>
// CHECK: return %[[RESULT]]
func.func @sinks(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  %1 = linalg.transpose ins(%y : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  %two = arith.constant dense<2.0> : tensor<3x2xf32>
  %2 = arith.addf %0, %1 : tensor<3x2xf32>
  %3 = arith.mulf %2, %two : tensor<3x2xf32>
  %f = tensor.empty() : tensor<2x3xf32>
  %4 = linalg.transpose ins(%3 : tensor<3x2xf32>) outs(%f : tensor<2x3xf32>) permutation = [1, 0]
  return %4 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @repeated(
// CHECK: %[[ONCE:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<3xi32>) outs(%{{.*}} : tensor<3xf32>)
// CHECK: linalg.broadcast ins(%[[ONCE]] : tensor<3xf32>)
func.func @repeated(%x: tensor<3xi32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x4xi32>
  %0 = linalg.broadcast ins(%x : tensor<3xi32>) outs(%e : tensor<3x4xi32>) dimensions = [1]
  %f = tensor.empty() : tensor<3x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<3x4xi32>) outs(%f : tensor<3x4xf32>) {
  ^bb0(%in: i32, %out: f32):
    %2 = arith.sitofp %in : i32 to f32
    linalg.yield %2 : f32
  } -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// -----

// Operands that are moved in different ways stay, and so does an op that looks at its place.

// CHECK-LABEL: func.func @different(
// CHECK: linalg.transpose
// CHECK: %[[RESULT:.*]] = arith.addf
// CHECK-NEXT: return %[[RESULT]]
func.func @different(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.transpose ins(%x : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  %1 = arith.addf %0, %y : tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @place(
// CHECK: linalg.transpose
// CHECK: %[[RESULT:.*]] = linalg.generic
// CHECK: return %[[RESULT]]
func.func @place(%x: tensor<2x3xindex>) -> tensor<3x2xindex> {
  %e = tensor.empty() : tensor<3x2xindex>
  %0 = linalg.transpose ins(%x : tensor<2x3xindex>) outs(%e : tensor<3x2xindex>) permutation = [1, 0]
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<3x2xindex>) outs(%e : tensor<3x2xindex>) {
  ^bb0(%in: index, %out: index):
    %i = linalg.index 0 : index
    %2 = arith.addi %in, %i : index
    linalg.yield %2 : index
  } -> tensor<3x2xindex>
  return %1 : tensor<3x2xindex>
}

// -----

// Ops on buffers stay.
// CHECK-LABEL: func.func @buffers
// CHECK-NEXT:    linalg.transpose
func.func @buffers(%x: memref<4x8xf32>, %y: memref<8x4xf32>) {
  linalg.transpose ins(%x : memref<4x8xf32>) outs(%y : memref<8x4xf32>) permutation = [1, 0]
  return
}

// RUN: pypto-opt --raise-accesses --split-input-file %s | FileCheck %s

// Reads at loops become operands, equal ones only once. A read that goes backwards stays.

// CHECK-DAG: #[[SWAPPED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[SHIFTED:.*]] = affine_map<(d0, d1) -> (d1 + 1)>
// CHECK-DAG: #[[IDENTITY:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @operands
// CHECK-SAME: (%[[X:.*]]: tensor<3x2xf32>, %[[Y:.*]]: tensor<2xf32>, %[[Z:.*]]: tensor<4xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[SWAPPED]], #[[ROW]], #[[SHIFTED]], #[[IDENTITY]]]
// CHECK-SAME: ins(%[[X]], %[[Y]], %[[Z]]
// CHECK: tensor.extract %[[Z]]
// CHECK-NOT: tensor.extract
func.func @operands(%x: tensor<3x2xf32>, %y: tensor<2xf32>, %z: tensor<4xf32>) -> tensor<2x3xf32> {
  %empty = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<2x3xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = tensor.extract %x[%j, %i] : tensor<3x2xf32>
    %b = tensor.extract %y[%i] : tensor<2xf32>
    %again = tensor.extract %y[%i] : tensor<2xf32>
    %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
    %c = tensor.extract %z[%next] : tensor<4xf32>
    %back = affine.apply affine_map<(d0) -> (3 - d0)>(%j)
    %d = tensor.extract %z[%back] : tensor<4xf32>
    %0 = arith.addf %a, %b : f32
    %1 = arith.addf %0, %again : f32
    %2 = arith.addf %1, %c : f32
    %3 = arith.addf %2, %d : f32
    linalg.yield %3 : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// An operand that tells the extent of a sum stays only as long as no other does.

// CHECK-LABEL: func.func @extent
// CHECK-SAME: (%[[X:.*]]: tensor<5xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]] : tensor<5xf32>)
// CHECK: %[[SHAPE:.*]] = tensor.empty() : tensor<5xi8>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[SHAPE]] : tensor<5xi8>)
func.func @extent(%x: tensor<5xf32>, %init: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %shape = tensor.empty() : tensor<5xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%shape : tensor<5xi8>) outs(%init : tensor<f32>) {
  ^bb0(%in: i8, %out: f32):
    %i = linalg.index 0 : index
    %a = tensor.extract %x[%i] : tensor<5xf32>
    %1 = arith.addf %out, %a : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  %shape2 = tensor.empty() : tensor<5xi8>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%shape2 : tensor<5xi8>) outs(%init : tensor<f32>) {
  ^bb0(%in: i8, %out: f32):
    %one = arith.constant 1.0 : f32
    %1 = arith.addf %out, %one : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0, %2 : tensor<f32>, tensor<f32>
}

// A loop that never runs reads nothing, wherever it would: as an operand the read would be out of range.

// CHECK-LABEL: func.func @nothing(
// CHECK: tensor.extract
func.func @nothing(%x: tensor<3xi16>) -> tensor<0xi16> {
  %empty = tensor.empty() : tensor<0xi16>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%empty : tensor<0xi16>) {
  ^bb0(%out: i16):
    %i = linalg.index 0 : index
    %j = affine.apply affine_map<(d0) -> (d0 + 3)>(%i)
    %1 = tensor.extract %x[%j] : tensor<3xi16>
    linalg.yield %1 : i16
  } -> tensor<0xi16>
  return %0 : tensor<0xi16>
}

// RUN: pypto-opt --fold-loads --split-input-file %s | FileCheck %s

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// An integer that is added in each of 5 iterations is multiplied; a float is not.

// CHECK-LABEL: func.func @repeated
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel"]
// CHECK: %[[X:.*]] = tensor.extract
// CHECK: %[[N:.*]] = arith.constant 5 : i32
// CHECK: arith.muli %[[X]], %[[N]]
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
func.func @repeated(%x: tensor<4xi32>, %y: tensor<4xf32>, %i0: tensor<4xi32>, %f0: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %shape = tensor.empty() : tensor<5xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5xi8>) outs(%i0 : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %a = tensor.extract %x[%i] : tensor<4xi32>
    %sum = arith.addi %out, %a : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5xi8>) outs(%f0 : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %i = linalg.index 0 : index
    %a = tensor.extract %y[%i] : tensor<4xf32>
    %sum = arith.addf %out, %a : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xi32>, tensor<4xf32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// The one row that a mask of one element chooses is read.

// CHECK-LABEL: func.func @one_hot
// CHECK-SAME: (%[[TABLE:.*]]: tensor<5xf32>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel"]
// CHECK: %[[CHOSEN:.*]] = arith.index_cast
// CHECK: %[[THERE:.*]] = arith.andi
// CHECK: scf.if %[[THERE]]
// CHECK-NEXT: tensor.extract %[[TABLE]][%[[CHOSEN]]]
// CHECK: arith.addf
func.func @one_hot(%table: tensor<5xf32>, %indices: tensor<4xi64>, %f0: tensor<4xf32>) -> tensor<4xf32> {
  %shape = tensor.empty() : tensor<5xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5xi8>) outs(%f0 : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zero = arith.constant 0.0 : f32
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %number = arith.index_cast %r : index to i64
    %chosen = tensor.extract %indices[%i] : tensor<4xi64>
    %isChosen = arith.cmpi eq, %number, %chosen : i64
    %a = tensor.extract %table[%r] : tensor<5xf32>
    %masked = arith.select %isChosen, %a, %zero : f32
    %sum = arith.addf %out, %masked : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// Ones below the diagonal add up to the row: how an arange is made of a triangle.

// CHECK-LABEL: func.func @triangle
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel"]
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.minsi %[[I]]
// CHECK: arith.maxsi
// CHECK: %[[COUNT:.*]] = arith.index_cast
// CHECK: arith.addi %{{.*}}, %[[COUNT]]
func.func @triangle(%i0: tensor<4xi32>) -> tensor<4xi32> {
  %shape = tensor.empty() : tensor<4xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<4xi8>) outs(%i0 : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %isBelow = arith.cmpi sle, %r, %i : index
    %one = arith.extui %isBelow : i1 to i32
    %sum = arith.addi %out, %one : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

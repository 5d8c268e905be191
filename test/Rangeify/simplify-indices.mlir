// RUN: pypto-opt --simplify-indices --split-input-file %s | FileCheck %s

// A division whose result the bounds of the loop tell goes; one that they do not tell stays.

// CHECK-LABEL: func.func @bounds
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: tensor.extract %{{.*}}[%[[I]]] : tensor<4xf32>
// CHECK: %[[REST:.*]] = affine.apply
// CHECK: tensor.extract %{{.*}}[%[[REST]]] : tensor<3xf32>
func.func @bounds(%x: tensor<4xf32>, %y: tensor<3xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%empty : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %known = affine.apply affine_map<(d0) -> ((d0 + 8) mod 4)>(%i)
    %a = tensor.extract %x[%known] : tensor<4xf32>
    %open = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
    %b = tensor.extract %y[%open] : tensor<3xf32>
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Digits of a number are the number itself in a view of the memory.

// CHECK-LABEL: func.func @view
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>)
// CHECK: %[[VIEW:.*]] = tensor.collapse_shape %[[X]]
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: tensor.extract %[[VIEW]][%[[I]]] : tensor<6xf32>
// CHECK-NOT: affine.apply
func.func @view(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %empty = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%empty : tensor<6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %row = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%i)
    %column = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
    %a = tensor.extract %x[%row, %column] : tensor<2x3xf32>
    linalg.yield %a : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// A condition that always holds goes; of one that does not, what is inside knows.

// CHECK-LABEL: func.func @conditions
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : index
// CHECK: scf.if %[[BELOW]]
// CHECK-NEXT: tensor.extract %{{.*}}[%[[I]]]
// CHECK-NOT: scf.if
// CHECK: return
func.func @conditions(%x: tensor<4xf32>, %other: f32) -> tensor<6xf32> {
  %empty = tensor.empty() : tensor<6xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%empty : tensor<6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %behind = arith.cmpi sge, %i, %c0 : index
    %a = scf.if %behind -> f32 {
      %before = arith.cmpi slt, %i, %c4 : index
      %b = scf.if %before -> f32 {
        %at = affine.apply affine_map<(d0) -> (d0 mod 4)>(%i)
        %c = tensor.extract %x[%at] : tensor<4xf32>
        scf.yield %c : f32
      } else {
        scf.yield %other : f32
      }
      scf.yield %b : f32
    } else {
      scf.yield %other : f32
    }
    linalg.yield %a : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

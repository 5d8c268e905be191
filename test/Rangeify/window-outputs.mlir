// RUN: pypto-opt %s --window-outputs --split-input-file | FileCheck %s

// What is written in part becomes a tensor of its own, which is inserted; what is written as a whole stays.

// CHECK-LABEL: func.func @offset
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<8xf32>
// CHECK:         %[[OLD:.*]] = tensor.extract_slice %[[Y]][2] [4] [1] : tensor<8xf32> to tensor<4xf32>
// CHECK:         %[[NEW:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>) outs(%[[OLD]] : tensor<4xf32>)
// CHECK:         %[[ALL:.*]] = tensor.insert_slice %[[NEW]] into %[[Y]][2] [4] [1]
// CHECK:         return %[[ALL]]
func.func @offset(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i + 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The second output is a column of a sum, each second row of it; the first one is whole.
// CHECK-LABEL: func.func @two_outputs
// CHECK-SAME:    %[[X:.*]]: tensor<3x5xf32>, %[[Y:.*]]: tensor<3xf32>, %[[Z:.*]]: tensor<6x2xf32>
// CHECK:         %[[OLD:.*]] = tensor.extract_slice %[[Z]][1, 1] [3, 1] [2, 1] : tensor<6x2xf32> to tensor<3xf32>
// CHECK:         %[[NEW:.*]]:2 = linalg.generic {{.*}} outs(%[[Y]], %[[OLD]] : tensor<3xf32>, tensor<3xf32>)
// CHECK:         %[[ALL:.*]] = tensor.insert_slice %[[NEW]]#1 into %[[Z]][1, 1] [3, 1] [2, 1]
// CHECK:         return %[[NEW]]#0, %[[ALL]]
func.func @two_outputs(%x: tensor<3x5xf32>, %y: tensor<3xf32>, %z: tensor<6x2xf32>) -> (tensor<3xf32>, tensor<6x2xf32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                          affine_map<(i, j) -> (i * 2 + 1, 1)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x5xf32>) outs(%y, %z : tensor<3xf32>, tensor<6x2xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %0 = arith.addf %a, %in : f32
    %1 = arith.maximumf %b, %in : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<3xf32>, tensor<6x2xf32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<6x2xf32>
}

// -----

// CHECK-LABEL: func.func @whole
// CHECK-NOT:     slice
func.func @whole(%x: tensor<4x1xf32>, %y: tensor<1x4xf32>, %z: tensor<4xf32>) -> (tensor<1x4xf32>, tensor<4xf32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 0)>, affine_map<(i) -> (0, 3 - i)>, affine_map<(i) -> (i)>],
                         iterator_types = ["parallel"]}
      ins(%x : tensor<4x1xf32>) outs(%y, %z : tensor<1x4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32, %out2: f32):
    linalg.yield %in, %in : f32, f32
  } -> (tensor<1x4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<1x4xf32>, tensor<4xf32>
}

// -----

// Nothing is written by no iterations.
// CHECK-LABEL: func.func @nothing
// CHECK-SAME:    %[[X:.*]]: tensor<0xf32>, %[[Y:.*]]: tensor<8xf32>
// CHECK:         return %[[Y]]
func.func @nothing(%x: tensor<0xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i + 4)>], iterator_types = ["parallel"]}
      ins(%x : tensor<0xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK:         %[[N:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<?xf32>
// CHECK:         tensor.extract_slice %{{.*}}[3] [%[[N]]] [1] : tensor<?xf32> to tensor<?xf32>
func.func @dynamic(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i + 3)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

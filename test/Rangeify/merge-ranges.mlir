// RUN: pypto-opt --assign-ranges --simplify-indices --merge-ranges --simplify-indices --split-input-file %s | FileCheck %s

// What is dense is one loop, over views of what is read and written.

// CHECK-LABEL: func.func @dense(
// CHECK-SAME: %[[X:.*]]: tensor<5x7x3xf32>)
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1, 2]] : tensor<5x7x3xf32> into tensor<105xf32>
// CHECK: %[[RESULT:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: tensor.extract %[[FLAT]][%[[I]]]
// CHECK: tensor.expand_shape %[[RESULT]]
func.func @dense(%x: tensor<5x7x3xf32>) -> tensor<5x7x3xf32> {
  %0 = math.exp %x : tensor<5x7x3xf32>
  return %0 : tensor<5x7x3xf32>
}

// -----

// Loops of a sum too. The dimension that stays is not next to one of its kind.

// CHECK-LABEL: func.func @sum(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<5x21xf32>
func.func @sum(%x: tensor<5x7x3xf32>) -> tensor<5xf32> {
  %zero = arith.constant dense<0.0> : tensor<5xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<5x7x3xf32>) outs(%zero : tensor<5xf32>) dimensions = [1, 2]
  return %0 : tensor<5xf32>
}

// -----

// The first two loops of what is repeated along the last: one loop. The last would have to be divided.

// CHECK-LABEL: func.func @repeated(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} tensor<35x3xf32>
func.func @repeated(%x: tensor<5x7xf32>) -> tensor<5x7x3xf32> {
  %e = tensor.empty() : tensor<5x7x3xf32>
  %0 = linalg.broadcast ins(%x : tensor<5x7xf32>) outs(%e : tensor<5x7x3xf32>) dimensions = [2]
  return %0 : tensor<5x7x3xf32>
}

// -----

// What is read in another order needs both loops, and so does what looks at its place.

// CHECK-LABEL: func.func @transposed(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
func.func @transposed(%x: tensor<5x7xf32>) -> tensor<7x5xf32> {
  %e = tensor.empty() : tensor<7x5xf32>
  %0 = linalg.transpose ins(%x : tensor<5x7xf32>) outs(%e : tensor<7x5xf32>) permutation = [1, 0]
  return %0 : tensor<7x5xf32>
}

// CHECK-LABEL: func.func @place(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
func.func @place() -> tensor<7x5xindex> {
  %e = tensor.empty() : tensor<7x5xindex>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<7x5xindex>) {
  ^bb0(%out: index):
    %i = linalg.index 1 : index
    linalg.yield %i : index
  } -> tensor<7x5xindex>
  return %0 : tensor<7x5xindex>
}

// -----

// Nests that may share their loops in one kernel keep them.

// CHECK-LABEL: func.func @shared(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]
func.func @shared(%x: tensor<5x7x3xf32>) -> tensor<5x7x3xf32> {
  %zero = arith.constant dense<0.0> : tensor<5x7xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<5x7x3xf32>) outs(%zero : tensor<5x7xf32>) dimensions = [2]
  %e = tensor.empty() : tensor<5x7x3xf32>
  %1 = linalg.broadcast ins(%0 : tensor<5x7xf32>) outs(%e : tensor<5x7x3xf32>) dimensions = [2]
  %2 = arith.divf %x, %1 : tensor<5x7x3xf32>
  return %2 : tensor<5x7x3xf32>
}

// RUN: pypto-opt %s --fuse-elementwise | FileCheck %s
// Elementwise operations are computed where their results are read.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @chain
func.func @chain(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.mulf
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: linalg.yield
  // CHECK-NOT: linalg.generic
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// Loops of the producer are those of the consumer in another order, and so are its indices.
// CHECK-LABEL: func.func @transposed
func.func @transposed(%x: tensor<8x4xf32>) -> tensor<4x8xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[SWAP:.*]], #{{.*}}], iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<8x4xf32>)
  // CHECK: %[[I:.*]] = linalg.index 1
  // CHECK-NOT: linalg.generic
  %e = tensor.empty() : tensor<8x4xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    %g = arith.sitofp %c : i32 to f32
    %m = arith.mulf %a, %g : f32
    linalg.yield %m : f32
  } -> tensor<8x4xf32>
  %1 = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x4xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// An expensive producer with another reader is a second result.
// CHECK-LABEL: func.func @shared
func.func @shared(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
  // CHECK: %[[BOTH:.*]]:2 = linalg.generic
  // CHECK-SAME: iterator_types = ["parallel", "reduction"]
  // CHECK: %[[EXP:.*]] = math.exp
  // CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[EXP]]
  // CHECK: linalg.yield %[[EXP]], %[[SUM]]
  // CHECK: return %[[BOTH]]#0, %[[BOTH]]#1
  %e = tensor.empty() : tensor<4x8xf32>
  %init = tensor.empty() : tensor<4x1xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%init : tensor<4x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x1xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x1xf32>
}

// A cheap one is computed twice.
// CHECK-LABEL: func.func @cheap
func.func @cheap(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
  // CHECK: linalg.generic
  // CHECK: arith.mulf
  // CHECK: %[[SUM:.*]] = linalg.generic
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: arith.addf
  %e = tensor.empty() : tensor<4x8xf32>
  %init = tensor.empty() : tensor<4x1xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%init : tensor<4x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x1xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x1xf32>
}

// A number for each row would be computed for each element.
// CHECK-LABEL: func.func @repeated
func.func @repeated(%x: tensor<4x1xf32>) -> tensor<4x8xf32> {
  // CHECK: math.exp
  // CHECK: linalg.generic
  // CHECK: arith.negf
  %e = tensor.empty() : tensor<4x1xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x1xf32>) outs(%e : tensor<4x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<4x1xf32>
  %1 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x1xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// The other reader comes first.
// CHECK-LABEL: func.func @reader_before
func.func @reader_before(%x: tensor<4x8xf32>, %i: index) -> (f32, tensor<4x8xf32>) {
  // CHECK: math.exp
  // CHECK: tensor.extract
  // CHECK: linalg.generic
  // CHECK-NOT: math.exp
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %v = tensor.extract %0[%i, %i] : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  return %v, %1 : f32, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @filled
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[F:.*]]: f32)
func.func @filled(%x: tensor<4x8xf32>, %f: f32) -> tensor<4x8xf32> {
  // CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xf32>)
  // CHECK: arith.addf %{{.*}}, %[[F]]
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// What is reduced stays, if nothing else would tell how many columns there are.
// CHECK-LABEL: func.func @filled_and_reduced
func.func @filled_and_reduced(%f: f32, %zero: tensor<4x1xf32>) -> tensor<4x1xf32> {
  // CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
  // CHECK: linalg.generic {{.*}} ins(%[[ROWS]] : tensor<4x8xf32>)
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x8xf32>) outs(%zero : tensor<4x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x1xf32>
  return %2 : tensor<4x1xf32>
}

// A gather reads where its indices say, in its body: all that it may read is made before.
// CHECK-LABEL: func.func @gathered_by_itself
func.func @gathered_by_itself(%x: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // CHECK: %[[VALUES:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xi32>)
  // CHECK: linalg.generic
  // CHECK: tensor.extract %[[VALUES]]
  %e = tensor.empty() : tensor<4x8xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%a: i32, %o: i32):
    %m = arith.addi %a, %a : i32
    linalg.yield %m : i32
  } -> tensor<4x8xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %a : i32 to index
    %v = tensor.extract %0[%i, %j] : tensor<4x8xi32>
    linalg.yield %v : i32
  } -> tensor<4x8xi32>
  return %1 : tensor<4x8xi32>
}

// Read at two places, which are two iterations.
// CHECK-LABEL: func.func @two_places
func.func @two_places(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[EXP:.*]] = linalg.generic
  // CHECK: math.exp
  // CHECK: linalg.generic {{.*}} ins(%[[EXP]], %[[EXP]]
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #swap, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// What adds to what is there is no elementwise operation of its inputs.
// CHECK-LABEL: func.func @accumulates
func.func @accumulates(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%arg1
  // CHECK: linalg.generic {{.*}} ins(%[[SUM]]
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

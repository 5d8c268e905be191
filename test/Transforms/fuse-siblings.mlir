// RUN: pypto-opt %s --reassociate-reductions --fuse-siblings | FileCheck %s
// Operations that read the same tensor along the same loops, and nothing of each other, become one.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#none = affine_map<(d0, d1) -> ()>
#kept = affine_map<(d0, d1) -> (0, 0)>

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[X:.*]]: tensor<64x128xf32>)
// CHECK: %[[LEAST:.*]] = linalg.fill ins(%cst :
// CHECK: %[[NONE:.*]] = linalg.fill ins(%cst_0 :
// CHECK: %[[BOTH:.*]]:2 = linalg.generic {indexing_maps = [#[[ID]], #[[ROW]], #[[ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[X]] : tensor<64x128xf32>) outs(%[[LEAST]], %[[NONE]] : tensor<64xf32>, tensor<64xf32>)
// CHECK-NEXT: ^bb0(%[[E:.*]]: f32, %[[GREATEST:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK-NEXT: %[[MAX:.*]] = arith.maximumf %[[GREATEST]], %[[E]]
// CHECK-NEXT: %[[TOTAL:.*]] = arith.addf %[[SUM]], %[[E]]
// CHECK-NEXT: linalg.yield %[[MAX]], %[[TOTAL]]
// CHECK-NOT: linalg.generic
// CHECK: return %[[BOTH]]#1, %[[BOTH]]#0
func.func @rows(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %m = arith.maximumf %acc, %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %none = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%none : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %1, %0 : tensor<64xf32>, tensor<64xf32>
}

// Loops in another order: the second goes along those of the first, and so do its indices.
// CHECK-LABEL: func.func @other_order
// CHECK-SAME: (%[[X:.*]]: tensor<64x32xf32>, %[[Y:.*]]: tensor<64x32xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[ID]], #[[ID]]]
// CHECK-SAME: ins(%[[X]], %[[Y]] :
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.negf
// CHECK-NEXT: %[[I:.*]] = linalg.index 1
// CHECK-NEXT: arith.index_cast %[[I]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @other_order(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %e = tensor.empty() : tensor<64x32xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<64x32xf32>
  %1 = linalg.generic {indexing_maps = [#swap, #swap, #swap], iterator_types = ["parallel", "parallel"]} ins(%y, %x : tensor<64x32xf32>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%b: f32, %a: f32, %o: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    %g = arith.sitofp %c : i32 to f32
    %s = arith.addf %a, %g : f32
    %t = arith.mulf %s, %b : f32
    linalg.yield %t : f32
  } -> tensor<64x32xf32>
  return %0, %1 : tensor<64x32xf32>, tensor<64x32xf32>
}

// What both compute is computed once.
// CHECK-LABEL: func.func @same_terms
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf
// CHECK-NEXT: arith.addf %{{.*}}, %[[SQUARE]]
// CHECK-NEXT: arith.maximumf %{{.*}}, %[[SQUARE]]
// CHECK-NEXT: linalg.yield
func.func @same_terms(%x: tensor<64x128xf32>, %zero: f32) -> (tensor<f32>, tensor<f32>) {
  %e = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %acc, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %q = arith.mulf %a, %a : f32
    %m = arith.maximumf %acc, %q : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// An elementwise operation beside a reduction.
// CHECK-LABEL: func.func @mixed
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.negf
// CHECK-NEXT: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @mixed(%x: tensor<64x128xf32>, %zero: f32) -> (tensor<64x128xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64x128xf32>
  %f = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<64x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<64xf32>
}

// The second needs what is made behind the first, which nobody needs that early.
// CHECK-LABEL: func.func @at_the_second
// CHECK: %[[LOG:.*]] = linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.log
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[LOG]] :
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.negf
// CHECK-NEXT: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @at_the_second(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%y : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.log %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %1 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.addf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %0, %2 : tensor<64xf32>, tensor<64xf32>
}

// Between the two another one needs the first, and makes what the second needs.
// CHECK-LABEL: func.func @dependent
// CHECK: arith.negf
// CHECK: tensor.collapse_shape
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @dependent(%x: tensor<64xf32>, %n: f32) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %wide = tensor.expand_shape %0 [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  %1 = tensor.collapse_shape %wide [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %1 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.addf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// Across a store to other memory.
// CHECK-LABEL: func.func @across_a_store
// CHECK: %[[BOTH:.*]]:2 = linalg.generic
// CHECK: bufferization.materialize_in_destination %[[BOTH]]#0 in writable %[[Y:.*]] :
// CHECK: bufferization.materialize_in_destination %[[BOTH]]#1 in writable %[[Z:.*]] :
func.func @across_a_store(%x: tensor<64xf32>, %y: memref<64xf32> {llvm.noalias}, %z: memref<64xf32> {llvm.noalias}) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<64xf32>, memref<64xf32>) -> ()
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %1 in writable %z : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// If both go to the same memory, the second could not be computed there any more.
// CHECK-LABEL: func.func @across_a_store_to_the_same
// CHECK: arith.negf
// CHECK: bufferization.materialize_in_destination
// CHECK: linalg.generic
// CHECK: math.exp
func.func @across_a_store_to_the_same(%x: tensor<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<64xf32>, memref<64xf32>) -> ()
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %1 in writable %z : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// Nothing is computed on the other side of a call.
// CHECK-LABEL: func.func @across_a_call
// CHECK: arith.negf
// CHECK: call @wait
// CHECK: math.exp
func.func private @wait()
func.func @across_a_call(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  call @wait() : () -> ()
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// Sums of rows and sums of columns share no loop that they sum along.
// CHECK-LABEL: func.func @rows_and_columns
// CHECK: linalg.generic {{.*}} ["parallel", "reduction"]
// CHECK: linalg.generic {{.*}} ["reduction", "parallel"]
func.func @rows_and_columns(%x: tensor<64x128xf32>, %zero: f32) -> (tensor<64xf32>, tensor<128xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %f = tensor.empty() : tensor<128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %other = linalg.fill ins(%zero : f32) outs(%f : tensor<128xf32>) -> tensor<128xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%other : tensor<128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  return %0, %1 : tensor<64xf32>, tensor<128xf32>
}

// One copies, the other transposes: one of them would not go along rows.
// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-2: linalg.generic
func.func @transposed(%x: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<32x64xf32>) {
  %e = tensor.empty() : tensor<64x32xf32>
  %f = tensor.empty() : tensor<32x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<64x32xf32>
  %1 = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<32x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<32x64xf32>
  return %0, %1 : tensor<64x32xf32>, tensor<32x64xf32>
}

// A sum has four vectors in a step, beside a sine it would have one: another order.
// CHECK-LABEL: func.func @much_beside_a_sum
// CHECK-COUNT-2: linalg.generic
func.func @much_beside_a_sum(%x: tensor<64x128xf32>, %zero: f32) -> (tensor<64x128xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64x128xf32>
  %f = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.sin %a : f32
    linalg.yield %m : f32
  } -> tensor<64x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<64xf32>
}

// Doubles are eight to a vector, beside floats they would be sixteen.
// CHECK-LABEL: func.func @other_lanes
// CHECK-COUNT-2: linalg.generic
func.func @other_lanes(%x: tensor<128xf64>, %zero: f64) -> (tensor<f64>, tensor<128xf32>) {
  %e = tensor.empty() : tensor<f64>
  %f = tensor.empty() : tensor<128xf32>
  %init = linalg.fill ins(%zero : f64) outs(%e : tensor<f64>) -> tensor<f64>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<128xf64>) outs(%init : tensor<f64>) {
  ^bb0(%a: f64, %acc: f64):
    %s = arith.addf %acc, %a : f64
    linalg.yield %s : f64
  } -> tensor<f64>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<128xf64>) outs(%f : tensor<128xf32>) {
  ^bb0(%a: f64, %o: f32):
    %s = arith.truncf %a : f64 to f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  return %0, %1 : tensor<f64>, tensor<128xf32>
}

// A sum of everything beside rows that the next operation reads: they stay rows.
// CHECK-LABEL: func.func @rows_of_a_chain
// CHECK-COUNT-3: linalg.generic
func.func @rows_of_a_chain(%x: tensor<64x128xf32>, %zero: f32) -> (tensor<64x128xf32>, tensor<f32>) {
  %e = tensor.empty() : tensor<64x128xf32>
  %f = tensor.empty() : tensor<64xf32>
  %g = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.subf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<64x128xf32>
  %all = linalg.fill ins(%zero : f32) outs(%g : tensor<f32>) -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%all : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %1, %2 : tensor<64x128xf32>, tensor<f32>
}

// Threads share the first sum in parts, and would not the second.
// CHECK-LABEL: func.func @parts_of_one
// CHECK-COUNT-2: linalg.generic
func.func @parts_of_one(%x: tensor<64x128xf32>, %zero: f32) -> (tensor<f32>, tensor<1x1xf32>) {
  %e = tensor.empty() : tensor<f32>
  %f = tensor.empty() : tensor<1x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %other = linalg.fill ins(%zero : f32) outs(%f : tensor<1x1xf32>) -> tensor<1x1xf32>
  %0 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [#id, #kept], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%other : tensor<1x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.maximumf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<1x1xf32>
  return %0, %1 : tensor<f32>, tensor<1x1xf32>
}

// What is in the memory of a result before is not ours.
// CHECK-LABEL: func.func @not_empty
// CHECK-COUNT-2: linalg.generic
func.func @not_empty(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%y : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// Four results are one operation, the fifth is another.
// CHECK-LABEL: func.func @limit
// CHECK: %{{.*}}:4 = linalg.generic
// CHECK: %{{.*}} = linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @limit(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.absf %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.sqrt %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %0, %1, %2, %3, %4 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// The loops of a product read its factors block by block.
// CHECK-LABEL: func.func @products
// CHECK: linalg.generic {{.*}} ["parallel", "parallel", "reduction"]
// CHECK: linalg.generic {{.*}} ["parallel", "parallel", "reduction"]
func.func @products(%x: tensor<32x64xf32>, %u: tensor<64x16xf32>, %v: tensor<64x16xf32>, %zero: f32) -> (tensor<32x16xf32>, tensor<32x16xf32>) {
  %e = tensor.empty() : tensor<32x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %u : tensor<32x64xf32>, tensor<64x16xf32>) outs(%init : tensor<32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %v : tensor<32x64xf32>, tensor<64x16xf32>) outs(%init : tensor<32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x16xf32>
  return %0, %1 : tensor<32x16xf32>, tensor<32x16xf32>
}

// RUN: pypto-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// Folders of operations on handles: retyping, views and extents. A computed tensor never folds to an operand, for it is
// storage of its own.

// CHECK-LABEL: pl.func @sum_with_zero_is_new_storage
// CHECK: %[[SUM:.*]] = pl.add
// CHECK: pl.return %[[SUM]]
pl.func @sum_with_zero_is_new_storage(%a: !pl.tensor<[4], i32>) -> !pl.tensor<[4], i32> {
  %c0 = arith.constant 0 : i32
  %0 = pl.add %a, %c0 : !pl.tensor<[4], i32>, i32
  pl.return %0 : !pl.tensor<[4], i32>
}

// CHECK-LABEL: pl.func @copies_are_new_storage
// CHECK: pl.transpose
// CHECK: pl.transpose
// CHECK: pl.cast
// CHECK: pl.fillpad
pl.func @copies_are_new_storage(%a: !pl.tensor<[4, 4], f32>)
    -> (!pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>) {
  %0 = pl.transpose %a, 0, 1 : !pl.tensor<[4, 4], f32>
  %1 = pl.transpose %0, 0, 1 : !pl.tensor<[4, 4], f32>
  %2 = pl.cast %a to f32 : !pl.tensor<[4, 4], f32>
  %3 = pl.fillpad zero %a : !pl.tensor<[4, 4], f32>
  pl.return %0, %1, %2, %3 : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
}

// CHECK-LABEL: pl.func @cast_shape_to_own_type
// CHECK-SAME: %[[T:.*]]: !pl.tensor
// CHECK-NEXT: "test.use"(%[[T]])
pl.func @cast_shape_to_own_type(%t: !pl.tensor<[N], f32>) {
  %0 = pl.cast_shape %t : !pl.tensor<[N], f32> -> !pl.tensor<[N], f32>
  "test.use"(%0) : (!pl.tensor<[N], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @cast_shape_and_back
// CHECK-SAME: %[[T:.*]]: !pl.tensor
// CHECK-NEXT: "test.use"(%[[T]])
pl.func @cast_shape_and_back(%t: !pl.tensor<[N], f32>) {
  %0 = pl.cast_shape %t : !pl.tensor<[N], f32> -> !pl.tensor<[?], f32>
  %1 = pl.cast_shape %0 : !pl.tensor<[?], f32> -> !pl.tensor<[N], f32>
  "test.use"(%1) : (!pl.tensor<[N], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @cast_shape_chain
// CHECK-NEXT: pl.cast_shape %{{.*}} : !pl.tensor<[N, 4], f32> -> !pl.tensor<[8, 4], f32>
// CHECK-NEXT: "test.use"
pl.func @cast_shape_chain(%t: !pl.tensor<[N, 4], f32>) {
  %0 = pl.cast_shape %t : !pl.tensor<[N, 4], f32> -> !pl.tensor<[?, ?], f32>
  %1 = pl.cast_shape %0 : !pl.tensor<[?, ?], f32> -> !pl.tensor<[8, 4], f32>
  "test.use"(%1) : (!pl.tensor<[8, 4], f32>) -> ()
  pl.return
}

// The ends are not compatible: the chain is undefined when it runs, and stays.
// CHECK-LABEL: pl.func @cast_shape_chain_of_incompatible_ends
// CHECK-COUNT-2: pl.cast_shape
pl.func @cast_shape_chain_of_incompatible_ends(%t: !pl.tensor<[4], f32>) {
  %0 = pl.cast_shape %t : !pl.tensor<[4], f32> -> !pl.tensor<[?], f32>
  %1 = pl.cast_shape %0 : !pl.tensor<[?], f32> -> !pl.tensor<[8], f32>
  "test.use"(%1) : (!pl.tensor<[8], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @reshape_to_own_type
// CHECK-SAME: %[[T:.*]]: !pl.tensor<[N, 4], f32>, %[[U:.*]]: !pl.tensor<[?], f32>
// CHECK-NEXT: %[[R:.*]] = pl.reshape %[[U]]
// CHECK-NEXT: "test.use"(%[[T]], %[[R]])
pl.func @reshape_to_own_type(%t: !pl.tensor<[N, 4], f32>, %u: !pl.tensor<[?], f32>, %n: index) {
  %0 = pl.reshape %t : !pl.tensor<[N, 4], f32> -> !pl.tensor<[N, 4], f32>
  %1 = pl.reshape %u sizes(%n) : !pl.tensor<[?], f32> -> !pl.tensor<[?], f32>
  "test.use"(%0, %1) : (!pl.tensor<[N, 4], f32>, !pl.tensor<[?], f32>) -> ()
  pl.return
}

// Two `?` are not known to be equal.
// CHECK-LABEL: pl.func @set_validshape_to_own_type
// CHECK-SAME: %[[T:.*]]: !pl.tensor<[8], f32, valid = [N]>, %[[U:.*]]: !pl.tensor<[8], f32, valid = [?]>
// CHECK-NEXT: %[[R:.*]] = pl.set_validshape %[[U]]
// CHECK-NEXT: "test.use"(%[[T]], %[[R]])
pl.func @set_validshape_to_own_type(%t: !pl.tensor<[8], f32, valid = [N]>, %u: !pl.tensor<[8], f32, valid = [?]>, %n: index) {
  %0 = pl.set_validshape %t[%n] : !pl.tensor<[8], f32, valid = [N]> -> !pl.tensor<[8], f32, valid = [N]>
  %1 = pl.set_validshape %u[%n] : !pl.tensor<[8], f32, valid = [?]> -> !pl.tensor<[8], f32, valid = [?]>
  "test.use"(%0, %1) : (!pl.tensor<[8], f32, valid = [N]>, !pl.tensor<[8], f32, valid = [?]>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @dim_of_constant
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[N:.*]] = pl.dim %{{.*}}, 1
// CHECK: pl.return %[[C4]], %[[N]]
pl.func @dim_of_constant(%t: !pl.tensor<[4, N], f32>) -> (index, index) {
  %0 = pl.dim %t, 0 : !pl.tensor<[4, N], f32>
  %1 = pl.dim %t, 1 : !pl.tensor<[4, N], f32>
  pl.return %0, %1 : index, index
}

// CHECK-LABEL: pl.func @dim_of_what_made_it
// CHECK-SAME: %[[M:.*]]: index, %[[N:.*]]: index
// CHECK-NOT: pl.dim
// CHECK: pl.return %[[N]], %[[M]], %[[N]], %[[M]]
pl.func @dim_of_what_made_it(%m: index, %n: index, %t: !pl.tensor<[64, 64], f32>) -> (index, index, index, index) {
  %x = arith.constant 0.0 : f32
  %0 = pl.create(%m, %n) : !pl.tensor<[?, 3, ?], f32>
  %1 = pl.full %x(%m) : f32, !pl.tensor<[?], f32>
  %2 = pl.slice %t[0, 0] sizes(%m, %n) : !pl.tensor<[64, 64], f32> -> !pl.tensor<[?, ?], f32>
  %3 = pl.reshape %t sizes(%m) : !pl.tensor<[64, 64], f32> -> !pl.tensor<[2, ?], f32>
  %d0 = pl.dim %0, 2 : !pl.tensor<[?, 3, ?], f32>
  %d1 = pl.dim %1, 0 : !pl.tensor<[?], f32>
  %d2 = pl.dim %2, 1 : !pl.tensor<[?, ?], f32>
  %d3 = pl.dim %3, 1 : !pl.tensor<[2, ?], f32>
  pl.return %d0, %d1, %d2, %d3 : index, index, index, index
}

// CHECK-LABEL: pl.func @dim_of_another_name
// CHECK-SAME: %[[T:.*]]: !pl.tensor<[?, 4], f32>, %[[S:.*]]: !pl.tensor<[1, 4], f32>
// CHECK: pl.dim %[[T]], 0 : !pl.tensor<[?, 4], f32>
// CHECK: pl.dim %[[T]], 0 : !pl.tensor<[?, 4], f32>
pl.func @dim_of_another_name(inout %t: !pl.tensor<[?, 4], f32>, %s: !pl.tensor<[1, 4], f32>) -> (index, index) {
  %0 = pl.assemble %s, %t[0, 0] : !pl.tensor<[1, 4], f32>, !pl.tensor<[?, 4], f32>
  %1 = pl.cast_shape %0 : !pl.tensor<[?, 4], f32> -> !pl.tensor<[?, ?], f32>
  %2 = pl.dim %0, 0 : !pl.tensor<[?, 4], f32>
  %3 = pl.dim %1, 0 : !pl.tensor<[?, ?], f32>
  pl.return %2, %3 : index, index
}

// RUN: pypto-opt --normalize-return-order %s | FileCheck %s
// RUN: pypto-opt --mlir-print-op-generic %s | pypto-opt --normalize-return-order | FileCheck %s
// Kernels: written-back parameters become explicit (step A0), and returns take the order of the out and inout
// parameters (step A). Nothing else in a kernel changes. Variables, branches, callers have files of their own.

!tensor = !pl.tensor<[16], f32>
!tile = !tile.tile<[16], f32>

// NRO-06, NRO-28: the pass alone, two outs stored and returned in the other order.
// CHECK-LABEL: pl.func incore @swapped_returns(
// CHECK-SAME: %[[X:.*]]: !pl.tensor<[16], f32>, out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>)
// CHECK-SAME: attributes {pl.return_permutation = array<i64: 1, 0>}
// CHECK: %[[TILE:.*]] = tile.load %[[X]]
// CHECK-NEXT: %[[SUM:.*]] = tile.add %[[TILE]], %[[TILE]]
// CHECK-NEXT: %[[PRODUCT:.*]] = tile.mul %[[TILE]], %[[TILE]]
// CHECK-NEXT: tile.store %[[PRODUCT]], %[[B]]
// CHECK-NEXT: tile.store %[[SUM]], %[[A]]
// CHECK-NEXT: pl.return %[[A]], %[[B]] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
pl.func incore @swapped_returns(%x: !tensor, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : !tensor -> !tile
  %s = tile.add %t, %t : !tile
  %m = tile.mul %t, %t : !tile
  %rb = tile.store %m, %b[%c0] : !tile, !tensor
  %ra = tile.store %s, %a[%c0] : !tile, !tensor
  pl.return %rb, %ra : !tensor, !tensor
}

// NRO-07, NRO-33: a single return becomes the parameter; there is nothing to reorder.
// CHECK-LABEL: pl.func incore @single_return(
// CHECK-SAME: out %[[OUT:.*]]: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK: tile.store %{{.*}}, %[[OUT]]
// CHECK-NEXT: pl.return %[[OUT]]
pl.func incore @single_return(%x: !tensor, out %out: !tensor) -> !tensor {
  %t = tile.load %x[0] : !tensor -> !tile
  %r = tile.store %t, %out[0] : !tile, !tensor
  pl.return %r : !tensor
}

// NRO-08, NRO-32: in order already; only step A0 applies.
// CHECK-LABEL: pl.func incore @already_ordered(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK: pl.return %[[A]], %[[B]]
pl.func incore @already_ordered(%x: !tensor, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %t = tile.load %x[0] : !tensor -> !tile
  %r0 = tile.store %t, %a[0] : !tile, !tensor
  %r1 = tile.store %t, %b[0] : !tile, !tensor
  pl.return %r0, %r1 : !tensor, !tensor
}

// NRO-04: parameters in order stay as they are.
// CHECK-LABEL: pl.func incore @explicit_already(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK-NEXT: pl.return %[[A]], %[[B]]
pl.func incore @explicit_already(out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  pl.return %a, %b : !tensor, !tensor
}

// NRO-34: a parameter that is returned directly counts too.
// CHECK-LABEL: pl.func incore @explicit_swapped(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[A]], %[[B]]
pl.func incore @explicit_swapped(out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  pl.return %b, %a : !tensor, !tensor
}

// NRO-29, NRO-58: a three-way cycle of different types. What was result 0 (c) is result 2, result 1 (a) is
// result 0, result 2 (b) is result 1.
// CHECK-LABEL: pl.func incore @three_way_cycle(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f16>, out %[[C:.*]]: !pl.tensor<[16], i32>)
// CHECK-SAME: -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f16>, !pl.tensor<[16], i32>)
// CHECK-SAME: attributes {pl.return_permutation = array<i64: 2, 0, 1>}
// CHECK: pl.return %[[A]], %[[B]], %[[C]]
pl.func incore @three_way_cycle(%x: !tensor, %y: !pl.tensor<[16], f16>, %z: !pl.tensor<[16], i32>,
                                out %a: !tensor, out %b: !pl.tensor<[16], f16>, out %c: !pl.tensor<[16], i32>)
    -> (!pl.tensor<[16], i32>, !tensor, !pl.tensor<[16], f16>) {
  %tx = tile.load %x[0] : !tensor -> !tile
  %ty = tile.load %y[0] : !pl.tensor<[16], f16> -> !tile.tile<[16], f16>
  %tz = tile.load %z[0] : !pl.tensor<[16], i32> -> !tile.tile<[16], i32>
  %ra = tile.store %tx, %a[0] : !tile, !tensor
  %rb = tile.store %ty, %b[0] : !tile.tile<[16], f16>, !pl.tensor<[16], f16>
  %rc = tile.store %tz, %c[0] : !tile.tile<[16], i32>, !pl.tensor<[16], i32>
  pl.return %rc, %ra, %rb : !pl.tensor<[16], i32>, !tensor, !pl.tensor<[16], f16>
}

// NRO-35: the attributes of the results go with the types.
// CHECK-LABEL: pl.func incore @result_attributes(
// CHECK-SAME: -> (!pl.tensor<[16], f32> {test.name = "a"}, !pl.tensor<[16], f16> {test.name = "b"}, !pl.tensor<[16], i32> {test.name = "c"})
pl.func incore @result_attributes(out %a: !tensor, out %b: !pl.tensor<[16], f16>, out %c: !pl.tensor<[16], i32>)
    -> (!pl.tensor<[16], i32> {test.name = "c"}, !tensor {test.name = "a"}, !pl.tensor<[16], f16> {test.name = "b"}) {
  pl.return %c, %a, %b : !pl.tensor<[16], i32>, !tensor, !pl.tensor<[16], f16>
}

// NRO-30: two offsets are no destinations.
// CHECK-LABEL: pl.func incore @two_dimensions(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[32, 16], f32>, out %[[B:.*]]: !pl.tensor<[32, 16], f32>)
// CHECK: pl.return %[[A]], %[[B]]
pl.func incore @two_dimensions(%x: !pl.tensor<[32, 16], f32>, %i: index, %j: index,
                               out %a: !pl.tensor<[32, 16], f32>, out %b: !pl.tensor<[32, 16], f32>)
    -> (!pl.tensor<[32, 16], f32>, !pl.tensor<[32, 16], f32>) {
  %t = tile.load %x[%i, %j] : !pl.tensor<[32, 16], f32> -> !tile.tile<[8, 8], f32>
  %rb = tile.store %t, %b[%i, %j] : !tile.tile<[8, 8], f32>, !pl.tensor<[32, 16], f32>
  %ra = tile.store %t, %a[%j, %i] : !tile.tile<[8, 8], f32>, !pl.tensor<[32, 16], f32>
  pl.return %rb, %ra : !pl.tensor<[32, 16], f32>, !pl.tensor<[32, 16], f32>
}

// NRO-31: inout parameters take part exactly like out parameters.
// CHECK-LABEL: pl.func incore @inout_first(
// CHECK-SAME: inout %[[ACC:.*]]: !pl.tensor<[16], f32>, %{{.*}}: !pl.tensor<[16], f32>, out %[[OUT:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[ACC]], %[[OUT]]
pl.func incore @inout_first(inout %acc: !tensor, %x: !tensor, out %out: !tensor) -> (!tensor, !tensor) {
  %t = tile.load %x[0] : !tensor -> !tile
  %u = tile.load %acc[0] : !tensor -> !tile
  %s = tile.add %t, %u : !tile
  %ra = tile.store %s, %acc[0] : !tile, !tensor
  %ro = tile.store %t, %out[0] : !tile, !tensor
  pl.return %ro, %ra : !tensor, !tensor
}

// NRO-09: the inout is written in place and not returned; the one value returned is still the out parameter,
// not whatever stands at its position.
// CHECK-LABEL: pl.func incore @inout_not_returned(
// CHECK-SAME: inout %[[ACC:.*]]: !pl.tensor<[16], f32>, out %[[OUT:.*]]: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK: pl.return %[[OUT]]
pl.func incore @inout_not_returned(inout %acc: !tensor, out %out: !tensor) -> !tensor {
  %t = tile.load %acc[0] : !tensor -> !tile
  %ra = tile.store %t, %acc[0] : !tile, !tensor
  %ro = tile.store %t, %out[0] : !tile, !tensor
  pl.return %ro : !tensor
}

// NRO-36: no out or inout parameter: nothing to order. An `in` parameter is still named.
// CHECK-LABEL: pl.func incore @no_outs(
// CHECK-SAME: %[[X:.*]]: !pl.tensor<[16], f32>, %[[Y:.*]]: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK: pl.return %[[Y]], %[[X]]
pl.func incore @no_outs(%x: !tensor, %y: !tensor) -> (!tensor, !tensor) {
  %0 = pl.cast_shape %y : !tensor -> !tensor
  pl.return %0, %x : !tensor, !tensor
}

// NRO-37: more out parameters than values: the order stays.
// CHECK-LABEL: pl.func incore @fewer_returns_than_outs(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>, out %{{.*}}: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK: pl.return %[[B]], %[[A]]
pl.func incore @fewer_returns_than_outs(out %a: !tensor, out %b: !tensor, out %c: !tensor) -> (!tensor, !tensor) {
  pl.return %b, %a : !tensor, !tensor
}

// NRO-38: one parameter returned twice: both become explicit, the order stays.
// CHECK-LABEL: pl.func incore @returned_twice(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %{{.*}}: !pl.tensor<[16], f32>, %[[T:.*]]: f32) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK: pl.return %[[A]], %[[A]]
pl.func incore @returned_twice(out %a: !tensor, out %b: !tensor, %v: f32) -> (!tensor, !tensor) {
  %c0 = arith.constant 0 : index
  %r = pl.write %v, %a[%c0] : !tensor
  pl.return %r, %a : !tensor, !tensor
}

// NRO-38: a value without a parameter keeps its position, and one that belongs there cannot go: no reordering.
// CHECK-LABEL: pl.func incore @collision(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>) -> (index, !pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK: pl.return %{{c0.*}}, %[[B]], %[[A]]
pl.func incore @collision(out %a: !tensor, out %b: !tensor) -> (index, !tensor, !tensor) {
  %c0 = arith.constant 0 : index
  pl.return %c0, %b, %a : index, !tensor, !tensor
}

// NRO-14, NRO-34: scalars behind the tensors stay where they are, and stay what they are.
// CHECK-LABEL: pl.func incore @scalar_stays(
// CHECK-SAME: %[[N:.*]]: index, out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>, index)
// CHECK-SAME: array<i64: 1, 0, 2>
// CHECK: %[[M:.*]] = arith.addi %[[N]], %[[N]]
// CHECK: pl.return %[[A]], %[[B]], %[[M]]
pl.func incore @scalar_stays(%n: index, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor, index) {
  %m = arith.addi %n, %n : index
  pl.return %b, %a, %m : !tensor, !tensor, index
}

// NRO-13: what the kernel allocates has no parameter: it is kept, and keeps its position.
// CHECK-LABEL: pl.func incore @allocated_output(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>)
// CHECK-SAME: array<i64: 1, 0, 2>
// CHECK: %[[FRESH:.*]] = pl.create
// CHECK: %[[STORED:.*]] = tile.store %{{.*}}, %[[FRESH]]
// CHECK: pl.return %[[A]], %[[B]], %[[STORED]]
pl.func incore @allocated_output(%x: !tensor, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor, !tensor) {
  %t = tile.load %x[0] : !tensor -> !tile
  %fresh = pl.create : !tensor
  %s = tile.store %t, %fresh[0] : !tile, !tensor
  pl.return %b, %a, %s : !tensor, !tensor, !tensor
}

// NRO-21, NRO-34: a parameter under another valid shape is no mere write-back and keeps its expression; its
// position is that of the parameter whose storage it is.
// CHECK-LABEL: pl.func incore @narrowed_position(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32, valid = [8]>, !pl.tensor<[16], f32>)
// CHECK: %[[NARROW:.*]] = pl.set_validshape %[[A]]
// CHECK: pl.return %[[NARROW]], %[[B]]
pl.func incore @narrowed_position(out %a: !tensor, out %b: !tensor) -> (!tensor, !pl.tensor<[16], f32, valid = [8]>) {
  %n = pl.set_validshape %a[8] : !tensor -> !pl.tensor<[16], f32, valid = [8]>
  pl.return %b, %n : !tensor, !pl.tensor<[16], f32, valid = [8]>
}

// NRO-57: a second reordering is recorded on top of the first: the way is from the order as written.
// CHECK-LABEL: pl.func incore @composed_permutation(
// CHECK-SAME: attributes {pl.return_permutation = array<i64: 0, 2, 1>}
pl.func incore @composed_permutation(out %a: !tensor, out %b: !tensor, out %c: !tensor) -> (!tensor, !tensor, !tensor)
    attributes {pl.return_permutation = array<i64: 1, 0, 2>} {
  pl.return %c, %a, %b : !tensor, !tensor, !tensor
}

// A permutation that is undone leaves no record.
// CHECK-LABEL: pl.func incore @undone_permutation(
// CHECK-SAME: -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
pl.func incore @undone_permutation(out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor)
    attributes {pl.return_permutation = array<i64: 1, 0>} {
  pl.return %b, %a : !tensor, !tensor
}

// RUN: pypto-opt --normalize-return-order %s | FileCheck %s
// Which functions take part: kernels are made explicit and reordered, group, spmd and graph functions made
// explicit only, the others are as their author wrote them.

!tensor = !pl.tensor<[16], f32>

// NRO-10: aic and aiv kernels are kernels.
// CHECK-LABEL: pl.func aic @aic_kernel(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32)
// CHECK-SAME: attributes {pl.return_permutation = array<i64: 1, 0>}
// CHECK: pl.return %[[A]], %[[B]]
pl.func aic @aic_kernel(out %a: !tensor, out %b: !tensor, %v: f32) -> (!tensor, !tensor) {
  %c0 = arith.constant 0 : index
  %r = pl.write %v, %b[%c0] : !tensor
  pl.return %r, %a : !tensor, !tensor
}

// CHECK-LABEL: pl.func aiv @aiv_kernel(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32)
// CHECK-SAME: attributes {pl.return_permutation = array<i64: 1, 0>}
// CHECK: pl.return %[[A]], %[[B]]
pl.func aiv @aiv_kernel(out %a: !tensor, out %b: !tensor, %v: f32) -> (!tensor, !tensor) {
  %c0 = arith.constant 0 : index
  %r = pl.write %v, %b[%c0] : !tensor
  pl.return %r, %a : !tensor, !tensor
}

// NRO-18: the return of a split body is the function's: `pl.return` ends a function and nothing else.
// CHECK-LABEL: pl.func aiv @split_body(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32) -> !pl.tensor<[16], f32> {
// CHECK: pl.split_aiv up_down
// CHECK: pl.return %[[A]]
pl.func aiv @split_body(out %a: !tensor, %v: f32) -> !tensor {
  %0 = pl.cast_shape %a : !tensor -> !tensor
  pl.split_aiv up_down (%i) {
    %1 = pl.write %v, %0[%i] : !tensor
  }
  pl.return %0 : !tensor
}

// NRO-10, NRO-39: a group function is made explicit, and keeps its order.
// CHECK-LABEL: pl.func group @group_wrapper(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK: %[[RESULTS:.*]]:2 = pl.call @aic_kernel(%[[A]], %[[B]],
// CHECK: pl.return %[[B]], %[[A]]
pl.func group @group_wrapper(out %a: !tensor, out %b: !tensor, %v: f32) -> (!tensor, !tensor) {
  %0:2 = pl.call @aic_kernel(%a, %b, %v) : (!tensor, !tensor, f32) -> (!tensor, !tensor)
  pl.return %0#0, %0#1 : !tensor, !tensor
}

// NRO-16: an spmd wrapper that forwards all results of its inner call returns as many parameters.
// CHECK-LABEL: pl.func spmd @spmd_wrapper(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK: pl.return %[[A]], %[[B]]
pl.func spmd @spmd_wrapper(out %a: !tensor, out %b: !tensor, %v: f32) -> (!tensor, !tensor) {
  %0:2 = pl.call @group_wrapper(%b, %a, %v) : (!tensor, !tensor, f32) -> (!tensor, !tensor)
  pl.return %0#0, %0#1 : !tensor, !tensor
}

// NRO-16: a value that is no parameter does not keep the others from becoming explicit: each stands alone.
// CHECK-LABEL: pl.func spmd @partly_forwarded(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK: %[[FRESH:.*]] = pl.create
// CHECK: %[[RESULTS:.*]]:2 = pl.call @aic_kernel(%[[A]], %[[FRESH]],
// CHECK: pl.return %[[RESULTS]]#1, %[[A]]
pl.func spmd @partly_forwarded(out %a: !tensor, %v: f32) -> (!tensor, !tensor) {
  %fresh = pl.create : !tensor
  %0:2 = pl.call @aic_kernel(%a, %fresh, %v) : (!tensor, !tensor, f32) -> (!tensor, !tensor)
  pl.return %0#0, %0#1 : !tensor, !tensor
}

// NRO-15: a wrapper that returns nothing has nothing to say; its caller reads its own arguments.
// CHECK-LABEL: pl.func group @returns_nothing(
// CHECK: pl.call @aic_kernel
// CHECK-NEXT: pl.return{{$}}
pl.func group @returns_nothing(out %a: !tensor, out %b: !tensor, %v: f32) {
  %0:2 = pl.call @aic_kernel(%a, %b, %v) : (!tensor, !tensor, f32) -> (!tensor, !tensor)
  pl.return
}

// NRO-17: a wrapper of one result keeps one result.
// CHECK-LABEL: pl.func group @one_result(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32) -> !pl.tensor<[16], f32> {
// CHECK: pl.return %[[A]] : !pl.tensor<[16], f32>
pl.func group @one_result(out %a: !tensor, out %b: !tensor, %v: f32) -> !tensor {
  %0:2 = pl.call @aic_kernel(%a, %b, %v) : (!tensor, !tensor, f32) -> (!tensor, !tensor)
  pl.return %0#1 : !tensor
}

// NRO-27: a graph function that returns its parameters in another order than it declares them: exact, and not
// by position.
// CHECK-LABEL: pl.func graph @graph_order(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK: %[[AGAIN:.*]] = pl.cast_shape %[[B]]
// CHECK: pl.return %[[B]], %[[A]]
pl.func graph @graph_order(out %a: !tensor, out %b: !tensor, %v: f32) -> (!tensor, !tensor) {
  %b2 = pl.cast_shape %b : !tensor -> !tensor
  %0:2 = pl.call @aic_kernel(%a, %b2, %v) : (!tensor, !tensor, f32) -> (!tensor, !tensor)
  pl.return %0#0, %0#1 : !tensor, !tensor
}

// NRO-10, NRO-39: orchestration and opaque functions keep what they return; their calls follow the callee.
// CHECK-LABEL: pl.func orchestration @orchestration(
// CHECK: %[[RESULTS:.*]]:2 = pl.call @aic_kernel
// CHECK: pl.return %[[RESULTS]]#1, %[[RESULTS]]#0
pl.func orchestration @orchestration(out %a: !tensor, out %b: !tensor, %v: f32) -> (!tensor, !tensor) {
  %0:2 = pl.call @aic_kernel(%a, %b, %v) : (!tensor, !tensor, f32) -> (!tensor, !tensor)
  pl.return %0#0, %0#1 : !tensor, !tensor
}

// CHECK-LABEL: pl.func @opaque(
// CHECK: %[[SAME:.*]] = pl.cast_shape
// CHECK: pl.return %[[SAME]]
pl.func @opaque(out %a: !tensor, out %b: !tensor) -> !tensor {
  %0 = pl.cast_shape %b : !tensor -> !tensor
  pl.return %0 : !tensor
}

// NRO-52: a kernel written by hand has no body to read; nothing is assumed about what it returns.
// CHECK-LABEL: pl.func private incore @by_hand(out !pl.tensor<[16], f32>, out !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>){{$}}
pl.func private incore @by_hand(out !tensor, out !tensor) -> (!tensor, !tensor)

// CHECK-LABEL: pl.func group @calls_by_hand(
// CHECK: %[[RESULTS:.*]]:2 = pl.call @by_hand
// CHECK: pl.return %[[RESULTS]]#0, %[[RESULTS]]#1
pl.func group @calls_by_hand(out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %0:2 = pl.call @by_hand(%a, %b) : (!tensor, !tensor) -> (!tensor, !tensor)
  pl.return %0#0, %0#1 : !tensor, !tensor
}

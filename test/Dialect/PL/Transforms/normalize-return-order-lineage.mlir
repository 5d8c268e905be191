// RUN: pypto-opt --normalize-return-order %s | FileCheck %s
// What a returned value is traced through: aliases, loops, scopes, calls and submits; and where the trace ends.
// NRO-11 unless said otherwise. Branches and variables have files of their own.

!tensor = !pl.tensor<[16], f32>
!tile = !tile.tile<[16], f32>

// Writes one after the other, with operations of every family that alias.
// CHECK-LABEL: pl.func incore @aliases(
// CHECK-SAME: out %[[OUT:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32)
// CHECK: pl.return %[[OUT]]
pl.func incore @aliases(%x: !tensor, out %out: !tensor, %v: f32) -> !tensor {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[0] : !tensor -> !tile
  %0 = tile.store %t, %out[0] : !tile, !tensor
  %1 = pl.write %v, %0[%c0] : !tensor
  %2 = pl.assemble %x, %1[0] : !tensor, !tensor
  %3 = pl.cast_shape %2 : !tensor -> !pl.tensor<[?], f32>
  %4 = pl.cast_shape %3 : !pl.tensor<[?], f32> -> !tensor
  pl.return %4 : !tensor
}

// What is stored, and where it is read from, is no alias.
// CHECK-LABEL: pl.func incore @only_the_destination(
// CHECK-SAME: %{{.*}}: !pl.tensor<[16], f32>, out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[A]], %[[B]]
pl.func incore @only_the_destination(%x: !tensor, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %0 = pl.assemble %x, %a[0] : !tensor, !tensor
  %1 = pl.assemble %0, %b[0] : !tensor, !tensor
  pl.return %1, %0 : !tensor, !tensor
}

// NRO-12: a slice is not the parameter, even if it is all of it.
// CHECK-LABEL: pl.func incore @slice(
// CHECK: %[[VIEW:.*]] = pl.slice
// CHECK: pl.return %[[VIEW]]
pl.func incore @slice(out %out: !tensor) -> !tensor {
  %0 = pl.slice %out[0] : !tensor -> !tensor
  pl.return %0 : !tensor
}

// NRO-12: nor is a reshape, nor what is reshaped back.
// CHECK-LABEL: pl.func incore @reshape(
// CHECK: %[[FLAT:.*]] = pl.reshape
// CHECK: %[[BACK:.*]] = pl.reshape %[[FLAT]]
// CHECK: pl.return %[[BACK]]
pl.func incore @reshape(out %out: !pl.tensor<[4, 4], f32>) -> !pl.tensor<[4, 4], f32> {
  %0 = pl.reshape %out : !pl.tensor<[4, 4], f32> -> !tensor
  %1 = pl.reshape %0 : !tensor -> !pl.tensor<[4, 4], f32>
  pl.return %1 : !pl.tensor<[4, 4], f32>
}

// NRO-12: a view has no position either.
// CHECK-LABEL: pl.func incore @view_keeps_position(
// CHECK-SAME: -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK: %[[VIEW:.*]] = pl.slice
// CHECK: pl.return %[[VIEW]], %{{.*}}
pl.func incore @view_keeps_position(out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %0 = pl.slice %b[0] : !tensor -> !tensor
  pl.return %0, %a : !tensor, !tensor
}

// CHECK-LABEL: pl.func incore @for_loop(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>)
// CHECK: scf.for
// CHECK: pl.return %[[A]], %[[B]]
pl.func incore @for_loop(%x: !tensor, %n: index, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[0] : !tensor -> !tile
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%b1 = %b, %a1 = %a) -> (!tensor, !tensor) {
    %a2 = tile.store %t, %a1[0] : !tile, !tensor
    %b2 = tile.store %t, %b1[0] : !tile, !tensor
    scf.yield %b2, %a2 : !tensor, !tensor
  }
  pl.return %r#0, %r#1 : !tensor, !tensor
}

// Carries that swap are neither parameter.
// CHECK-LABEL: pl.func incore @for_loop_that_swaps(
// CHECK: %[[LOOP:.*]]:2 = scf.for
// CHECK: pl.return %[[LOOP]]#0, %[[LOOP]]#1
pl.func incore @for_loop_that_swaps(%n: index, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%b1 = %b, %a1 = %a) -> (!tensor, !tensor) {
    scf.yield %a1, %b1 : !tensor, !tensor
  }
  pl.return %r#0, %r#1 : !tensor, !tensor
}

// A loop that ends with something else than it began with is no parameter, whatever its init is.
// CHECK-LABEL: pl.func incore @for_loop_that_replaces(
// CHECK: %[[LOOP:.*]] = scf.for
// CHECK: pl.return %[[LOOP]]
pl.func incore @for_loop_that_replaces(%n: index, out %a: !tensor) -> !tensor {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a1 = %a) -> (!tensor) {
    %fresh = pl.create : !tensor
    scf.yield %fresh : !tensor
  }
  pl.return %r : !tensor
}

// CHECK-LABEL: pl.func incore @nested_loops(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32)
// CHECK: pl.return %[[A]]
pl.func incore @nested_loops(%n: index, out %a: !tensor, %v: f32) -> !tensor {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a1 = %a) -> (!tensor) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%a2 = %a1) -> (!tensor) {
      %w = pl.write %v, %a2[%j] : !tensor
      scf.yield %w : !tensor
    }
    scf.yield %s : !tensor
  }
  pl.return %r : !tensor
}

// Both regions of a while: the result is what the condition passes on, not what the body yields.
// CHECK-LABEL: pl.func incore @while_loop(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32)
// CHECK: scf.while
// CHECK: pl.return %[[A]]
pl.func incore @while_loop(%n: index, out %a: !tensor, %v: f32) -> !tensor {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %a1 = %a) : (index, !tensor) -> (!tensor, index) {
    %w = pl.write %v, %a1[%i] : !tensor
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %w, %i : !tensor, index
  } do {
  ^body(%a2: !tensor, %j: index):
    %w = pl.write %v, %a2[%j] : !tensor
    %k = arith.addi %j, %c1 : index
    scf.yield %k, %w : index, !tensor
  }
  pl.return %r#0 : !tensor
}

// CHECK-LABEL: pl.func incore @while_loop_that_replaces(
// CHECK: %[[LOOP:.*]] = scf.while
// CHECK: pl.return %[[LOOP]]
pl.func incore @while_loop_that_replaces(%more: i1, out %a: !tensor) -> !tensor {
  %r = scf.while (%a1 = %a) : (!tensor) -> !tensor {
    scf.condition(%more) %a1 : !tensor
  } do {
  ^body(%a2: !tensor):
    %fresh = pl.create : !tensor
    scf.yield %fresh : !tensor
  }
  pl.return %r : !tensor
}

// CHECK-LABEL: pl.func spmd @scopes(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, %{{.*}}: index, %{{.*}}: f32)
// CHECK: pl.return %[[A]]
pl.func spmd @scopes(out %a: !tensor, %n: index, %v: f32) -> !tensor {
  %0 = pl.cluster -> !tensor {
    %1 = pl.spmd (%i) in (%n) -> !tensor {
      %2 = pl.write %v, %a[%i] : !tensor
      pl.yield %2 : !tensor
    }
    pl.yield %1 : !tensor
  }
  %3 = orchestration.scope manual -> !tensor {
    pl.yield %0 : !tensor
  }
  pl.return %3 : !tensor
}

// Results of calls follow the callee's returns, then the arguments.
pl.func incore @second_is_first(%v: f32, out %p: !tensor, out %q: !tensor) -> (!tensor, index, !tensor) {
  %c0 = arith.constant 0 : index
  %0 = pl.write %v, %p[%c0] : !tensor
  %fresh = pl.create : !tensor
  pl.return %fresh, %c0, %0 : !tensor, index, !tensor
}

// CHECK-LABEL: pl.func group @through_a_call(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32)
// CHECK: %[[RESULTS:.*]]:3 = pl.call @second_is_first(%{{.*}}, %[[B]], %[[A]])
// CHECK: pl.return %[[RESULTS]]#0, %[[B]]
pl.func group @through_a_call(out %a: !tensor, out %b: !tensor, %v: f32) -> (!tensor, !tensor) {
  %0:3 = pl.call @second_is_first(%v, %b, %a) : (f32, !tensor, !tensor) -> (!tensor, index, !tensor)
  pl.return %0#0, %0#2 : !tensor, !tensor
}

// CHECK-LABEL: pl.func group @through_a_submit(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>, %{{.*}}: f32)
// CHECK: %[[RESULTS:.*]]:4 = orchestration.submit @second_is_first(%{{.*}}, %[[B]], %[[A]])
// CHECK: pl.return %[[RESULTS]]#0, %[[B]]
pl.func group @through_a_submit(out %a: !tensor, out %b: !tensor, %v: f32) -> (!tensor, !tensor) {
  %0:4 = orchestration.submit @second_is_first(%v, %b, %a)
    : (f32, !tensor, !tensor) -> (!tensor, index, !tensor, !orchestration.task)
  pl.return %0#0, %0#2 : !tensor, !tensor
}

// The callee stands behind its caller, and calls a function of a kind that is itself not made explicit.
// CHECK-LABEL: pl.func group @callee_behind(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[A]]
pl.func group @callee_behind(out %a: !tensor) -> !tensor {
  %0 = pl.call @opaque_callee(%a) : (!tensor) -> !tensor
  pl.return %0 : !tensor
}
pl.func @opaque_callee(out %p: !tensor) -> !tensor {
  %0 = pl.call @opaque_inner(%p) : (!tensor) -> !tensor
  pl.return %0 : !tensor
}
pl.func @opaque_inner(out %p: !tensor) -> !tensor {
  pl.return %p : !tensor
}

// Recursion has no lineage, through whichever function it is entered, ...
// CHECK-LABEL: pl.func group @recursive_a(
// CHECK: %[[RESULT:.*]] = pl.call @recursive_b
// CHECK: pl.return %[[RESULT]]
pl.func group @recursive_a(out %a: !tensor) -> !tensor {
  %0 = pl.call @recursive_b(%a) : (!tensor) -> !tensor
  pl.return %0 : !tensor
}
// CHECK-LABEL: pl.func group @recursive_b(
// CHECK: %[[RESULT:.*]] = pl.call @recursive_a
// CHECK: pl.return %[[RESULT]]
pl.func group @recursive_b(out %a: !tensor) -> !tensor {
  %0 = pl.call @recursive_a(%a) : (!tensor) -> !tensor
  pl.return %0 : !tensor
}
// ... and leaves those that call it alone.
// CHECK-LABEL: pl.func group @calls_recursion(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>)
// CHECK: %[[RESULT:.*]] = pl.call @recursive_a
// CHECK: pl.return %[[A]], %[[RESULT]]
pl.func group @calls_recursion(out %a: !tensor) -> (!tensor, !tensor) {
  %0 = pl.cast_shape %a : !tensor -> !tensor
  %1 = pl.call @recursive_a(%a) : (!tensor) -> !tensor
  pl.return %0, %1 : !tensor, !tensor
}

// NRO-14: carried scalars are values of their own.
// CHECK-LABEL: pl.func incore @scalar_carry(
// CHECK: %[[LOOP:.*]] = scf.for
// CHECK: pl.return %[[LOOP]] : index
pl.func incore @scalar_carry(%n: index, out %a: !tensor) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %n) -> (index) {
    scf.yield %m : index
  }
  pl.return %r : index
}

// Control flow that is not structured is not followed; one block is.
// CHECK-LABEL: pl.func incore @unstructured_control_flow(
// CHECK: %[[RESULT:.*]] = pl.cast_shape %{{.*}}
// CHECK: pl.return %[[RESULT]]
pl.func incore @unstructured_control_flow(out %a: !tensor) -> !tensor {
  %0 = scf.execute_region -> !tensor {
    cf.br ^next(%a : !tensor)
  ^next(%b: !tensor):
    scf.yield %b : !tensor
  }
  %1 = pl.cast_shape %0 : !tensor -> !tensor
  pl.return %1 : !tensor
}

// CHECK-LABEL: pl.func incore @structured_region(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[A]]
pl.func incore @structured_region(out %a: !tensor) -> !tensor {
  %0 = scf.execute_region -> !tensor {
    scf.yield %a : !tensor
  }
  pl.return %0 : !tensor
}

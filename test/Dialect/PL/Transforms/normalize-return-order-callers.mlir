// RUN: pypto-opt --normalize-return-order --mlir-print-local-scope %s | FileCheck %s
// RUN: pypto-opt --normalize-return-order --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s --check-prefix=LOC
// Step B: the results of calls and submits of a reordered kernel move like those of the kernel, and every use
// stays with its value. NRO-49: signature and calls change in one run; the IR verifies behind it, although the
// types differ.

!a = !pl.tensor<[16], f32>
!b = !pl.tensor<[16], i8>
!c = !pl.tensor<[4], f16>

pl.func incore @swap(out %a: !a, out %b: !b) -> (!b, !a) {
  pl.return %b, %a : !b, !a
}
// (c, a, b) becomes (a, b, c): result 0 is 2, 1 is 0, 2 is 1.
pl.func incore @cycle(out %a: !a, out %b: !b, out %c: !c) -> (!c, !a, !b) {
  pl.return %c, %a, %b : !c, !a, !b
}
pl.func incore @ordered(out %a: !a, out %b: !b) -> (!a, !b) {
  pl.return %a, %b : !a, !b
}
pl.func @use(%a: !a, %b: !b) {
  pl.return
}

// NRO-40: two results; the operations of the caller keep their order.
// CHECK-LABEL: pl.func orchestration @swapped(
// CHECK: %[[RESULTS:.*]]:2 = pl.call @swap(%{{.*}}, %{{.*}}) : (!pl.tensor<[16], f32>, !pl.tensor<[16], i8>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], i8>)
// CHECK-NEXT: %[[WAS_FIRST:.*]] = pl.cast_shape %[[RESULTS]]#1 : !pl.tensor<[16], i8>
// CHECK-NEXT: %[[WAS_SECOND:.*]] = pl.cast_shape %[[RESULTS]]#0 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %[[WAS_SECOND]], %[[WAS_FIRST]]
pl.func orchestration @swapped(out %a: !a, out %b: !b) -> (!a, !b) {
  %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a)
  %1 = pl.cast_shape %0#0 : !b -> !b
  %2 = pl.cast_shape %0#1 : !a -> !a
  pl.return %2, %1 : !a, !b
}

// NRO-41, NRO-58: a cycle of three, undone in the right direction.
// CHECK-LABEL: pl.func orchestration @cycled(
// CHECK: %[[RESULTS:.*]]:3 = pl.call @cycle{{.*}} -> (!pl.tensor<[16], f32>, !pl.tensor<[16], i8>, !pl.tensor<[4], f16>)
// CHECK-NEXT: pl.return %[[RESULTS]]#2, %[[RESULTS]]#0, %[[RESULTS]]#1 : !pl.tensor<[4], f16>, !pl.tensor<[16], f32>, !pl.tensor<[16], i8>
pl.func orchestration @cycled(out %a: !a, out %b: !b, out %c: !c) -> (!c, !a, !b) {
  %0:3 = pl.call @cycle(%a, %b, %c) : (!a, !b, !c) -> (!c, !a, !b)
  pl.return %0#0, %0#1, %0#2 : !c, !a, !b
}

// NRO-42, NRO-44: a submit: the task stays the last result; dependencies, block count, marks and other
// attributes are untouched.
// CHECK-LABEL: pl.func orchestration @submitted(
// CHECK: %[[FIRST:.*]]:4 = orchestration.submit @cycle
// CHECK: %[[RESULTS:.*]]:4 = orchestration.submit @cycle(%{{.*}}, %{{.*}}, %{{.*}}) after(%[[FIRST]]#3) core_num %[[CORES:.*]] sync_start dumps [1] {test.mark} : (!pl.tensor<[16], f32>, !pl.tensor<[16], i8>, !pl.tensor<[4], f16>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], i8>, !pl.tensor<[4], f16>, !orchestration.task)
// CHECK-NEXT: orchestration.barrier after(%[[RESULTS]]#3)
// CHECK-NEXT: pl.return %[[RESULTS]]#2, %[[RESULTS]]#0, %[[RESULTS]]#1
pl.func orchestration @submitted(%n: index, out %a: !a, out %b: !b, out %c: !c) -> (!c, !a, !b) {
  %0:4 = orchestration.submit @cycle(%a, %b, %c) : (!a, !b, !c) -> (!c, !a, !b, !orchestration.task)
  %1:4 = orchestration.submit @cycle(%a, %b, %c) after (%0#3) core_num %n sync_start dumps [1] {test.mark}
    : (!a, !b, !c) -> (!c, !a, !b, !orchestration.task)
  orchestration.barrier after (%1#3)
  pl.return %1#0, %1#1, %1#2 : !c, !a, !b
}

// NRO-32, NRO-43: callers of an ordered kernel are untouched.
// CHECK-LABEL: pl.func orchestration @ordered_already(
// CHECK: %[[RESULTS:.*]]:2 = pl.call @ordered
// CHECK: %[[SUBMITTED:.*]]:3 = orchestration.submit @ordered
// CHECK: pl.return %[[RESULTS]]#0, %[[SUBMITTED]]#1
pl.func orchestration @ordered_already(out %a: !a, out %b: !b) -> (!a, !b) {
  %0:2 = pl.call @ordered(%a, %b) : (!a, !b) -> (!a, !b)
  %1:3 = orchestration.submit @ordered(%a, %b) : (!a, !b) -> (!a, !b, !orchestration.task)
  pl.return %0#0, %1#1 : !a, !b
}

// NRO-45: the types of the call itself are permuted: they keep the extents of the caller.
pl.func incore @symbolic(out %a: !pl.tensor<[M], f32>, out %b: !pl.tensor<[K], i8>)
    -> (!pl.tensor<[K], i8>, !pl.tensor<[M], f32>) {
  pl.return %b, %a : !pl.tensor<[K], i8>, !pl.tensor<[M], f32>
}
// CHECK-LABEL: pl.func orchestration @caller_extents(
// CHECK: pl.call @symbolic{{.*}} -> (!pl.tensor<[N], f32>, !pl.tensor<[N * 2], i8>)
pl.func orchestration @caller_extents(out %a: !pl.tensor<[N], f32>, out %b: !pl.tensor<[N * 2], i8>)
    -> !pl.tensor<[N], f32> {
  %0:2 = pl.call @symbolic(%a, %b) : (!pl.tensor<[N], f32>, !pl.tensor<[N * 2], i8>)
    -> (!pl.tensor<[N * 2], i8>, !pl.tensor<[N], f32>)
  pl.return %0#1 : !pl.tensor<[N], f32>
}

// NRO-46: a variable that is bound to results of several calls: each value is redirected, and no binding can be
// stale. NRO-47: calls that are reordered and calls that are not, in branches, bind the same variables.
// CHECK-LABEL: pl.func orchestration @several_bindings(
// CHECK: %[[A:.*]] = pl.var "a"
// CHECK: %[[B:.*]] = pl.var "b"
// CHECK: scf.if
// CHECK: %[[RESULTS:.*]]:2 = pl.call @swap
// CHECK-NEXT: pl.set %[[B]], %[[RESULTS]]#1
// CHECK-NEXT: pl.set %[[A]], %[[RESULTS]]#0
// CHECK: else
// CHECK: %[[ORDERED:.*]]:2 = pl.call @ordered
// CHECK-NEXT: pl.set %[[A]], %[[ORDERED]]#0
// CHECK-NEXT: pl.set %[[B]], %[[ORDERED]]#1
pl.func orchestration @several_bindings(%c: i1, out %a: !a, out %b: !b) -> (!a, !b) {
  %va = pl.var "a" : !a
  %vb = pl.var "b" : !b
  scf.if %c {
    %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a)
    pl.set %vb, %0#0 : !b
    pl.set %va, %0#1 : !a
  } else {
    %1:2 = pl.call @ordered(%a, %b) : (!a, !b) -> (!a, !b)
    pl.set %va, %1#0 : !a
    pl.set %vb, %1#1 : !b
  }
  %2 = pl.get %va : !a
  %3 = pl.get %vb : !b
  pl.return %2, %3 : !a, !b
}

// NRO-48: uses of all results, forwarded, returned and used again: one call, no copies.
// CHECK-LABEL: pl.func orchestration @all_results(
// CHECK: %[[RESULTS:.*]]:2 = pl.call @swap
// CHECK-NEXT: pl.call @use(%[[RESULTS]]#0, %[[RESULTS]]#1)
// CHECK-NEXT: pl.call @use(%[[RESULTS]]#0, %[[RESULTS]]#1)
// CHECK-NEXT: pl.return %[[RESULTS]]#1, %[[RESULTS]]#0
pl.func orchestration @all_results(out %a: !a, out %b: !b) -> (!b, !a) {
  %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a)
  pl.call @use(%0#1, %0#0) : (!a, !b) -> ()
  pl.call @use(%0#1, %0#0) : (!a, !b) -> ()
  pl.return %0#0, %0#1 : !b, !a
}

// NRO-50: callers of every kind, kernels that call kernels among them.
// CHECK-LABEL: pl.func @opaque_caller(
// CHECK: %[[RESULTS:.*]]:2 = pl.call @swap
// CHECK-NEXT: pl.return %[[RESULTS]]#1
pl.func @opaque_caller(out %a: !a, out %b: !b) -> !b {
  %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a)
  pl.return %0#0 : !b
}
// CHECK-LABEL: pl.func inline @inline_caller(
// CHECK: %[[RESULTS:.*]]:2 = pl.call @swap
// CHECK-NEXT: pl.return %[[RESULTS]]#1
pl.func inline @inline_caller(%a: !a, %b: !b) -> !b {
  %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a)
  pl.return %0#0 : !b
}
// CHECK-LABEL: pl.func group @group_caller(
// CHECK: %[[RESULTS:.*]]:2 = pl.call @swap
// CHECK-NEXT: pl.call @use(%[[RESULTS]]#0, %[[RESULTS]]#1)
pl.func group @group_caller(out %a: !a, out %b: !b) {
  %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a)
  pl.call @use(%0#1, %0#0) : (!a, !b) -> ()
  pl.return
}
// CHECK-LABEL: pl.func spmd @spmd_caller(
// CHECK: pl.call @use(%[[RESULTS:.*]]#0, %[[RESULTS]]#1)
pl.func spmd @spmd_caller(out %a: !a, out %b: !b) {
  %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a)
  pl.call @use(%0#1, %0#0) : (!a, !b) -> ()
  pl.return
}
// CHECK-LABEL: pl.func graph @graph_caller(
// CHECK: pl.call @use(%[[RESULTS:.*]]#0, %[[RESULTS]]#1)
pl.func graph @graph_caller(out %a: !a, out %b: !b) {
  %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a)
  pl.call @use(%0#1, %0#0) : (!a, !b) -> ()
  pl.return
}
// CHECK-LABEL: pl.func aiv @kernel_caller(
// CHECK: pl.call @use(%[[RESULTS:.*]]#0, %[[RESULTS]]#1)
pl.func aiv @kernel_caller(out %a: !a, out %b: !b) {
  %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a)
  pl.call @use(%0#1, %0#0) : (!a, !b) -> ()
  pl.return
}

// Calls inside scopes and loops.
// CHECK-LABEL: pl.func orchestration @nested_call(
// CHECK: scf.for
// CHECK: pl.cluster
// CHECK: %[[RESULTS:.*]]:2 = pl.call @swap
// CHECK-NEXT: pl.yield %[[RESULTS]]#1
pl.func orchestration @nested_call(%n: index, out %a: !a, out %b: !b) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r = pl.cluster -> !b {
      %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a)
      pl.yield %0#0 : !b
    }
  }
  pl.return
}

// A call that nobody uses the results of has the types of its callee all the same.
// CHECK-LABEL: pl.func orchestration @unused_results(
// CHECK: pl.call @swap{{.*}} -> (!pl.tensor<[16], f32>, !pl.tensor<[16], i8>)
pl.func orchestration @unused_results(out %a: !a, out %b: !b) {
  %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a)
  pl.return
}

// The location, which holds the name, stays.
// LOC-LABEL: pl.func orchestration @location(
// LOC: pl.call @swap{{.*}} loc("ret")
pl.func orchestration @location(out %a: !a, out %b: !b) {
  %0:2 = pl.call @swap(%a, %b) : (!a, !b) -> (!b, !a) loc("ret")
  pl.return
}

// Attributes of the call's results move, too.
// CHECK-LABEL: pl.func orchestration @result_attributes(
// CHECK: pl.call @swap{{.*}} {res_attrs = [{test.name = "a"}, {test.name = "b"}]}
pl.func orchestration @result_attributes(out %a: !a, out %b: !b) {
  %0:2 = pl.call @swap(%a, %b) {res_attrs = [{test.name = "b"}, {test.name = "a"}]} : (!a, !b) -> (!b, !a)
  pl.return
}

// NRO-35, NRO-44: a submit's result attributes cover its results without the task.
// CHECK-LABEL: pl.func orchestration @submit_result_attributes(
// CHECK: orchestration.submit @swap{{.*}} {res_attrs = [{test.name = "a"}, {test.name = "b"}, {test.name = "task"}]}
pl.func orchestration @submit_result_attributes(out %a: !a, out %b: !b) {
  %0:3 = orchestration.submit @swap(%a, %b) {res_attrs = [{test.name = "b"}, {test.name = "a"}, {test.name = "task"}]}
    : (!a, !b) -> (!b, !a, !orchestration.task)
  pl.return
}

// A list of attributes that does not cover the results is left alone.
// CHECK-LABEL: pl.func orchestration @short_result_attributes(
// CHECK: pl.call @swap{{.*}} {res_attrs = [{test.name = "b"}]}
pl.func orchestration @short_result_attributes(out %a: !a, out %b: !b) {
  %0:2 = pl.call @swap(%a, %b) {res_attrs = [{test.name = "b"}]} : (!a, !b) -> (!b, !a)
  pl.return
}

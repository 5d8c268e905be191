// RUN: pypto-opt --normalize-return-order %s | FileCheck %s
// Merges of branches: the merged value is a parameter if every branch says so; what is returned has to have the
// parameter's type and valid shape.

!tensor = !pl.tensor<[16], f32>
!narrow = !pl.tensor<[16], f32, valid = [8]>
!tile = !tile.tile<[16], f32>

// NRO-19, NRO-26: both branches write back the same parameter.
// CHECK-LABEL: pl.func incore @branch_writeback(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>)
// CHECK: scf.if
// CHECK: pl.return %[[A]], %[[B]]
pl.func incore @branch_writeback(%c: i1, %x: !tensor, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %t = tile.load %x[0] : !tensor -> !tile
  %rb = tile.store %t, %b[0] : !tile, !tensor
  %r = scf.if %c -> !tensor {
    %s = tile.store %t, %a[0] : !tile, !tensor
    scf.yield %s : !tensor
  } else {
    %u = tile.add %t, %t : !tile
    %s = tile.store %u, %a[0] : !tile, !tensor
    scf.yield %s : !tensor
  }
  pl.return %rb, %r : !tensor, !tensor
}

// NRO-26: a wrapper that forwards the branches' kernel.
// CHECK-LABEL: pl.func group @wrapper_of_branches(
// CHECK-SAME: out %[[P:.*]]: !pl.tensor<[16], f32>, out %[[Q:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[Q]], %[[P]]
pl.func group @wrapper_of_branches(%c: i1, %x: !tensor, out %p: !tensor, out %q: !tensor) -> (!tensor, !tensor) {
  %0:2 = pl.call @branch_writeback(%c, %x, %p, %q) : (i1, !tensor, !tensor, !tensor) -> (!tensor, !tensor)
  pl.return %0#0, %0#1 : !tensor, !tensor
}

// NRO-19: every branch, not only two.
// CHECK-LABEL: pl.func incore @switch(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>)
// CHECK: scf.index_switch
// CHECK: pl.return %[[A]]
pl.func incore @switch(%i: index, %x: !tensor, out %a: !tensor) -> !tensor {
  %r = scf.index_switch %i -> !tensor
  case 1 {
    %s = pl.assemble %x, %a[0] : !tensor, !tensor
    scf.yield %s : !tensor
  }
  case 2 {
    scf.yield %a : !tensor
  }
  default {
    %s = pl.cast_shape %a : !tensor -> !tensor
    scf.yield %s : !tensor
  }
  pl.return %r : !tensor
}

// NRO-19: a select merges too.
// CHECK-LABEL: pl.func incore @select(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[A]]
pl.func incore @select(%c: i1, %x: !tensor, out %a: !tensor) -> !tensor {
  %s = pl.assemble %x, %a[0] : !tensor, !tensor
  %r = arith.select %c, %s, %a : !tensor
  pl.return %r : !tensor
}

// NRO-23: conflicting parameters.
// CHECK-LABEL: pl.func incore @conflicting_parameters(
// CHECK: %[[MERGE:.*]] = scf.if
// CHECK: pl.return %[[MERGE]], %{{.*}}
pl.func incore @conflicting_parameters(%c: i1, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %r = scf.if %c -> !tensor {
    scf.yield %a : !tensor
  } else {
    scf.yield %b : !tensor
  }
  pl.return %r, %b : !tensor, !tensor
}

// CHECK-LABEL: pl.func incore @conflicting_select(
// CHECK: %[[MERGE:.*]] = arith.select
// CHECK: pl.return %[[MERGE]]
pl.func incore @conflicting_select(%c: i1, out %a: !tensor, out %b: !tensor) -> !tensor {
  %r = arith.select %c, %a, %b : !tensor
  pl.return %r : !tensor
}

// NRO-23, NRO-26: a fresh tensor in one branch: the identity is not proven.
// CHECK-LABEL: pl.func incore @fresh_tensor(
// CHECK: %[[MERGE:.*]] = scf.if
// CHECK: pl.return %[[MERGE]]
pl.func incore @fresh_tensor(%c: i1, out %a: !tensor) -> !tensor {
  %r = scf.if %c -> !tensor {
    scf.yield %a : !tensor
  } else {
    %fresh = pl.create : !tensor
    scf.yield %fresh : !tensor
  }
  pl.return %r : !tensor
}

// NRO-23: a view in one branch.
// CHECK-LABEL: pl.func incore @view_in_a_branch(
// CHECK: %[[MERGE:.*]] = scf.if
// CHECK: pl.return %[[MERGE]]
pl.func incore @view_in_a_branch(%c: i1, out %a: !tensor) -> !tensor {
  %r = scf.if %c -> !tensor {
    scf.yield %a : !tensor
  } else {
    %view = pl.slice %a[0] : !tensor -> !tensor
    scf.yield %view : !tensor
  }
  pl.return %r : !tensor
}

// NRO-21, NRO-26: what narrows the valid shape after the merge is not lost, ...
// CHECK-LABEL: pl.func incore @narrowed_after_merge(
// CHECK-SAME: out %{{.*}}: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32, valid = [8]>, !pl.tensor<[16], f32>) {
// CHECK: %[[NARROW:.*]] = pl.set_validshape
// CHECK: pl.return %[[NARROW]], %[[B]]
pl.func incore @narrowed_after_merge(%c: i1, %x: !tensor, out %a: !tensor, out %b: !tensor) -> (!narrow, !tensor) {
  %r = scf.if %c -> !tensor {
    %s = pl.assemble %x, %a[0] : !tensor, !tensor
    scf.yield %s : !tensor
  } else {
    scf.yield %a : !tensor
  }
  %n = pl.set_validshape %r[8] : !tensor -> !narrow
  %rb = pl.assemble %x, %b[0] : !tensor, !tensor
  pl.return %n, %rb : !narrow, !tensor
}

// ... in either order.
// CHECK-LABEL: pl.func incore @narrowed_after_merge_swapped(
// CHECK-SAME: out %{{.*}}: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32, valid = [8]>, !pl.tensor<[16], f32>) attributes
// CHECK: %[[NARROW:.*]] = pl.set_validshape
// CHECK: pl.return %[[NARROW]], %[[B]]
pl.func incore @narrowed_after_merge_swapped(%c: i1, %x: !tensor, out %a: !tensor, out %b: !tensor)
    -> (!tensor, !narrow) {
  %r = scf.if %c -> !tensor {
    %s = pl.assemble %x, %a[0] : !tensor, !tensor
    scf.yield %s : !tensor
  } else {
    scf.yield %a : !tensor
  }
  %n = pl.set_validshape %r[8] : !tensor -> !narrow
  %rb = pl.assemble %x, %b[0] : !tensor, !tensor
  pl.return %rb, %n : !tensor, !narrow
}

// NRO-19: narrowed inside both branches, restored after the merge.
// CHECK-LABEL: pl.func incore @restored_after_merge(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[A]]
pl.func incore @restored_after_merge(%c: i1, %x: !tensor, out %a: !tensor) -> !tensor {
  %r = scf.if %c -> !narrow {
    %n = pl.set_validshape %a[8] : !tensor -> !narrow
    scf.yield %n : !narrow
  } else {
    %s = pl.assemble %x, %a[0] : !tensor, !tensor -> !narrow
    scf.yield %s : !narrow
  }
  %w = pl.assemble %x, %r[0] : !tensor, !narrow -> !tensor
  pl.return %w : !tensor
}

// NRO-22, NRO-26: a narrowing that an assemble takes back: only the final type counts. The narrowed value and
// the restored one share their lineage; one is the parameter, the other is not, ...
// CHECK-LABEL: pl.func incore @restored_and_narrowed(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32, valid = [8]>) {
// CHECK: %[[NARROW:.*]] = pl.set_validshape
// CHECK: pl.return %[[A]], %[[NARROW]]
pl.func incore @restored_and_narrowed(%x: !tensor, out %a: !tensor) -> (!tensor, !narrow) {
  %n = pl.set_validshape %a[8] : !tensor -> !narrow
  %r = pl.assemble %x, %n[0] : !tensor, !narrow -> !tensor
  pl.return %r, %n : !tensor, !narrow
}

// ... in either order.
// CHECK-LABEL: pl.func incore @narrowed_and_restored(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32, valid = [8]>, !pl.tensor<[16], f32>) {
// CHECK: %[[NARROW:.*]] = pl.set_validshape
// CHECK: pl.return %[[NARROW]], %[[A]]
pl.func incore @narrowed_and_restored(%x: !tensor, out %a: !tensor) -> (!narrow, !tensor) {
  %n = pl.set_validshape %a[8] : !tensor -> !narrow
  %r = pl.assemble %x, %n[0] : !tensor, !narrow -> !tensor
  pl.return %n, %r : !narrow, !tensor
}

// NRO-21: a valid extent `?` has the parameter's type, but another number: kept, and so it is for the caller.
// CHECK-LABEL: pl.func incore @dynamic_narrowing(
// CHECK: %[[NARROW:.*]] = pl.set_validshape
// CHECK: pl.return %[[NARROW]]
pl.func incore @dynamic_narrowing(%n: index, out %a: !pl.tensor<[16], f32, valid = [?]>)
    -> !pl.tensor<[16], f32, valid = [?]> {
  %0 = pl.set_validshape %a[%n] : !pl.tensor<[16], f32, valid = [?]> -> !pl.tensor<[16], f32, valid = [?]>
  pl.return %0 : !pl.tensor<[16], f32, valid = [?]>
}
// CHECK-LABEL: pl.func group @dynamic_narrowing_in_callee(
// CHECK: %[[RESULT:.*]] = pl.call @dynamic_narrowing
// CHECK: pl.return %[[RESULT]]
pl.func group @dynamic_narrowing_in_callee(%n: index, out %a: !pl.tensor<[16], f32, valid = [?]>)
    -> !pl.tensor<[16], f32, valid = [?]> {
  %0 = pl.call @dynamic_narrowing(%n, %a)
    : (index, !pl.tensor<[16], f32, valid = [?]>) -> !pl.tensor<[16], f32, valid = [?]>
  pl.return %0 : !pl.tensor<[16], f32, valid = [?]>
}

// A valid extent `?` that nothing changed is the parameter's.
// CHECK-LABEL: pl.func incore @dynamic_valid_kept(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32, valid = [?]>)
// CHECK: pl.return %[[A]]
pl.func incore @dynamic_valid_kept(%c: i1, %x: !pl.tensor<[4], f32>, out %a: !pl.tensor<[16], f32, valid = [?]>)
    -> !pl.tensor<[16], f32, valid = [?]> {
  %r = scf.if %c -> !pl.tensor<[16], f32, valid = [?]> {
    %s = pl.assemble %x, %a[0] : !pl.tensor<[4], f32>, !pl.tensor<[16], f32, valid = [?]>
    scf.yield %s : !pl.tensor<[16], f32, valid = [?]>
  } else {
    scf.yield %a : !pl.tensor<[16], f32, valid = [?]>
  }
  pl.return %r : !pl.tensor<[16], f32, valid = [?]>
}

// NRO-21: other layout or strides are another type.
// CHECK-LABEL: pl.func incore @other_type(
// CHECK: %[[CAST:.*]] = pl.cast_shape
// CHECK: pl.return %[[CAST]]
pl.func incore @other_type(out %a: !pl.tensor<[4, 4], f32>) -> !pl.tensor<[?, 4], f32> {
  %0 = pl.cast_shape %a : !pl.tensor<[4, 4], f32> -> !pl.tensor<[?, 4], f32>
  pl.return %0 : !pl.tensor<[?, 4], f32>
}

// NRO-20, NRO-26: branches call a kernel with an extent of its own; the results have the types of this function,
// so that the merge has, too.
pl.func incore @symbolic(%x: !pl.tensor<[M], f32>, out %y: !pl.tensor<[M], f32>) -> !pl.tensor<[M], f32> {
  %0 = pl.assemble %x, %y[0] : !pl.tensor<[M], f32>, !pl.tensor<[M], f32>
  pl.return %0 : !pl.tensor<[M], f32>
}
// CHECK-LABEL: pl.func group @branch_calls(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[N], f32>)
// CHECK: pl.return %[[A]]
pl.func group @branch_calls(%c: i1, %x: !pl.tensor<[N], f32>, out %a: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %r = scf.if %c -> !pl.tensor<[N], f32> {
    %0 = pl.call @symbolic(%x, %a) : (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32>
    scf.yield %0 : !pl.tensor<[N], f32>
  } else {
    scf.yield %a : !pl.tensor<[N], f32>
  }
  pl.return %r : !pl.tensor<[N], f32>
}

// NRO-20, NRO-26: the merge knows less than the branches; a cast back to the parameter's type says it again.
// CHECK-LABEL: pl.func group @branch_calls_of_less_static_type(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[N], f32>)
// CHECK: pl.return %[[A]]
pl.func group @branch_calls_of_less_static_type(%c: i1, %x: !pl.tensor<[N], f32>, out %a: !pl.tensor<[N], f32>)
    -> !pl.tensor<[N], f32> {
  %r = scf.if %c -> !pl.tensor<[?], f32> {
    %0 = pl.call @symbolic(%x, %a) : (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>) -> !pl.tensor<[?], f32>
    scf.yield %0 : !pl.tensor<[?], f32>
  } else {
    %1 = pl.cast_shape %a : !pl.tensor<[N], f32> -> !pl.tensor<[?], f32>
    scf.yield %1 : !pl.tensor<[?], f32>
  }
  %s = pl.cast_shape %r : !pl.tensor<[?], f32> -> !pl.tensor<[N], f32>
  pl.return %s : !pl.tensor<[N], f32>
}

// NRO-24: a graph function looks through no merge of branches, ...
// CHECK-LABEL: pl.func graph @graph_merge(
// CHECK: %[[MERGE:.*]] = scf.if
// CHECK: %[[SELECT:.*]] = arith.select
// CHECK: pl.return %[[MERGE]], %[[SELECT]]
pl.func graph @graph_merge(%c: i1, %x: !tensor, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %r = scf.if %c -> !tensor {
    %s = pl.assemble %x, %a[0] : !tensor, !tensor
    scf.yield %s : !tensor
  } else {
    scf.yield %a : !tensor
  }
  %sb = pl.assemble %x, %b[0] : !tensor, !tensor
  %t = arith.select %c, %sb, %b : !tensor
  pl.return %r, %t : !tensor, !tensor
}

// ... its caller none either; but loops are no merges of branches.
// CHECK-LABEL: pl.func group @caller_of_graph_merge(
// CHECK: %[[RESULTS:.*]]:2 = pl.call @graph_merge
// CHECK: pl.return %[[RESULTS]]#0, %[[RESULTS]]#1
pl.func group @caller_of_graph_merge(%c: i1, %x: !tensor, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %0:2 = pl.call @graph_merge(%c, %x, %a, %b) : (i1, !tensor, !tensor, !tensor) -> (!tensor, !tensor)
  pl.return %0#0, %0#1 : !tensor, !tensor
}
// CHECK-LABEL: pl.func graph @graph_loop(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[A]]
pl.func graph @graph_loop(%n: index, %x: !tensor, out %a: !tensor) -> !tensor {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a1 = %a) -> (!tensor) {
    %s = pl.assemble %x, %a1[0] : !tensor, !tensor
    scf.yield %s : !tensor
  }
  pl.return %r : !tensor
}

// NRO-25: conditional write-backs one after the other share what is known of their predecessors.
// CHECK-LABEL: pl.func incore @consecutive_writebacks(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[A]]
pl.func incore @consecutive_writebacks(%c: i1, %x: !tensor, out %a: !tensor) -> !tensor {
  %0 = scf.if %c -> !tensor {
    %s = pl.assemble %x, %a[0] : !tensor, !tensor
    scf.yield %s : !tensor
  } else {
    scf.yield %a : !tensor
  }
  %1 = scf.if %c -> !tensor {
    %s = pl.assemble %x, %0[0] : !tensor, !tensor
    scf.yield %s : !tensor
  } else {
    scf.yield %0 : !tensor
  }
  %2 = scf.if %c -> !tensor {
    %s = pl.assemble %x, %1[0] : !tensor, !tensor
    scf.yield %s : !tensor
  } else {
    scf.yield %1 : !tensor
  }
  pl.return %2 : !tensor
}

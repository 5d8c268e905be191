// RUN: pypto-opt --normalize-return-order %s | FileCheck %s
// Before SSA form: variables are followed in program order, and merge where SSA form would merge them. Each
// function has a counterpart in SSA form in the files on lineage and branches.

!tensor = !pl.tensor<[16], f32>
!narrow = !pl.tensor<[16], f32, valid = [8]>

// NRO-11, NRO-55: the value that a read sees is the last one set.
// CHECK-LABEL: pl.func incore @last_set(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], f32>)
// CHECK-SAME: attributes {pl.return_permutation = array<i64: 1, 0>}
// CHECK: pl.return %[[A]], %[[B]]
pl.func incore @last_set(%x: !tensor, out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %r = pl.var "r" = %a : !tensor
  %before = pl.get %r : !tensor
  %s = pl.assemble %x, %b[0] : !tensor, !tensor
  pl.set %r, %s : !tensor
  %after = pl.get %r : !tensor
  pl.return %after, %before : !tensor, !tensor
}

// NRO-14: scalars in variables stay values.
// CHECK-LABEL: pl.func incore @scalar(
// CHECK: %[[VALUE:.*]] = pl.get
// CHECK: pl.return %[[VALUE]] : index
pl.func incore @scalar(%n: index) -> index {
  %r = pl.var "r" = %n : index
  %0 = pl.get %r : index
  pl.return %0 : index
}

// NRO-19: set in both branches, to the same parameter, ...
// CHECK-LABEL: pl.func incore @both_branches(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %{{.*}}: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[A]]
pl.func incore @both_branches(%c: i1, %x: !tensor, out %a: !tensor, out %b: !tensor) -> !tensor {
  %r = pl.var "r" = %b : !tensor
  scf.if %c {
    %s = pl.assemble %x, %a[0] : !tensor, !tensor
    pl.set %r, %s : !tensor
  } else {
    pl.set %r, %a : !tensor
  }
  %0 = pl.get %r : !tensor
  pl.return %0 : !tensor
}

// ... or in one of them, over the same parameter.
// CHECK-LABEL: pl.func incore @one_branch(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[A]]
pl.func incore @one_branch(%c: i1, %x: !tensor, out %a: !tensor) -> !tensor {
  %r = pl.var "r" = %a : !tensor
  scf.if %c {
    %0 = pl.get %r : !tensor
    %s = pl.assemble %x, %0[0] : !tensor, !tensor
    pl.set %r, %s : !tensor
  }
  %1 = pl.get %r : !tensor
  pl.return %1 : !tensor
}

// NRO-23: conflicting parameters.
// CHECK-LABEL: pl.func incore @conflicting_branches(
// CHECK: scf.if
// CHECK: %[[VALUE:.*]] = pl.get
// CHECK: pl.return %[[VALUE]]
pl.func incore @conflicting_branches(%c: i1, out %a: !tensor, out %b: !tensor) -> !tensor {
  %r = pl.var "r" = %a : !tensor
  scf.if %c {
    pl.set %r, %b : !tensor
  }
  %0 = pl.get %r : !tensor
  pl.return %0 : !tensor
}

// NRO-19, NRO-22: narrowed in the variable, restored behind the merge; the get of the narrowed value is kept.
// CHECK-LABEL: pl.func incore @narrowed_in_branches(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32, valid = [8]>) {
// CHECK: scf.if
// CHECK: %[[NARROW:.*]] = pl.get
// CHECK: pl.return %[[A]], %[[NARROW]]
pl.func incore @narrowed_in_branches(%c: i1, %x: !tensor, out %a: !tensor) -> (!tensor, !narrow) {
  %r = pl.var "r" = %a : !tensor
  scf.if %c {
    %n = pl.set_validshape %a[8] : !tensor -> !narrow
    pl.set %r, %n : !pl.var<!tensor> -> !narrow
  } else {
    %s = pl.assemble %x, %a[0] : !tensor, !tensor -> !narrow
    pl.set %r, %s : !pl.var<!tensor> -> !narrow
  }
  %0 = pl.get %r : !pl.var<!tensor> -> !narrow
  %w = pl.assemble %x, %0[0] : !tensor, !narrow -> !tensor
  pl.return %w, %0 : !tensor, !narrow
}

// A loop that sets what it reads.
// CHECK-LABEL: pl.func incore @for_loop(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>)
// CHECK: scf.for
// CHECK: pl.return %[[A]]
pl.func incore @for_loop(%n: index, %x: !tensor, out %a: !tensor) -> !tensor {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = pl.var "r" = %a : !tensor
  scf.for %i = %c0 to %n step %c1 {
    %0 = pl.get %r : !tensor
    %s = pl.assemble %x, %0[0] : !tensor, !tensor
    pl.set %r, %s : !tensor
  }
  %1 = pl.get %r : !tensor
  pl.return %1 : !tensor
}

// What the loop sets last is seen by its first read, in the iteration behind.
// CHECK-LABEL: pl.func incore @set_behind_read(
// CHECK: scf.for
// CHECK: %[[FIRST:.*]] = pl.get %{{.*}} : !pl.tensor<[16], f32>
// CHECK: pl.set %{{.*}}, %[[FIRST]]
// CHECK: %[[VALUE:.*]] = pl.get
// CHECK: pl.return %[[VALUE]]
pl.func incore @set_behind_read(%n: index, out %a: !tensor, out %b: !tensor) -> !tensor {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = pl.var "r" = %a : !tensor
  %seen = pl.var "seen" = %a : !tensor
  scf.for %i = %c0 to %n step %c1 {
    %0 = pl.get %r : !tensor
    pl.set %seen, %0 : !tensor
    pl.set %r, %b : !tensor
  }
  %1 = pl.get %seen : !tensor
  pl.return %1 : !tensor
}

// Also if it sets it further inside.
// CHECK-LABEL: pl.func incore @set_further_inside(
// CHECK: scf.for
// CHECK: %[[VALUE:.*]] = pl.get %{{.*}} : !pl.tensor<[16], f32>
// CHECK: scf.if
// CHECK: %[[SEEN:.*]] = pl.get
// CHECK: pl.return %[[SEEN]]
pl.func incore @set_further_inside(%c: i1, %n: index, out %a: !tensor, out %b: !tensor) -> !tensor {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = pl.var "r" = %a : !tensor
  %seen = pl.var "seen" = %a : !tensor
  scf.for %i = %c0 to %n step %c1 {
    %0 = pl.get %r : !tensor
    pl.set %seen, %0 : !tensor
    scf.if %c {
      pl.set %r, %b : !tensor
    }
  }
  %1 = pl.get %seen : !tensor
  pl.return %1 : !tensor
}

// Zero iterations leave what was there before.
// CHECK-LABEL: pl.func incore @loop_that_may_not_run(
// CHECK: %[[VALUE:.*]] = pl.get
// CHECK: pl.return %[[VALUE]]
pl.func incore @loop_that_may_not_run(%n: index, out %a: !tensor, out %b: !tensor) -> !tensor {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = pl.var "r" = %b : !tensor
  scf.for %i = %c0 to %n step %c1 {
    pl.set %r, %a : !tensor
  }
  %0 = pl.get %r : !tensor
  pl.return %0 : !tensor
}

// Set in the condition's region of a while: that runs before the first test.
// CHECK-LABEL: pl.func incore @while_condition(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %{{.*}}: !pl.tensor<[16], f32>)
// CHECK: scf.while
// CHECK: pl.return %[[A]]
pl.func incore @while_condition(%more: i1, out %a: !tensor, out %b: !tensor) -> !tensor {
  %r = pl.var "r" = %b : !tensor
  scf.while : () -> () {
    pl.set %r, %a : !tensor
    scf.condition(%more)
  } do {
    pl.set %r, %b : !tensor
    scf.yield
  }
  %0 = pl.get %r : !tensor
  pl.return %0 : !tensor
}

// Set in its body: that may not run.
// CHECK-LABEL: pl.func incore @while_body(
// CHECK: scf.while
// CHECK: %[[VALUE:.*]] = pl.get
// CHECK: pl.return %[[VALUE]]
pl.func incore @while_body(%more: i1, out %a: !tensor, out %b: !tensor) -> !tensor {
  %r = pl.var "r" = %b : !tensor
  scf.while : () -> () {
    scf.condition(%more)
  } do {
    pl.set %r, %a : !tensor
    scf.yield
  }
  %0 = pl.get %r : !tensor
  pl.return %0 : !tensor
}

// A scope runs once; a launch leaves the storage that the variable has on entry.
// CHECK-LABEL: pl.func spmd @scopes(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %{{.*}}: !pl.tensor<[16], f32>, %{{.*}}: index, %{{.*}}: f32)
// CHECK: pl.return %[[A]]
pl.func spmd @scopes(out %a: !tensor, out %b: !tensor, %n: index, %v: f32) -> !tensor {
  %r = pl.var "r" = %b : !tensor
  pl.cluster {
    pl.set %r, %a : !tensor
    pl.spmd (%i) in (%n) {
      %0 = pl.get %r : !tensor
      %1 = pl.write %v, %0[%i] : !tensor
      pl.set %r, %1 : !tensor
    }
  }
  %2 = pl.get %r : !tensor
  pl.return %2 : !tensor
}

// NRO-24: in a graph function a variable that branches set is a merge like any other, ...
// CHECK-LABEL: pl.func graph @graph_merge(
// CHECK: %[[VALUE:.*]] = pl.get
// CHECK: pl.return %[[VALUE]]
pl.func graph @graph_merge(%c: i1, %x: !tensor, out %a: !tensor) -> !tensor {
  %r = pl.var "r" = %a : !tensor
  scf.if %c {
    %s = pl.assemble %x, %a[0] : !tensor, !tensor
    pl.set %r, %s : !tensor
  }
  %0 = pl.get %r : !tensor
  pl.return %0 : !tensor
}

// ... and one that they only read is not.
// CHECK-LABEL: pl.func graph @graph_read(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>)
// CHECK: pl.return %[[A]]
pl.func graph @graph_read(%c: i1, %x: !tensor, out %a: !tensor) -> !tensor {
  %r = pl.var "r" = %a : !tensor
  scf.if %c {
    %0 = pl.get %r : !tensor
    %s = pl.assemble %x, %0[0] : !tensor, !tensor
  }
  %1 = pl.get %r : !tensor
  pl.return %1 : !tensor
}

// An inline function that is not expanded yet may bind its caller's variable again.
pl.func inline @rebinds(%p: !pl.var<!tensor>, %q: !tensor) -> !tensor {
  %0 = pl.get %p : !tensor
  pl.set %p, %q : !tensor
  pl.return %0 : !tensor
}
// CHECK-LABEL: pl.func incore @calls_inline(
// CHECK-SAME: out %[[A:.*]]: !pl.tensor<[16], f32>, out %{{.*}}: !pl.tensor<[16], f32>)
// CHECK: pl.call @rebinds
// CHECK: %[[VALUE:.*]] = pl.get
// CHECK: pl.return %[[A]], %[[VALUE]]
pl.func incore @calls_inline(out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %r = pl.var "r" = %a : !tensor
  %0 = pl.call @rebinds(%r, %b) : (!pl.var<!tensor>, !tensor) -> !tensor
  %1 = pl.get %r : !tensor
  pl.return %0, %1 : !tensor, !tensor
}

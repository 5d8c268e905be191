// RUN: pypto-opt %s --split-input-file --keep-value-names --inline-functions --mlir-use-nameloc-as-prefix | FileCheck %s
// RUN: pypto-opt %s --split-input-file --inline-functions | pypto-opt --split-input-file --inline-functions | FileCheck %s --check-prefix=TWICE

// What a call becomes: the shape of whole programs. Needs nothing before it (INL-02); a second run finds
// nothing to do.

// TWICE: pl.func @single_call
// TWICE-NOT: pl.func inline
// -----
// INL-14, INL-05: one call.
!t = !pl.tensor<[16], f32>
pl.func inline @helper(%x: !t) -> !t {
  %y = pl.mul %x, %x : !t, !t
  pl.return %y : !t
}
// CHECK-NOT: pl.func inline
// CHECK-LABEL: pl.func @single_call(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %y_inline0 = pl.mul %a, %a : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %y_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @single_call(%a: !t) -> !t {
  %z = pl.call @helper(%a) : (!t) -> !t
  pl.return %z : !t
}
// -----
// INL-15: two calls, two copies with names of their own.
!t = !pl.tensor<[16], f32>
pl.func inline @square(%x: !t) -> !t {
  %y = pl.mul %x, %x : !t, !t
  pl.return %y : !t
}
// CHECK-LABEL: pl.func @two_calls(%a: !pl.tensor<[16], f32>, %b: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %y_inline0 = pl.mul %a, %a : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: %y_inline1 = pl.mul %b, %b : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: %s = pl.add %y_inline0, %y_inline1 : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %s : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @two_calls(%a: !t, %b: !t) -> !t {
  %a2 = pl.call @square(%a) : (!t) -> !t
  %b2 = pl.call @square(%b) : (!t) -> !t
  %s = pl.add %a2, %b2 : !t, !t
  pl.return %s : !t
}
// -----
// INL-10: inline functions that call inline functions, each place its own copy.
!t = !pl.tensor<[16], f32>
pl.func inline @quad(%x: !t) -> !t {
  %sq = pl.call @square(%x) : (!t) -> !t
  %sq2 = pl.call @square(%sq) : (!t) -> !t
  pl.return %sq2 : !t
}
pl.func inline @square(%x: !t) -> !t {
  %y = pl.mul %x, %x : !t, !t
  pl.return %y : !t
}
// CHECK-LABEL: pl.func @transitive(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %y_inline0 = pl.mul %a, %a : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: %y_inline1 = pl.mul %y_inline0, %y_inline0 : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %y_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @transitive(%a: !t) -> !t {
  %r = pl.call @quad(%a) : (!t) -> !t
  pl.return %r : !t
}
// -----
// INL-04: without inline functions nothing changes, not even names.
!t = !pl.tensor<[16], f32>
pl.func private incore @kernel(!t) -> !t
// CHECK-LABEL: pl.func private incore @kernel(!pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
// CHECK-LABEL: pl.func @no_inline_functions(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %z = pl.call @kernel(%a) : (!pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %z : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @no_inline_functions(%a: !t) -> !t {
  %z = pl.call @kernel(%a) : (!t) -> !t
  pl.return %z : !t
}
// -----
// INL-06, INL-07: an inline function that nothing calls goes away, a public one or an entry too.
!t = !pl.tensor<[16], f32>
pl.func inline @unused(%x: !t) -> !t {
  pl.return %x : !t
}
pl.func private inline @declared_only(!t) -> !t
// CHECK-LABEL: pl.func @no_calls(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: pl.return %a : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @no_calls(%a: !t) -> !t {
  pl.return %a : !t
}
// -----
// INL-16: a scope is copied whole.
!t = !pl.tensor<[16], f32>
pl.func inline @scoped(%x: !t) -> !t {
  %r = pl.at core_group -> !t {
    %y = pl.mul %x, %x : !t, !t
    pl.yield %y : !t
  }
  pl.return %r : !t
}
// CHECK-LABEL: pl.func @with_scope(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %r_inline0 = pl.at core_group -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %y_inline1 = pl.mul %a, %a : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.yield %y_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %r_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @with_scope(%a: !t) -> !t {
  %z = pl.call @scoped(%a) : (!t) -> !t
  pl.return %z : !t
}
// -----
// INL-17: a loop with a fresh induction variable; the write-back binds the caller's variable.
!t = !pl.tensor<[16], f32>
pl.func inline @looped(%x: !t, out %o: !pl.var<!t>) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %g = pl.get %o : !t
    %w = pl.assemble %x, %g[%i] : !t, !t
    pl.set %o, %w : !t
  }
  %r = pl.get %o : !t
  pl.return %r : !t
}
// CHECK-LABEL: pl.func @with_loop(%a: !pl.tensor<[16], f32>, out %ext: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %e = pl.var "e" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %c0_inline0 = arith.constant 0 : index
// CHECK-NEXT: %c1_inline1 = arith.constant 1 : index
// CHECK-NEXT: %c4_inline2 = arith.constant 4 : index
// CHECK-NEXT: scf.for %i_inline3 = %c0_inline0 to %c4_inline2 step %c1_inline1 {
// CHECK-NEXT: %g_inline4 = pl.get %e : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline5 = pl.assemble %a, %g_inline4[%i_inline3] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %e, %w_inline5 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: %r_inline6 = pl.get %e : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %r_inline6 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @with_loop(%a: !t, out %ext: !t) -> !t {
  %e = pl.var "e" = %ext : !t
  %r = pl.call @looped(%a, %e) : (!t, !pl.var<!t>) -> !t
  pl.return %r : !t
}
// -----
// INL-18: calls in regions are replaced where they stand, in both regions of a while loop too (INL-82).
pl.func inline @half(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %h = arith.divui %n, %c2 : index
  pl.return %h : index
}
// CHECK-LABEL: pl.func @in_regions(%a: index, %b: i1) -> index {
// CHECK-NEXT: %r = scf.if %b -> (index) {
// CHECK-NEXT: %c2_inline0 = arith.constant 2 : index
// CHECK-NEXT: %h_inline1 = arith.divui %a, %c2_inline0 : index
// CHECK-NEXT: scf.yield %h_inline1 : index
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %a : index
// CHECK-NEXT: }
// CHECK-NEXT: %w = scf.while (%i = %r) : (index) -> index {
// CHECK-NEXT: %c2_inline2 = arith.constant 2 : index
// CHECK-NEXT: %h_inline3 = arith.divui %i, %c2_inline2 : index
// CHECK-NEXT: %more = arith.cmpi ugt, %h_inline3, %a : index
// CHECK-NEXT: scf.condition(%more) %h_inline3 : index
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%j: index):
// CHECK-NEXT: %c2_inline4 = arith.constant 2 : index
// CHECK-NEXT: %h_inline5 = arith.divui %j, %c2_inline4 : index
// CHECK-NEXT: scf.yield %h_inline5 : index
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %w : index
// CHECK-NEXT: }
pl.func @in_regions(%a: index, %b: i1) -> index {
  %r = scf.if %b -> index {
    %x = pl.call @half(%a) : (index) -> index
    scf.yield %x : index
  } else {
    scf.yield %a : index
  }
  %w = scf.while (%i = %r) : (index) -> index {
    %y = pl.call @half(%i) : (index) -> index
    %more = arith.cmpi ugt, %y, %a : index
    scf.condition(%more) %y : index
  } do {
  ^bb0(%j: index):
    %z = pl.call @half(%j) : (index) -> index
    scf.yield %z : index
  }
  pl.return %w : index
}
// -----
// INL-129: nothing is deleted, folded or merged: unused and repeated operations and constants are all there.
!t = !pl.tensor<[16], f32>
pl.func inline @wasteful(%x: !t) -> index {
  %unused = pl.add %x, %x : !t, !t
  %again = pl.add %x, %x : !t, !t
  %c1 = arith.constant 1 : index
  %c2 = arith.addi %c1, %c1 : index
  pl.return %c2 : index
}
// CHECK-LABEL: pl.func @keeps_everything(%a: !pl.tensor<[16], f32>) -> index {
// CHECK-NEXT: %unused_inline0 = pl.add %a, %a : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: %again_inline1 = pl.add %a, %a : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: %c1_inline2 = arith.constant 1 : index
// CHECK-NEXT: %c2_inline3 = arith.addi %c1_inline2, %c1_inline2 : index
// CHECK-NEXT: pl.return %c2_inline3 : index
// CHECK-NEXT: }
pl.func @keeps_everything(%a: !t) -> index {
  %r = pl.call @wasteful(%a) : (!t) -> index
  pl.return %r : index
}
// -----
// INL-24, INL-25, INL-30: computed and constant scalars stand directly where the parameter is only read.
pl.func inline @twice(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %m = arith.muli %n, %c2 : index
  pl.return %m : index
}
// CHECK-LABEL: pl.func @scalar_arguments(%k: index) -> (index, index) {
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %k1 = arith.addi %k, %c1 : index
// CHECK-NEXT: %c2_inline0 = arith.constant 2 : index
// CHECK-NEXT: %m_inline1 = arith.muli %k1, %c2_inline0 : index
// CHECK-NEXT: %c2_inline2 = arith.constant 2 : index
// CHECK-NEXT: %m_inline3 = arith.muli %c1, %c2_inline2 : index
// CHECK-NEXT: pl.return %m_inline1, %m_inline3 : index, index
// CHECK-NEXT: }
pl.func @scalar_arguments(%k: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %k1 = arith.addi %k, %c1 : index
  %m = pl.call @twice(%k1) : (index) -> index
  %n = pl.call @twice(%c1) : (index) -> index
  pl.return %m, %n : index, index
}
// -----
// A region with several blocks: uses before their definitions in the text, not in the order of control flow.
pl.func inline @blocks(%b: i1, %n: index) -> index {
  %r = scf.execute_region -> index {
    cf.br ^first
  ^second(%p: index):
    %s = arith.addi %p, %d : index
    scf.yield %s : index
  ^first:
    %d = arith.addi %n, %n : index
    cf.cond_br %b, ^second(%d : index), ^second(%n : index)
  }
  pl.return %r : index
}
// CHECK-LABEL: pl.func @several_blocks(%b: i1, %k: index) -> index {
// CHECK-NEXT: %r_inline0 = scf.execute_region -> index {
// CHECK-NEXT: cf.br ^bb2
// CHECK-NEXT: ^bb1(%p_inline2: index):  // 2 preds: ^bb2, ^bb2
// CHECK-NEXT: %s_inline3 = arith.addi %p_inline2, %d_inline1 : index
// CHECK-NEXT: scf.yield %s_inline3 : index
// CHECK-NEXT: ^bb2:  // pred: ^bb0
// CHECK-NEXT: %d_inline1 = arith.addi %k, %k : index
// CHECK-NEXT: cf.cond_br %b, ^bb1(%d_inline1 : index), ^bb1(%k : index)
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %r_inline0 : index
// CHECK-NEXT: }
pl.func @several_blocks(%b: i1, %k: index) -> index {
  %r = pl.call @blocks(%b, %k) : (i1, index) -> index
  pl.return %r : index
}
// -----
// A call in a function of another dialect is a call.
pl.func inline @inc(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  pl.return %m : index
}
// CHECK-LABEL: func.func @foreign_caller
// CHECK-NEXT: %c1_inline0 = arith.constant 1
// CHECK-NEXT: %m_inline1 = arith.addi %k, %c1_inline0
// CHECK-NEXT: return %m_inline1
func.func @foreign_caller(%k: index) -> index {
  %m = pl.call @inc(%k) : (index) -> index
  return %m : index
}
// -----
// In a module inside the module a name means another function: the pass leaves it to a run on that module.
pl.func inline @inc(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  pl.return %m : index
}
// CHECK-LABEL: module @nested
// CHECK: pl.func @inc
// CHECK: pl.func @nested_caller(%k: index)
// CHECK-NEXT: %m = pl.call @inc(%k)
// CHECK-LABEL: pl.func @around(
module @nested {
  pl.func @inc(%n: index) -> index {
    pl.return %n : index
  }
  pl.func @nested_caller(%k: index) -> index {
    %m = pl.call @inc(%k) : (index) -> index
    pl.return %m : index
  }
}
pl.func @around(%k: index) -> index {
  %m = pl.call @inc(%k) : (index) -> index
  pl.return %m : index
}

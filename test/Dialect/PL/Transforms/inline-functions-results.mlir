// RUN: pypto-opt %s --split-input-file --keep-value-names --inline-functions --mlir-use-nameloc-as-prefix | FileCheck %s

// Where the values that a body returns go, and what happens to those that nobody uses.
// -----
// INL-51: a = passthrough(a) binds nothing.
!t = !pl.tensor<[16], f32>
pl.func inline @passthrough(%x: !t) -> !t {
  pl.return %x : !t
}
// CHECK-LABEL: pl.func @identity(%ext: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %a0 = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %r = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %r : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @identity(%ext: !t) -> !t {
  %a = pl.var "a" = %ext : !t
  %a0 = pl.get %a : !t
  %a1 = pl.call @passthrough(%a0) : (!t) -> !t
  pl.set %a, %a1 : !t
  %r = pl.get %a : !t
  pl.return %r : !t
}
// -----
// INL-52: the value of another variable is another value: the statement stays.
!t = !pl.tensor<[16], f32>
pl.func inline @passthrough(%x: !t) -> !t {
  pl.return %x : !t
}
// CHECK-LABEL: pl.func @other_variable(%ext: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %b = pl.var "b" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %a0 = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %b, %a0 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @other_variable(%ext: !t) {
  %a = pl.var "a" = %ext : !t
  %b = pl.var "b" = %ext : !t
  %a0 = pl.get %a : !t
  %a1 = pl.call @passthrough(%a0) : (!t) -> !t
  pl.set %b, %a1 : !t
  pl.return
}
// -----
// INL-52: so is a snapshot, taken before the variable was bound again.
!t = !pl.tensor<[16], f32>
pl.func inline @passthrough(%x: !t) -> !t {
  pl.return %x : !t
}
// CHECK-LABEL: pl.func @snapshot(%ext: !pl.tensor<[16], f32>, %other: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %a0 = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %a, %other : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %a, %a0 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @snapshot(%ext: !t, %other: !t) {
  %a = pl.var "a" = %ext : !t
  %a0 = pl.get %a : !t
  %a1 = pl.call @passthrough(%a0) : (!t) -> !t
  pl.set %a, %other : !t
  pl.set %a, %a1 : !t
  pl.return
}
// -----
// INL-52: and one that a loop carries around: read before the loop, bound in it.
!t = !pl.tensor<[16], f32>
pl.func inline @passthrough(%x: !t) -> !t {
  pl.return %x : !t
}
// CHECK-LABEL: pl.func @loop_snapshot(%ext: !pl.tensor<[16], f32>, %other: !pl.tensor<[16], f32>, %n: index) {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %a0 = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: scf.for %i = %c0 to %n step %c1 {
// CHECK-NEXT: pl.set %a, %a0 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %a, %other : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @loop_snapshot(%ext: !t, %other: !t, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pl.var "a" = %ext : !t
  %a0 = pl.get %a : !t
  scf.for %i = %c0 to %n step %c1 {
    %a1 = pl.call @passthrough(%a0) : (!t) -> !t
    pl.set %a, %a1 : !t
    pl.set %a, %other : !t
  }
  pl.return
}
// -----
// INL-53: q, ready = helper(x, q): the write-back of q is not repeated, the other element is bound.
!t = !pl.tensor<[16], f32>
pl.func inline @helper(%x: !t, inout %q: !pl.var<!t>) -> (!t, i1) {
  %q0 = pl.get %q : !t
  %w = pl.assemble %x, %q0[0] : !t, !t
  pl.set %q, %w : !t
  %true = arith.constant true
  %q1 = pl.get %q : !t
  pl.return %q1, %true : !t, i1
}
// CHECK-LABEL: pl.func @element_write_back(%x: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>, %no: i1) {
// CHECK-NEXT: %q = pl.var "q" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %ready = pl.var "ready" = %no : i1
// CHECK-NEXT: %q0_inline0 = pl.get %q : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline1 = pl.assemble %x, %q0_inline0[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %q, %w_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: %true_inline2 = arith.constant true
// CHECK-NEXT: %q1_inline3 = pl.get %q : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %ready, %true_inline2 : i1
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @element_write_back(%x: !t, %ext: !t, %no: i1) {
  %q = pl.var "q" = %ext : !t
  %ready = pl.var "ready" = %no : i1
  %r:2 = pl.call @helper(%x, %q) : (!t, !pl.var<!t>) -> (!t, i1)
  pl.set %q, %r#0 : !t
  pl.set %ready, %r#1 : i1
  pl.return
}
// -----
// INL-53: in a helper the same holds, one level in; what the author wrote as a self-assignment stays (INL-129).
!t = !pl.tensor<[16], f32>
pl.func inline @write(%x: !t, %q: !pl.var<!t>) -> !t {
  %q0 = pl.get %q : !t
  %w = pl.assemble %x, %q0[0] : !t, !t
  pl.set %q, %w : !t
  %q1 = pl.get %q : !t
  pl.return %q1 : !t
}
pl.func inline @nested(%x: !t, %o: !pl.var<!t>) {
  %r = pl.call @write(%x, %o) : (!t, !pl.var<!t>) -> !t
  pl.set %o, %r : !t
  %self = pl.get %o : !t
  pl.set %o, %self : !t
  pl.return
}
// CHECK-LABEL: pl.func @nested_write_back(%x: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %e = pl.var "e" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %q0_inline0 = pl.get %e : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline1 = pl.assemble %x, %q0_inline0[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %e, %w_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: %q1_inline2 = pl.get %e : !pl.tensor<[16], f32>
// CHECK-NEXT: %self_inline3 = pl.get %e : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %e, %self_inline3 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @nested_write_back(%x: !t, %ext: !t) {
  %e = pl.var "e" = %ext : !t
  pl.call @nested(%x, %e) : (!t, !pl.var<!t>) -> ()
  pl.return
}
// -----
// INL-54, INL-55: what a call returns can be returned; several values have no tuple.
!t = !pl.tensor<[16], f32>
pl.func inline @pair(%x: !t) -> (!t, !t) {
  %e = pl.exp %x : !t
  %l = pl.log %x : !t
  pl.return %e, %l : !t, !t
}
// CHECK-LABEL: pl.func @returns_call(%a: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK-NEXT: %e_inline0 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %l_inline1 = pl.log %a : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %e_inline0, %l_inline1 : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @returns_call(%a: !t) -> (!t, !t) {
  %r:2 = pl.call @pair(%a) : (!t) -> (!t, !t)
  pl.return %r#0, %r#1 : !t, !t
}
// -----
// INL-56, INL-57, INL-81: each element goes to its uses; one of them may have none.
!t = !pl.tensor<[16], f32>
pl.func inline @pair(%x: !t) -> (!t, !t) {
  %e = pl.exp %x : !t
  %l = pl.log %x : !t
  pl.return %e, %l : !t, !t
}
// CHECK-LABEL: pl.func @unpacked(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %e_inline0 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %l_inline1 = pl.log %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %s = pl.add %l_inline1, %a : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %s : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @unpacked(%a: !t) -> !t {
  %r:2 = pl.call @pair(%a) : (!t) -> (!t, !t)
  %s = pl.add %r#1, %a : !t, !t
  pl.return %s : !t
}
// -----
// INL-59: an element that the body also uses, of a variable that is bound again later, is what was returned.
!t = !pl.tensor<[16], f32>
pl.func inline @captures(%x: !t) -> (!t, !t) {
  %e = pl.exp %x : !t
  %v = pl.var "v" = %e : !t
  %first = pl.get %v : !t
  %l = pl.log %first : !t
  pl.set %v, %l : !t
  %second = pl.get %v : !t
  pl.return %first, %second : !t, !t
}
// CHECK-LABEL: pl.func @captured_elements(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %e_inline0 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %v_inline1 = pl.var "v_inline1" = %e_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %first_inline2 = pl.get %v_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: %l_inline3 = pl.log %first_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %v_inline1, %l_inline3 : !pl.tensor<[16], f32>
// CHECK-NEXT: %second_inline4 = pl.get %v_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: %s = pl.add %first_inline2, %second_inline4 : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %s : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @captured_elements(%a: !t) -> !t {
  %r:2 = pl.call @captures(%a) : (!t) -> (!t, !t)
  %s = pl.add %r#0, %r#1 : !t, !t
  pl.return %s : !t
}
// -----
// INL-62: an unused value is not evaluated again, but everything before the return is there.
!t = !pl.tensor<[16], f32>
pl.func inline @writes(%x: !t, %o: !t) -> (!t, index) {
  %w = pl.assemble %x, %o[0] : !t, !t
  %c7 = arith.constant 7 : index
  pl.return %o, %c7 : !t, index
}
// CHECK-LABEL: pl.func @discarded(%x: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %w_inline0 = pl.assemble %x, %ext[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: %c7_inline1 = arith.constant 7 : index
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @discarded(%x: !t, %ext: !t) {
  %r:2 = pl.call @writes(%x, %ext) : (!t, !t) -> (!t, index)
  pl.return
}
// -----
// INL-63: the returned value is a call of an inline function: its writes are there.
!t = !pl.tensor<[16], f32>
pl.func inline @writes(%x: !t, %o: !t) -> !t {
  %w = pl.assemble %x, %o[0] : !t, !t
  pl.return %w : !t
}
pl.func inline @wrapper(%x: !t, %o: !t) -> !t {
  %r = pl.call @writes(%x, %o) : (!t, !t) -> !t
  pl.return %r : !t
}
// CHECK-LABEL: pl.func @discarded_inline_call(%x: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %w_inline0 = pl.assemble %x, %ext[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @discarded_inline_call(%x: !t, %ext: !t) {
  %r = pl.call @wrapper(%x, %ext) : (!t, !t) -> !t
  pl.return
}
// -----
// INL-64, INL-68, INL-69, INL-71: calls and submits whose results nobody uses stay, in order.
!t = !pl.tensor<[16], f32>
pl.func private incore @kernel(!t, out !t) -> !t
pl.func inline @launches(%x: !t, %o: !t) -> (!t, !t, !orchestration.task) {
  %r = pl.call @kernel(%x, %o) : (!t, !t) -> !t
  %s = pl.add %r, %x : !t, !t
  %t, %id = orchestration.submit @kernel(%x, %o) : (!t, !t) -> (!t, !orchestration.task)
  pl.return %s, %t, %id : !t, !t, !orchestration.task
}
// CHECK-LABEL: pl.func private incore @kernel(!pl.tensor<[16], f32>, out !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
// CHECK-LABEL: pl.func orchestration @discarded_dispatch(%x: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %r_inline0 = pl.call @kernel(%x, %ext) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
// CHECK-NEXT: %s_inline1 = pl.add %r_inline0, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]]:2 = orchestration.submit @kernel(%x, %ext) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !orchestration.task)
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func orchestration @discarded_dispatch(%x: !t, %ext: !t) {
  %r:3 = pl.call @launches(%x, %ext) : (!t, !t) -> (!t, !t, !orchestration.task)
  pl.return
}
// -----
// INL-65: a store is there.
!t = !pl.tensor<[64, 64], f32>
!s = !tile.tile<[64, 64], f32>
pl.func inline @writeout(%t: !s, %o: !t) -> !t {
  %r = tile.store %t, %o[0, 0] : !s, !t
  pl.return %r : !t
}
// CHECK-LABEL: pl.func incore @discarded_store(%a: !pl.tensor<[64, 64], f32>, out %o: !pl.tensor<[64, 64], f32>) -> !pl.tensor<[64, 64], f32> {
// CHECK-NEXT: %t = tile.load %a[0, 0] : !pl.tensor<[64, 64], f32> -> !tile.tile<[64, 64], f32>
// CHECK-NEXT: %r_inline0 = tile.store %t, %o[0, 0] : !tile.tile<[64, 64], f32>, !pl.tensor<[64, 64], f32>
// CHECK-NEXT: pl.return %o : !pl.tensor<[64, 64], f32>
// CHECK-NEXT: }
pl.func incore @discarded_store(%a: !t, out %o: !t) -> !t {
  %t = tile.load %a[0, 0] : !t -> !s
  %r = pl.call @writeout(%t, %o) : (!s, !t) -> !t
  pl.return %o : !t
}
// -----
// INL-67, INL-70: so is computation without effects, and arithmetic around a call.
!t = !pl.tensor<[16], f32>
pl.func inline @bump(inout %n: !pl.var<index>) -> index {
  %c1 = arith.constant 1 : index
  pl.set %n, %c1 : index
  pl.return %c1 : index
}
pl.func inline @wraps(%x: !t, inout %n: !pl.var<index>) -> (!t, index) {
  %s = pl.add %x, %x : !t, !t
  %b = pl.call @bump(%n) : (!pl.var<index>) -> index
  %m = arith.addi %b, %b : index
  pl.return %s, %m : !t, index
}
// CHECK-LABEL: pl.func @discarded_computation(%x: !pl.tensor<[16], f32>, %init: index) {
// CHECK-NEXT: %n = pl.var "n" = %init : index
// CHECK-NEXT: %s_inline0 = pl.add %x, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: %c1_inline1 = arith.constant 1 : index
// CHECK-NEXT: pl.set %n, %c1_inline1 : index
// CHECK-NEXT: %m_inline2 = arith.addi %c1_inline1, %c1_inline1 : index
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @discarded_computation(%x: !t, %init: index) {
  %n = pl.var "n" = %init : index
  %r:2 = pl.call @wraps(%x, %n) : (!t, !pl.var<index>) -> (!t, index)
  pl.return
}
// -----
// INL-66: synchronisation and set-up write no argument and stay.
!s = !pl.tensor<[8], i32>
pl.func inline @sync(%w: !pl.tensor<[256], i64>, %s: !s, %i: index, %n: i32) -> index {
  tile.set_ffts %w : !pl.tensor<[256], i64>
  tile.wait ge %s[%i], %n : !s
  tile.defer_wait ge %s[%i], %n : !s
  %c0 = arith.constant 0 : index
  pl.return %c0 : index
}
// CHECK-LABEL: pl.func incore @synchronises(%w: !pl.tensor<[256], i64>, %s: !pl.tensor<[8], i32>, %i: index, %n: i32) {
// CHECK-NEXT: tile.set_ffts %w : !pl.tensor<[256], i64>
// CHECK-NEXT: tile.wait ge %s[%i], %n : !pl.tensor<[8], i32>
// CHECK-NEXT: tile.defer_wait ge %s[%i], %n : !pl.tensor<[8], i32>
// CHECK-NEXT: %c0_inline0 = arith.constant 0 : index
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func incore @synchronises(%w: !pl.tensor<[256], i64>, %s: !s, %i: index, %n: i32) {
  %r = pl.call @sync(%w, %s, %i, %n) : (!pl.tensor<[256], i64>, !s, index, i32) -> index
  pl.return
}

// RUN: pypto-opt %s --split-input-file --keep-value-names --inline-functions --mlir-use-nameloc-as-prefix | FileCheck %s

// What a parameter stands for: the argument, the caller's variable, or a variable of its own.
// -----
// INL-23: a value that the body only reads is the argument, with no temporary.
!t = !pl.tensor<[16], f32>
pl.func inline @reader(%x: !t) -> !t {
  %y = pl.exp %x : !t
  pl.return %y : !t
}
// CHECK-LABEL: pl.func @read_only(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %v = pl.var "v" = %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %g = pl.get %v : !pl.tensor<[16], f32>
// CHECK-NEXT: %y_inline0 = pl.exp %g : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %y_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @read_only(%a: !t) -> !t {
  %v = pl.var "v" = %a : !t
  %g = pl.get %v : !t
  %r = pl.call @reader(%g) : (!t) -> !t
  pl.return %r : !t
}
// -----
// INL-31: n = n + 1 on a plain scalar binds a temporary; k + m afterwards reads the first k (2k + 1).
pl.func inline @bump(%n: !pl.var<index>) -> index {
  %n0 = pl.get %n : index
  %c1 = arith.constant 1 : index
  %n1 = arith.addi %n0, %c1 : index
  pl.set %n, %n1 : index
  %r = pl.get %n : index
  pl.return %r : index
}
// CHECK-LABEL: pl.func @plain_scalar_value(%k: index) -> index {
// CHECK-NEXT: %n_inline0 = pl.var "n_inline0" = %k : index
// CHECK-NEXT: %n0_inline1 = pl.get %n_inline0 : index
// CHECK-NEXT: %c1_inline2 = arith.constant 1 : index
// CHECK-NEXT: %n1_inline3 = arith.addi %n0_inline1, %c1_inline2 : index
// CHECK-NEXT: pl.set %n_inline0, %n1_inline3 : index
// CHECK-NEXT: %r_inline4 = pl.get %n_inline0 : index
// CHECK-NEXT: %s = arith.addi %k, %r_inline4 : index
// CHECK-NEXT: pl.return %s : index
// CHECK-NEXT: }
pl.func @plain_scalar_value(%k: index) -> index {
  %m = pl.call @bump(%k) : (index) -> index
  %s = arith.addi %k, %m : index
  pl.return %s : index
}
// -----
// INL-31: the same when the caller has a variable: it is read once before the body and never bound.
pl.func inline @bump(%n: !pl.var<index>) -> index {
  %n0 = pl.get %n : index
  %c1 = arith.constant 1 : index
  %n1 = arith.addi %n0, %c1 : index
  pl.set %n, %n1 : index
  %r = pl.get %n : index
  pl.return %r : index
}
// CHECK-LABEL: pl.func @plain_scalar_cell(%init: index) -> index {
// CHECK-NEXT: %k = pl.var "k" = %init : index
// CHECK-NEXT: %[[V0:.*]] = pl.get %k : index
// CHECK-NEXT: %n_inline0 = pl.var "n_inline0" = %[[V0]] : index
// CHECK-NEXT: %n0_inline1 = pl.get %n_inline0 : index
// CHECK-NEXT: %c1_inline2 = arith.constant 1 : index
// CHECK-NEXT: %n1_inline3 = arith.addi %n0_inline1, %c1_inline2 : index
// CHECK-NEXT: pl.set %n_inline0, %n1_inline3 : index
// CHECK-NEXT: %r_inline4 = pl.get %n_inline0 : index
// CHECK-NEXT: %k0 = pl.get %k : index
// CHECK-NEXT: %s = arith.addi %k0, %r_inline4 : index
// CHECK-NEXT: pl.return %s : index
// CHECK-NEXT: }
pl.func @plain_scalar_cell(%init: index) -> index {
  %k = pl.var "k" = %init : index
  %m = pl.call @bump(%k) : (!pl.var<index>) -> index
  %k0 = pl.get %k : index
  %s = arith.addi %k0, %m : index
  pl.return %s : index
}
// -----
// INL-30: a computed scalar for a parameter that is bound again starts a temporary.
pl.func inline @bump(%n: !pl.var<index>) -> index {
  %c1 = arith.constant 1 : index
  pl.set %n, %c1 : index
  %r = pl.get %n : index
  pl.return %r : index
}
// CHECK-LABEL: pl.func @computed_scalar(%k: index) -> index {
// CHECK-NEXT: %k2 = arith.muli %k, %k : index
// CHECK-NEXT: %n_inline0 = pl.var "n_inline0" = %k2 : index
// CHECK-NEXT: %c1_inline1 = arith.constant 1 : index
// CHECK-NEXT: pl.set %n_inline0, %c1_inline1 : index
// CHECK-NEXT: %r_inline2 = pl.get %n_inline0 : index
// CHECK-NEXT: pl.return %r_inline2 : index
// CHECK-NEXT: }
pl.func @computed_scalar(%k: index) -> index {
  %k2 = arith.muli %k, %k : index
  %m = pl.call @bump(%k2) : (index) -> index
  pl.return %m : index
}
// -----
// INL-33: an out or inout scalar is the caller's variable.
pl.func inline @reset(out %n: !pl.var<index>, inout %m: !pl.var<index>) {
  %c1 = arith.constant 1 : index
  pl.set %n, %c1 : index
  %m0 = pl.get %m : index
  %m1 = arith.addi %m0, %c1 : index
  pl.set %m, %m1 : index
  pl.return
}
// CHECK-LABEL: pl.func @out_scalars(%init: index) -> (index, index) {
// CHECK-NEXT: %p = pl.var "p" = %init : index
// CHECK-NEXT: %q = pl.var "q" = %init : index
// CHECK-NEXT: %c1_inline0 = arith.constant 1 : index
// CHECK-NEXT: pl.set %p, %c1_inline0 : index
// CHECK-NEXT: %m0_inline1 = pl.get %q : index
// CHECK-NEXT: %m1_inline2 = arith.addi %m0_inline1, %c1_inline0 : index
// CHECK-NEXT: pl.set %q, %m1_inline2 : index
// CHECK-NEXT: %r = pl.get %p : index
// CHECK-NEXT: %s = pl.get %q : index
// CHECK-NEXT: pl.return %r, %s : index, index
// CHECK-NEXT: }
pl.func @out_scalars(%init: index) -> (index, index) {
  %p = pl.var "p" = %init : index
  %q = pl.var "q" = %init : index
  pl.call @reset(%p, %q) : (!pl.var<index>, !pl.var<index>) -> ()
  %r = pl.get %p : index
  %s = pl.get %q : index
  pl.return %r, %s : index, index
}
// -----
// INL-34, INL-73: an array is the caller's variable, whatever its direction; no alias of it is made. The value of
// an element comes from a call that has its place before the update.
!a = !pl.array<8 x index>
pl.func inline @fill(%vals: !pl.var<!a>, %i: index) {
  %v0 = pl.get %vals : !a
  %h = pl.call @half(%i) : (index) -> index
  %v1 = pl.array.update %v0[%i], %h : !a
  pl.set %vals, %v1 : !a
  pl.return
}
pl.func inline @half(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %d = arith.divui %n, %c2 : index
  pl.return %d : index
}
// CHECK-LABEL: pl.func @array_elements(%i: index) -> index {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %a0 = pl.array.create %c0 : !pl.array<8xindex>
// CHECK-NEXT: %arr = pl.var "arr" = %a0 : !pl.array<8xindex>
// CHECK-NEXT: %v0_inline0 = pl.get %arr : !pl.array<8xindex>
// CHECK-NEXT: %c2_inline1 = arith.constant 2 : index
// CHECK-NEXT: %d_inline2 = arith.divui %i, %c2_inline1 : index
// CHECK-NEXT: %v1_inline3 = pl.array.update %v0_inline0[%i], %d_inline2 : !pl.array<8xindex>
// CHECK-NEXT: pl.set %arr, %v1_inline3 : !pl.array<8xindex>
// CHECK-NEXT: %a1 = pl.get %arr : !pl.array<8xindex>
// CHECK-NEXT: %r = pl.array.get %a1[%i] : !pl.array<8xindex>
// CHECK-NEXT: pl.return %r : index
// CHECK-NEXT: }
pl.func @array_elements(%i: index) -> index {
  %c0 = arith.constant 0 : index
  %a0 = pl.array.create %c0 : !a
  %arr = pl.var "arr" = %a0 : !a
  pl.call @fill(%arr, %i) : (!pl.var<!a>, index) -> ()
  %a1 = pl.get %arr : !a
  %r = pl.array.get %a1[%i] : !a
  pl.return %r : index
}
// -----
// INL-26: a computed tensor is made once, before the body, however often and wherever the body reads it.
!t = !pl.tensor<[64], f32>
!s = !pl.tensor<[16], f32>
pl.func inline @repeat(%x: !s, out %o: !pl.var<!s>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %g = pl.get %o : !s
    %w = pl.assemble %x, %g[0] : !s, !s
    pl.set %o, %w : !s
  }
  pl.return
}
// INL-27, INL-28: a computed tensor for a parameter that the body writes gets a variable, in the order of the
// parameters; the slice is a view, so what is written reaches the tensor.
// CHECK-LABEL: pl.func @slices(%a: !pl.tensor<[64], f32>, %c: !pl.tensor<[64], f32>, %r: index) {
// CHECK-NEXT: %x = pl.slice %a[%r] : !pl.tensor<[64], f32> -> !pl.tensor<[16], f32>
// CHECK-NEXT: %o = pl.slice %c[%r] : !pl.tensor<[64], f32> -> !pl.tensor<[16], f32>
// CHECK-NEXT: %o_inline0 = pl.var "o_inline0" = %o : !pl.tensor<[16], f32>
// CHECK-NEXT: %c0_inline1 = arith.constant 0 : index
// CHECK-NEXT: %c1_inline2 = arith.constant 1 : index
// CHECK-NEXT: %c4_inline3 = arith.constant 4 : index
// CHECK-NEXT: scf.for %i_inline4 = %c0_inline1 to %c4_inline3 step %c1_inline2 {
// CHECK-NEXT: %g_inline5 = pl.get %o_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline6 = pl.assemble %x, %g_inline5[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %o_inline0, %w_inline6 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @slices(%a: !t, %c: !t, %r: index) {
  %x = pl.slice %a[%r] : !t -> !s
  %o = pl.slice %c[%r] : !t -> !s
  pl.call @repeat(%x, %o) : (!s, !s) -> ()
  pl.return
}
// -----
// INL-28: temporaries of the parameters come first, one counter.
!s = !pl.tensor<[16], f32>
pl.func inline @both(%x: !pl.var<!s>, %c: !pl.var<!s>) {
  %x0 = pl.get %x : !s
  %c0 = pl.get %c : !s
  %w = pl.assemble %x0, %c0[0] : !s, !s
  pl.set %c, %w : !s
  pl.set %x, %w : !s
  pl.return
}
// CHECK-LABEL: pl.func @two_temporaries(%a: !pl.tensor<[16], f32>, %b: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %x_inline0 = pl.var "x_inline0" = %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %c_inline1 = pl.var "c_inline1" = %b : !pl.tensor<[16], f32>
// CHECK-NEXT: %x0_inline2 = pl.get %x_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %c0_inline3 = pl.get %c_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline4 = pl.assemble %x0_inline2, %c0_inline3[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %c_inline1, %w_inline4 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %x_inline0, %w_inline4 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @two_temporaries(%a: !s, %b: !s) {
  pl.call @both(%a, %b) : (!s, !s) -> ()
  pl.return
}
// -----
// INL-29: the argument of a loop has no name that could be bound again: a variable of its own, and the loop yields
// what it yielded.
!t = !pl.tensor<[16], f32>
pl.func inline @write(%x: !t, out %o: !pl.var<!t>) -> !t {
  %g = pl.get %o : !t
  %w = pl.assemble %x, %g[0] : !t, !t
  pl.set %o, %w : !t
  %r = pl.get %o : !t
  pl.return %r : !t
}
// CHECK-LABEL: pl.func @loop_argument(%a: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>, %n: index) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %l = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %ext) -> (!pl.tensor<[16], f32>) {
// CHECK-NEXT: %o_inline0 = pl.var "o_inline0" = %acc : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline1 = pl.get %o_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline2 = pl.assemble %a, %g_inline1[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %o_inline0, %w_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: %r_inline3 = pl.get %o_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: scf.yield %acc : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %l : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @loop_argument(%a: !t, %ext: !t, %n: index) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %ext) -> !t {
    %u = pl.call @write(%a, %acc) : (!t, !t) -> !t
    scf.yield %acc : !t
  }
  pl.return %l : !t
}
// -----
// A parameter without a name is called after its position.
pl.func inline @unnamed(%0: index, %1: !pl.var<index>) {
  pl.set %1, %0 : index
  pl.return
}
// CHECK-LABEL: pl.func @unnamed_parameter
// CHECK-NEXT: pl.var "arg1_inline0" = %k : index
pl.func @unnamed_parameter(%k: index) {
  pl.call @unnamed(%k, %k) : (index, index) -> ()
  pl.return
}

// RUN: pypto-opt %s --split-input-file --keep-value-names --inline-functions --mlir-use-nameloc-as-prefix | FileCheck %s
// RUN: pypto-opt %s --split-input-file --inline-functions --convert-to-ssa | FileCheck %s --check-prefix=SSA

// A call whose result is an operand of something else is an operation of its own: it is replaced in its place.

// INL-83: nothing is left for the property's verifier to report, and the result is ready for SSA.
// SSA-NOT: pl.call @
// SSA: pl.func @call_argument
// SSA-NOT: pl.call @
// -----
// INL-72: add(helper(a), a).
!t = !pl.tensor<[16], f32>
pl.func inline @helper(%x: !t) -> !t {
  %y = pl.exp %x : !t
  pl.return %y : !t
}
// CHECK-LABEL: pl.func @call_argument(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %y_inline0 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %s = pl.add %y_inline0, %a : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %s : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @call_argument(%a: !t) -> !t {
  %h = pl.call @helper(%a) : (!t) -> !t
  %s = pl.add %h, %a : !t, !t
  pl.return %s : !t
}
// -----
// INL-74, INL-75, INL-78: half(half(n)) + 1, with one copy for each call and nothing else.
pl.func inline @half(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %h = arith.divui %n, %c2 : index
  pl.return %h : index
}
// CHECK-LABEL: pl.func @operand(%n: index) -> index {
// CHECK-NEXT: %c2_inline0 = arith.constant 2 : index
// CHECK-NEXT: %h_inline1 = arith.divui %n, %c2_inline0 : index
// CHECK-NEXT: %c2_inline2 = arith.constant 2 : index
// CHECK-NEXT: %h_inline3 = arith.divui %h_inline1, %c2_inline2 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %k = arith.addi %h_inline3, %c1 : index
// CHECK-NEXT: pl.return %k : index
// CHECK-NEXT: }
pl.func @operand(%n: index) -> index {
  %inner = pl.call @half(%n) : (index) -> index
  %outer = pl.call @half(%inner) : (index) -> index
  %c1 = arith.constant 1 : index
  %k = arith.addi %outer, %c1 : index
  pl.return %k : index
}
// -----
// INL-76, INL-77, INL-79: a loop bound and a condition are computed before the loop and the branch, what is yielded
// inside.
pl.func inline @half(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %h = arith.divui %n, %c2 : index
  pl.return %h : index
}
pl.func inline @small(%n: index) -> i1 {
  %c9 = arith.constant 9 : index
  %b = arith.cmpi ult, %n, %c9 : index
  pl.return %b : i1
}
// CHECK-LABEL: pl.func @bound_and_condition(%n: index) -> index {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c2_inline0 = arith.constant 2 : index
// CHECK-NEXT: %h_inline1 = arith.divui %n, %c2_inline0 : index
// CHECK-NEXT: %sum = scf.for %i = %c0 to %h_inline1 step %c1 iter_args(%acc = %c0) -> (index) {
// CHECK-NEXT: %c2_inline2 = arith.constant 2 : index
// CHECK-NEXT: %h_inline3 = arith.divui %acc, %c2_inline2 : index
// CHECK-NEXT: scf.yield %h_inline3 : index
// CHECK-NEXT: }
// CHECK-NEXT: %c9_inline4 = arith.constant 9 : index
// CHECK-NEXT: %b_inline5 = arith.cmpi ult, %sum, %c9_inline4 : index
// CHECK-NEXT: %r = scf.if %b_inline5 -> (index) {
// CHECK-NEXT: scf.yield %sum : index
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %n : index
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %r : index
// CHECK-NEXT: }
pl.func @bound_and_condition(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bound = pl.call @half(%n) : (index) -> index
  %sum = scf.for %i = %c0 to %bound step %c1 iter_args(%acc = %c0) -> index {
    %next = pl.call @half(%acc) : (index) -> index
    scf.yield %next : index
  }
  %b = pl.call @small(%sum) : (index) -> i1
  %r = scf.if %b -> index {
    scf.yield %sum : index
  } else {
    scf.yield %n : index
  }
  pl.return %r : index
}
// -----
// INL-80: a call of two results as an operand of a return with other values is replaced like any other.
!t = !pl.tensor<[16], f32>
pl.func inline @pair(%x: !t) -> (!t, !t) {
  %e = pl.exp %x : !t
  %l = pl.log %x : !t
  pl.return %e, %l : !t, !t
}
// CHECK-LABEL: pl.func @pair_and_more(%x: !pl.tensor<[16], f32>, %y: !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
// CHECK-NEXT: %e_inline0 = pl.exp %x : !pl.tensor<[16], f32>
// CHECK-NEXT: %l_inline1 = pl.log %x : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %e_inline0, %l_inline1, %y : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @pair_and_more(%x: !t, %y: !t) -> (!t, !t, !t) {
  %p:2 = pl.call @pair(%x) : (!t) -> (!t, !t)
  pl.return %p#0, %p#1, %y : !t, !t, !t
}
// -----
// INL-82: the initial value of what a loop carries.
pl.func inline @half(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %h = arith.divui %n, %c2 : index
  pl.return %h : index
}
// CHECK-LABEL: pl.func @initial_value(%n: index) -> index {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c2_inline0 = arith.constant 2 : index
// CHECK-NEXT: %h_inline1 = arith.divui %n, %c2_inline0 : index
// CHECK-NEXT: %l = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %h_inline1) -> (index) {
// CHECK-NEXT: scf.yield %acc : index
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %l : index
// CHECK-NEXT: }
pl.func @initial_value(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = pl.call @half(%n) : (index) -> index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> index {
    scf.yield %acc : index
  }
  pl.return %l : index
}

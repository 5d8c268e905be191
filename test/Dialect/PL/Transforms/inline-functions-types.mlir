// RUN: pypto-opt %s --split-input-file --keep-value-names --inline-functions --mlir-use-nameloc-as-prefix | FileCheck %s
// RUN: pypto-opt %s --split-input-file --inline-functions | pypto-opt --split-input-file | FileCheck %s --check-prefix=STABLE

// Types in a copy follow from the arguments. INL-102: what is printed parses and verifies.
// STABLE: pl.func @bound_symbol
// -----
// INL-85: a callee's symbol is the extent of the argument, also in types that the body spells.
!n = !pl.tensor<[N, 4], f32>
!c = !pl.tensor<[rows, 4], f32>
pl.func inline @helper(%x: !n) -> !n {
  %t = pl.create : !n
  %y = pl.add %x, %t : !n, !n
  pl.return %y : !n
}
// CHECK-LABEL: pl.func @bound_symbol(%a: !pl.tensor<[rows, 4], f32>) -> !pl.tensor<[rows, 4], f32> {
// CHECK-NEXT: %t_inline0 = pl.create : !pl.tensor<[rows, 4], f32>
// CHECK-NEXT: %y_inline1 = pl.add %a, %t_inline0 : !pl.tensor<[rows, 4], f32>, !pl.tensor<[rows, 4], f32>
// CHECK-NEXT: pl.return %y_inline1 : !pl.tensor<[rows, 4], f32>
// CHECK-NEXT: }
pl.func @bound_symbol(%a: !c) -> !c {
  %z = pl.call @helper(%a) : (!c) -> !c
  pl.return %z : !c
}
// -----
// INL-100: 8 rows here, 16 rows there.
!n = !pl.tensor<[N, 4], f32>
pl.func inline @helper(%x: !n) -> !n {
  %t = pl.create : !n
  %y = pl.add %x, %t : !n, !n
  pl.return %y : !n
}
// CHECK-LABEL: pl.func @two_sizes(%a: !pl.tensor<[8, 4], f32>, %b: !pl.tensor<[16, 4], f32>) {
// CHECK-NEXT: %t_inline0 = pl.create : !pl.tensor<[8, 4], f32>
// CHECK-NEXT: %y_inline1 = pl.add %a, %t_inline0 : !pl.tensor<[8, 4], f32>, !pl.tensor<[8, 4], f32>
// CHECK-NEXT: %t_inline2 = pl.create : !pl.tensor<[16, 4], f32>
// CHECK-NEXT: %y_inline3 = pl.add %b, %t_inline2 : !pl.tensor<[16, 4], f32>, !pl.tensor<[16, 4], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @two_sizes(%a: !pl.tensor<[8, 4], f32>, %b: !pl.tensor<[16, 4], f32>) {
  %y = pl.call @helper(%a) : (!pl.tensor<[8, 4], f32>) -> !pl.tensor<[8, 4], f32>
  %z = pl.call @helper(%b) : (!pl.tensor<[16, 4], f32>) -> !pl.tensor<[16, 4], f32>
  pl.return
}
// -----
// INL-86, INL-98, INL-104: one symbol for two arguments of different extents: each keeps its own, and each
// operation follows its operands. The caller's own N means something else.
!n = !pl.tensor<[N, 4], f32>
pl.func inline @logical_and_padded(%x: !n, %o: !n) {
  %y = pl.exp %x : !n
  %z = pl.exp %o : !n
  %w = pl.assemble %y, %o[0, 0] : !n, !n
  %s = pl.slice %o[0, 0] : !n -> !n
  pl.return
}
// CHECK-LABEL: pl.func @two_extents(%a: !pl.tensor<[5, 4], f32>, %b: !pl.tensor<[8, 4], f32>, %c: !pl.tensor<[N, 4], f32>) {
// CHECK-NEXT: %y_inline0 = pl.exp %a : !pl.tensor<[5, 4], f32>
// CHECK-NEXT: %z_inline1 = pl.exp %b : !pl.tensor<[8, 4], f32>
// CHECK-NEXT: %w_inline2 = pl.assemble %y_inline0, %b[0, 0] : !pl.tensor<[5, 4], f32>, !pl.tensor<[8, 4], f32>
// CHECK-NEXT: %s_inline3 = pl.slice %b[0, 0] : !pl.tensor<[8, 4], f32> -> !pl.tensor<[8, 4], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @two_extents(%a: !pl.tensor<[5, 4], f32>, %b: !pl.tensor<[8, 4], f32>, %c: !pl.tensor<[N, 4], f32>) {
  pl.call @logical_and_padded(%a, %b) : (!pl.tensor<[5, 4], f32>, !pl.tensor<[8, 4], f32>) -> ()
  pl.return
}
// -----
// INL-86: and what a loop carries follows its initial value.
!n = !pl.tensor<[N, 4], f32>
pl.func inline @carried(%x: !n, %o: !n, %n: index) -> !n {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %o) -> !n {
    %w = pl.assemble %x, %acc[0, 0] : !n, !n
    scf.yield %w : !n
  }
  pl.return %l : !n
}
// CHECK-LABEL: pl.func @two_extents_in_loop(%a: !pl.tensor<[5, 4], f32>, %b: !pl.tensor<[8, 4], f32>, %n: index) -> !pl.tensor<[8, 4], f32> {
// CHECK-NEXT: %c0_inline0 = arith.constant 0 : index
// CHECK-NEXT: %c1_inline1 = arith.constant 1 : index
// CHECK-NEXT: %l_inline2 = scf.for %i_inline3 = %c0_inline0 to %n step %c1_inline1 iter_args(%acc_inline4 = %b) -> (!pl.tensor<[8, 4], f32>) {
// CHECK-NEXT: %w_inline5 = pl.assemble %a, %acc_inline4[0, 0] : !pl.tensor<[5, 4], f32>, !pl.tensor<[8, 4], f32>
// CHECK-NEXT: scf.yield %w_inline5 : !pl.tensor<[8, 4], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %l_inline2 : !pl.tensor<[8, 4], f32>
// CHECK-NEXT: }
pl.func @two_extents_in_loop(%a: !pl.tensor<[5, 4], f32>, %b: !pl.tensor<[8, 4], f32>, %n: index) -> !pl.tensor<[8, 4], f32> {
  %r = pl.call @carried(%a, %b, %n) : (!pl.tensor<[5, 4], f32>, !pl.tensor<[8, 4], f32>, index) -> !pl.tensor<[8, 4], f32>
  pl.return %r : !pl.tensor<[8, 4], f32>
}
// -----
// INL-87: what a symbol is bound to is the caller's; the same name in it is not substituted again.
!n = !pl.tensor<[rows], f32>
pl.func inline @helper(%x: !n) -> !n {
  %t = pl.create : !n
  %y = pl.add %x, %t : !n, !n
  pl.return %y : !n
}
// CHECK-LABEL: pl.func @same_name(%a: !pl.tensor<[rows], f32>, %b: !pl.tensor<[rows + 1], f32>) -> !pl.tensor<[rows + 1], f32> {
// CHECK-NEXT: %t_inline0 = pl.create : !pl.tensor<[rows + 1], f32>
// CHECK-NEXT: %y_inline1 = pl.add %b, %t_inline0 : !pl.tensor<[rows + 1], f32>, !pl.tensor<[rows + 1], f32>
// CHECK-NEXT: pl.return %y_inline1 : !pl.tensor<[rows + 1], f32>
// CHECK-NEXT: }
pl.func @same_name(%a: !pl.tensor<[rows], f32>, %b: !pl.tensor<[rows + 1], f32>) -> !pl.tensor<[rows + 1], f32> {
  %z = pl.call @helper(%b) : (!pl.tensor<[rows + 1], f32>) -> !pl.tensor<[rows + 1], f32>
  pl.return %z : !pl.tensor<[rows + 1], f32>
}
// -----
// INL-88: tensors of the caller that share a name with a scalar argument keep their types.
pl.func inline @helper(%rows: index) -> index {
  %c1 = arith.constant 1 : index
  %r = arith.addi %rows, %c1 : index
  pl.return %r : index
}
// CHECK-LABEL: pl.func @scalar_of_same_name(%rows: index, %a: !pl.tensor<[rows], f32>) -> !pl.tensor<[rows], f32> {
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %k = arith.muli %rows, %c2 : index
// CHECK-NEXT: %c1_inline0 = arith.constant 1 : index
// CHECK-NEXT: %r_inline1 = arith.addi %k, %c1_inline0 : index
// CHECK-NEXT: %b = pl.exp %a : !pl.tensor<[rows], f32>
// CHECK-NEXT: pl.return %b : !pl.tensor<[rows], f32>
// CHECK-NEXT: }
pl.func @scalar_of_same_name(%rows: index, %a: !pl.tensor<[rows], f32>) -> !pl.tensor<[rows], f32> {
  %c2 = arith.constant 2 : index
  %k = arith.muli %rows, %c2 : index
  %m = pl.call @helper(%k) : (index) -> index
  %b = pl.exp %a : !pl.tensor<[rows], f32>
  pl.return %b : !pl.tensor<[rows], f32>
}
// -----
// INL-90: symbols that the body binds are fresh in each copy, in extents and in valid shapes.
pl.func inline @local(%n: index, %x: !pl.tensor<[64, 16], f32>) {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  pl.symbol @rows = %m : index
  %t = pl.create : !pl.tensor<[rows, 16], f32>
  %s = pl.slice %x[0, 0] : !pl.tensor<[64, 16], f32> -> !pl.tensor<[64, 16], f32, valid = [rows, 16]>
  pl.return
}
// CHECK-LABEL: pl.func @local_symbols(%n: index, %x: !pl.tensor<[64, 16], f32>) {
// CHECK-NEXT: %c1_inline0 = arith.constant 1 : index
// CHECK-NEXT: %m_inline1 = arith.addi %n, %c1_inline0 : index
// CHECK-NEXT: pl.symbol @rows_inline2 = %m_inline1 : index
// CHECK-NEXT: %t_inline3 = pl.create : !pl.tensor<[rows_inline2, 16], f32>
// CHECK-NEXT: %s_inline4 = pl.slice %x[0, 0] : !pl.tensor<[64, 16], f32> -> !pl.tensor<[64, 16], f32, valid = [rows_inline2, 16]>
// CHECK-NEXT: %c1_inline5 = arith.constant 1 : index
// CHECK-NEXT: %m_inline6 = arith.addi %n, %c1_inline5 : index
// CHECK-NEXT: pl.symbol @rows_inline7 = %m_inline6 : index
// CHECK-NEXT: %t_inline8 = pl.create : !pl.tensor<[rows_inline7, 16], f32>
// CHECK-NEXT: %s_inline9 = pl.slice %x[0, 0] : !pl.tensor<[64, 16], f32> -> !pl.tensor<[64, 16], f32, valid = [rows_inline7, 16]>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @local_symbols(%n: index, %x: !pl.tensor<[64, 16], f32>) {
  pl.call @local(%n, %x) : (index, !pl.tensor<[64, 16], f32>) -> ()
  pl.call @local(%n, %x) : (index, !pl.tensor<[64, 16], f32>) -> ()
  pl.return
}
// -----
// INL-91: a loop-carried number is an extent inside the loop, of For and of While.
pl.func inline @growing(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%size = %c1) -> index {
    pl.symbol @rows = %size : index
    %t = pl.create : !pl.tensor<[rows], f32>
    %next = arith.addi %size, %c1 : index
    scf.yield %next : index
  }
  %w = scf.while (%size = %c1) : (index) -> index {
    pl.symbol @rows = %size : index
    %t = pl.create : !pl.tensor<[rows], f32>
    %more = arith.cmpi ult, %size, %n : index
    scf.condition(%more) %size : index
  } do {
  ^bb0(%now: index):
    pl.symbol @rows = %now : index
    %t = pl.create : !pl.tensor<[rows], f32>
    %next = arith.addi %now, %c1 : index
    scf.yield %next : index
  }
  pl.return
}
// CHECK-LABEL: pl.func @carried_extents(%n: index) {
// CHECK-NEXT: %c0_inline0 = arith.constant 0 : index
// CHECK-NEXT: %c1_inline1 = arith.constant 1 : index
// CHECK-NEXT: %f_inline2 = scf.for %i_inline3 = %c0_inline0 to %n step %c1_inline1 iter_args(%size_inline4 = %c1_inline1) -> (index) {
// CHECK-NEXT: pl.symbol @rows_inline5 = %size_inline4 : index
// CHECK-NEXT: %t_inline6 = pl.create : !pl.tensor<[rows_inline5], f32>
// CHECK-NEXT: %next_inline7 = arith.addi %size_inline4, %c1_inline1 : index
// CHECK-NEXT: scf.yield %next_inline7 : index
// CHECK-NEXT: }
// CHECK-NEXT: %w_inline8 = scf.while (%size_inline9 = %c1_inline1) : (index) -> index {
// CHECK-NEXT: pl.symbol @rows_inline10 = %size_inline9 : index
// CHECK-NEXT: %t_inline11 = pl.create : !pl.tensor<[rows_inline10], f32>
// CHECK-NEXT: %more_inline12 = arith.cmpi ult, %size_inline9, %n : index
// CHECK-NEXT: scf.condition(%more_inline12) %size_inline9 : index
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%now_inline13: index):
// CHECK-NEXT: pl.symbol @rows_inline14 = %now_inline13 : index
// CHECK-NEXT: %t_inline15 = pl.create : !pl.tensor<[rows_inline14], f32>
// CHECK-NEXT: %next_inline16 = arith.addi %now_inline13, %c1_inline1 : index
// CHECK-NEXT: scf.yield %next_inline16 : index
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @carried_extents(%n: index) {
  pl.call @growing(%n) : (index) -> ()
  pl.return
}
// -----
// INL-92: what a loop carries has the type of its initial value; the body is brought to it.
!q = !pl.tensor<[?, 4], f32>
pl.func inline @helper(%x: !q, %n: index, %b: i1) -> (!q, !q) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> !q {
    %y = pl.create(%n) : !q
    scf.yield %y : !q
  }
  %w = scf.while (%acc = %x) : (!q) -> !q {
    scf.condition(%b) %acc : !q
  } do {
  ^bb0(%now: !q):
    %y = pl.create(%n) : !q
    scf.yield %y : !q
  }
  pl.return %f, %w : !q, !q
}
// CHECK-LABEL: pl.func @carries(%a: !pl.tensor<[8, 4], f32>, %n: index, %b: i1) -> !pl.tensor<[?, 4], f32> {
// CHECK-NEXT: %c0_inline0 = arith.constant 0 : index
// CHECK-NEXT: %c1_inline1 = arith.constant 1 : index
// CHECK-NEXT: %f_inline2 = scf.for %i_inline3 = %c0_inline0 to %n step %c1_inline1 iter_args(%acc_inline4 = %a) -> (!pl.tensor<[8, 4], f32>) {
// CHECK-NEXT: %y_inline5 = pl.create(%n) : !pl.tensor<[?, 4], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.cast_shape %y_inline5 : !pl.tensor<[?, 4], f32> -> !pl.tensor<[8, 4], f32>
// CHECK-NEXT: scf.yield %[[V0]] : !pl.tensor<[8, 4], f32>
// CHECK-NEXT: }
// CHECK-NEXT: %w_inline6 = scf.while (%acc_inline7 = %a) : (!pl.tensor<[8, 4], f32>) -> !pl.tensor<[8, 4], f32> {
// CHECK-NEXT: scf.condition(%b) %acc_inline7 : !pl.tensor<[8, 4], f32>
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%now_inline8: !pl.tensor<[8, 4], f32>):
// CHECK-NEXT: %y_inline9 = pl.create(%n) : !pl.tensor<[?, 4], f32>
// CHECK-NEXT: %[[V0]] = pl.cast_shape %y_inline9 : !pl.tensor<[?, 4], f32> -> !pl.tensor<[8, 4], f32>
// CHECK-NEXT: scf.yield %[[V0]] : !pl.tensor<[8, 4], f32>
// CHECK-NEXT: }
// CHECK-NEXT: %s = pl.add %f_inline2, %w_inline6 : !pl.tensor<[8, 4], f32>, !pl.tensor<[8, 4], f32>
// CHECK-NEXT: pl.return %s : !pl.tensor<[8, 4], f32>
// CHECK-NEXT: }
pl.func @carries(%a: !pl.tensor<[8, 4], f32>, %n: index, %b: i1) -> !q {
  %r:2 = pl.call @helper(%a, %n, %b) : (!pl.tensor<[8, 4], f32>, index, i1) -> (!q, !q)
  %s = pl.add %r#0, %r#1 : !q, !q
  pl.return %s : !q
}
// -----
// INL-123: the results of a branch are those that both sides have in common.
!q = !pl.tensor<[?, 4], f32>
pl.func inline @helper(%x: !q, %y: !q, %b: i1) -> (!q, !q) {
  %same = scf.if %b -> !q {
    scf.yield %x : !q
  } else {
    %e = pl.exp %x : !q
    scf.yield %e : !q
  }
  %differs = scf.if %b -> !q {
    scf.yield %x : !q
  } else {
    scf.yield %y : !q
  }
  pl.return %same, %differs : !q, !q
}
// CHECK-LABEL: pl.func @merges(%a: !pl.tensor<[8, 4], f32>, %c: !pl.tensor<[16, 4], f32>, %b: i1) -> (!pl.tensor<[?, 4], f32>, !pl.tensor<[?, 4], f32>) {
// CHECK-NEXT: %same_inline0 = scf.if %b -> (!pl.tensor<[8, 4], f32>) {
// CHECK-NEXT: scf.yield %a : !pl.tensor<[8, 4], f32>
// CHECK-NEXT: } else {
// CHECK-NEXT: %e_inline1 = pl.exp %a : !pl.tensor<[8, 4], f32>
// CHECK-NEXT: scf.yield %e_inline1 : !pl.tensor<[8, 4], f32>
// CHECK-NEXT: }
// CHECK-NEXT: %differs_inline2 = scf.if %b -> (!pl.tensor<[?, 4], f32>) {
// CHECK-NEXT: %[[V0:.*]] = pl.cast_shape %a : !pl.tensor<[8, 4], f32> -> !pl.tensor<[?, 4], f32>
// CHECK-NEXT: scf.yield %[[V0]] : !pl.tensor<[?, 4], f32>
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[V0]] = pl.cast_shape %c : !pl.tensor<[16, 4], f32> -> !pl.tensor<[?, 4], f32>
// CHECK-NEXT: scf.yield %[[V0]] : !pl.tensor<[?, 4], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %same_inline0, %differs_inline2 : !pl.tensor<[8, 4], f32>, !pl.tensor<[?, 4], f32>
// CHECK-NEXT: }
pl.func @merges(%a: !pl.tensor<[8, 4], f32>, %c: !pl.tensor<[16, 4], f32>, %b: i1) -> (!q, !q) {
  %r:2 = pl.call @helper(%a, %c, %b) : (!pl.tensor<[8, 4], f32>, !pl.tensor<[16, 4], f32>, i1) -> (!q, !q)
  pl.return %r#0, %r#1 : !q, !q
}
// -----
// INL-93, INL-95: results are inferred again, write-backs have the type of their destination; a stale valid shape
// or memory space of the text gives way.
!t = !tile.tile<[16, 64], f32>
pl.func inline @tiles(%x: !t, %o: !pl.tensor<[?, 64], f32>) {
  %y = tile.add %x, %x : !t
  %z = tile.set_validshape %y[8, 64] : !t -> !tile.tile<[16, 64], f32, valid = [8, 64]>
  %w = tile.store %z, %o[0, 0] : !tile.tile<[16, 64], f32, valid = [8, 64]>, !pl.tensor<[?, 64], f32>
  %v = pl.var "v" = %y : !t
  %g = pl.get %v : !t
  pl.return
}
// CHECK-LABEL: pl.func incore @reinferred(%x: !pl.tensor<[16, 64], f32>, out %o: !pl.tensor<[32, 64], f32>) {
// CHECK-NEXT: %l = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[16, 64], f32, vec>
// CHECK-NEXT: %y_inline0 = tile.add %l, %l : !tile.tile<[16, 64], f32, vec>
// CHECK-NEXT: %z_inline1 = tile.set_validshape %y_inline0[8, 64] : !tile.tile<[16, 64], f32, vec> -> !tile.tile<[16, 64], f32, vec, valid = [8, 64]>
// CHECK-NEXT: %w_inline2 = tile.store %z_inline1, %o[0, 0] : !tile.tile<[16, 64], f32, vec, valid = [8, 64]>, !pl.tensor<[32, 64], f32>
// CHECK-NEXT: %v_inline3 = pl.var "v_inline3" = %y_inline0 : !tile.tile<[16, 64], f32, vec>
// CHECK-NEXT: %g_inline4 = pl.get %v_inline3 : !tile.tile<[16, 64], f32, vec>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func incore @reinferred(%x: !pl.tensor<[16, 64], f32>, out %o: !pl.tensor<[32, 64], f32>) {
  %l = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[16, 64], f32, vec>
  pl.call @tiles(%l, %o) : (!tile.tile<[16, 64], f32, vec>, !pl.tensor<[32, 64], f32>) -> ()
  pl.return
}
// -----
// INL-94: an operation whose type nothing determines keeps the declared one, with its names bound.
pl.func inline @loads(%x: !pl.tensor<[R, C], f32>) -> !tile.tile<[R, C], f32, vec> {
  %l = tile.load %x[0, 0] : !pl.tensor<[R, C], f32> -> !tile.tile<[R, C], f32, vec>
  pl.return %l : !tile.tile<[R, C], f32, vec>
}
// CHECK-LABEL: pl.func incore @declared(%x: !pl.tensor<[16, 64], f32>, out %o: !pl.tensor<[16, 64], f32>) {
// CHECK-NEXT: %l_inline0 = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[16, 64], f32, vec>
// CHECK-NEXT: %r = tile.store %l_inline0, %o[0, 0] : !tile.tile<[16, 64], f32, vec>, !pl.tensor<[16, 64], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func incore @declared(%x: !pl.tensor<[16, 64], f32>, out %o: !pl.tensor<[16, 64], f32>) {
  %l = pl.call @loads(%x) : (!pl.tensor<[16, 64], f32>) -> !tile.tile<[16, 64], f32, vec>
  %r = tile.store %l, %o[0, 0] : !tile.tile<[16, 64], f32, vec>, !pl.tensor<[16, 64], f32>
  pl.return
}
// -----
// INL-97, INL-122: each of several results has its own extent, and the caller's operations follow: computation,
// loops, calls and submits.
!q = !pl.tensor<[?], f32>
pl.func private incore @kernel(!pl.tensor<[N], f32>) -> !pl.tensor<[N], f32>
pl.func inline @inner(%x: !q, %y: !q) -> (!q, !q) {
  pl.return %y, %x : !q, !q
}
pl.func inline @outer(%x: !q, %y: !q) -> (!q, !q) {
  %r:2 = pl.call @inner(%x, %y) : (!q, !q) -> (!q, !q)
  %e = pl.exp %r#0 : !q
  pl.return %e, %r#1 : !q, !q
}
// CHECK-LABEL: pl.func private incore @kernel(!pl.tensor<[N], f32>) -> !pl.tensor<[N], f32>
// CHECK-LABEL: pl.func orchestration @own_extents(%a: !pl.tensor<[8], f32>, %b: !pl.tensor<[16], f32>, %n: index) -> !pl.tensor<[?], f32> {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %e_inline0 = pl.exp %b : !pl.tensor<[16], f32>
// CHECK-NEXT: %s = pl.add %e_inline0, %e_inline0 : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: %l = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %s) -> (!pl.tensor<[16], f32>) {
// CHECK-NEXT: %y = pl.add %acc, %s : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: scf.yield %y : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: %k = pl.call @kernel(%a) : (!pl.tensor<[8], f32>) -> !pl.tensor<[8], f32>
// CHECK-NEXT: %[[V0:.*]]:2 = orchestration.submit @kernel(%l) : (!pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !orchestration.task)
// CHECK-NEXT: %[[V1:.*]]:2 = orchestration.submit @kernel(%k) after(%[[V0]]#1) : (!pl.tensor<[8], f32>) -> (!pl.tensor<[8], f32>, !orchestration.task)
// CHECK-NEXT: pl.return %[[V0]]#0 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func orchestration @own_extents(%a: !pl.tensor<[8], f32>, %b: !pl.tensor<[16], f32>, %n: index) -> !q {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = pl.call @outer(%a, %b) : (!pl.tensor<[8], f32>, !pl.tensor<[16], f32>) -> (!q, !q)
  %s = pl.add %r#0, %r#0 : !q, !q
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %s) -> !q {
    %y = pl.add %acc, %s : !q, !q
    scf.yield %y : !q
  }
  %k = pl.call @kernel(%r#1) : (!q) -> !q
  %u, %id = orchestration.submit @kernel(%l) : (!q) -> (!q, !orchestration.task)
  %v, %id2 = orchestration.submit @kernel(%k) after (%id) : (!q) -> (!q, !orchestration.task)
  pl.return %u : !q
}
// -----
// INL-122: a variable that receives the result keeps its identity and its type.
!q = !pl.tensor<[?], f32>
pl.func inline @helper(%x: !q) -> !q {
  %y = pl.exp %x : !q
  pl.return %y : !q
}
// CHECK-LABEL: pl.func @receiving_variable(%a: !pl.tensor<[8], f32>, %other: !pl.tensor<[?], f32>) -> !pl.tensor<[?], f32> {
// CHECK-NEXT: %y_inline0 = pl.exp %a : !pl.tensor<[8], f32>
// CHECK-NEXT: %v = pl.var "v" = %y_inline0 : !pl.tensor<[8], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: pl.set %v, %other : !pl.tensor<[?], f32>
// CHECK-NEXT: %g = pl.get %v : !pl.tensor<[?], f32>
// CHECK-NEXT: pl.return %g : !pl.tensor<[?], f32>
// CHECK-NEXT: }
pl.func @receiving_variable(%a: !pl.tensor<[8], f32>, %other: !q) -> !q {
  %r = pl.call @helper(%a) : (!pl.tensor<[8], f32>) -> !q
  %v = pl.var "v" = %r : !q
  pl.set %v, %other : !q
  %g = pl.get %v : !q
  pl.return %g : !q
}
// -----
// INL-99: a name that only the caller's signature declares may stand in the body, at any depth.
pl.func inline @inner() {
  %t = pl.create : !pl.tensor<[rows, 4], f32>
  pl.return
}
pl.func inline @outer() {
  pl.call @inner() : () -> ()
  pl.return
}
// CHECK-LABEL: pl.func @callers_symbol(%a: !pl.tensor<[rows, 4], f32>, %n: index) {
// CHECK-NEXT: %t_inline0 = pl.create : !pl.tensor<[rows, 4], f32>
// CHECK-NEXT: pl.symbol @cols = %n : index
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @callers_symbol(%a: !pl.tensor<[rows, 4], f32>, %n: index) {
  pl.call @outer() : () -> ()
  pl.symbol @cols = %n : index
  pl.return
}
// -----
// INL-99: a name that an outer inline function binds is in scope in what it calls.
pl.func inline @inner() {
  %t = pl.create : !pl.tensor<[rows, cols], f32>
  pl.return
}
pl.func inline @outer(%x: !pl.tensor<[cols], f32>, %n: index) {
  pl.symbol @rows = %n : index
  pl.call @inner() : () -> ()
  pl.return
}
// CHECK-LABEL: pl.func @dynamic_scope(%a: !pl.tensor<[64], f32>, %n: index) {
// CHECK-NEXT: pl.symbol @rows_inline0 = %n : index
// CHECK-NEXT: %t_inline1 = pl.create : !pl.tensor<[rows_inline0, 64], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @dynamic_scope(%a: !pl.tensor<[64], f32>, %n: index) {
  pl.call @outer(%a, %n) : (!pl.tensor<[64], f32>, index) -> ()
  pl.return
}
// -----
// A symbol bound to an extent that is not known is given the number that it stands for, if the body spells it.
!n = !pl.tensor<[4, N], f32>
pl.func inline @spells(%x: !n) -> !n {
  %t = pl.create : !n
  %y = pl.add %x, %t : !n, !n
  pl.return %t : !n
}
// CHECK-LABEL: pl.func @unknown_extent(%a: !pl.tensor<[4, ?], f32>) -> !pl.tensor<[4, ?], f32> {
// CHECK-NEXT: %[[V0:.*]] = pl.dim %a, 1 : !pl.tensor<[4, ?], f32>
// CHECK-NEXT: pl.symbol @N_inline0 = %[[V0]] : index
// CHECK-NEXT: %t_inline1 = pl.create : !pl.tensor<[4, N_inline0], f32>
// CHECK-NEXT: %y_inline2 = pl.add %a, %t_inline1 : !pl.tensor<[4, ?], f32>, !pl.tensor<[4, N_inline0], f32>
// CHECK-NEXT: pl.return %t_inline1 : !pl.tensor<[4, N_inline0], f32>
// CHECK-NEXT: }
pl.func @unknown_extent(%a: !pl.tensor<[4, ?], f32>) -> !pl.tensor<[4, ?], f32> {
  %z = pl.call @spells(%a) : (!pl.tensor<[4, ?], f32>) -> !pl.tensor<[4, ?], f32>
  pl.return %z : !pl.tensor<[4, ?], f32>
}
// -----
// A name bound inside a region does not leave it with what the region yields.
!q = !pl.tensor<[?], f32>
pl.func inline @sized(%n: index) -> !pl.tensor<[rows], f32> {
  pl.symbol @rows = %n : index
  %t = pl.create : !pl.tensor<[rows], f32>
  pl.return %t : !pl.tensor<[rows], f32>
}
// CHECK-LABEL: pl.func @names_stay_inside(%n: index, %b: i1, %a: !pl.tensor<[?], f32>) -> !pl.tensor<[?], f32> {
// CHECK-NEXT: pl.symbol @rows_inline0 = %n : index
// CHECK-NEXT: %t_inline1 = pl.create : !pl.tensor<[rows_inline0], f32>
// CHECK-NEXT: %s = pl.add %t_inline1, %t_inline1 : !pl.tensor<[rows_inline0], f32>, !pl.tensor<[rows_inline0], f32>
// CHECK-NEXT: %r = scf.if %b -> (!pl.tensor<[?], f32>) {
// CHECK-NEXT: pl.symbol @rows_inline2 = %n : index
// CHECK-NEXT: %t_inline3 = pl.create : !pl.tensor<[rows_inline2], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.cast_shape %t_inline3 : !pl.tensor<[rows_inline2], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: scf.yield %[[V0]] : !pl.tensor<[?], f32>
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[V0]] = pl.cast_shape %s : !pl.tensor<[rows_inline0], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: scf.yield %[[V0]] : !pl.tensor<[?], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %r : !pl.tensor<[?], f32>
// CHECK-NEXT: }
pl.func @names_stay_inside(%n: index, %b: i1, %a: !q) -> !q {
  %here = pl.call @sized(%n) : (index) -> !q
  %s = pl.add %here, %here : !q, !q
  %r = scf.if %b -> !q {
    %t = pl.call @sized(%n) : (index) -> !q
    scf.yield %t : !q
  } else {
    scf.yield %s : !q
  }
  pl.return %r : !q
}
// -----
// INL-103: each tile binds the physical extents for itself; the valid shape does not constrain. A scope's results
// follow what it yields.
!rc = !tile.tile<[R, C], f32>
pl.func inline @two_tiles(%x: !rc, %y: !rc) {
  %a = tile.exp %x : !rc
  %b = tile.exp %y : !rc
  %m = tile.move %y : !rc -> !tile.tile<[R, C], f32, vec>
  %s = pl.at core_group -> !rc {
    %c = tile.add %b, %y : !rc
    pl.yield %c : !rc
  }
  pl.return
}
pl.func inline @wrapper(%x: !rc, %y: !tile.tile<[R2, C2], f32>) {
  pl.call @two_tiles(%x, %y) : (!rc, !tile.tile<[R2, C2], f32>) -> ()
  pl.return
}
// CHECK-LABEL: pl.func incore @generic_tiles(%x: !pl.tensor<[16, 64], f32>, %n: index) {
// CHECK-NEXT: %s = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[8, 32], f32>
// CHECK-NEXT: %l = tile.load %x[0, 0] valid(%n) : !pl.tensor<[16, 64], f32> -> !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK-NEXT: %a_inline0 = tile.exp %s : !tile.tile<[8, 32], f32>
// CHECK-NEXT: %b_inline1 = tile.exp %l : !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK-NEXT: %m_inline2 = tile.move %l : !tile.tile<[16, 64], f32, valid = [?, 64]> -> !tile.tile<[16, 64], f32, vec, valid = [?, 64]>
// CHECK-NEXT: %s_inline3 = pl.at core_group -> !tile.tile<[16, 64], f32, valid = [?, 64]> {
// CHECK-NEXT: %c_inline4 = tile.add %b_inline1, %l : !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK-NEXT: pl.yield %c_inline4 : !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func incore @generic_tiles(%x: !pl.tensor<[16, 64], f32>, %n: index) {
  %s = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[8, 32], f32>
  %l = tile.load %x[0, 0] valid(%n) : !pl.tensor<[16, 64], f32> -> !tile.tile<[16, 64], f32, valid = [?, 64]>
  pl.call @wrapper(%s, %l) : (!tile.tile<[8, 32], f32>, !tile.tile<[16, 64], f32, valid = [?, 64]>) -> ()
  pl.return
}
// -----
// A local variable without an initial value has the type of the first value, where the text's type means nothing
// any more; a variable that comes to hold values of two extents holds `?`.
!n = !pl.tensor<[N], f32>
!m = !pl.tensor<[M], f32>
pl.func inline @variables(%x: !n, %y: !n, %t: !pl.var<!n>, %z: !m) {
  %v = pl.var "v" : !n
  %e = pl.exp %y : !n
  pl.set %v, %e : !n
  %g = pl.get %v : !n
  %before = pl.get %t : !n
  pl.set %t, %z : !pl.var<!n> -> !m
  %after = pl.get %t : !pl.var<!n> -> !m
  %s = pl.exp %after : !m
  %unknown = pl.get %t : !n
  pl.return
}
// CHECK-LABEL: pl.func @local_variables(%a: !pl.tensor<[8], f32>, %b: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %a : !pl.tensor<[8], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: %v_inline1 = pl.var "v_inline1" : !pl.tensor<[16], f32>
// CHECK-NEXT: %e_inline2 = pl.exp %b : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %v_inline1, %e_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline3 = pl.get %v_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: %before_inline4 = pl.get %t_inline0 : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[8], f32>
// CHECK-NEXT: pl.set %t_inline0, %b : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[16], f32>
// CHECK-NEXT: %after_inline5 = pl.get %t_inline0 : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[16], f32>
// CHECK-NEXT: %s_inline6 = pl.exp %after_inline5 : !pl.tensor<[16], f32>
// CHECK-NEXT: %unknown_inline7 = pl.get %t_inline0 : !pl.tensor<[?], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @local_variables(%a: !pl.tensor<[8], f32>, %b: !pl.tensor<[16], f32>) {
  %r = pl.call @unary(%a) : (!pl.tensor<[8], f32>) -> !pl.tensor<[8], f32>
  pl.call @variables(%a, %b, %a, %b) : (!pl.tensor<[8], f32>, !pl.tensor<[16], f32>, !pl.tensor<[8], f32>, !pl.tensor<[16], f32>) -> ()
  pl.return
}
pl.func inline @unary(%x: !n) -> !n {
  pl.return %x : !n
}
// -----
// Operations of other dialects get operands of one type, and keep theirs in the caller.
!q = !pl.tensor<[?], f32>
pl.func inline @select(%b: i1, %x: !q, %y: !q) -> !q {
  %s = arith.select %b, %x, %y : !q
  pl.return %s : !q
}
pl.func inline @same(%x: !q) -> !q {
  pl.return %x : !q
}
// CHECK-LABEL: pl.func @foreign(%b: i1, %a: !pl.tensor<[8], f32>, %c: !pl.tensor<[16], f32>) -> !pl.tensor<[?], f32> {
// CHECK-NEXT: %[[V0:.*]] = pl.cast_shape %a : !pl.tensor<[8], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: %[[V1:.*]] = pl.cast_shape %c : !pl.tensor<[16], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: %s_inline0 = arith.select %b, %[[V0]], %[[V1]] : !pl.tensor<[?], f32>
// CHECK-NEXT: %[[V2:.*]] = pl.cast_shape %a : !pl.tensor<[8], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: %s = arith.select %b, %s_inline0, %[[V2]] : !pl.tensor<[?], f32>
// CHECK-NEXT: pl.return %s : !pl.tensor<[?], f32>
// CHECK-NEXT: }
pl.func @foreign(%b: i1, %a: !pl.tensor<[8], f32>, %c: !pl.tensor<[16], f32>) -> !q {
  %r = pl.call @select(%b, %a, %c) : (i1, !pl.tensor<[8], f32>, !pl.tensor<[16], f32>) -> !q
  %u = pl.call @same(%a) : (!pl.tensor<[8], f32>) -> !q
  %s = arith.select %b, %r, %u : !q
  pl.return %s : !q
}
// -----
// A variable whose extent is `?` in the text may be bound to another in the loop: what is read from it stays `?`.
!q = !pl.tensor<[?], f32>
pl.func inline @swaps(%t: !pl.var<!q>, %other: !q, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = pl.get %t : !q
  %v = pl.var "v" = %x : !q
  scf.for %i = %c0 to %n step %c1 {
    %g = pl.get %t : !q
    %h = pl.get %v : !q
    pl.set %t, %other : !q
    pl.set %v, %g : !q
  }
  pl.return
}
// CHECK-LABEL: pl.func @unknown_in_loop(%a: !pl.tensor<[8], f32>, %b: !pl.tensor<[16], f32>, %n: index) {
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %a : !pl.tensor<[8], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: %c0_inline1 = arith.constant 0 : index
// CHECK-NEXT: %c1_inline2 = arith.constant 1 : index
// CHECK-NEXT: %x_inline3 = pl.get %t_inline0 : !pl.tensor<[?], f32>
// CHECK-NEXT: %v_inline4 = pl.var "v_inline4" = %x_inline3 : !pl.tensor<[?], f32>
// CHECK-NEXT: scf.for %i_inline5 = %c0_inline1 to %n step %c1_inline2 {
// CHECK-NEXT: %g_inline6 = pl.get %t_inline0 : !pl.tensor<[?], f32>
// CHECK-NEXT: %h_inline7 = pl.get %v_inline4 : !pl.tensor<[?], f32>
// CHECK-NEXT: pl.set %t_inline0, %b : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %v_inline4, %g_inline6 : !pl.tensor<[?], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @unknown_in_loop(%a: !pl.tensor<[8], f32>, %b: !pl.tensor<[16], f32>, %n: index) {
  pl.call @swaps(%a, %b, %n) : (!pl.tensor<[8], f32>, !pl.tensor<[16], f32>, index) -> ()
  pl.return
}
// -----
// The same for one path only: out of a scope, and from the condition of a loop to its body.
!q = !pl.tensor<[?], f32>
pl.func inline @sized(%n: index) -> !pl.tensor<[rows], f32> {
  pl.symbol @rows = %n : index
  %t = pl.create : !pl.tensor<[rows], f32>
  pl.return %t : !pl.tensor<[rows], f32>
}
// CHECK-LABEL: pl.func @names_stay_on_one_path(%n: index, %b: i1) -> (!pl.tensor<[?], f32>, !pl.tensor<[?], f32>) {
// CHECK-NEXT: %r = pl.at core_group -> !pl.tensor<[?], f32> {
// CHECK-NEXT: pl.symbol @rows_inline0 = %n : index
// CHECK-NEXT: %t_inline1 = pl.create : !pl.tensor<[rows_inline0], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.cast_shape %t_inline1 : !pl.tensor<[rows_inline0], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: pl.yield %[[V0]] : !pl.tensor<[?], f32>
// CHECK-NEXT: }
// CHECK-NEXT: %w = scf.while : () -> !pl.tensor<[?], f32> {
// CHECK-NEXT: pl.symbol @rows_inline2 = %n : index
// CHECK-NEXT: %t_inline3 = pl.create : !pl.tensor<[rows_inline2], f32>
// CHECK-NEXT: %[[V0]] = pl.cast_shape %t_inline3 : !pl.tensor<[rows_inline2], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: scf.condition(%b) %[[V0]] : !pl.tensor<[?], f32>
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%u: !pl.tensor<[?], f32>):
// CHECK-NEXT: %e = pl.exp %u : !pl.tensor<[?], f32>
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %r, %w : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
// CHECK-NEXT: }
pl.func @names_stay_on_one_path(%n: index, %b: i1) -> (!q, !q) {
  %r = pl.at core_group -> !q {
    %t = pl.call @sized(%n) : (index) -> !q
    pl.yield %t : !q
  }
  %w = scf.while : () -> !q {
    %t = pl.call @sized(%n) : (index) -> !q
    scf.condition(%b) %t : !q
  } do {
  ^bb0(%u: !q):
    %e = pl.exp %u : !q
    scf.yield
  }
  pl.return %r, %w : !q, !q
}

// RUN: pypto-opt %s --split-input-file --inline-functions | %python %S/Inputs/compare_pairs.py | FileCheck %s
// RUN: pypto-opt %s --split-input-file --inline-functions --convert-to-ssa | %python %S/Inputs/compare_pairs.py | FileCheck %s

// INL-131: a program after the pass is the program that its author would have written without the helper. Each
// pair is a program with a helper and the same by hand; they are equal before and after SSA conversion.
// CHECK: 5 pairs are equal

// The local handle of a rebound tensor: 3a.
!t = !pl.tensor<[16], f32>
pl.func inline @twice(%t: !pl.var<!t> loc("t")) -> !t {
  %0 = pl.get %t : !t
  %1 = pl.add %0, %0 : !t, !t
  pl.set %t, %1 : !t
  %2 = pl.get %t : !t
  pl.return %2 : !t
}
pl.func @main(%a: !t) -> !t {
  %u = pl.call @twice(%a) : (!t) -> !t
  %w = pl.add %a, %u : !t, !t
  pl.return %w : !t
}
// -----
!t = !pl.tensor<[16], f32>
pl.func @main(%a: !t) -> !t {
  %t = pl.var "t" = %a : !t
  %0 = pl.get %t : !t
  %1 = pl.add %0, %0 : !t, !t
  pl.set %t, %1 : !t
  %u = pl.get %t : !t
  %w = pl.add %a, %u : !t, !t
  pl.return %w : !t
}
// -----
// A write-back, with the identity binding of its result left out.
!t = !pl.tensor<[16], f32>
pl.func inline @write(%x: !t, %o: !pl.var<!t> loc("o")) -> !t {
  %0 = pl.get %o : !t
  %1 = pl.assemble %x, %0[0] : !t, !t
  pl.set %o, %1 : !t
  %2 = pl.get %o : !t
  pl.return %2 : !t
}
pl.func @main(%x: !t, out %ext: !t) -> !t {
  %e = pl.var "e" = %ext : !t
  %0 = pl.call @write(%x, %e) : (!t, !pl.var<!t>) -> !t
  pl.set %e, %0 : !t
  %1 = pl.call @write(%x, %e) : (!t, !pl.var<!t>) -> !t
  pl.return %1 : !t
}
// -----
!t = !pl.tensor<[16], f32>
pl.func @main(%x: !t, out %ext: !t) -> !t {
  %e = pl.var "e" = %ext : !t
  %0 = pl.get %e : !t
  %1 = pl.assemble %x, %0[0] : !t, !t
  pl.set %e, %1 : !t
  %2 = pl.get %e : !t
  %3 = pl.get %e : !t
  %4 = pl.assemble %x, %3[0] : !t, !t
  pl.set %e, %4 : !t
  %5 = pl.get %e : !t
  pl.return %5 : !t
}
// -----
// Symbolic extents, a symbol of the body, and a loop.
pl.func inline @fill(%x: !pl.tensor<[N], f32>, %n: index) -> !pl.tensor<[N], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.symbol @rows = %n : index
  %t = pl.create : !pl.tensor<[rows], f32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> !pl.tensor<[N], f32> {
    %y = pl.add %acc, %x : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
    scf.yield %y : !pl.tensor<[N], f32>
  }
  pl.return %l : !pl.tensor<[N], f32>
}
pl.func @main(%a: !pl.tensor<[8], f32>, %n: index) -> !pl.tensor<[8], f32> {
  %r = pl.call @fill(%a, %n) : (!pl.tensor<[8], f32>, index) -> !pl.tensor<[8], f32>
  pl.return %r : !pl.tensor<[8], f32>
}
// -----
pl.func @main(%a: !pl.tensor<[8], f32>, %n: index) -> !pl.tensor<[8], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.symbol @rows = %n : index
  %t = pl.create : !pl.tensor<[rows], f32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %a) -> !pl.tensor<[8], f32> {
    %y = pl.add %acc, %a : !pl.tensor<[8], f32>, !pl.tensor<[8], f32>
    scf.yield %y : !pl.tensor<[8], f32>
  }
  pl.return %l : !pl.tensor<[8], f32>
}
// -----
// INL-48: a rebind in a loop.
!t = !pl.tensor<[16], f32>
pl.func inline @grow(%t: !pl.var<!t> loc("t"), %n: index) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = pl.get %t : !t
    %1 = pl.exp %0 : !t
    pl.set %t, %1 : !t
  }
  %2 = pl.get %t : !t
  pl.return %2 : !t
}
pl.func @main(%a: !t, %n: index) -> !t {
  %r = pl.call @grow(%a, %n) : (!t, index) -> !t
  pl.return %r : !t
}
// -----
!t = !pl.tensor<[16], f32>
pl.func @main(%a: !t, %n: index) -> !t {
  %t = pl.var "t" = %a : !t
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = pl.get %t : !t
    %1 = pl.exp %0 : !t
    pl.set %t, %1 : !t
  }
  %2 = pl.get %t : !t
  pl.return %2 : !t
}
// -----
// INL-49: a rebind on one branch between two write-backs.
!t = !pl.tensor<[16], f32>
pl.func inline @conditional(%x: !t, %t: !pl.var<!t> loc("t"), %b: i1) -> !t {
  %0 = pl.get %t : !t
  %1 = pl.assemble %x, %0[0] : !t, !t
  pl.set %t, %1 : !t
  scf.if %b {
    %2 = pl.exp %x : !t
    pl.set %t, %2 : !t
  }
  %3 = pl.get %t : !t
  %4 = pl.assemble %x, %3[0] : !t, !t
  pl.set %t, %4 : !t
  %5 = pl.get %t : !t
  pl.return %5 : !t
}
pl.func @main(%x: !t, %ext: !t, %b: i1) -> !t {
  %r = pl.call @conditional(%x, %ext, %b) : (!t, !t, i1) -> !t
  pl.return %r : !t
}
// -----
!t = !pl.tensor<[16], f32>
pl.func @main(%x: !t, %ext: !t, %b: i1) -> !t {
  %t = pl.var "t" = %ext : !t
  %0 = pl.get %t : !t
  %1 = pl.assemble %x, %0[0] : !t, !t
  pl.set %t, %1 : !t
  scf.if %b {
    %2 = pl.exp %x : !t
    pl.set %t, %2 : !t
  }
  %3 = pl.get %t : !t
  %4 = pl.assemble %x, %3[0] : !t, !t
  pl.set %t, %4 : !t
  %5 = pl.get %t : !t
  pl.return %5 : !t
}

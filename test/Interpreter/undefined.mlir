// RUN: pypto-run %s --interpret --random=1 --entry=partly 2>&1 | FileCheck %s --check-prefix=PARTLY
// RUN: pypto-run %s --interpret --random=1 --entry=moved 2>&1 | FileCheck %s --check-prefix=MOVED
// RUN: pypto-run %s --interpret --random=1 --entry=outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: pypto-run %s --interpret --random=1 --entry=selected 2>&1 | FileCheck %s --check-prefix=SELECTED
// RUN: pypto-run %s --interpret --random=1 --entry=filled 2>&1 | FileCheck %s --check-prefix=FILLED
// RUN: pypto-run %s --interpret --random=1 --entry=decides 2>&1 | FileCheck %s --check-prefix=DECIDES
// RUN: env MALLOC_PERTURB_=85 pypto-run %s --random=1 --entry=partly --check-each-pass=default 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECKED

// Using an element that nothing has given a value is a warning where it is first used; moving it is not, and what is
// computed from it warns no more. Comparisons pass over all of them.

!t = !pl.tensor<[8], f32>

// PARTLY-NOT: warning
// PARTLY: [[#@LINE+10]]:8: warning: uses what nothing has given a value: operand #1 at (0,)
// PARTLY: warning: nothing has given a value to 4 of the 8 elements of result 0
// PARTLY-NOT: warning
// CHECKED: {{[0-9]+}}:8: warning: uses what nothing has given a value
// CHECKED-COUNT-1: warning: nothing has given a value
// CHECKED-NOT: warning
// CHECKED: passes, no number changed
pl.func @partly(%x: !t, %h: !pl.tensor<[4], f32>) -> !t {
  %t = pl.create : !t
  %u = pl.assemble %h, %t[2] : !pl.tensor<[4], f32>, !t
  %s = pl.add %x, %u : !t, !t
  %v = pl.mul %s, %s : !t, !t
  pl.return %v : !t
}

// MOVED-NOT: warning
// MOVED: result 0:
pl.func @moved(%h: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  %t = pl.create : !t
  %u = pl.assemble %h, %t[2] : !pl.tensor<[4], f32>, !t
  %a = tile.load %u[0] : !t -> !tile.tile<[8], f32>
  %b = tile.slice %a[2] : !tile.tile<[8], f32> -> !tile.tile<[4], f32>
  %y = pl.create : !pl.tensor<[4], f32>
  %r = tile.store %b, %y[0] : !tile.tile<[4], f32>, !pl.tensor<[4], f32>
  pl.return %r : !pl.tensor<[4], f32>
}

// Outside of the valid extents nothing has a value.
pl.func @outside(%x: !t) -> f32 {
  %n = arith.constant 3 : index
  %a = tile.load %x[0] valid(%n) : !t -> !tile.tile<[8], f32, valid = [?]>
  // OUTSIDE: [[#@LINE+1]]:8: warning: uses what nothing has given a value: operand #0 at (5,)
  %r = tile.read %a[5] : !tile.tile<[8], f32, valid = [?]>
  pl.return %r : f32
}

// SELECTED-NOT: warning
// SELECTED: result 0:
pl.func @selected(%x: !t) -> !t {
  %c = arith.constant true
  %m = pl.full %c : i1, !pl.tensor<[8], i1>
  %t = pl.create : !t
  %r = pl.sel %m, %x, %t : !pl.tensor<[8], i1>, !t, !t
  pl.return %r : !t
}

// FILLED-NOT: warning
// FILLED: result 0: float32 0
pl.func @filled(%x: !t) -> f32 {
  %n = arith.constant 3 : index
  %a = tile.load %x[0] valid(%n) : !t -> !tile.tile<[8], f32, valid = [?]>
  %b = tile.fillpad zero %a : !tile.tile<[8], f32, valid = [?]>
  %r = tile.read %b[5] : !tile.tile<[8], f32>
  pl.return %r : f32
}

pl.func @decides(%x: !pl.tensor<[2], f32>, %y: !pl.tensor<[2], f32>) -> !pl.tensor<[2], f32> {
  %t = ub.poison : i1
  // DECIDES: [[#@LINE+1]]:8: warning: uses what nothing has given a value: a number
  %r = scf.if %t -> !pl.tensor<[2], f32> {
    scf.yield %x : !pl.tensor<[2], f32>
  } else {
    scf.yield %y : !pl.tensor<[2], f32>
  }
  pl.return %r : !pl.tensor<[2], f32>
}

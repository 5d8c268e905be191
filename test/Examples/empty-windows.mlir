// RUN: %python %S/run_example.py pypto-run %s %t

// Windows without elements, behind the last row and in views without rows, whose numbers are constants or become so by
// folding: nothing is read or written there. And rows of such a view in code that is not reached.
// NUMPY: cases = [dict()]
// NUMPY: def inputs(rng): return [rng.integers(-9, 9, (4, 3)).astype("i4"), rng.integers(-9, 9, (4, 3)).astype("i4")]
// NUMPY: def reference(x, y): return y

!s = !pl.tensor<[4, 3], i32>
pl.func incore @copy(%x: !pl.tensor<[?, 3], i32>, %at: index, %n: index, inout %y: !s) -> !s {
  %t = tile.load %x[%at, 0] valid(%n) : !pl.tensor<[?, 3], i32> -> !tile.tile<[4, 3], i32, valid = [?, 3]>
  %r = tile.store %t, %y[0, 0] : !tile.tile<[4, 3], i32, valid = [?, 3]>, !s
  pl.return %r : !s
}
// Views without rows.
pl.func incore @none(%x: !pl.tensor<[?, 3], i32>, inout %y: !pl.tensor<[?, 3], i32>, %at: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = pl.dim %x, 0 : !pl.tensor<[?, 3], i32>
  %valid = arith.minsi %rows, %n : index
  %t = tile.load %x[%at, 0] valid(%valid) : !pl.tensor<[?, 3], i32> -> !tile.tile<[4, 3], i32, valid = [?, 3]>
  %sum = tile.add %t, %t : !tile.tile<[4, 3], i32, valid = [?, 3]>
  %r = tile.store %sum, %y[%at, 0] : !tile.tile<[4, 3], i32, valid = [?, 3]>, !pl.tensor<[?, 3], i32>
  scf.for %i = %c0 to %rows step %c1 {
    %row = tile.load %x[%i, 0] : !pl.tensor<[?, 3], i32> -> !tile.tile<[1, 3], i32>
    %first = tile.load %x[0, 0] : !pl.tensor<[?, 3], i32> -> !tile.tile<[1, 3], i32>
    %both = tile.add %row, %first : !tile.tile<[1, 3], i32>
    %q = tile.store %both, %y[0, 0] : !tile.tile<[1, 3], i32>, !pl.tensor<[?, 3], i32>
  }
  %has = arith.cmpi sgt, %rows, %c0 : index
  scf.if %has {
    %first = tile.load %x[0, 0] : !pl.tensor<[?, 3], i32> -> !tile.tile<[1, 3], i32>
    %q = tile.store %first, %y[0, 0] : !tile.tile<[1, 3], i32>, !pl.tensor<[?, 3], i32>
  }
  pl.return
}
pl.func @main(%x: !s, inout %y: !s) -> !s {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %v = pl.slice %x[2, 0] sizes(%c1) : !s -> !pl.tensor<[?, 3], i32>
  %t = tile.load %v[%c1, 0] valid(%c0) : !pl.tensor<[?, 3], i32> -> !tile.tile<[4, 3], i32, valid = [?, 3]>
  %q = tile.store %t, %y[0, 0] : !tile.tile<[4, 3], i32, valid = [?, 3]>, !s
  %r = pl.call @copy(%v, %c1, %c0, %q) : (!pl.tensor<[?, 3], i32>, index, index, !s) -> !s
  %none = pl.slice %x[4, 0] sizes(%c0) : !s -> !pl.tensor<[?, 3], i32>
  %end = pl.slice %r[%c4, 0] sizes(%c0) : !s -> !pl.tensor<[?, 3], i32>
  pl.call @none(%none, %end, %c0, %c1) : (!pl.tensor<[?, 3], i32>, !pl.tensor<[?, 3], i32>, index, index) -> ()
  %fresh = pl.full %zero (%c0) : i32, !pl.tensor<[?, 3], i32>
  pl.call @none(%fresh, %fresh, %c0, %c1) : (!pl.tensor<[?, 3], i32>, !pl.tensor<[?, 3], i32>, index, index) -> ()
  pl.call @copied(%fresh, %end, %c0) : (!pl.tensor<[?, 3], i32>, !pl.tensor<[?, 3], i32>, index) -> ()
  pl.return %r : !s
}
// The same, where nothing calls a function of its own.
pl.func inline @copied(%x: !pl.tensor<[?, 3], i32>, inout %y: !pl.tensor<[?, 3], i32>, %at: index) {
  pl.at core_group {
    %t = tile.load %x[%at, 0] valid(%at) : !pl.tensor<[?, 3], i32> -> !tile.tile<[4, 3], i32, valid = [?, 3]>
    %r = tile.store %t, %y[%at, 0] : !tile.tile<[4, 3], i32, valid = [?, 3]>, !pl.tensor<[?, 3], i32>
    %a = tile.store %t, %y[%at, 0] atomic : !tile.tile<[4, 3], i32, valid = [?, 3]>, !pl.tensor<[?, 3], i32>
  }
  pl.return
}

// RUN: %python %S/run_example.py pypto-run %s %t

// Windows without elements behind the last row, of sizes that only folding makes constant: nothing is read or written there.
// NUMPY: cases = [dict()]
// NUMPY: def inputs(rng): return [rng.integers(-9, 9, (4, 3)).astype("i4"), rng.integers(-9, 9, (4, 3)).astype("i4")]
// NUMPY: def reference(x, y): return y

!s = !pl.tensor<[4, 3], i32>
pl.func incore @copy(%x: !pl.tensor<[?, 3], i32>, %at: index, %n: index, inout %y: !s) -> !s {
  %t = tile.load %x[%at, 0] valid(%n) : !pl.tensor<[?, 3], i32> -> !tile.tile<[4, 3], i32, valid = [?, 3]>
  %r = tile.store %t, %y[0, 0] : !tile.tile<[4, 3], i32, valid = [?, 3]>, !s
  pl.return %r : !s
}
pl.func @main(%x: !s, inout %y: !s) -> !s {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = pl.slice %x[2, 0] sizes(%c1) : !s -> !pl.tensor<[?, 3], i32>
  %t = tile.load %v[%c1, 0] valid(%c0) : !pl.tensor<[?, 3], i32> -> !tile.tile<[4, 3], i32, valid = [?, 3]>
  %q = tile.store %t, %y[0, 0] : !tile.tile<[4, 3], i32, valid = [?, 3]>, !s
  %r = pl.call @copy(%v, %c1, %c0, %q) : (!pl.tensor<[?, 3], i32>, index, index, !s) -> !s
  pl.return %r : !s
}

// RUN: %python %S/run_example.py pypto-run %s %t

// A shift of overlapping windows whose computation folds away once its numbers are constants: it still reads all before
// it writes.
// NUMPY: cases = [dict()]
// NUMPY: def inputs(rng): return [rng.integers(-9, 9, (2, 7)).astype("i4")]
// NUMPY: def reference(x):
// NUMPY:     y = x.copy()
// NUMPY:     y[:, 1:] = x[:, :6]
// NUMPY:     return y

!t = !pl.tensor<[2, 7], i32>
pl.func incore @shift(inout %x: !t, %row: index) -> !t {
  %c5 = arith.constant 5 : index
  %zero = arith.remui %c5, %c5 : index
  %number = arith.index_cast %zero : index to i32
  %t0 = tile.load %x[%row, %zero] : !t -> !tile.tile<[1, 6], i32>
  %t1 = tile.add %t0, %number : !tile.tile<[1, 6], i32>, i32
  %r = tile.store %t1, %x[%row, 1] : !tile.tile<[1, 6], i32>, !t
  pl.return %r : !t
}
pl.func @main(inout %x: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pl.call @shift(%x, %c0) : (!t, index) -> !t
  %b = pl.call @shift(%a, %c1) : (!t, index) -> !t
  pl.return %b : !t
}

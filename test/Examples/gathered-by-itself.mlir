// RUN: %python %S/run_example.py pypto-run %s %t

// Elements by index, where indices and elements are the same computed tile: cheap to compute again, and not; and where
// the indices are computed from the elements row by row.
// NUMPY: def inputs(rng): return [rng.integers(0, 4, (4, 4)).astype("i4"), np.zeros((4, 4), "i4")]
// NUMPY: def reference(x, y):
// NUMPY:   a = x ^ 1
// NUMPY:   b = np.minimum((a ^ 2) * 3, 3)
// NUMPY:   c = x + 5
// NUMPY:   i = (c + c.max(1, keepdims=True)) & 3
// NUMPY:   return np.take_along_axis(a, a, 0) + np.take_along_axis(b, b, 1) + np.take_along_axis(c, i, 0)

!t = !tile.tile<[4, 4], i32>
pl.func incore @main(%x: !pl.tensor<[4, 4], i32>, inout %y: !pl.tensor<[4, 4], i32>) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %0 = tile.load %x[0, 0] : !pl.tensor<[4, 4], i32> -> !t
  %a = tile.xor %0, %c1 : !t, i32
  %ga = tile.gather %a, %a dim 0 : !t, !t
  %1 = tile.xor %a, %c2 : !t, i32
  %2 = tile.mul %1, %c3 : !t, i32
  %b = tile.minimum %2, %c3 : !t, i32
  %gb = tile.gather %b, %b dim 1 : !t, !t
  %c5 = arith.constant 5 : i32
  %c = tile.add %0, %c5 : !t, i32
  %m = tile.row_max %c : !t
  %more = tile.row_expand_add %c, %m : !t, !tile.tile<[4, 1], i32>
  %i = tile.and %more, %c3 : !t, i32
  %gc = tile.gather %c, %i dim 0 : !t, !t
  %sum = tile.add %ga, %gb : !t
  %all = tile.add %sum, %gc : !t
  %r = tile.store %all, %y[0, 0] : !t, !pl.tensor<[4, 4], i32>
  pl.return
}

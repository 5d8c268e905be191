// RUN: %python %S/run_example.py pypto-run %s %t

// Runs of 32 sorted with their indices, the greatest first, a NaN before all, and merged four at a time.
// NUMPY: def inputs(rng):
// NUMPY:     x = rng.integers(-20, 20, (3, 128)).astype("f4")
// NUMPY:     x[1, 70] = np.nan
// NUMPY:     return [x]
// NUMPY: def order(x): return np.argsort(np.where(np.isnan(x), -np.inf, -x), axis=-1, kind="stable").astype("i4")
// NUMPY: def reference(x):
// NUMPY:     runs = x.reshape(3, 4, 32)
// NUMPY:     i = (order(runs) + 32 * np.arange(4, dtype="i4")[:, None]).reshape(3, 128)
// NUMPY:     v = np.take_along_axis(x, i, 1)
// NUMPY:     j = order(v)
// NUMPY:     return v, i, np.take_along_axis(v, j, 1), np.take_along_axis(i, j, 1)

!v = !pl.tensor<[3, 128], f32>
!i = !pl.tensor<[3, 128], i32>
pl.func @main(%x: !v) -> (!v, !i, !v, !i) {
  %v, %i = pl.sort32 %x : !v
  %mv, %mi = pl.mrgsort %v, %i run 32 : !v, !i
  pl.return %v, %i, %mv, %mi : !v, !i, !v, !i
}

// RUN: %python %S/run_example.py pypto-run %s %t

// Extents that broadcast from the right, a scalar operand, comparisons with NaN.
// NUMPY: cases = [dict(N=7, M=5), dict(N=1, M=1), dict(N=0, M=2), dict(N=4, M=0)]
// NUMPY: def inputs(rng, N, M):
// NUMPY:     a = rng.standard_normal((N, M), dtype="f4")
// NUMPY:     a[:1, :1] = np.nan
// NUMPY:     return [a, rng.standard_normal((N, 1), dtype="f4"), rng.standard_normal(M, dtype="f4"), 0.25]
// NUMPY: def reference(a, column, row, k): return a + column, a * row, column - row, a - np.float32(k), a < column, a != a, a >= np.float32(k)

!mat = !pl.tensor<[N, M], f32>
!bits = !pl.tensor<[N, M], i1>
pl.func @main(%a: !mat, %column: !pl.tensor<[N, 1], f32>, %row: !pl.tensor<[M], f32>, %k: f32)
    -> (!mat, !mat, !mat, !mat, !bits, !bits, !bits) {
  %0 = pl.add %a, %column : !mat, !pl.tensor<[N, 1], f32>
  %1 = pl.mul %a, %row : !mat, !pl.tensor<[M], f32>
  %2 = pl.sub %column, %row : !pl.tensor<[N, 1], f32>, !pl.tensor<[M], f32>
  %3 = pl.sub %a, %k : !mat, f32
  %4 = pl.cmp lt %a, %column : !mat, !pl.tensor<[N, 1], f32>
  %5 = pl.cmp ne %a, %a : !mat, !mat
  %6 = pl.cmp ge %a, %k : !mat, f32
  pl.return %0, %1, %2, %3, %4, %5, %6 : !mat, !mat, !mat, !mat, !bits, !bits, !bits
}

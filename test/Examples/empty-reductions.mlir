// RUN: %python %S/run_example.py pypto-run %s %t

// Reductions of nothing: the neutral element of each.
// NUMPY: def inputs(rng): return [np.zeros((3, 0), "f4"), np.zeros((3, 0), "i8")]
// NUMPY: def reference(x, k):
// NUMPY:     one = lambda v, t: np.full((3, 1), v, t)
// NUMPY:     return one(0, "f4"), one(1, "f4"), one(-np.inf, "f4"), one(np.inf, "f4"), one(0, "i4"), one(-2 ** 63, "i8"), one(2 ** 63 - 1, "i8")

!col = !pl.tensor<[3, 1], f32>
!int = !pl.tensor<[3, 1], i64>
pl.func @main(%x: !pl.tensor<[3, N], f32>, %k: !pl.tensor<[3, N], i64>) -> (!col, !col, !col, !col, !pl.tensor<[3, 1], i32>, !int, !int) {
  %0 = pl.row_sum %x : !pl.tensor<[3, N], f32>
  %1 = pl.row_prod %x : !pl.tensor<[3, N], f32>
  %2 = pl.row_max %x : !pl.tensor<[3, N], f32>
  %3 = pl.row_min %x : !pl.tensor<[3, N], f32>
  %4 = pl.row_argmax %x : !pl.tensor<[3, N], f32>
  %5 = pl.row_max %k : !pl.tensor<[3, N], i64>
  %6 = pl.row_min %k : !pl.tensor<[3, N], i64>
  pl.return %0, %1, %2, %3, %4, %5, %6 : !col, !col, !col, !col, !pl.tensor<[3, 1], i32>, !int, !int
}

// RUN: %python %S/run_example.py pypto-run %s %t

// Reductions of rows and of columns, and rows and columns applied to a whole matrix, with NaN and with a tie.
// NUMPY: cases = [dict(M=7, N=13), dict(M=1, N=1), dict(M=37, N=2)]
// NUMPY: rtol, atol = 1e-5, 1e-5
// NUMPY: def inputs(rng, M, N):
// NUMPY:     x = rng.standard_normal((M, N), dtype="f4")
// NUMPY:     x[-1, -1] = x[0, 0]
// NUMPY:     if M > 3: x[3, 0] = np.nan
// NUMPY:     return [x, rng.standard_normal((M, 1), dtype="f4"), rng.standard_normal((1, N), dtype="f4")]
// NUMPY: def reference(x, row, col):
// NUMPY:     return (np.sum(x, 1, keepdims=True), np.prod(x, 1, keepdims=True), np.max(x, 1, keepdims=True),
// NUMPY:             np.min(x, 1, keepdims=True), np.argmax(x, 1, keepdims=True).astype('i4'), np.argmin(x, 1, keepdims=True).astype('i4'),
// NUMPY:             np.sum(x, 0, keepdims=True), np.prod(x, 0, keepdims=True), np.max(x, 0, keepdims=True),
// NUMPY:             np.min(x, 0, keepdims=True), np.argmax(x, 0, keepdims=True).astype('i4'), np.argmin(x, 0, keepdims=True).astype('i4'),
// NUMPY:             x + row, x - row, x * row,
// NUMPY:             x / row, np.maximum(x, row), np.minimum(x, row),
// NUMPY:             np.exp(x - row), x + col, x - col,
// NUMPY:             x * col, x / col, np.maximum(x, col),
// NUMPY:             np.minimum(x, col), np.exp(x - col))

!mat = !pl.tensor<[M, N], f32>
pl.func @main(%x: !mat, %row: !pl.tensor<[M, 1], f32>, %col: !pl.tensor<[1, N], f32>)
    -> (!pl.tensor<[M, 1], f32>, !pl.tensor<[M, 1], f32>, !pl.tensor<[M, 1], f32>, !pl.tensor<[M, 1], f32>,
        !pl.tensor<[M, 1], i32>, !pl.tensor<[M, 1], i32>, !pl.tensor<[1, N], f32>, !pl.tensor<[1, N], f32>,
        !pl.tensor<[1, N], f32>, !pl.tensor<[1, N], f32>, !pl.tensor<[1, N], i32>, !pl.tensor<[1, N], i32>,
        !mat, !mat, !mat, !mat,
        !mat, !mat, !mat, !mat,
        !mat, !mat, !mat, !mat,
        !mat, !mat) {
  %row_sum = pl.row_sum %x : !mat
  %row_prod = pl.row_prod %x : !mat
  %row_max = pl.row_max %x : !mat
  %row_min = pl.row_min %x : !mat
  %row_argmax = pl.row_argmax %x : !mat
  %row_argmin = pl.row_argmin %x : !mat
  %col_sum = pl.col_sum %x : !mat
  %col_prod = pl.col_prod %x : !mat
  %col_max = pl.col_max %x : !mat
  %col_min = pl.col_min %x : !mat
  %col_argmax = pl.col_argmax %x : !mat
  %col_argmin = pl.col_argmin %x : !mat
  %row_expand_add = pl.row_expand_add %x, %row : !mat, !pl.tensor<[M, 1], f32>
  %row_expand_sub = pl.row_expand_sub %x, %row : !mat, !pl.tensor<[M, 1], f32>
  %row_expand_mul = pl.row_expand_mul %x, %row : !mat, !pl.tensor<[M, 1], f32>
  %row_expand_div = pl.row_expand_div %x, %row : !mat, !pl.tensor<[M, 1], f32>
  %row_expand_max = pl.row_expand_max %x, %row : !mat, !pl.tensor<[M, 1], f32>
  %row_expand_min = pl.row_expand_min %x, %row : !mat, !pl.tensor<[M, 1], f32>
  %row_expand_expdif = pl.row_expand_expdif %x, %row : !mat, !pl.tensor<[M, 1], f32>
  %col_expand_add = pl.col_expand_add %x, %col : !mat, !pl.tensor<[1, N], f32>
  %col_expand_sub = pl.col_expand_sub %x, %col : !mat, !pl.tensor<[1, N], f32>
  %col_expand_mul = pl.col_expand_mul %x, %col : !mat, !pl.tensor<[1, N], f32>
  %col_expand_div = pl.col_expand_div %x, %col : !mat, !pl.tensor<[1, N], f32>
  %col_expand_max = pl.col_expand_max %x, %col : !mat, !pl.tensor<[1, N], f32>
  %col_expand_min = pl.col_expand_min %x, %col : !mat, !pl.tensor<[1, N], f32>
  %col_expand_expdif = pl.col_expand_expdif %x, %col : !mat, !pl.tensor<[1, N], f32>
  pl.return %row_sum, %row_prod, %row_max, %row_min, %row_argmax, %row_argmin, %col_sum, %col_prod, %col_max, %col_min, %col_argmax, %col_argmin, %row_expand_add, %row_expand_sub, %row_expand_mul, %row_expand_div, %row_expand_max, %row_expand_min, %row_expand_expdif, %col_expand_add, %col_expand_sub, %col_expand_mul, %col_expand_div, %col_expand_max, %col_expand_min, %col_expand_expdif
      : !pl.tensor<[M, 1], f32>, !pl.tensor<[M, 1], f32>, !pl.tensor<[M, 1], f32>, !pl.tensor<[M, 1], f32>,
        !pl.tensor<[M, 1], i32>, !pl.tensor<[M, 1], i32>, !pl.tensor<[1, N], f32>, !pl.tensor<[1, N], f32>,
        !pl.tensor<[1, N], f32>, !pl.tensor<[1, N], f32>, !pl.tensor<[1, N], i32>, !pl.tensor<[1, N], i32>,
        !mat, !mat, !mat, !mat,
        !mat, !mat, !mat, !mat,
        !mat, !mat, !mat, !mat,
        !mat, !mat
}

// RUN: %python %S/run_example.py pypto-run %s %t

// Reductions of what is computed of one number: no operand is left that has the columns.
// NUMPY: def inputs(rng): return [2.5, np.zeros((4, 1), "f4"), np.zeros((1, 6), "f4")]
// NUMPY: def reference(s, rows, columns): return rows + np.float32(7 * 1.5), columns + np.float32(2.5)

!t = !tile.tile<[4, 6], f32>
pl.func incore @main(%s: f32, inout %rows: !pl.tensor<[4, 1], f32>, inout %columns: !pl.tensor<[1, 6], f32>) {
  %limit = arith.constant 1.5 : f32
  %a = tile.full %s : f32, !t
  %b = tile.minimum %a, %limit : !t, f32
  %c = tile.row_sum %b : !t
  %d = tile.row_expand_add %b, %c : !t, !tile.tile<[4, 1], f32>
  %f = tile.row_max %d : !t
  %g = tile.col_max %a : !t
  %0 = tile.store %f, %rows[0, 0] : !tile.tile<[4, 1], f32>, !pl.tensor<[4, 1], f32>
  %1 = tile.store %g, %columns[0, 0] : !tile.tile<[1, 6], f32>, !pl.tensor<[1, 6], f32>
  pl.return
}

// RUN: pypto-run %s --entry=main --random=1 --check-orders

// The row of the function and the rows of its loop have one type: threads do not share a buffer for them.

!rows = !tile.tile<[4096, 256], f32>
!column = !tile.tile<[4096, 1], f32>
!row = !tile.tile<[1, 256], f32>
pl.func incore @main(%x: !pl.tensor<[4096, 256], f32>, %g: !pl.tensor<[1, 256], f32>, inout %y: !pl.tensor<[4096, 256], f32>, inout %h: !pl.tensor<[1, 256], f32>) {
  %t = tile.load %x[0, 0] : !pl.tensor<[4096, 256], f32> -> !rows
  %g0 = tile.load %g[0, 0] : !pl.tensor<[1, 256], f32> -> !row
  %g1 = tile.add %g0, %g0 : !row, !row
  %m = tile.col_sum %t : !rows
  %g2 = tile.add %g1, %m : !row, !row
  %max = tile.row_max %t : !rows
  %e = tile.row_expand_expdif %t, %max : !rows, !column
  %sum = tile.row_sum %e : !rows
  %s = tile.row_expand_div %e, %sum : !rows, !column
  %v = tile.col_expand_mul %s, %g2 : !rows, !row
  %0 = tile.store %v, %y[0, 0] : !rows, !pl.tensor<[4096, 256], f32>
  %1 = tile.store %g2, %h[0, 0] : !row, !pl.tensor<[1, 256], f32>
  pl.return
}

// Layer norm of each row, with a scale and an offset for each column.
!x = !pl.tensor<[4096, 4096], f32>
!y = !pl.tensor<[4096, 4096], f32>
!rows = !tile.tile<[16, 4096], f32>
!column = !tile.tile<[16, 1], f32>
!v = !pl.tensor<[1, 4096], f32>
!row = !tile.tile<[1, 4096], f32>

pl.func private incore @block(%x: !x, %g: !v, %b: !v, %i: index, inout %y: !y) {
  %t = tile.load %x[%i, 0] : !x -> !rows
  %n = arith.constant 4096.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %sum = tile.row_sum %t : !rows
  %mean = tile.div %sum, %n : !column, f32
  %d = tile.row_expand_sub %t, %mean : !rows, !column
  %d2 = tile.mul %d, %d : !rows
  %squares = tile.row_sum %d2 : !rows
  %variance = tile.div %squares, %n : !column, f32
  %v = tile.add %variance, %eps : !column, f32
  %scale = tile.rsqrt %v : !column
  %s = tile.row_expand_mul %d, %scale : !rows, !column
  %tg = tile.load %g[0, 0] : !v -> !row
  %tb = tile.load %b[0, 0] : !v -> !row
  %sg = tile.col_expand_mul %s, %tg : !rows, !row
  %r = tile.col_expand_add %sg, %tb : !rows, !row
  %stored = tile.store %r, %y[%i, 0] : !rows, !y
  pl.return
}
pl.func orchestration @main(%x: !x, %g: !v, %b: !v, out %y: !y) attributes {pl.noalias} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c16 {
    pl.call @block(%x, %g, %b, %i, %y) : (!x, !v, !v, index, !y) -> ()
  }
  pl.return
}

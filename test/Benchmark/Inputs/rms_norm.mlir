// RMS norm of each row, with a scale for each column.
!x = !pl.tensor<[4096, 4096], f32>
!y = !pl.tensor<[4096, 4096], f32>
!rows = !tile.tile<[16, 4096], f32>
!column = !tile.tile<[16, 1], f32>
!v = !pl.tensor<[1, 4096], f32>
!row = !tile.tile<[1, 4096], f32>

pl.func private incore @block(%x: !x, %g: !v, %i: index, inout %y: !y) {
  %t = tile.load %x[%i, 0] : !x -> !rows
  %n = arith.constant 4096.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %squares = tile.mul %t, %t : !rows
  %sum = tile.row_sum %squares : !rows
  %mean = tile.div %sum, %n : !column, f32
  %v = tile.add %mean, %eps : !column, f32
  %scale = tile.rsqrt %v : !column
  %s = tile.row_expand_mul %t, %scale : !rows, !column
  %tg = tile.load %g[0, 0] : !v -> !row
  %r = tile.col_expand_mul %s, %tg : !rows, !row
  %stored = tile.store %r, %y[%i, 0] : !rows, !y
  pl.return
}
pl.func orchestration @main(%x: !x, %g: !v, out %y: !y) attributes {pl.noalias} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c16 {
    pl.call @block(%x, %g, %i, %y) : (!x, !v, index, !y) -> ()
  }
  pl.return
}

// The sum of each row.
!x = !pl.tensor<[4096, 4096], f32>
!y = !pl.tensor<[4096, 1], f32>
!rows = !tile.tile<[16, 4096], f32>
!column = !tile.tile<[16, 1], f32>

pl.func private incore @block(%x: !x, %i: index, inout %y: !y) {
  %t = tile.load %x[%i, 0] : !x -> !rows
  %r = tile.row_sum %t : !rows
  %stored = tile.store %r, %y[%i, 0] : !column, !y
  pl.return
}
pl.func orchestration @main(%x: !x, out %y: !y) attributes {pl.noalias} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c16 {
    pl.call @block(%x, %i, %y) : (!x, index, !y) -> ()
  }
  pl.return
}

// x + w^T by blocks of 64 x 64.
!x = !pl.tensor<[4096, 4096], f32>
!block = !tile.tile<[64, 64], f32>

pl.func private incore @block(%x: !x, %w: !x, %i: index, %j: index, inout %y: !x) {
  %a = tile.load %x[%i, %j] : !x -> !block
  %b = tile.load %w[%j, %i] : !x -> !block
  %bt = tile.transpose %b, 0, 1 : !block
  %r = tile.add %a, %bt : !block
  %stored = tile.store %r, %y[%i, %j] : !block, !x
  pl.return
}
pl.func orchestration @main(%x: !x, %w: !x, out %y: !x) attributes {pl.noalias} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c64 {
    scf.for %j = %c0 to %c4096 step %c64 {
      pl.call @block(%x, %w, %i, %j, %y) : (!x, !x, index, index, !x) -> ()
    }
  }
  pl.return
}

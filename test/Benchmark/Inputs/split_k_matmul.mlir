// A product whose inner dimension is split in four: each part is written, and a second kernel adds them.
!x = !pl.tensor<[512, 4096], f32>
!w = !pl.tensor<[4096, 512], f32>
!y = !pl.tensor<[512, 512], f32>
!partials = !pl.tensor<[4, 512, 512], f32>
!block = !tile.tile<[64, 128], f32>

pl.func private incore @partial(%x: !x, %w: !w, %part: index, %i: index, %j: index, inout %partials: !partials) {
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %begin = arith.muli %part, %c1024 : index
  %end = arith.addi %begin, %c1024 : index
  %none = tile.full %zero : f32, !block
  %sums = scf.for %p = %begin to %end step %c128 iter_args(%acc = %none) -> (!block) {
    %tx = tile.load %x[%i, %p] : !x -> !tile.tile<[64, 128], f32>
    %tw = tile.load %w[%p, %j] : !w -> !tile.tile<[128, 128], f32>
    %next = tile.matmul_acc %acc, %tx, %tw : !block, !tile.tile<[64, 128], f32>, !tile.tile<[128, 128], f32>
    scf.yield %next : !block
  }
  %stored = tile.store %sums, %partials[%part, %i, %j] : !block, !partials
  pl.return
}
pl.func private incore @reduce(%partials: !partials, %i: index, %j: index, inout %y: !y) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %first = tile.load %partials[%c0, %i, %j] : !partials -> !block
  %sum = scf.for %p = %c1 to %c4 step %c1 iter_args(%acc = %first) -> (!block) {
    %t = tile.load %partials[%p, %i, %j] : !partials -> !block
    %next = tile.add %acc, %t : !block
    scf.yield %next : !block
  }
  %stored = tile.store %sum, %y[%i, %j] : !block, !y
  pl.return
}
pl.func orchestration @main(%x: !x, %w: !w, out %y: !y) attributes {pl.noalias} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %partials = pl.create : !partials
  scf.for %part = %c0 to %c4 step %c1 {
    scf.for %i = %c0 to %c512 step %c64 {
      scf.for %j = %c0 to %c512 step %c128 {
        pl.call @partial(%x, %w, %part, %i, %j, %partials) : (!x, !w, index, index, index, !partials) -> ()
      }
    }
  }
  scf.for %i = %c0 to %c512 step %c64 {
    scf.for %j = %c0 to %c512 step %c128 {
      pl.call @reduce(%partials, %i, %j, %y) : (!partials, index, index, !y) -> ()
    }
  }
  pl.return
}

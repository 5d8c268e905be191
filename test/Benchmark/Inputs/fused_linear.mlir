// A linear layer with its bias and its activation in one kernel: y = gelu(x w + b), blocks of 64 x 128. The sums stay in a
// tile while the inner dimension is walked in steps of 128.
!x = !pl.tensor<[1024, 1024], f32>
!w = !pl.tensor<[1024, 1024], f32>
!b = !pl.tensor<[1, 1024], f32>
!y = !pl.tensor<[1024, 1024], f32>
!block = !tile.tile<[64, 128], f32>

pl.func inline @gelu(%h: !block) -> !block {
  %slope = arith.constant -1.702 : f32
  %one = arith.constant 1.0 : f32
  %0 = tile.mul %h, %slope : !block, f32
  %1 = tile.exp %0 : !block
  %2 = tile.add %1, %one : !block, f32
  %3 = tile.div %h, %2 : !block
  pl.return %3 : !block
}
pl.func private incore @linear(%x: !x, %w: !w, %b: !b, %i: index, %j: index, inout %y: !y) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %none = tile.full %zero : f32, !block
  %sums = scf.for %p = %c0 to %c1024 step %c128 iter_args(%acc = %none) -> (!block) {
    %tx = tile.load %x[%i, %p] : !x -> !tile.tile<[64, 128], f32>
    %tw = tile.load %w[%p, %j] : !w -> !tile.tile<[128, 128], f32>
    %next = tile.matmul_acc %acc, %tx, %tw : !block, !tile.tile<[64, 128], f32>, !tile.tile<[128, 128], f32>
    scf.yield %next : !block
  }
  %tb = tile.load %b[0, %j] : !b -> !tile.tile<[1, 128], f32>
  %h = tile.col_expand_add %sums, %tb : !block, !tile.tile<[1, 128], f32>
  %a = pl.call @gelu(%h) : (!block) -> !block
  %stored = tile.store %a, %y[%i, %j] : !block, !y
  pl.return
}
pl.func orchestration @main(%x: !x, %w: !w, %b: !b, out %y: !y) attributes {pl.noalias} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c64 {
    scf.for %j = %c0 to %c1024 step %c128 {
      pl.call @linear(%x, %w, %b, %i, %j, %y) : (!x, !w, !b, index, index, !y) -> ()
    }
  }
  pl.return
}

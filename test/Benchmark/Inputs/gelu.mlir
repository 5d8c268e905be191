// gelu(a * x + b) in the form with tanh, which is z / (1 + exp(-2 u)).
!x = !pl.tensor<[4096, 4096], f32>
!y = !pl.tensor<[4096, 4096], f32>
!rows = !tile.tile<[16, 4096], f32>
!column = !tile.tile<[16, 1], f32>

pl.func private incore @block(%x: !x, %a: f32, %b: f32, %i: index, inout %y: !y) {
  %t = tile.load %x[%i, 0] : !x -> !rows
  %half = arith.constant 0.044715 : f32
  %slope = arith.constant -1.5957691216 : f32
  %one = arith.constant 1.0 : f32
  %ax = tile.mul %t, %a : !rows, f32
  %z = tile.add %ax, %b : !rows, f32
  %z2 = tile.mul %z, %z : !rows
  %c = tile.mul %z2, %half : !rows, f32
  %c1 = tile.add %c, %one : !rows, f32
  %zc = tile.mul %z, %c1 : !rows
  %u = tile.mul %zc, %slope : !rows, f32
  %e = tile.exp %u : !rows
  %d = tile.add %e, %one : !rows, f32
  %r = tile.div %z, %d : !rows
  %stored = tile.store %r, %y[%i, 0] : !rows, !y
  pl.return
}
pl.func orchestration @main(%x: !x, %a: f32, %b: f32, out %y: !y) attributes {pl.noalias} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c16 {
    pl.call @block(%x, %a, %b, %i, %y) : (!x, f32, f32, index, !y) -> ()
  }
  pl.return
}

// h = a * h + x[t], a row at a time; every h is stored.
!x = !pl.tensor<[4096, 4096], f32>
!row = !tile.tile<[1, 4096], f32>

pl.func private incore @scan(%x: !x, %a: f32, inout %y: !x) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f32
  %first = tile.full %zero : f32, !row
  %last = scf.for %i = %c0 to %c4096 step %c1 iter_args(%h = %first) -> (!row) {
    %t = tile.load %x[%i, 0] : !x -> !row
    %decayed = tile.mul %h, %a : !row, f32
    %next = tile.add %decayed, %t : !row
    %stored = tile.store %next, %y[%i, 0] : !row, !x
    scf.yield %next : !row
  }
  pl.return
}
pl.func orchestration @main(%x: !x, %a: f32, out %y: !x) attributes {pl.noalias} {
  pl.call @scan(%x, %a, %y) : (!x, f32, !x) -> ()
  pl.return
}

// RUN: %python %S/run_example.py pypto-run %s %t

// Blocks that write rows of their own run at the same time; blocks that add to one row do so in order: the last bits are
// the same each time. Launches by a scope, by a submit, and by a kernel for another.
// NUMPY: cases = [dict(n=16), dict(n=1), dict(n=0)]
// NUMPY: def inputs(rng, n): return [rng.standard_normal((16, 128), dtype="f4"), n]
// NUMPY: def reference(x, n):
// NUMPY:   y, z, s = np.zeros_like(x), np.zeros_like(x), np.zeros((1, 128), "f4")
// NUMPY:   for i in range(n): y[i] = np.exp(x[i])
// NUMPY:   for i in range(n): s[0] = s[0] + y[i]
// NUMPY:   for i in range(n): z[i] = np.exp(y[i])
// NUMPY:   return y, z, s

!t = !pl.tensor<[16, 128], f32>
!r = !pl.tensor<[1, 128], f32>
!tile = !tile.tile<[1, 128], f32>
pl.func aiv @exp(%x: !t, inout %y: !t) -> !t {
  %i = tile.get_block_idx
  %0 = tile.load %x[%i, 0] : !t -> !tile
  %1 = tile.exp %0 : !tile
  %2 = tile.store %1, %y[%i, 0] : !tile, !t
  pl.return %2 : !t
}
pl.func aiv @sum(%x: !t, inout %s: !r) -> !r {
  %i = tile.get_block_idx
  %0 = tile.load %x[%i, 0] : !t -> !tile
  %1 = tile.store %0, %s[0, 0] atomic : !tile, !r
  pl.return %1 : !r
}
pl.func spmd @wrapper(%x: !t, inout %y: !t) -> !t {
  %0 = pl.call @exp(%x, %y) : (!t, !t) -> !t
  pl.return %0 : !t
}
pl.func orchestration @main(%x: !t, %n: index) -> (!t, !t, !r) {
  %zero = arith.constant 0.0 : f32
  %y = pl.full %zero : f32, !t
  %z = pl.full %zero : f32, !t
  %s = pl.full %zero : f32, !r
  pl.spmd (%i) in (%n) {
    %0 = pl.call @exp(%x, %y) : (!t, !t) -> !t
  }
  %1, %a = orchestration.submit @sum(%y, %s) core_num %n : (!t, !r) -> (!r, !orchestration.task)
  %2, %b = orchestration.submit @wrapper(%y, %z) core_num %n : (!t, !t) -> (!t, !orchestration.task)
  pl.return %y, %z, %s : !t, !t, !r
}

// RUN: %python %S/run_example.py pypto-run %s %t

// The host reads and writes between tasks, by every means it has: elements, tiles, tensors, another function.
// NUMPY: def inputs(rng): return [rng.standard_normal(1024, dtype="f4")]
// NUMPY: def reference(x):
// NUMPY:   y = x + x
// NUMPY:   a = y[3]
// NUMPY:   y[3] = 7
// NUMPY:   y = y + y
// NUMPY:   s = y[4:8] * 2
// NUMPY:   y[8:12] = s
// NUMPY:   z = y + x
// NUMPY:   y = y + y
// NUMPY:   total = np.float32(0)
// NUMPY:   for i in range(16):
// NUMPY:     total = np.float32(total + y[i])
// NUMPY:     y = y + y
// NUMPY:   return y, z, a, total

!t = !pl.tensor<[1024], f32>
!tile = !tile.tile<[1024], f32>
pl.func incore @double(inout %x: !t) -> !t {
  %0 = tile.load %x[0] : !t -> !tile
  %1 = tile.add %0, %0 : !tile
  %2 = tile.store %1, %x[0] : !tile, !t
  pl.return %2 : !t
}
pl.func private @element(%x: !t, %i: index) -> f32 {
  %0 = pl.read %x[%i] : !t
  pl.return %0 : f32
}
pl.func @main(%x: !t) -> (!t, !t, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %seven = arith.constant 7.0 : f32
  %zero = arith.constant 0.0 : f32
  %y = pl.create : !t
  %copy = pl.assemble %x, %y[0] : !t, !t
  %0 = pl.call @double(%y) : (!t) -> !t
  %a = pl.read %y[%c3] : !t
  %1 = pl.write %seven, %y[%c3] : !t
  %2 = pl.call @double(%y) : (!t) -> !t
  %3 = tile.load %y[4] : !t -> !tile.tile<[4], f32>
  %4 = tile.add %3, %3 : !tile.tile<[4], f32>
  %5 = tile.store %4, %y[8] : !tile.tile<[4], f32>, !t
  %z = pl.add %y, %x : !t, !t
  %6 = pl.call @double(%y) : (!t) -> !t
  %total = scf.for %i = %c0 to %c16 step %c1 iter_args(%sum = %zero) -> f32 {
    %e = pl.call @element(%y, %i) : (!t, index) -> f32
    %next = arith.addf %sum, %e : f32
    %7 = pl.call @double(%y) : (!t) -> !t
    scf.yield %next : f32
  }
  pl.return %y, %z, %a, %total : !t, !t, f32, f32
}

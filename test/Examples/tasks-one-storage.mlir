// RUN: %python %S/run_example.py pypto-run %s %t

// One storage under the names of two parameters: what is done to it keeps its order.
// NUMPY: def inputs(rng): return [rng.standard_normal(64, dtype="f4"), "@0", rng.standard_normal(64, dtype="f4")]
// NUMPY: def reference(x, _, z):
// NUMPY:   x[:] = x + z     # through the first name
// NUMPY:   z[:] = x + x     # reads by the second
// NUMPY:   x[:] = z + z     # writes by the second behind that read
// NUMPY:   z[:] = x + z     # reads by the first
// NUMPY:   return x, x, z

!t = !pl.tensor<[64], f32>
pl.func incore @add(%x: !t, %y: !t, out %z: !t) -> !t {
  %0 = tile.load %x[0] : !t -> !tile.tile<[64], f32>
  %1 = tile.load %y[0] : !t -> !tile.tile<[64], f32>
  %2 = tile.add %0, %1 : !tile.tile<[64], f32>
  %3 = tile.store %2, %z[0] : !tile.tile<[64], f32>, !t
  pl.return %3 : !t
}
pl.func orchestration @main(inout %x: !t, inout %y: !t, inout %z: !t) {
  %0 = pl.call @add(%x, %z, %x) : (!t, !t, !t) -> !t
  %1 = pl.call @add(%y, %y, %z) : (!t, !t, !t) -> !t
  %2 = pl.call @add(%z, %z, %y) : (!t, !t, !t) -> !t
  %3 = pl.call @add(%x, %z, %z) : (!t, !t, !t) -> !t
  pl.return
}

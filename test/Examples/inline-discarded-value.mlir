// RUN: %python %S/run_example.py pypto-run %s %t

// A call whose value is ignored still writes: the store is the returned expression of the helper.
// NUMPY: def inputs(rng): return [rng.standard_normal((64, 64), dtype="f4")]
// NUMPY: def reference(a): return np.copy(a)

pl.func inline @writeout(%t: !tile.tile<[64, 64], f32>, out %out: !pl.tensor<[64, 64], f32>) -> !pl.tensor<[64, 64], f32> {
  %r = tile.store %t, %out[0, 0] : !tile.tile<[64, 64], f32>, !pl.tensor<[64, 64], f32>
  pl.return %r : !pl.tensor<[64, 64], f32>
}
pl.func incore @main(%a: !pl.tensor<[64, 64], f32>, out %out: !pl.tensor<[64, 64], f32>) -> !pl.tensor<[64, 64], f32> {
  %t = tile.load %a[0, 0] : !pl.tensor<[64, 64], f32> -> !tile.tile<[64, 64], f32>
  %ignored = pl.call @writeout(%t, %out) : (!tile.tile<[64, 64], f32>, !pl.tensor<[64, 64], f32>) -> !pl.tensor<[64, 64], f32>
  pl.return %out : !pl.tensor<[64, 64], f32>
}

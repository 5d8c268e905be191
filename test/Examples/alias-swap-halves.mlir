// RUN: %python %S/run_example.py pypto-run %s %t

// Both halves are read before either is written: swapping them in place loses nothing.
// NUMPY: def inputs(rng): return [rng.standard_normal(14, dtype="f4")]
// NUMPY: def reference(x): return np.concatenate([x[7:], x[:7]])

pl.func incore @main(inout %x: !pl.tensor<[14], f32>) -> !pl.tensor<[14], f32> {
  %low = tile.load %x[0] : !pl.tensor<[14], f32> -> !tile.tile<[7], f32>
  %high = tile.load %x[7] : !pl.tensor<[14], f32> -> !tile.tile<[7], f32>
  %0 = tile.store %high, %x[0] : !tile.tile<[7], f32>, !pl.tensor<[14], f32>
  %1 = tile.store %low, %0[7] : !tile.tile<[7], f32>, !pl.tensor<[14], f32>
  pl.return %1 : !pl.tensor<[14], f32>
}

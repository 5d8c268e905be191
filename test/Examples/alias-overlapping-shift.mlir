// RUN: %python %S/run_example.py pypto-run %s %t

// Windows that overlap: a tensor is shifted by one towards its end, first by a tile, then by a tensor operation.
// NUMPY: def inputs(rng): return [rng.standard_normal(17, dtype="f4")]
// NUMPY: def reference(x):
// NUMPY:     x[1:] = x[:-1].copy()
// NUMPY:     x[1:] = x[:-1] + x[:-1]
// NUMPY:     return x

pl.func @main(inout %x: !pl.tensor<[17], f32>) {
  %t = tile.load %x[0] : !pl.tensor<[17], f32> -> !tile.tile<[16], f32>
  %0 = tile.store %t, %x[1] : !tile.tile<[16], f32>, !pl.tensor<[17], f32>
  %from = pl.slice %x[0] : !pl.tensor<[17], f32> -> !pl.tensor<[16], f32>
  %sum = pl.add %from, %from : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
  %1 = pl.assemble %sum, %x[1] : !pl.tensor<[16], f32>, !pl.tensor<[17], f32>
  pl.return
}

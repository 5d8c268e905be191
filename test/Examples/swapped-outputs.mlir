// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: %python %S/run_example.py pypto-run %s %t --pipeline=inline-functions,convert-to-ssa,normalize-return-order,pypto-cpu-pipeline

// A kernel that returns its outputs in another order than it declares them, and its caller, before and after the
// order is normalised: main's results are (2x, x * x) either way.
// NUMPY: def inputs(rng): return [rng.standard_normal(16, dtype="f4")]
// NUMPY: def reference(x): return x + x, x * x

pl.func incore @kernel(%x: !pl.tensor<[16], f32>, out %out_a: !pl.tensor<[16], f32>, out %out_b: !pl.tensor<[16], f32>)
    -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
  %t = tile.load %x[0] : !pl.tensor<[16], f32> -> !tile.tile<[16], f32>
  %a = tile.add %t, %t : !tile.tile<[16], f32>
  %b = tile.mul %t, %t : !tile.tile<[16], f32>
  %rb = tile.store %b, %out_b[0] : !tile.tile<[16], f32>, !pl.tensor<[16], f32>
  %ra = tile.store %a, %out_a[0] : !tile.tile<[16], f32>, !pl.tensor<[16], f32>
  pl.return %rb, %ra : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
}
pl.func orchestration @main(%x: !pl.tensor<[16], f32>, out %out_a: !pl.tensor<[16], f32>, out %out_b: !pl.tensor<[16], f32>)
    -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
  %ret:2 = pl.call @kernel(%x, %out_a, %out_b) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>, !pl.tensor<[16], f32>)
      -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>)
  pl.return %ret#1, %ret#0 : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
}

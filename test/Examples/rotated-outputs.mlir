// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: %python %S/run_example.py pypto-run %s %t --pipeline=inline-functions,convert-to-ssa,normalize-return-order,pypto-cpu-pipeline

// A kernel as entry whose three results rotate: they come out in the order that is written here, not in the one that
// the order of its parameters makes of it.
// NUMPY: entry = "kernel"
// NUMPY: def inputs(rng): return [rng.standard_normal(13, dtype="f4"), rng.standard_normal(13, dtype="f4")]
// NUMPY: def reference(x, c): return x * x, c + x, x + x

pl.func incore @kernel(%x: !pl.tensor<[13], f32>, out %a: !pl.tensor<[13], f32>, out %b: !pl.tensor<[13], f32>, inout %c: !pl.tensor<[13], f32>)
    -> (!pl.tensor<[13], f32>, !pl.tensor<[13], f32>, !pl.tensor<[13], f32>) {
  %t = tile.load %x[0] : !pl.tensor<[13], f32> -> !tile.tile<[13], f32>
  %old = tile.load %c[0] : !pl.tensor<[13], f32> -> !tile.tile<[13], f32>
  %double = tile.add %t, %t : !tile.tile<[13], f32>
  %square = tile.mul %t, %t : !tile.tile<[13], f32>
  %sum = tile.add %old, %t : !tile.tile<[13], f32>
  %ra = tile.store %double, %a[0] : !tile.tile<[13], f32>, !pl.tensor<[13], f32>
  %rb = tile.store %square, %b[0] : !tile.tile<[13], f32>, !pl.tensor<[13], f32>
  %rc = tile.store %sum, %c[0] : !tile.tile<[13], f32>, !pl.tensor<[13], f32>
  pl.return %rb, %rc, %ra : !pl.tensor<[13], f32>, !pl.tensor<[13], f32>, !pl.tensor<[13], f32>
}

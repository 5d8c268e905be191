// RUN: %python %S/run_example.py pypto-run %s %t

// A view that is assembled into its own tensor, without a computation between: as if the whole view were read first.
// NUMPY: def inputs(rng): return [rng.standard_normal(17, dtype="f4")]
// NUMPY: def reference(x):
// NUMPY:     x[1:] = x[:-1].copy()
// NUMPY:     return x

pl.func @main(inout %x: !pl.tensor<[17], f32>) -> !pl.tensor<[17], f32> {
  %from = pl.slice %x[0] : !pl.tensor<[17], f32> -> !pl.tensor<[16], f32>
  %0 = pl.assemble %from, %x[1] : !pl.tensor<[16], f32>, !pl.tensor<[17], f32>
  pl.return %0 : !pl.tensor<[17], f32>
}

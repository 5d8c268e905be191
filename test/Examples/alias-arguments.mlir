// RUN: %python %S/run_example.py pypto-run %s %t

// Two parameters that are the same storage: what is written through one is read through the other.
// NUMPY: cases = [dict(same=True), dict(same=False)]
// NUMPY: def inputs(rng, same):
// NUMPY:     x = rng.standard_normal((3, 5), dtype="f4")
// NUMPY:     return [x, "@0" if same else rng.standard_normal((3, 5), dtype="f4")]
// NUMPY: def reference(x, y):
// NUMPY:     if np.array_equal(x, y): y = x
// NUMPY:     x[0] = x[1] + x[2]
// NUMPY:     y[1] = y[0] * x[0]
// NUMPY:     x[2] = y[1]
// NUMPY:     return x, y

pl.func @main(inout %x: !pl.tensor<[3, 5], f32>, inout %y: !pl.tensor<[3, 5], f32>) {
  %x0 = pl.slice %x[0, 0] : !pl.tensor<[3, 5], f32> -> !pl.tensor<[1, 5], f32>
  %x1 = pl.slice %x[1, 0] : !pl.tensor<[3, 5], f32> -> !pl.tensor<[1, 5], f32>
  %x2 = pl.slice %x[2, 0] : !pl.tensor<[3, 5], f32> -> !pl.tensor<[1, 5], f32>
  %y0 = pl.slice %y[0, 0] : !pl.tensor<[3, 5], f32> -> !pl.tensor<[1, 5], f32>
  %y1 = pl.slice %y[1, 0] : !pl.tensor<[3, 5], f32> -> !pl.tensor<[1, 5], f32>
  %sum = pl.add %x1, %x2 : !pl.tensor<[1, 5], f32>, !pl.tensor<[1, 5], f32>
  %0 = pl.assemble %sum, %x[0, 0] : !pl.tensor<[1, 5], f32>, !pl.tensor<[3, 5], f32>
  %product = pl.mul %y0, %x0 : !pl.tensor<[1, 5], f32>, !pl.tensor<[1, 5], f32>
  %1 = pl.assemble %product, %y[1, 0] : !pl.tensor<[1, 5], f32>, !pl.tensor<[3, 5], f32>
  %2 = pl.assemble %y1, %x[2, 0] : !pl.tensor<[1, 5], f32>, !pl.tensor<[3, 5], f32>
  pl.return
}

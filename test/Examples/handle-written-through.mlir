// RUN: env MALLOC_PERTURB_=85 %python %S/run_example.py pypto-run %s %t

// A write through what a call returned reaches the argument that it is, which is known only when the program runs.
// NUMPY: cases = [dict(c=True), dict(c=False)]
// NUMPY: def inputs(rng, c): return [str(c).lower(), np.zeros(4, "f4"), np.zeros(4, "f4")]
// NUMPY: def reference(c, x, y):
// NUMPY:   (x if c == "true" else y)[0] = 42
// NUMPY:   return x, y

pl.func private @pick(%c: i1, inout %x: !pl.tensor<[4], f32>, inout %y: !pl.tensor<[4], f32>)
    -> !pl.tensor<[4], f32> {
  %r = scf.if %c -> !pl.tensor<[4], f32> {
    scf.yield %x : !pl.tensor<[4], f32>
  } else {
    scf.yield %y : !pl.tensor<[4], f32>
  }
  pl.return %r : !pl.tensor<[4], f32>
}

pl.func @main(%c: i1, inout %x: !pl.tensor<[4], f32>, inout %y: !pl.tensor<[4], f32>) {
  %r = pl.call @pick(%c, %x, %y) : (i1, !pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32>
  %c0 = arith.constant 0 : index
  %v = arith.constant 42.0 : f32
  %w = pl.write %v, %r[%c0] : !pl.tensor<[4], f32>
  pl.return
}

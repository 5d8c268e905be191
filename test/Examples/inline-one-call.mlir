// RUN: %python %S/run_example.py pypto-run %s %t

// A helper that is called once: main(a) = a * a.
// NUMPY: cases = [dict(N=37, M=5), dict(N=1, M=1), dict(N=0, M=3)]
// NUMPY: def inputs(rng, N, M): return [rng.standard_normal((N, M), dtype="f4")]
// NUMPY: def reference(a): return a * a

pl.func inline @helper(%x: !pl.tensor<[N, M], f32>) -> !pl.tensor<[N, M], f32> {
  %y = pl.mul %x, %x : !pl.tensor<[N, M], f32>, !pl.tensor<[N, M], f32>
  pl.return %y : !pl.tensor<[N, M], f32>
}
pl.func @main(%a: !pl.tensor<[P, Q], f32>) -> !pl.tensor<[P, Q], f32> {
  %z = pl.call @helper(%a) : (!pl.tensor<[P, Q], f32>) -> !pl.tensor<[P, Q], f32>
  pl.return %z : !pl.tensor<[P, Q], f32>
}

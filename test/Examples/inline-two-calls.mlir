// RUN: %python %S/run_example.py pypto-run %s %t

// A helper that is called twice: main(a, b) = a * a + b * b.
// NUMPY: cases = [dict(N=37), dict(N=1)]
// NUMPY: def inputs(rng, N): return [rng.standard_normal(N, dtype="f4") for _ in range(2)]
// NUMPY: def reference(a, b): return a * a + b * b

pl.func inline @square(%x: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %y = pl.mul %x, %x : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  pl.return %y : !pl.tensor<[N], f32>
}
pl.func @main(%a: !pl.tensor<[N], f32>, %b: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %a2 = pl.call @square(%a) : (!pl.tensor<[N], f32>) -> !pl.tensor<[N], f32>
  %b2 = pl.call @square(%b) : (!pl.tensor<[N], f32>) -> !pl.tensor<[N], f32>
  %sum = pl.add %a2, %b2 : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  pl.return %sum : !pl.tensor<[N], f32>
}

// RUN: %python %S/run_example.py pypto-run %s %t

// A helper that binds its tensor parameter to a new value keeps it to itself: main(a) = a + twice(a) = 3a, not 4a.
// NUMPY: cases = [dict(N=37), dict(N=1)]
// NUMPY: def inputs(rng, N): return [rng.standard_normal(N, dtype="f4")]
// NUMPY: def reference(a): return a + (a + a)

pl.func inline @twice(%t: !pl.var<!pl.tensor<[N], f32>>) -> !pl.tensor<[N], f32> {
  %0 = pl.get %t : !pl.tensor<[N], f32>
  %1 = pl.add %0, %0 : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  pl.set %t, %1 : !pl.tensor<[N], f32>
  %2 = pl.get %t : !pl.tensor<[N], f32>
  pl.return %2 : !pl.tensor<[N], f32>
}
pl.func @main(%a: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %u = pl.call @twice(%a) : (!pl.tensor<[N], f32>) -> !pl.tensor<[N], f32>
  %w = pl.add %a, %u : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  pl.return %w : !pl.tensor<[N], f32>
}

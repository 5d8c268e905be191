// RUN: %python %S/run_example.py pypto-run %s %t

// A helper with a placement scope, called by another helper, in a loop that carries its result.
// NUMPY: cases = [dict(N=11, n=3), dict(N=11, n=0), dict(N=1, n=1)]
// NUMPY: def inputs(rng, N, n): return [rng.standard_normal(N, dtype="f4"), n]
// NUMPY: def reference(x, n):
// NUMPY:     for _ in range(n): x = (x + np.float32(1)) * np.float32(0.5) + x
// NUMPY:     return x

pl.func inline @half(%x: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %r = pl.at core_group -> !pl.tensor<[N], f32> {
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %0 = pl.add %x, %one : !pl.tensor<[N], f32>, f32
    %1 = pl.mul %0, %half : !pl.tensor<[N], f32>, f32
    pl.yield %1 : !pl.tensor<[N], f32>
  }
  pl.return %r : !pl.tensor<[N], f32>
}
pl.func inline @step(%x: !pl.tensor<[M], f32>) -> !pl.tensor<[M], f32> {
  %h = pl.call @half(%x) : (!pl.tensor<[M], f32>) -> !pl.tensor<[M], f32>
  %r = pl.add %h, %x : !pl.tensor<[M], f32>, !pl.tensor<[M], f32>
  pl.return %r : !pl.tensor<[M], f32>
}
pl.func @main(%x: !pl.tensor<[N], f32>, %n: index) -> !pl.tensor<[N], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pl.var "t" = %x : !pl.tensor<[N], f32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = pl.get %t : !pl.tensor<[N], f32>
    %1 = pl.call @step(%0) : (!pl.tensor<[N], f32>) -> !pl.tensor<[N], f32>
    pl.set %t, %1 : !pl.tensor<[N], f32>
  }
  %r = pl.get %t : !pl.tensor<[N], f32>
  pl.return %r : !pl.tensor<[N], f32>
}

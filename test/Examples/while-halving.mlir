// RUN: %python %S/run_example.py pypto-run %s %t

// A while loop that carries a tensor and a number: halves the tensor as long as the number is not one.
// NUMPY: cases = [dict(N=37, k=1), dict(N=5, k=9), dict(N=1, k=64), dict(N=0, k=8)]
// NUMPY: def inputs(rng, N, k): return [rng.standard_normal(N, dtype="f4"), k]
// NUMPY: def reference(x, k):
// NUMPY:     steps = 0
// NUMPY:     while k > 1: k, steps = k // 2, steps + 1
// NUMPY:     return x * np.float32(0.5) ** steps, np.int64(steps)

pl.func @main(%x: !pl.tensor<[N], f32>, %k: index) -> (!pl.tensor<[N], f32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f32
  %steps = pl.var "steps" = %c0 : index
  %r:2 = scf.while (%t = %x, %n = %k) : (!pl.tensor<[N], f32>, index) -> (!pl.tensor<[N], f32>, index) {
    %again = arith.cmpi sgt, %n, %c1 : index
    scf.condition(%again) %t, %n : !pl.tensor<[N], f32>, index
  } do {
  ^bb0(%t: !pl.tensor<[N], f32>, %n: index):
    %s = pl.get %steps : index
    %s1 = arith.addi %s, %c1 : index
    pl.set %steps, %s1 : index
    %h = pl.mul %t, %half : !pl.tensor<[N], f32>, f32
    %m = arith.divui %n, %c2 : index
    scf.yield %h, %m : !pl.tensor<[N], f32>, index
  }
  %taken = pl.get %steps : index
  pl.return %r#0, %taken : !pl.tensor<[N], f32>, index
}

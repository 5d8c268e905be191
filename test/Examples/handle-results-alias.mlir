// RUN: env MALLOC_PERTURB_=85 %python %S/run_example.py pypto-run %s %t

// Two results and a view that are one allocation: each is freed once, whichever way it takes through branches and
// loops.
// NUMPY: cases = [dict(c=True), dict(c=False)]
// NUMPY: def inputs(rng, c): return [str(c).lower(), rng.standard_normal(8, dtype="f4")]
// NUMPY: def reference(c, x):
// NUMPY:   total = np.full(8, 3, "f4")
// NUMPY:   for i in range(5): total = total + x
// NUMPY:   return np.full(8, 3, "f4") if c == "true" else x, total, np.full(4, 3, "f4")

pl.func private @shared() -> (!pl.tensor<[8], f32>, !pl.tensor<[8], f32>, !pl.tensor<[4], f32>) {
  %three = arith.constant 3.0 : f32
  %t = pl.full %three : f32, !pl.tensor<[8], f32>
  %s = pl.slice %t[2] : !pl.tensor<[8], f32> -> !pl.tensor<[4], f32>
  pl.return %t, %t, %s : !pl.tensor<[8], f32>, !pl.tensor<[8], f32>, !pl.tensor<[4], f32>
}

pl.func @main(%c: i1, %x: !pl.tensor<[8], f32>)
    -> (!pl.tensor<[8], f32>, !pl.tensor<[8], f32>, !pl.tensor<[4], f32>) {
  %r:3 = pl.call @shared() : () -> (!pl.tensor<[8], f32>, !pl.tensor<[8], f32>, !pl.tensor<[4], f32>)
  %a = scf.if %c -> !pl.tensor<[8], f32> {
    scf.yield %r#0 : !pl.tensor<[8], f32>
  } else {
    scf.yield %x : !pl.tensor<[8], f32>
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %b = scf.for %i = %c0 to %c5 step %c1 iter_args(%u = %r#1) -> !pl.tensor<[8], f32> {
    %n = pl.add %u, %x : !pl.tensor<[8], f32>, !pl.tensor<[8], f32>
    scf.yield %n : !pl.tensor<[8], f32>
  }
  pl.return %a, %b, %r#2 : !pl.tensor<[8], f32>, !pl.tensor<[8], f32>, !pl.tensor<[4], f32>
}

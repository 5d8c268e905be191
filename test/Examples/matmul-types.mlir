// RUN: %python %S/run_example.py pypto-run %s %t

// Products of f16 and bf16 summed and given in f32, of i8 in i32 with batches that broadcast, a transposed operand,
// and a product that is added to an accumulator.
// NUMPY: cases = [dict(M=7, K=13, N=5), dict(M=1, K=1, N=1), dict(M=2, K=0, N=3)]
// NUMPY: rtol, atol = 1e-5, 1e-5
// NUMPY: def inputs(rng, M, K, N):
// NUMPY:     f = lambda *shape: rng.standard_normal(shape, dtype="f4")
// NUMPY:     return [f(M, K).astype("f2"), f(N, K).astype("f2"), bf16(f(M, K)), bf16(f(K, N)), rng.integers(-128, 128, (3, M, K), "i1"),
// NUMPY:             rng.integers(-128, 128, (K, N), "i1"), f(M, N)]
// NUMPY: def reference(a, b, c, d, e, f, acc):
// NUMPY:     half = (a.astype("f8") @ b.astype("f8").T).astype("f4")
// NUMPY:     brain = (from_bf16(c).astype("f8") @ from_bf16(d).astype("f8")).astype("f4")
// NUMPY:     return half, brain, e.astype("i4") @ f.astype("i4"), acc + half, half

!f = !pl.tensor<[M, N], f32>
pl.func @main(%a: !pl.tensor<[M, K], f16>, %b: !pl.tensor<[N, K], f16>, %c: !pl.tensor<[M, K], bf16>, %d: !pl.tensor<[K, N], bf16>,
              %e: !pl.tensor<[3, M, K], i8>, %f: !pl.tensor<[K, N], i8>, inout %acc: !f, out %new: !f)
    -> (!f, !f, !pl.tensor<[3, M, N], i32>, !f, !f) {
  %true = arith.constant true
  %0 = pl.matmul %a, %b b_trans to f32 : !pl.tensor<[M, K], f16>, !pl.tensor<[N, K], f16>
  %1 = pl.matmul %c, %d to f32 : !pl.tensor<[M, K], bf16>, !pl.tensor<[K, N], bf16>
  %2 = pl.matmul %e, %f to i32 : !pl.tensor<[3, M, K], i8>, !pl.tensor<[K, N], i8>
  %3 = pl.matmul_acc %acc, %a, %b b_trans : !f, !pl.tensor<[M, K], f16>, !pl.tensor<[N, K], f16>
  %4 = pl.matmul_acc %new, %a, %b init %true b_trans : !f, !pl.tensor<[M, K], f16>, !pl.tensor<[N, K], f16>
  pl.return %0, %1, %2, %3, %4 : !f, !f, !pl.tensor<[3, M, N], i32>, !f, !f
}

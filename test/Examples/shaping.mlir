// RUN: %python %S/run_example.py pypto-run %s %t

// Transposition, concatenation along either axis, filling of what is not valid, consecutive numbers, selection.
// NUMPY: cases = [dict(N=7, M=5, n=3), dict(N=1, M=1, n=1), dict(N=3, M=0, n=0)]
// NUMPY: flags = lambda N, M, n: [f"--valid=p={n},4"]
// NUMPY: def inputs(rng, N, M, n): return [rng.standard_normal((N, M), dtype="f4"), rng.standard_normal((2, M), dtype="f4"), rng.standard_normal((6, 4), dtype="f4"), n]
// NUMPY: def reference(a, b, p, n):
// NUMPY:     zero, least = p.copy(), p.copy()
// NUMPY:     zero[n:], least[n:] = 0, -np.inf
// NUMPY:     return a.T, np.concatenate([a, b]), np.concatenate([a, a], 1), zero, least, np.arange(n, n - 9, -1, "i4")[None], np.where(a > 0, a, np.float32(0))

pl.func @main(%a: !pl.tensor<[N, M], f32>, %b: !pl.tensor<[2, M], f32>, %p: !pl.tensor<[6, 4], f32, valid = [?, 4]>, %n: i32)
    -> (!pl.tensor<[M, N], f32>, !pl.tensor<[N + 2, M], f32>, !pl.tensor<[N, M * 2], f32>, !pl.tensor<[6, 4], f32>,
        !pl.tensor<[6, 4], f32>, !pl.tensor<[1, 9], i32>, !pl.tensor<[N, M], f32>) {
  %zero = arith.constant 0.0 : f32
  %t = pl.transpose %a, 0, 1 : !pl.tensor<[N, M], f32>
  %rows = pl.concat %a, %b axis 0 : !pl.tensor<[N, M], f32>, !pl.tensor<[2, M], f32>
  %columns = pl.concat %a, %a : !pl.tensor<[N, M], f32>, !pl.tensor<[N, M], f32>
  %fz = pl.fillpad zero %p : !pl.tensor<[6, 4], f32, valid = [?, 4]>
  %fm = pl.fillpad min %p : !pl.tensor<[6, 4], f32, valid = [?, 4]>
  %numbers = pl.arange %n descending : i32, !pl.tensor<[1, 9], i32>
  %mask = pl.cmp gt %a, %zero : !pl.tensor<[N, M], f32>, f32
  %chosen = pl.sel %mask, %a, %zero : !pl.tensor<[N, M], i1>, !pl.tensor<[N, M], f32>, f32
  pl.return %t, %rows, %columns, %fz, %fm, %numbers, %chosen : !pl.tensor<[M, N], f32>, !pl.tensor<[N + 2, M], f32>,
      !pl.tensor<[N, M * 2], f32>, !pl.tensor<[6, 4], f32>, !pl.tensor<[6, 4], f32>, !pl.tensor<[1, 9], i32>, !pl.tensor<[N, M], f32>
}

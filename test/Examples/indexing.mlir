// RUN: %python %S/run_example.py pypto-run %s %t

// Elements and rows by index: gathered, scattered, where an index stands twice the later element stays.
// NUMPY: cases = [dict(N=13), dict(N=1)]
// NUMPY: def inputs(rng, N):
// NUMPY:     f = lambda *shape: rng.standard_normal(shape, dtype="f4")
// NUMPY:     return [f(5, N), rng.integers(0, N, (5, 8), "i4"), f(5, 8), f(5, N), rng.integers(0, N, (2, 2), "i8"), f(4, 7), f(N, 7)]
// NUMPY: def reference(a, i, s, d, k, rows, m):
// NUMPY:     for r in range(5):
// NUMPY:         for c in range(8): d[r, i[r, c]] = s[r, c]
// NUMPY:     for number, row in zip(k.reshape(-1), rows): m[number] = row
// NUMPY:     return np.take_along_axis(a, i, 1), d, m

pl.func @main(%a: !pl.tensor<[5, N], f32>, %i: !pl.tensor<[5, 8], i32>, %s: !pl.tensor<[5, 8], f32>, inout %d: !pl.tensor<[5, N], f32>,
              %k: !pl.tensor<[2, 2], i64>, %rows: !pl.tensor<[4, 7], f32>, inout %m: !pl.tensor<[N, 7], f32>) -> !pl.tensor<[5, 8], f32> {
  %g = pl.gather %a, %i dim 1 : !pl.tensor<[5, N], f32>, !pl.tensor<[5, 8], i32>
  %0 = pl.scatter %s, %i, %d dim 1 : !pl.tensor<[5, 8], f32>, !pl.tensor<[5, 8], i32>, !pl.tensor<[5, N], f32>
  %1 = pl.scatter_update %rows, %k, %m : !pl.tensor<[4, 7], f32>, !pl.tensor<[2, 2], i64>, !pl.tensor<[N, 7], f32>
  pl.return %g : !pl.tensor<[5, 8], f32>
}

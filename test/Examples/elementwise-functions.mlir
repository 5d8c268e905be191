// RUN: %python %S/run_example.py pypto-run %s %t

// Functions of one number, of ordinary and of special ones; `p` is not negative.
// NUMPY: cases = [dict(N=37), dict(N=3), dict(N=0)]
// NUMPY: rtol, atol = 2e-6, 2e-6
// NUMPY: def inputs(rng, N):
// NUMPY:     x = 3 * rng.standard_normal((N, 3), dtype="f4")
// NUMPY:     x[:3, 0] = [np.nan, np.inf, -np.inf][:N]
// NUMPY:     p = np.abs(x)
// NUMPY:     p[:3, 1] = [0, 1e-30, 3e38][:N]
// NUMPY:     return [x, p]
// NUMPY: def reference(x, p):
// NUMPY:     return ((np.exp(x)).astype('f4'), (np.log(p)).astype('f4'), (np.sqrt(p)).astype('f4'), (1 / np.sqrt(p)).astype('f4'),
// NUMPY:             (1 / p).astype('f4'), (np.sin(x)).astype('f4'), (np.cos(x)).astype('f4'), (-x).astype('f4'),
// NUMPY:             (np.abs(x)).astype('f4'), (np.where(np.isnan(x), x, np.maximum(x, 0))).astype('f4'))

pl.func @main(%x: !pl.tensor<[N, 3], f32>, %p: !pl.tensor<[N, 3], f32>)
    -> (!pl.tensor<[N, 3], f32>,
        !pl.tensor<[N, 3], f32>,
        !pl.tensor<[N, 3], f32>,
        !pl.tensor<[N, 3], f32>,
        !pl.tensor<[N, 3], f32>,
        !pl.tensor<[N, 3], f32>,
        !pl.tensor<[N, 3], f32>,
        !pl.tensor<[N, 3], f32>,
        !pl.tensor<[N, 3], f32>,
        !pl.tensor<[N, 3], f32>) {
  %0 = pl.exp %x : !pl.tensor<[N, 3], f32>
  %1 = pl.log %p : !pl.tensor<[N, 3], f32>
  %2 = pl.sqrt %p : !pl.tensor<[N, 3], f32>
  %3 = pl.rsqrt %p : !pl.tensor<[N, 3], f32>
  %4 = pl.recip %p : !pl.tensor<[N, 3], f32>
  %5 = pl.sin %x : !pl.tensor<[N, 3], f32>
  %6 = pl.cos %x : !pl.tensor<[N, 3], f32>
  %7 = pl.neg %x : !pl.tensor<[N, 3], f32>
  %8 = pl.abs %x : !pl.tensor<[N, 3], f32>
  %9 = pl.relu %x : !pl.tensor<[N, 3], f32>
  pl.return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>
}

// RUN: %python %S/run_example.py pypto-run %s %t

// Conversions: of floats to integers with each rounding, which saturate and make zero of NaN; of integers, which wrap;
// from and to booleans; to narrower floats.
// NUMPY: cases = [dict(N=37), dict(N=1), dict(N=0)]
// NUMPY: def inputs(rng, N):
// NUMPY:     x = 100 * rng.standard_normal(N, dtype="f4")
// NUMPY:     x[:8] = [np.nan, np.inf, -np.inf, 2.5, 3.5, -2.5, 1e20, -0.4][:N]
// NUMPY:     k = rng.integers(-300, 300, N, "i4")
// NUMPY:     k[::5] = 0
// NUMPY:     return [x, k, rng.standard_normal(N), rng.integers(0, 2, N).astype(bool), rng.integers(0, 256, N, "u1")]
// NUMPY: def to_int(x, t):
// NUMPY:     info = np.iinfo(t)
// NUMPY:     return np.clip(np.where(np.isnan(x), 0, x).astype("f8"), info.min, info.max).astype(t)
// NUMPY: def reference(x, k, d, m, u):
// NUMPY:     away = np.copysign(np.floor(np.abs(x.astype("f8")) + 0.5), x)
// NUMPY:     return (to_int(np.trunc(x), "i1"), to_int(np.rint(x), "i4"), to_int(np.floor(x), "u1"), to_int(np.ceil(x), "i2"),
// NUMPY:             to_int(away, "i4"), k.astype("i1"), k.astype("f4"), k != 0, x.astype("f2"), d.astype("f4"),
// NUMPY:             m.astype("i4"), u.astype("f4"))

pl.func @main(%x: !pl.tensor<[N], f32>, %k: !pl.tensor<[N], i32>, %d: !pl.tensor<[N], f64>, %m: !pl.tensor<[N], i1>, %u: !pl.tensor<[N], ui8>)
    -> (!pl.tensor<[N], i8>, !pl.tensor<[N], i32>, !pl.tensor<[N], ui8>, !pl.tensor<[N], i16>, !pl.tensor<[N], i32>, !pl.tensor<[N], i8>, !pl.tensor<[N], f32>, !pl.tensor<[N], i1>, !pl.tensor<[N], f16>, !pl.tensor<[N], f32>, !pl.tensor<[N], i32>, !pl.tensor<[N], f32>) {
  %0 = pl.cast %x to i8 mode trunc : !pl.tensor<[N], f32>
  %1 = pl.cast %x to i32 mode rint : !pl.tensor<[N], f32>
  %2 = pl.cast %x to ui8 mode floor : !pl.tensor<[N], f32>
  %3 = pl.cast %x to i16 mode ceil : !pl.tensor<[N], f32>
  %4 = pl.cast %x to i32 mode round : !pl.tensor<[N], f32>
  %5 = pl.cast %k to i8 : !pl.tensor<[N], i32>
  %6 = pl.cast %k to f32 : !pl.tensor<[N], i32>
  %7 = pl.cast %k to i1 : !pl.tensor<[N], i32>
  %8 = pl.cast %x to f16 : !pl.tensor<[N], f32>
  %9 = pl.cast %d to f32 : !pl.tensor<[N], f64>
  %10 = pl.cast %m to i32 : !pl.tensor<[N], i1>
  %11 = pl.cast %u to f32 : !pl.tensor<[N], ui8>
  pl.return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : !pl.tensor<[N], i8>, !pl.tensor<[N], i32>, !pl.tensor<[N], ui8>, !pl.tensor<[N], i16>, !pl.tensor<[N], i32>, !pl.tensor<[N], i8>, !pl.tensor<[N], f32>, !pl.tensor<[N], i1>, !pl.tensor<[N], f16>, !pl.tensor<[N], f32>, !pl.tensor<[N], i32>, !pl.tensor<[N], f32>
}

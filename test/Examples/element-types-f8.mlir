// RUN: %python %S/run_example.py pypto-run %s %t

// The 8-bit floats are storage: every bit pattern is read as f32, and each number is written back as it was.
// NUMPY: def e5m2(bits): return (bits.astype("u2") << 8).view("f2").astype("f4")
// NUMPY: def e4m3fn(bits):
// NUMPY:     exponent, mantissa = (bits >> 3) & 15, (bits & 7).astype("f4") / 8
// NUMPY:     value = np.where(exponent == 0, mantissa * 2.0 ** -6, (1 + mantissa) * 2.0 ** (exponent.astype("f4") - 7))
// NUMPY:     value[bits & 127 == 127] = np.nan
// NUMPY:     return np.where(bits & 128, -value, value).astype("f4")
// NUMPY: every = np.arange(256, dtype="u1")
// NUMPY: def inputs(rng): return [every, every, every[~np.isnan(e5m2(every))], every[~np.isnan(e4m3fn(every))]]
// NUMPY: def reference(x, y, u, v): return e5m2(x), e4m3fn(y), u, v

pl.func @main(%x: !pl.tensor<[256], f8E5M2>, %y: !pl.tensor<[256], f8E4M3FN>, %u: !pl.tensor<[N], f8E5M2>,
              %v: !pl.tensor<[M], f8E4M3FN>)
    -> (!pl.tensor<[256], f32>, !pl.tensor<[256], f32>, !pl.tensor<[N], f8E5M2>, !pl.tensor<[M], f8E4M3FN>) {
  %a = pl.cast %x to f32 : !pl.tensor<[256], f8E5M2>
  %b = pl.cast %y to f32 : !pl.tensor<[256], f8E4M3FN>
  %u32 = pl.cast %u to f32 : !pl.tensor<[N], f8E5M2>
  %v32 = pl.cast %v to f32 : !pl.tensor<[M], f8E4M3FN>
  %u8 = pl.cast %u32 to f8E5M2 : !pl.tensor<[N], f32>
  %v8 = pl.cast %v32 to f8E4M3FN : !pl.tensor<[M], f32>
  pl.return %a, %b, %u8, %v8 : !pl.tensor<[256], f32>, !pl.tensor<[256], f32>, !pl.tensor<[N], f8E5M2>,
      !pl.tensor<[M], f8E4M3FN>
}

// RUN: %python %S/run_example.py pypto-run %s %t

// f16, f32 and f64 as they are, bf16 as its bits; NaN and infinities among the inputs.
// NUMPY: cases = [dict(N=37), dict(N=1), dict(N=0)]
// NUMPY: def make(rng, t, N):
// NUMPY:     x = rng.standard_normal(N).astype("f4" if t is bf16 else t)
// NUMPY:     x[rng.permutation(N)[:3]] = [np.nan, np.inf, -np.inf][:N]
// NUMPY:     return bf16(x) if t is bf16 else x
// NUMPY: def inputs(rng, N): return [make(rng, t, N) for t in ("f2", "f4", "f8", bf16) for _ in "ab"]
// NUMPY: def reference(*v):
// NUMPY:     results = []
// NUMPY:     for a, b in zip(v[::2], v[1::2]):
// NUMPY:         wrap = bf16 if a.dtype == np.uint16 else lambda x: x
// NUMPY:         a, b = (from_bf16(x) if x.dtype == np.uint16 else x for x in (a, b))
// NUMPY:         results += [wrap(f(a, b)) for f in (np.add, np.multiply, np.divide, np.maximum)]
// NUMPY:     return tuple(results)
// NUMPY: nan_bits = 0x7fc0

pl.func @main(%a0: !pl.tensor<[N], f16>, %b0: !pl.tensor<[N], f16>, %a1: !pl.tensor<[N], f32>, %b1: !pl.tensor<[N], f32>, %a2: !pl.tensor<[N], f64>, %b2: !pl.tensor<[N], f64>, %a3: !pl.tensor<[N], bf16>, %b3: !pl.tensor<[N], bf16>)
    -> (!pl.tensor<[N], f16>,
     !pl.tensor<[N], f16>,
     !pl.tensor<[N], f16>,
     !pl.tensor<[N], f16>,
     !pl.tensor<[N], f32>,
     !pl.tensor<[N], f32>,
     !pl.tensor<[N], f32>,
     !pl.tensor<[N], f32>,
     !pl.tensor<[N], f64>,
     !pl.tensor<[N], f64>,
     !pl.tensor<[N], f64>,
     !pl.tensor<[N], f64>,
     !pl.tensor<[N], bf16>,
     !pl.tensor<[N], bf16>,
     !pl.tensor<[N], bf16>,
     !pl.tensor<[N], bf16>) {
  %add0 = pl.add %a0, %b0 : !pl.tensor<[N], f16>, !pl.tensor<[N], f16>
  %mul0 = pl.mul %a0, %b0 : !pl.tensor<[N], f16>, !pl.tensor<[N], f16>
  %div0 = pl.div %a0, %b0 : !pl.tensor<[N], f16>, !pl.tensor<[N], f16>
  %maximum0 = pl.maximum %a0, %b0 : !pl.tensor<[N], f16>, !pl.tensor<[N], f16>
  %add1 = pl.add %a1, %b1 : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  %mul1 = pl.mul %a1, %b1 : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  %div1 = pl.div %a1, %b1 : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  %maximum1 = pl.maximum %a1, %b1 : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  %add2 = pl.add %a2, %b2 : !pl.tensor<[N], f64>, !pl.tensor<[N], f64>
  %mul2 = pl.mul %a2, %b2 : !pl.tensor<[N], f64>, !pl.tensor<[N], f64>
  %div2 = pl.div %a2, %b2 : !pl.tensor<[N], f64>, !pl.tensor<[N], f64>
  %maximum2 = pl.maximum %a2, %b2 : !pl.tensor<[N], f64>, !pl.tensor<[N], f64>
  %add3 = pl.add %a3, %b3 : !pl.tensor<[N], bf16>, !pl.tensor<[N], bf16>
  %mul3 = pl.mul %a3, %b3 : !pl.tensor<[N], bf16>, !pl.tensor<[N], bf16>
  %div3 = pl.div %a3, %b3 : !pl.tensor<[N], bf16>, !pl.tensor<[N], bf16>
  %maximum3 = pl.maximum %a3, %b3 : !pl.tensor<[N], bf16>, !pl.tensor<[N], bf16>
  pl.return %add0, %mul0, %div0, %maximum0, %add1, %mul1, %div1, %maximum1, %add2, %mul2, %div2, %maximum2, %add3, %mul3, %div3, %maximum3 : !pl.tensor<[N], f16>, !pl.tensor<[N], f16>, !pl.tensor<[N], f16>, !pl.tensor<[N], f16>, !pl.tensor<[N], f32>, !pl.tensor<[N], f32>, !pl.tensor<[N], f32>, !pl.tensor<[N], f32>, !pl.tensor<[N], f64>, !pl.tensor<[N], f64>, !pl.tensor<[N], f64>, !pl.tensor<[N], f64>, !pl.tensor<[N], bf16>, !pl.tensor<[N], bf16>, !pl.tensor<[N], bf16>, !pl.tensor<[N], bf16>
}

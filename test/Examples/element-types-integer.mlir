// RUN: %python %S/run_example.py pypto-run %s %t

// Every signed and unsigned width: sums and products wrap, a quotient rounds towards zero and is zero for a divisor of
// zero, which is in the inputs, as are the least and the greatest number.
// NUMPY: cases = [dict(N=37), dict(N=2), dict(N=0)]
// NUMPY: types = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
// NUMPY: def make(rng, t, N):
// NUMPY:     info = np.iinfo(t)
// NUMPY:     x = rng.integers(info.min, info.max, N, t, endpoint=True)
// NUMPY:     x[:2] = [info.min, info.max][:N]
// NUMPY:     x[3::4] = 0
// NUMPY:     return x
// NUMPY: def inputs(rng, N): return [make(rng, t, N) for t in types for _ in "ab"]
// NUMPY: def divide(a, b):
// NUMPY:     q = [0 if y == 0 else abs(int(x)) // abs(int(y)) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a, b)]
// NUMPY:     info = np.iinfo(a.dtype)
// NUMPY:     return np.array([v if v <= info.max else info.min for v in q], a.dtype)
// NUMPY: def reference(*v): return tuple(f(a, b) for a, b in zip(v[::2], v[1::2]) for f in (np.add, np.multiply, divide, np.maximum))

pl.func @main(%a0: !pl.tensor<[N], i8>, %b0: !pl.tensor<[N], i8>, %a1: !pl.tensor<[N], i16>, %b1: !pl.tensor<[N], i16>, %a2: !pl.tensor<[N], i32>, %b2: !pl.tensor<[N], i32>, %a3: !pl.tensor<[N], i64>, %b3: !pl.tensor<[N], i64>, %a4: !pl.tensor<[N], ui8>, %b4: !pl.tensor<[N], ui8>, %a5: !pl.tensor<[N], ui16>, %b5: !pl.tensor<[N], ui16>, %a6: !pl.tensor<[N], ui32>, %b6: !pl.tensor<[N], ui32>, %a7: !pl.tensor<[N], ui64>, %b7: !pl.tensor<[N], ui64>)
    -> (!pl.tensor<[N], i8>,
     !pl.tensor<[N], i8>,
     !pl.tensor<[N], i8>,
     !pl.tensor<[N], i8>,
     !pl.tensor<[N], i16>,
     !pl.tensor<[N], i16>,
     !pl.tensor<[N], i16>,
     !pl.tensor<[N], i16>,
     !pl.tensor<[N], i32>,
     !pl.tensor<[N], i32>,
     !pl.tensor<[N], i32>,
     !pl.tensor<[N], i32>,
     !pl.tensor<[N], i64>,
     !pl.tensor<[N], i64>,
     !pl.tensor<[N], i64>,
     !pl.tensor<[N], i64>,
     !pl.tensor<[N], ui8>,
     !pl.tensor<[N], ui8>,
     !pl.tensor<[N], ui8>,
     !pl.tensor<[N], ui8>,
     !pl.tensor<[N], ui16>,
     !pl.tensor<[N], ui16>,
     !pl.tensor<[N], ui16>,
     !pl.tensor<[N], ui16>,
     !pl.tensor<[N], ui32>,
     !pl.tensor<[N], ui32>,
     !pl.tensor<[N], ui32>,
     !pl.tensor<[N], ui32>,
     !pl.tensor<[N], ui64>,
     !pl.tensor<[N], ui64>,
     !pl.tensor<[N], ui64>,
     !pl.tensor<[N], ui64>) {
  %add0 = pl.add %a0, %b0 : !pl.tensor<[N], i8>, !pl.tensor<[N], i8>
  %mul0 = pl.mul %a0, %b0 : !pl.tensor<[N], i8>, !pl.tensor<[N], i8>
  %div0 = pl.div %a0, %b0 : !pl.tensor<[N], i8>, !pl.tensor<[N], i8>
  %maximum0 = pl.maximum %a0, %b0 : !pl.tensor<[N], i8>, !pl.tensor<[N], i8>
  %add1 = pl.add %a1, %b1 : !pl.tensor<[N], i16>, !pl.tensor<[N], i16>
  %mul1 = pl.mul %a1, %b1 : !pl.tensor<[N], i16>, !pl.tensor<[N], i16>
  %div1 = pl.div %a1, %b1 : !pl.tensor<[N], i16>, !pl.tensor<[N], i16>
  %maximum1 = pl.maximum %a1, %b1 : !pl.tensor<[N], i16>, !pl.tensor<[N], i16>
  %add2 = pl.add %a2, %b2 : !pl.tensor<[N], i32>, !pl.tensor<[N], i32>
  %mul2 = pl.mul %a2, %b2 : !pl.tensor<[N], i32>, !pl.tensor<[N], i32>
  %div2 = pl.div %a2, %b2 : !pl.tensor<[N], i32>, !pl.tensor<[N], i32>
  %maximum2 = pl.maximum %a2, %b2 : !pl.tensor<[N], i32>, !pl.tensor<[N], i32>
  %add3 = pl.add %a3, %b3 : !pl.tensor<[N], i64>, !pl.tensor<[N], i64>
  %mul3 = pl.mul %a3, %b3 : !pl.tensor<[N], i64>, !pl.tensor<[N], i64>
  %div3 = pl.div %a3, %b3 : !pl.tensor<[N], i64>, !pl.tensor<[N], i64>
  %maximum3 = pl.maximum %a3, %b3 : !pl.tensor<[N], i64>, !pl.tensor<[N], i64>
  %add4 = pl.add %a4, %b4 : !pl.tensor<[N], ui8>, !pl.tensor<[N], ui8>
  %mul4 = pl.mul %a4, %b4 : !pl.tensor<[N], ui8>, !pl.tensor<[N], ui8>
  %div4 = pl.div %a4, %b4 : !pl.tensor<[N], ui8>, !pl.tensor<[N], ui8>
  %maximum4 = pl.maximum %a4, %b4 : !pl.tensor<[N], ui8>, !pl.tensor<[N], ui8>
  %add5 = pl.add %a5, %b5 : !pl.tensor<[N], ui16>, !pl.tensor<[N], ui16>
  %mul5 = pl.mul %a5, %b5 : !pl.tensor<[N], ui16>, !pl.tensor<[N], ui16>
  %div5 = pl.div %a5, %b5 : !pl.tensor<[N], ui16>, !pl.tensor<[N], ui16>
  %maximum5 = pl.maximum %a5, %b5 : !pl.tensor<[N], ui16>, !pl.tensor<[N], ui16>
  %add6 = pl.add %a6, %b6 : !pl.tensor<[N], ui32>, !pl.tensor<[N], ui32>
  %mul6 = pl.mul %a6, %b6 : !pl.tensor<[N], ui32>, !pl.tensor<[N], ui32>
  %div6 = pl.div %a6, %b6 : !pl.tensor<[N], ui32>, !pl.tensor<[N], ui32>
  %maximum6 = pl.maximum %a6, %b6 : !pl.tensor<[N], ui32>, !pl.tensor<[N], ui32>
  %add7 = pl.add %a7, %b7 : !pl.tensor<[N], ui64>, !pl.tensor<[N], ui64>
  %mul7 = pl.mul %a7, %b7 : !pl.tensor<[N], ui64>, !pl.tensor<[N], ui64>
  %div7 = pl.div %a7, %b7 : !pl.tensor<[N], ui64>, !pl.tensor<[N], ui64>
  %maximum7 = pl.maximum %a7, %b7 : !pl.tensor<[N], ui64>, !pl.tensor<[N], ui64>
  pl.return %add0, %mul0, %div0, %maximum0, %add1, %mul1, %div1, %maximum1, %add2, %mul2, %div2, %maximum2, %add3, %mul3, %div3, %maximum3, %add4, %mul4, %div4, %maximum4, %add5, %mul5, %div5, %maximum5, %add6, %mul6, %div6, %maximum6, %add7, %mul7, %div7, %maximum7 : !pl.tensor<[N], i8>, !pl.tensor<[N], i8>, !pl.tensor<[N], i8>, !pl.tensor<[N], i8>, !pl.tensor<[N], i16>, !pl.tensor<[N], i16>, !pl.tensor<[N], i16>, !pl.tensor<[N], i16>, !pl.tensor<[N], i32>, !pl.tensor<[N], i32>, !pl.tensor<[N], i32>, !pl.tensor<[N], i32>, !pl.tensor<[N], i64>, !pl.tensor<[N], i64>, !pl.tensor<[N], i64>, !pl.tensor<[N], i64>, !pl.tensor<[N], ui8>, !pl.tensor<[N], ui8>, !pl.tensor<[N], ui8>, !pl.tensor<[N], ui8>, !pl.tensor<[N], ui16>, !pl.tensor<[N], ui16>, !pl.tensor<[N], ui16>, !pl.tensor<[N], ui16>, !pl.tensor<[N], ui32>, !pl.tensor<[N], ui32>, !pl.tensor<[N], ui32>, !pl.tensor<[N], ui32>, !pl.tensor<[N], ui64>, !pl.tensor<[N], ui64>, !pl.tensor<[N], ui64>, !pl.tensor<[N], ui64>
}

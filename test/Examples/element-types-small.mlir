// RUN: %python %S/run_example.py pypto-run %s %t

// bool, 4-bit integers, which wrap, and index.
// NUMPY: cases = [dict(N=37), dict(N=1), dict(N=0)]
// NUMPY: def inputs(rng, N):
// NUMPY:     flags = [rng.integers(0, 1, N, endpoint=True).astype(bool) for _ in "ab"]
// NUMPY:     signed = [rng.integers(-8, 8, N, "i1") for _ in "ab"]
// NUMPY:     unsigned = [rng.integers(0, 16, N, "u1") for _ in "ab"]
// NUMPY:     return flags + signed + unsigned + [rng.integers(-99, 99, N, "i8") for _ in "ab"]
// NUMPY: def reference(p, q, a, b, c, d, i, j):
// NUMPY:     return p & q, p ^ q, ~p, ((a + b + 8) % 16 - 8).astype("i1"), np.maximum(a, b), ((c + d) % 16).astype("u1"), np.maximum(c, d), i * j, a < b, c > d

pl.func @main(%p: !pl.tensor<[N], i1>, %q: !pl.tensor<[N], i1>, %a: !pl.tensor<[N], i4>, %b: !pl.tensor<[N], i4>,
              %c: !pl.tensor<[N], ui4>, %d: !pl.tensor<[N], ui4>, %i: !pl.tensor<[N], index>, %j: !pl.tensor<[N], index>)
    -> (!pl.tensor<[N], i1>, !pl.tensor<[N], i1>, !pl.tensor<[N], i1>, !pl.tensor<[N], i4>, !pl.tensor<[N], i4>,
        !pl.tensor<[N], ui4>, !pl.tensor<[N], ui4>, !pl.tensor<[N], index>, !pl.tensor<[N], i1>, !pl.tensor<[N], i1>) {
  %0 = pl.and %p, %q : !pl.tensor<[N], i1>, !pl.tensor<[N], i1>
  %1 = pl.xor %p, %q : !pl.tensor<[N], i1>, !pl.tensor<[N], i1>
  %2 = pl.not %p : !pl.tensor<[N], i1>
  %3 = pl.add %a, %b : !pl.tensor<[N], i4>, !pl.tensor<[N], i4>
  %4 = pl.maximum %a, %b : !pl.tensor<[N], i4>, !pl.tensor<[N], i4>
  %5 = pl.add %c, %d : !pl.tensor<[N], ui4>, !pl.tensor<[N], ui4>
  %6 = pl.maximum %c, %d : !pl.tensor<[N], ui4>, !pl.tensor<[N], ui4>
  %7 = pl.mul %i, %j : !pl.tensor<[N], index>, !pl.tensor<[N], index>
  %8 = pl.cmp lt %a, %b : !pl.tensor<[N], i4>, !pl.tensor<[N], i4>
  %9 = pl.cmp gt %c, %d : !pl.tensor<[N], ui4>, !pl.tensor<[N], ui4>
  pl.return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : !pl.tensor<[N], i1>, !pl.tensor<[N], i1>, !pl.tensor<[N], i1>,
      !pl.tensor<[N], i4>, !pl.tensor<[N], i4>, !pl.tensor<[N], ui4>, !pl.tensor<[N], ui4>, !pl.tensor<[N], index>,
      !pl.tensor<[N], i1>, !pl.tensor<[N], i1>
}

// RUN: %python %S/run_example.py pypto-run %s %t

// A product of tiles that are valid in part is added to the part of the accumulator that it covers; `init` makes the
// whole accumulator count as zero.
// NUMPY: cases = [dict(m=m, k=k, n=n, init=i) for m, k, n in ((8, 8, 8), (3, 5, 7), (0, 8, 8), (4, 0, 4)) for i in (True, False)]
// NUMPY: rtol, atol = 1e-4, 1e-5
// NUMPY: def inputs(rng, m, k, n, init):
// NUMPY:   half = lambda: rng.standard_normal((8, 8)).astype("f2")
// NUMPY:   return [half(), half(), m, k, n, str(init).lower(), rng.standard_normal((8, 8), dtype="f4")]
// NUMPY: def reference(a, b, m, k, n, init, y):
// NUMPY:   if init == "true": y[:] = 0
// NUMPY:   y[:m, :n] += a[:m, :k].astype("f4") @ b[:k, :n].astype("f4")
// NUMPY:   return y

pl.func @main(%a: !pl.tensor<[8, 8], f16>, %b: !pl.tensor<[8, 8], f16>, %m: index, %k: index, %n: index, %init: i1,
              inout %y: !pl.tensor<[8, 8], f32>) {
  %ta = tile.load %a[0, 0] valid(%m, %k) : !pl.tensor<[8, 8], f16> -> !tile.tile<[8, 8], f16, valid = [?, ?]>
  %tb = tile.load %b[0, 0] valid(%n) : !pl.tensor<[8, 8], f16> -> !tile.tile<[8, 8], f16, valid = [8, ?]>
  %acc = tile.load %y[0, 0] : !pl.tensor<[8, 8], f32> -> !tile.tile<[8, 8], f32>
  %r = tile.matmul_acc %acc, %ta, %tb init %init : !tile.tile<[8, 8], f32>, !tile.tile<[8, 8], f16, valid = [?, ?]>, !tile.tile<[8, 8], f16, valid = [8, ?]>
  %s = tile.store %r, %y[0, 0] : !tile.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  pl.return
}

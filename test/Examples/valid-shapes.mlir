// RUN: %python %S/run_example.py pypto-run %s %t

// Valid extents that a caller gives, that are narrowed inside, and that a result brings along: elements outside them
// are not read, whatever they are, and are zero in the files of results.
// NUMPY: cases = [dict(n=5, m=3), dict(n=8, m=4), dict(n=0, m=4), dict(n=1, m=1)]
// NUMPY: flags = lambda n, m: [f"--valid=x={n},{m}"]
// NUMPY: def inputs(rng, n, m):
// NUMPY:     x = np.full((8, 4), np.nan, "f4")
// NUMPY:     x[:n, :m] = rng.standard_normal((n, m), dtype="f4")
// NUMPY:     return [x, min(n, 2), m]
// NUMPY: def reference(x, k, m):
// NUMPY:     y = np.where(np.isnan(x), np.float32(0), x + x)
// NUMPY:     z = y.copy()
// NUMPY:     z[k:] = 0
// NUMPY:     return y, z

pl.func @main(%x: !pl.tensor<[8, 4], f32, valid = [?, ?]>, %k: index, %m: index)
    -> (!pl.tensor<[8, 4], f32, valid = [?, ?]>, !pl.tensor<[8, 4], f32, valid = [?, ?]>) {
  %y = pl.add %x, %x : !pl.tensor<[8, 4], f32, valid = [?, ?]>, !pl.tensor<[8, 4], f32, valid = [?, ?]>
  %z = pl.set_validshape %y[%k, %m] : !pl.tensor<[8, 4], f32, valid = [?, ?]> -> !pl.tensor<[8, 4], f32, valid = [?, ?]>
  pl.return %y, %z : !pl.tensor<[8, 4], f32, valid = [?, ?]>, !pl.tensor<[8, 4], f32, valid = [?, ?]>
}

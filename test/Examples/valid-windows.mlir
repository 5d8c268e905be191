// RUN: %python %S/run_example.py pypto-run %s %t

// Tiles that are valid in part, transposed, reshaped, cut and put together: only what is valid is compared, and a
// window past it does no harm.
// NUMPY: cases = [dict(n=n, o=o) for n in (0, 1, 5, 16) for o in (0, 3, 12)]
// NUMPY: def inputs(rng, n, o):
// NUMPY:   return [rng.standard_normal((16, 8), dtype="f4"), n, o, np.zeros((8, 16), "f4"), np.zeros((16, 8), "f4")]
// NUMPY: def reference(x, n, o, y, z):
// NUMPY:   y[:, :n] = x[:n].T
// NUMPY:   valid = np.zeros((16, 8), "f4")
// NUMPY:   valid[:n] = x[:n]
// NUMPY:   z[:] = 2
// NUMPY:   z[o:o + 4] = valid[o:o + 4]
// NUMPY:   z[:n] += x[:n]
// NUMPY:   return y, z

pl.func @main(%x: !pl.tensor<[16, 8], f32>, %n: index, %o: index, inout %y: !pl.tensor<[8, 16], f32>,
              inout %z: !pl.tensor<[16, 8], f32>) {
  %t = tile.load %x[0, 0] valid(%n) : !pl.tensor<[16, 8], f32> -> !tile.tile<[16, 8], f32, valid = [?, 8]>
  %tt = tile.transpose %t, 0, 1 : !tile.tile<[16, 8], f32, valid = [?, 8]>
  %0 = tile.store %tt, %y[0, 0] : !tile.tile<[8, 16], f32, valid = [8, ?]>, !pl.tensor<[8, 16], f32>
  %flat = tile.reshape %t : !tile.tile<[16, 8], f32, valid = [?, 8]> -> !tile.tile<[4, 32], f32>
  %again = tile.reshape %flat : !tile.tile<[4, 32], f32> -> !tile.tile<[16, 8], f32>
  %w = tile.slice %again[%o, 0] : !tile.tile<[16, 8], f32> -> !tile.tile<[4, 8], f32>
  %c = arith.constant 2.0 : f32
  %f = tile.full %c : f32, !tile.tile<[16, 8], f32>
  %a = tile.assemble %w, %f[%o, 0] : !tile.tile<[4, 8], f32>, !tile.tile<[16, 8], f32>
  %p = tile.part_add %a, %t : !tile.tile<[16, 8], f32>, !tile.tile<[16, 8], f32, valid = [?, 8]>
  %1 = tile.store %p, %z[0, 0] : !tile.tile<[16, 8], f32>, !pl.tensor<[16, 8], f32>
  pl.return
}

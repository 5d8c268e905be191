// RUN: %python %S/run_example.py pypto-run %s %t

// A launch of as many blocks as there are rows, each of which writes its row, and a loop over the columns in a scope.
// NUMPY: cases = [dict(N=7), dict(N=1), dict(N=0)]
// NUMPY: def inputs(rng, N): return [rng.standard_normal((N, 5), dtype="f4")]
// NUMPY: def reference(x): return np.exp(x) + np.arange(len(x), dtype="f4")[:, None]

pl.func @main(%x: !pl.tensor<[N, 5], f32>, out %y: !pl.tensor<[N, 5], f32>) -> !pl.tensor<[N, 5], f32> {
  %n = pl.dim %x, 0 : !pl.tensor<[N, 5], f32>
  pl.spmd (%i) in (%n) {
    pl.at core_group {
      %k = arith.index_cast %i : index to i32
      %f = arith.sitofp %k : i32 to f32
      %t = tile.load %x[%i, 0] : !pl.tensor<[N, 5], f32> -> !tile.tile<[1, 5], f32>
      %e = tile.exp %t : !tile.tile<[1, 5], f32>
      %s = tile.add %e, %f : !tile.tile<[1, 5], f32>, f32
      %r = tile.store %s, %y[%i, 0] : !tile.tile<[1, 5], f32>, !pl.tensor<[N, 5], f32>
    }
  }
  pl.return %y : !pl.tensor<[N, 5], f32>
}

// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: %python %S/run_example.py pypto-run %s %t --pipeline=inline-functions,convert-to-ssa,normalize-return-order,pypto-cpu-pipeline

// Softmax by blocks of 16 rows and a rest, with an inlined helper, and with the two results in another order than the
// outputs: the maxima of the rows come first.
// NUMPY: cases = [dict(M=37, N=53), dict(M=16, N=1), dict(M=1, N=7), dict(M=0, N=3)]
// NUMPY: rtol = 1e-5
// NUMPY: def inputs(rng, M, N): return [8 * rng.standard_normal((M, 64), dtype="f4"), N]
// NUMPY: def reference(x, n):
// NUMPY:     v = x[:, :n]
// NUMPY:     m = v.max(axis=1, keepdims=True)
// NUMPY:     e = np.exp(v - m)
// NUMPY:     y = np.zeros_like(x)
// NUMPY:     y[:, :n] = e / e.sum(axis=1, keepdims=True)
// NUMPY:     return m, y

pl.func inline @normalize(%x: !tile.tile<[R, C], f32, valid = [?, ?]>)
    -> (!tile.tile<[R, C], f32, valid = [?, ?]>, !tile.tile<[R, 1], f32, valid = [?, 1]>) {
  %max = tile.row_max %x : !tile.tile<[R, C], f32, valid = [?, ?]>
  %e = tile.row_expand_expdif %x, %max : !tile.tile<[R, C], f32, valid = [?, ?]>, !tile.tile<[R, 1], f32, valid = [?, 1]>
  %sum = tile.row_sum %e : !tile.tile<[R, C], f32, valid = [?, ?]>
  %y = tile.row_expand_div %e, %sum : !tile.tile<[R, C], f32, valid = [?, ?]>, !tile.tile<[R, 1], f32, valid = [?, 1]>
  pl.return %y, %max : !tile.tile<[R, C], f32, valid = [?, ?]>, !tile.tile<[R, 1], f32, valid = [?, 1]>
}
pl.func incore @rows(%x: !pl.tensor<[M, 64], f32>, %i: index, %n: index, inout %y: !pl.tensor<[M, 64], f32>, inout %max: !pl.tensor<[M, 1], f32>)
    -> (!pl.tensor<[M, 1], f32>, !pl.tensor<[M, 64], f32>) {
  %c16 = arith.constant 16 : index
  %m = pl.dim %x, 0 : !pl.tensor<[M, 64], f32>
  %rest = arith.subi %m, %i : index
  %r = arith.minui %rest, %c16 : index
  %t = tile.load %x[%i, 0] valid (%r, %n) : !pl.tensor<[M, 64], f32> -> !tile.tile<[16, 64], f32, valid = [?, ?]>
  %s:2 = pl.call @normalize(%t) : (!tile.tile<[16, 64], f32, valid = [?, ?]>)
      -> (!tile.tile<[16, 64], f32, valid = [?, ?]>, !tile.tile<[16, 1], f32, valid = [?, 1]>)
  %ry = tile.store %s#0, %y[%i, 0] : !tile.tile<[16, 64], f32, valid = [?, ?]>, !pl.tensor<[M, 64], f32>
  %rmax = tile.store %s#1, %max[%i, 0] : !tile.tile<[16, 1], f32, valid = [?, 1]>, !pl.tensor<[M, 1], f32>
  pl.return %rmax, %ry : !pl.tensor<[M, 1], f32>, !pl.tensor<[M, 64], f32>
}
pl.func orchestration @main(%x: !pl.tensor<[M, 64], f32>, %n: index, out %y: !pl.tensor<[M, 64], f32>, out %max: !pl.tensor<[M, 1], f32>)
    -> (!pl.tensor<[M, 1], f32>, !pl.tensor<[M, 64], f32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %m = pl.dim %x, 0 : !pl.tensor<[M, 64], f32>
  scf.for %i = %c0 to %m step %c16 {
    %r:2 = pl.call @rows(%x, %i, %n, %y, %max)
        : (!pl.tensor<[M, 64], f32>, index, index, !pl.tensor<[M, 64], f32>, !pl.tensor<[M, 1], f32>)
        -> (!pl.tensor<[M, 1], f32>, !pl.tensor<[M, 64], f32>)
  }
  pl.return %max, %y : !pl.tensor<[M, 1], f32>, !pl.tensor<[M, 64], f32>
}

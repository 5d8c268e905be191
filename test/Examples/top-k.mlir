// RUN: %python %S/run_example.py pypto-run %s %t

// The router of a mixture of experts: the k greatest of up to 512 scores of each token with their numbers, by sorting, and
// their softmax. Equal scores keep their order. Scores that a row does not have count as minus infinity.
// NUMPY: cases = [dict(T=9, N=500, k=8), dict(T=4, N=512, k=1), dict(T=1, N=33, k=5), dict(T=2, N=1, k=1), dict(T=0, N=40, k=3)]
// NUMPY: rtol = 1e-5
// NUMPY: def inputs(rng, T, N, k): return [rng.integers(-40, 40, (T, N)).astype("f4") / np.float32(8), k]
// NUMPY: def reference(x, k):
// NUMPY:     weights, numbers = np.zeros((len(x), 16), "f4"), np.zeros((len(x), 16), "i4")
// NUMPY:     order = np.argsort(-x, axis=1, kind="stable")[:, :k]
// NUMPY:     e = np.exp(np.take_along_axis(x, order, 1) - x.max(axis=1, keepdims=True))
// NUMPY:     weights[:, :k], numbers[:, :k] = e / e.sum(axis=1, keepdims=True), order
// NUMPY:     return weights, numbers

!x = !pl.tensor<[T, N], f32>
!w = !pl.tensor<[T, 16], f32>
!n = !pl.tensor<[T, 16], i32>
!scores = !tile.tile<[4, 512], f32>
!numbers = !tile.tile<[4, 512], i32>
!best = !tile.tile<[4, 16], f32, valid = [?, ?]>

pl.func incore @top(%x: !x, %k: index, %i: index, inout %weights: !w, inout %numbers: !n) -> (!w, !n) {
  %c4 = arith.constant 4 : index
  %t = pl.dim %x, 0 : !x
  %n = pl.dim %x, 1 : !x
  %left = arith.subi %t, %i : index
  %r = arith.minsi %left, %c4 : index
  %part = tile.load %x[%i, 0] valid(%r, %n) : !x -> !tile.tile<[4, 512], f32, valid = [?, ?]>
  %all = tile.fillpad min %part : !tile.tile<[4, 512], f32, valid = [?, ?]>
  // Runs of 32, then of 128, then one of 512.
  %v0, %i0 = tile.sort32 %all : !scores
  %v1, %i1 = tile.mrgsort %v0, %i0 run 32 : !scores, !numbers
  %v2, %i2 = tile.mrgsort %v1, %i1 run 128 : !scores, !numbers
  %v = tile.slice %v2[0, 0] valid(%r, %k) : !scores -> !best
  %p = tile.slice %i2[0, 0] valid(%r, %k) : !numbers -> !tile.tile<[4, 16], i32, valid = [?, ?]>
  %max = tile.row_max %v : !best
  %e = tile.row_expand_expdif %v, %max : !best, !tile.tile<[4, 1], f32, valid = [?, 1]>
  %sum = tile.row_sum %e : !best
  %y = tile.row_expand_div %e, %sum : !best, !tile.tile<[4, 1], f32, valid = [?, 1]>
  %s0 = tile.store %y, %weights[%i, 0] : !best, !w
  %s1 = tile.store %p, %numbers[%i, 0] : !tile.tile<[4, 16], i32, valid = [?, ?]>, !n
  pl.return %s0, %s1 : !w, !n
}
pl.func orchestration @main(%x: !x, %k: index, out %weights: !w, out %numbers: !n) -> (!w, !n) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %t = pl.dim %x, 0 : !x
  scf.for %i = %c0 to %t step %c4 {
    %r:2 = pl.call @top(%x, %k, %i, %weights, %numbers) : (!x, index, index, !w, !n) -> (!w, !n)
  }
  pl.return %weights, %numbers : !w, !n
}

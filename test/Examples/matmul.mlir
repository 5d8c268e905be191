// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: %python %S/run_example.py pypto-run %s %t --pipeline=inline-functions,convert-to-ssa,normalize-return-order,pypto-cpu-pipeline

// Tiled product with an accumulator in a loop over K; tiles of 16 x 16 x 16, whose last ones are not full.
// NUMPY: cases = [dict(M=37, K=53, N=29), dict(M=16, K=16, N=16), dict(M=1, K=1, N=1), dict(M=5, K=0, N=3), dict(M=0, K=4, N=3)]
// NUMPY: rtol, atol = 1e-4, 1e-5
// NUMPY: def inputs(rng, M, K, N): return [rng.standard_normal((M, K), dtype="f4"), rng.standard_normal((K, N), dtype="f4")]
// NUMPY: def reference(a, b): return (a.astype("f8") @ b.astype("f8")).astype("f4")

pl.func incore @block(%a: !pl.tensor<[M, K], f32>, %b: !pl.tensor<[K, N], f32>, %i: index, %j: index, inout %c: !pl.tensor<[M, N], f32>)
    -> !pl.tensor<[M, N], f32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %m = pl.dim %a, 0 : !pl.tensor<[M, K], f32>
  %k = pl.dim %a, 1 : !pl.tensor<[M, K], f32>
  %n = pl.dim %b, 1 : !pl.tensor<[K, N], f32>
  %mrest = arith.subi %m, %i : index
  %mi = arith.minui %mrest, %c16 : index
  %nrest = arith.subi %n, %j : index
  %nj = arith.minui %nrest, %c16 : index
  %init = tile.full %zero valid (%mi, %nj) : f32, !tile.tile<[16, 16], f32, valid = [?, ?]>
  %sum = scf.for %p = %c0 to %k step %c16 iter_args(%acc = %init) -> (!tile.tile<[16, 16], f32, valid = [?, ?]>) {
    %krest = arith.subi %k, %p : index
    %kp = arith.minui %krest, %c16 : index
    %ta = tile.load %a[%i, %p] valid (%mi, %kp) : !pl.tensor<[M, K], f32> -> !tile.tile<[16, 16], f32, valid = [?, ?]>
    %tb = tile.load %b[%p, %j] valid (%kp, %nj) : !pl.tensor<[K, N], f32> -> !tile.tile<[16, 16], f32, valid = [?, ?]>
    %next = tile.matmul_acc %acc, %ta, %tb : !tile.tile<[16, 16], f32, valid = [?, ?]>,
        !tile.tile<[16, 16], f32, valid = [?, ?]>, !tile.tile<[16, 16], f32, valid = [?, ?]>
    scf.yield %next : !tile.tile<[16, 16], f32, valid = [?, ?]>
  }
  %r = tile.store %sum, %c[%i, %j] : !tile.tile<[16, 16], f32, valid = [?, ?]>, !pl.tensor<[M, N], f32>
  pl.return %r : !pl.tensor<[M, N], f32>
}
pl.func orchestration @main(%a: !pl.tensor<[M, K], f32>, %b: !pl.tensor<[K, N], f32>, out %c: !pl.tensor<[M, N], f32>) -> !pl.tensor<[M, N], f32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %m = pl.dim %c, 0 : !pl.tensor<[M, N], f32>
  %n = pl.dim %c, 1 : !pl.tensor<[M, N], f32>
  scf.for %i = %c0 to %m step %c16 {
    scf.for %j = %c0 to %n step %c16 {
      %r, %id = orchestration.submit @block(%a, %b, %i, %j, %c)
          : (!pl.tensor<[M, K], f32>, !pl.tensor<[K, N], f32>, index, index, !pl.tensor<[M, N], f32>)
          -> (!pl.tensor<[M, N], f32>, !orchestration.task)
    }
  }
  pl.return %c : !pl.tensor<[M, N], f32>
}

// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: %python %S/run_example.py pypto-run %s %t --pipeline=inline-functions,convert-to-ssa,normalize-return-order,pypto-cpu-pipeline

// RMS norm and layer norm of the same rows, as two kernels that the orchestration gives the same input: rows in blocks of
// 8, of whose 128 columns the first N are data.
// NUMPY: cases = [dict(M=13, N=100), dict(M=8, N=128), dict(M=1, N=1), dict(M=0, N=7), dict(M=3, N=5, offset=1000)]
// NUMPY: rtol, atol = 2e-5, 2e-4
// NUMPY: def inputs(rng, M, N, offset=0):
// NUMPY:     f = lambda *shape: rng.standard_normal(shape, dtype="f4")
// NUMPY:     return [f(M, N) + np.float32(offset), f(1, N), f(1, N), np.float32(1e-2)]
// NUMPY: def reference(x, gamma, beta, eps):
// NUMPY:     rms = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + eps) * gamma
// NUMPY:     centered = x - x.mean(axis=1, keepdims=True)
// NUMPY:     var = (centered * centered).mean(axis=1, keepdims=True)
// NUMPY:     return rms, centered / np.sqrt(var + eps) * gamma + beta

!x = !pl.tensor<[M, N], f32>
!v = !pl.tensor<[1, N], f32>
!rows = !tile.tile<[8, 128], f32, valid = [?, ?]>
!row = !tile.tile<[1, 128], f32, valid = [1, ?]>
!column = !tile.tile<[8, 1], f32, valid = [?, 1]>

// 1 / sqrt(mean of the squares + eps), one number a row.
pl.func inline @inverse_deviation(%t: !rows, %n: f32, %eps: f32) -> !column {
  %0 = tile.mul %t, %t : !rows
  %1 = tile.row_sum %0 : !rows
  %2 = tile.div %1, %n : !column, f32
  %3 = tile.add %2, %eps : !column, f32
  %4 = tile.rsqrt %3 : !column
  pl.return %4 : !column
}
pl.func incore @rms_norm(%x: !x, %gamma: !v, %eps: f32, out %y: !x) -> !x {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %m = pl.dim %x, 0 : !x
  %n = pl.dim %x, 1 : !x
  %ni = arith.index_cast %n : index to i32
  %nf = arith.sitofp %ni : i32 to f32
  %g = tile.load %gamma[0, 0] valid(%n) : !v -> !row
  scf.for %i = %c0 to %m step %c8 {
    %left = arith.subi %m, %i : index
    %r = arith.minsi %left, %c8 : index
    %t = tile.load %x[%i, 0] valid(%r, %n) : !x -> !rows
    %scale = pl.call @inverse_deviation(%t, %nf, %eps) : (!rows, f32, f32) -> !column
    %0 = tile.row_expand_mul %t, %scale : !rows, !column
    %1 = tile.col_expand_mul %0, %g : !rows, !row
    %s = tile.store %1, %y[%i, 0] : !rows, !x
  }
  pl.return %y : !x
}
pl.func incore @layer_norm(%x: !x, %gamma: !v, %beta: !v, %eps: f32, out %y: !x) -> !x {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %m = pl.dim %x, 0 : !x
  %n = pl.dim %x, 1 : !x
  %ni = arith.index_cast %n : index to i32
  %nf = arith.sitofp %ni : i32 to f32
  %g = tile.load %gamma[0, 0] valid(%n) : !v -> !row
  %b = tile.load %beta[0, 0] valid(%n) : !v -> !row
  scf.for %i = %c0 to %m step %c8 {
    %left = arith.subi %m, %i : index
    %r = arith.minsi %left, %c8 : index
    %t = tile.load %x[%i, 0] valid(%r, %n) : !x -> !rows
    %sum = tile.row_sum %t : !rows
    %mean = tile.div %sum, %nf : !column, f32
    %centered = tile.row_expand_sub %t, %mean : !rows, !column
    %scale = pl.call @inverse_deviation(%centered, %nf, %eps) : (!rows, f32, f32) -> !column
    %0 = tile.row_expand_mul %centered, %scale : !rows, !column
    %1 = tile.col_expand_mul %0, %g : !rows, !row
    %2 = tile.col_expand_add %1, %b : !rows, !row
    %s = tile.store %2, %y[%i, 0] : !rows, !x
  }
  pl.return %y : !x
}
pl.func orchestration @main(%x: !x, %gamma: !v, %beta: !v, %eps: f32, out %rms: !x, out %layer: !x) -> (!x, !x) {
  %0 = pl.call @rms_norm(%x, %gamma, %eps, %rms) : (!x, !v, f32, !x) -> !x
  %1 = pl.call @layer_norm(%x, %gamma, %beta, %eps, %layer) : (!x, !v, !v, f32, !x) -> !x
  pl.return %0, %1 : !x, !x
}

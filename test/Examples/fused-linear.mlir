// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: %python %S/run_example.py pypto-run %s %t --pipeline=inline-functions,convert-to-ssa,normalize-return-order,pypto-cpu-pipeline

// A linear layer with its bias and its activation in one kernel: y = gelu(x w + b) by blocks of 16 x 32 with rests, the
// products of half precision, the sums of single precision, and a helper that is inlined.
// NUMPY: cases = [dict(M=37, K=53, N=41), dict(M=16, K=32, N=32), dict(M=1, K=1, N=1), dict(M=5, K=100, N=33), dict(M=3, K=0, N=5), dict(M=0, K=4, N=5)]
// NUMPY: rtol, atol = 2e-3, 2e-3
// NUMPY: def inputs(rng, M, K, N):
// NUMPY:     f = lambda *shape: rng.standard_normal(shape).astype("f2")
// NUMPY:     return [f(M, K), f(K, N) / np.float16(4), rng.standard_normal((1, N), dtype="f4")]
// NUMPY: def reference(x, w, b):
// NUMPY:     h = x.astype("f4") @ w.astype("f4") + b
// NUMPY:     return (h / (1 + np.exp(np.float32(-1.702) * h))).astype("f2")

!x = !pl.tensor<[M, K], f16>
!w = !pl.tensor<[K, N], f16>
!b = !pl.tensor<[1, N], f32>
!y = !pl.tensor<[M, N], f16>
!sums = !tile.tile<[16, 32], f32>
!block = !tile.tile<[16, 32], f32, valid = [?, ?]>

// The sigmoid form of GELU, of as much as is valid.
pl.func inline @gelu(%h: !tile.tile<[R, C], f32, valid = [V, W]>) -> !tile.tile<[R, C], f32, valid = [V, W]> {
  %slope = arith.constant -1.702 : f32
  %one = arith.constant 1.0 : f32
  %0 = tile.mul %h, %slope : !tile.tile<[R, C], f32, valid = [V, W]>, f32
  %1 = tile.exp %0 : !tile.tile<[R, C], f32, valid = [V, W]>
  %2 = tile.add %1, %one : !tile.tile<[R, C], f32, valid = [V, W]>, f32
  %3 = tile.div %h, %2 : !tile.tile<[R, C], f32, valid = [V, W]>
  pl.return %3 : !tile.tile<[R, C], f32, valid = [V, W]>
}

// The block of y that starts at (i, j). The sums stay on the chip while K is walked in steps of 32.
pl.func incore @linear(%x: !x, %w: !w, %b: !b, %i: index, %j: index, inout %y: !y) -> !y {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %m = pl.dim %x, 0 : !x
  %k = pl.dim %x, 1 : !x
  %n = pl.dim %w, 1 : !w
  %rows_left = arith.subi %m, %i : index
  %rows = arith.minsi %rows_left, %c16 : index
  %columns_left = arith.subi %n, %j : index
  %columns = arith.minsi %columns_left, %c32 : index
  %none = tile.full %zero : f32, !sums
  %sums = scf.for %p = %c0 to %k step %c32 iter_args(%acc = %none) -> (!sums) {
    %left = arith.subi %k, %p : index
    %depth = arith.minsi %left, %c32 : index
    %tx = tile.load %x[%i, %p] valid(%rows, %depth) : !x -> !tile.tile<[16, 32], f16, valid = [?, ?]>
    %tw = tile.load %w[%p, %j] valid(%depth, %columns) : !w -> !tile.tile<[32, 32], f16, valid = [?, ?]>
    %next = tile.matmul_acc %acc, %tx, %tw : !sums, !tile.tile<[16, 32], f16, valid = [?, ?]>, !tile.tile<[32, 32], f16, valid = [?, ?]>
    scf.yield %next : !sums
  }
  %h = tile.set_validshape %sums[%rows, %columns] : !sums -> !block
  %tb = tile.load %b[0, %j] valid(%columns) : !b -> !tile.tile<[1, 32], f32, valid = [1, ?]>
  %hb = tile.col_expand_add %h, %tb : !block, !tile.tile<[1, 32], f32, valid = [1, ?]>
  %a = pl.call @gelu(%hb) : (!block) -> !block
  %out = tile.cast %a to f16 mode rint : !block
  %r = tile.store %out, %y[%i, %j] : !tile.tile<[16, 32], f16, valid = [?, ?]>, !y
  pl.return %r : !y
}

pl.func orchestration @main(%x: !x, %w: !w, %b: !b, out %y: !y) -> !y {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = pl.dim %x, 0 : !x
  %n = pl.dim %w, 1 : !w
  scf.for %i = %c0 to %m step %c16 {
    scf.for %j = %c0 to %n step %c32 {
      %r = pl.call @linear(%x, %w, %b, %i, %j, %y) : (!x, !w, !b, index, index, !y) -> !y
    }
  }
  pl.return %y : !y
}

// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: %python %S/run_example.py pypto-run %s %t --pipeline=inline-functions,convert-to-ssa,normalize-return-order,pypto-cpu-pipeline

// A product whose long inner dimension is shared by blocks, in two ways: each block writes a partial product and a second
// task adds them in order; or each block adds its own to the result by an atomic store.
// NUMPY: cases = [dict(M=7, K=301, parts=3), dict(M=16, K=64, parts=1), dict(M=1, K=5, parts=8), dict(M=3, K=0, parts=2), dict(M=0, K=9, parts=2), dict(M=4, K=33, parts=0)]
// NUMPY: rtol, atol = 1e-4, 1e-4
// NUMPY: def inputs(rng, M, K, parts):
// NUMPY:     f = lambda *shape: rng.standard_normal(shape, dtype="f4")
// NUMPY:     return [f(M, K), f(K, 24), parts]
// NUMPY: def reference(x, w, parts):
// NUMPY:     y = x @ w if parts else np.zeros((len(x), 24), "f4")
// NUMPY:     return y, y

!x = !pl.tensor<[M, K], f32>
!w = !pl.tensor<[K, 24], f32>
!y = !pl.tensor<[M, 24], f32>
!partials = !pl.tensor<[S, M, 24], f32>
!sums = !tile.tile<[16, 24], f32, valid = [?, 24]>

// The product over the part of K that belongs to a block, for at most 16 rows from i on.
pl.func inline @part(%x: !x, %w: !w, %i: index, %rows: index) -> !sums {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %block = tile.get_block_idx
  %blocks = tile.get_block_num
  %k = pl.dim %x, 1 : !x
  %share = arith.ceildivui %k, %blocks : index
  %begin = arith.muli %block, %share : index
  %next_block = arith.addi %block, %c1 : index
  %limit = arith.muli %next_block, %share : index
  %end = arith.minsi %limit, %k : index
  %none = tile.full %zero valid(%rows) : f32, !sums
  %sums = scf.for %p = %begin to %end step %c32 iter_args(%acc = %none) -> (!sums) {
    %left = arith.subi %end, %p : index
    %depth = arith.minsi %left, %c32 : index
    %tx = tile.load %x[%i, %p] valid(%rows, %depth) : !x -> !tile.tile<[16, 32], f32, valid = [?, ?]>
    %tw = tile.load %w[%p, 0] valid(%depth) : !w -> !tile.tile<[32, 24], f32, valid = [?, 24]>
    %next = tile.matmul_acc %acc, %tx, %tw : !sums, !tile.tile<[16, 32], f32, valid = [?, ?]>, !tile.tile<[32, 24], f32, valid = [?, 24]>
    scf.yield %next : !sums
  }
  pl.return %sums : !sums
}
pl.func incore @partial(%x: !x, %w: !w, inout %partials: !partials) -> !partials {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %block = tile.get_block_idx
  %m = pl.dim %x, 0 : !x
  scf.for %i = %c0 to %m step %c16 {
    %left = arith.subi %m, %i : index
    %rows = arith.minsi %left, %c16 : index
    %sums = pl.call @part(%x, %w, %i, %rows) : (!x, !w, index, index) -> !sums
    %s = tile.store %sums, %partials[%block, %i, 0] : !sums, !partials
  }
  pl.return %partials : !partials
}
pl.func incore @reduce(%partials: !partials, out %y: !y) -> !y {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %n = pl.dim %partials, 0 : !partials
  %m = pl.dim %y, 0 : !y
  scf.for %i = %c0 to %m step %c16 {
    %left = arith.subi %m, %i : index
    %rows = arith.minsi %left, %c16 : index
    %none = tile.full %zero valid(%rows) : f32, !sums
    %sum = scf.for %p = %c0 to %n step %c1 iter_args(%acc = %none) -> (!sums) {
      %t = tile.load %partials[%p, %i, 0] valid(%rows) : !partials -> !sums
      %next = tile.add %acc, %t : !sums
      scf.yield %next : !sums
    }
    %s = tile.store %sum, %y[%i, 0] : !sums, !y
  }
  pl.return %y : !y
}
pl.func incore @accumulate(%x: !x, %w: !w, inout %y: !y) -> !y {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %m = pl.dim %x, 0 : !x
  scf.for %i = %c0 to %m step %c16 {
    %left = arith.subi %m, %i : index
    %rows = arith.minsi %left, %c16 : index
    %sums = pl.call @part(%x, %w, %i, %rows) : (!x, !w, index, index) -> !sums
    %s = tile.store %sums, %y[%i, 0] atomic : !sums, !y
  }
  pl.return %y : !y
}
pl.func orchestration @main(%x: !x, %w: !w, %parts: index) -> (!y, !y) {
  %zero = arith.constant 0.0 : f32
  pl.symbol @S = %parts : index
  %p0 = pl.create : !partials
  %p, %t0 = orchestration.submit @partial(%x, %w, %p0) core_num %parts : (!x, !w, !partials) -> (!partials, !orchestration.task)
  %y0 = pl.create : !y
  %y, %t1 = orchestration.submit @reduce(%p, %y0) after (%t0) : (!partials, !y) -> (!y, !orchestration.task)
  %z0 = pl.full %zero : f32, !y
  %z, %t2 = orchestration.submit @accumulate(%x, %w, %z0) core_num %parts : (!x, !w, !y) -> (!y, !orchestration.task)
  pl.return %y, %z : !y, !y
}

// RUN: %python %S/run_example.py pypto-run %s %t

// Attention of one new token of each sequence over its past, which lies in pages of 16 tokens that a table lists. The
// lengths are data: the orchestration reads them, and the kernel reads the table. A sequence without a past gives zero.
// NUMPY: cases = [dict(lengths=[37, 16, 1, 0]), dict(lengths=[64]), dict(lengths=[0]), dict(lengths=[]), dict(lengths=[5, 63, 17])]
// NUMPY: rtol, atol = 2e-3, 2e-3
// NUMPY: def inputs(rng, lengths):
// NUMPY:     f = lambda *shape: rng.standard_normal(shape).astype("f2")
// NUMPY:     table = rng.permutation(19)[:4 * len(lengths)].reshape(-1, 4).astype("i4")
// NUMPY:     return [f(len(lengths), 8, 32), f(19, 16, 32), f(19, 16, 32), table, np.array(lengths, "i4")]
// NUMPY: def reference(q, k, v, table, lengths):
// NUMPY:     o = np.zeros(q.shape, "f4")
// NUMPY:     for b, n in enumerate(lengths):
// NUMPY:         keys, values = (t[table[b]].reshape(-1, 32)[:n].astype("f4") for t in (k, v))
// NUMPY:         s = q[b].astype("f4") @ keys.T / np.sqrt(np.float32(32))
// NUMPY:         e = np.exp(s - s.max(axis=1, keepdims=True, initial=-100))
// NUMPY:         if n: o[b] = e / e.sum(axis=1, keepdims=True) @ values
// NUMPY:     return o

!q = !pl.tensor<[B, 8, 32], f16>
!cache = !pl.tensor<[P, 16, 32], f16>
!table = !pl.tensor<[B, T], i32>
!lengths = !pl.tensor<[B], i32>
!o = !pl.tensor<[B, 8, 32], f32>
!page = !tile.tile<[16, 32], f16, valid = [?, 32]>
!scores = !tile.tile<[8, 16], f32, valid = [8, ?]>
!column = !tile.tile<[8, 1], f32>
!heads = !tile.tile<[8, 32], f32>

pl.func incore @attend(%q: !q, %k: !cache, %v: !cache, %table: !table, %b: index, %length: index, inout %o: !o) -> !o {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %tiny = arith.constant 1.0e-30 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.176776695 : f32
  %tq = tile.load %q[%b, 0, 0] : !q -> !tile.tile<[8, 32], f16>
  %max0 = tile.full %lowest : f32, !column
  %sum0 = tile.full %zero : f32, !column
  %acc0 = tile.full %zero : f32, !heads
  %state:3 = scf.for %j = %c0 to %length step %c16 iter_args(%max = %max0, %sum = %sum0, %acc = %acc0) -> (!column, !column, !heads) {
    %slot = arith.divui %j, %c16 : index
    %id = pl.read %table[%b, %slot] : !table
    %p = arith.index_cast %id : i32 to index
    %left = arith.subi %length, %j : index
    %n = arith.minsi %left, %c16 : index
    %tk = tile.load %k[%p, 0, 0] valid(%n) : !cache -> !page
    %tv = tile.load %v[%p, 0, 0] valid(%n) : !cache -> !page
    %kt = tile.transpose %tk, 0, 1 : !page
    %s = tile.matmul %tq, %kt : !tile.tile<[8, 32], f16>, !tile.tile<[32, 16], f16, valid = [32, ?]>
    %scaled = tile.mul %s, %scale : !scores, f32
    %block_max = tile.row_max %scaled : !scores
    %new_max = tile.maximum %max, %block_max : !column
    %e = tile.row_expand_expdif %scaled, %new_max : !scores, !column
    %block_sum = tile.row_sum %e : !scores
    %shift = tile.sub %max, %new_max : !column
    %correction = tile.exp %shift : !column
    %old_sum = tile.mul %sum, %correction : !column
    %new_sum = tile.add %old_sum, %block_sum : !column
    %old_acc = tile.row_expand_mul %acc, %correction : !heads, !column
    %half = tile.cast %e to f16 mode rint : !scores
    %new_acc = tile.matmul_acc %old_acc, %half, %tv : !heads, !tile.tile<[8, 16], f16, valid = [8, ?]>, !page
    scf.yield %new_max, %new_sum, %new_acc : !column, !column, !heads
  }
  %divisor = tile.maximum %state#1, %tiny : !column, f32
  %out = tile.row_expand_div %state#2, %divisor : !heads, !column
  %r = tile.store %out, %o[%b, 0, 0] : !heads, !o
  pl.return %r : !o
}
pl.func orchestration @main(%q: !q, %k: !cache, %v: !cache, %table: !table, %lengths: !lengths, out %o: !o) -> !o {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pl.dim %q, 0 : !q
  scf.for %b = %c0 to %n step %c1 {
    %length = pl.read %lengths[%b] : !lengths
    %l = arith.index_cast %length : i32 to index
    %r = pl.call @attend(%q, %k, %v, %table, %b, %l, %o) : (!q, !cache, !cache, !table, index, index, !o) -> !o
  }
  pl.return %o : !o
}

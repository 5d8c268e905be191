// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: %python %S/run_example.py pypto-run %s %t --pipeline=inline-functions,convert-to-ssa,normalize-return-order,pypto-cpu-pipeline

// Attention of a block of queries over all keys without the matrix of scores: the loop over blocks of 32 keys carries the
// greatest score, the sum of the exponentials and the weighted values of each query, and corrects them when the greatest
// score grows. Rests of queries and of keys are valid shapes.
// NUMPY: cases = [dict(Q=19, S=75), dict(Q=16, S=32), dict(Q=1, S=1), dict(Q=33, S=31), dict(Q=0, S=3)]
// NUMPY: rtol, atol = 1e-4, 1e-5
// NUMPY: def inputs(rng, Q, S): return [2 * rng.standard_normal((n, 24), dtype="f4") for n in (Q, S, S)]
// NUMPY: def reference(q, k, v):
// NUMPY:     s = q @ k.T / np.sqrt(np.float32(24))
// NUMPY:     e = np.exp(s - s.max(axis=1, keepdims=True))
// NUMPY:     return e / e.sum(axis=1, keepdims=True) @ v

!q = !pl.tensor<[Q, 24], f32>
!kv = !pl.tensor<[S, 24], f32>
!heads = !tile.tile<[16, 24], f32, valid = [?, 24]>
!keys = !tile.tile<[32, 24], f32, valid = [?, 24]>
!scores = !tile.tile<[16, 32], f32, valid = [?, ?]>
!column = !tile.tile<[16, 1], f32, valid = [?, 1]>

// One step of the online softmax: what is known of each query, and a block of keys and values.
pl.func inline @step(%q: !heads, %k: !keys, %v: !keys, %scale: f32, %max: !column, %sum: !column, %acc: !heads)
    -> (!column, !column, !heads) {
  %kt = tile.transpose %k, 0, 1 : !keys
  %s = tile.matmul %q, %kt : !heads, !tile.tile<[24, 32], f32, valid = [24, ?]>
  %scaled = tile.mul %s, %scale : !scores, f32
  %block_max = tile.row_max %scaled : !scores
  %new_max = tile.maximum %max, %block_max : !column
  %p = tile.row_expand_expdif %scaled, %new_max : !scores, !column
  %block_sum = tile.row_sum %p : !scores
  %shift = tile.sub %max, %new_max : !column
  %correction = tile.exp %shift : !column
  %old_sum = tile.mul %sum, %correction : !column
  %new_sum = tile.add %old_sum, %block_sum : !column
  %old_acc = tile.row_expand_mul %acc, %correction : !heads, !column
  %new_acc = tile.matmul_acc %old_acc, %p, %v : !heads, !scores, !keys
  pl.return %new_max, %new_sum, %new_acc : !column, !column, !heads
}
pl.func incore @attend(%q: !q, %k: !kv, %v: !kv, %i: index, inout %o: !q) -> !q {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.204124152 : f32
  %nq = pl.dim %q, 0 : !q
  %ns = pl.dim %k, 0 : !kv
  %queries_left = arith.subi %nq, %i : index
  %r = arith.minsi %queries_left, %c16 : index
  %tq = tile.load %q[%i, 0] valid(%r) : !q -> !heads
  %max0 = tile.full %lowest valid(%r) : f32, !column
  %sum0 = tile.full %zero valid(%r) : f32, !column
  %acc0 = tile.full %zero valid(%r) : f32, !heads
  %state:3 = scf.for %j = %c0 to %ns step %c32 iter_args(%max = %max0, %sum = %sum0, %acc = %acc0) -> (!column, !column, !heads) {
    %left = arith.subi %ns, %j : index
    %n = arith.minsi %left, %c32 : index
    %tk = tile.load %k[%j, 0] valid(%n) : !kv -> !keys
    %tv = tile.load %v[%j, 0] valid(%n) : !kv -> !keys
    %next:3 = pl.call @step(%tq, %tk, %tv, %scale, %max, %sum, %acc)
        : (!heads, !keys, !keys, f32, !column, !column, !heads) -> (!column, !column, !heads)
    scf.yield %next#0, %next#1, %next#2 : !column, !column, !heads
  }
  %out = tile.row_expand_div %state#2, %state#1 : !heads, !column
  %s = tile.store %out, %o[%i, 0] : !heads, !q
  pl.return %s : !q
}
pl.func orchestration @main(%q: !q, %k: !kv, %v: !kv, out %o: !q) -> !q {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = pl.dim %q, 0 : !q
  scf.for %i = %c0 to %n step %c16 {
    %r = pl.call @attend(%q, %k, %v, %i, %o) : (!q, !kv, !kv, index, !q) -> !q
  }
  pl.return %o : !q
}

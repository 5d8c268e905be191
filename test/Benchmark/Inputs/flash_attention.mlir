// Attention of blocks of 64 queries over all keys without the matrix of scores: the loop over blocks of 128 keys carries the
// greatest score, the sum of the exponentials and the weighted values of each query.
!q = !pl.tensor<[2048, 64], f32>
!heads = !tile.tile<[64, 64], f32>
!keys = !tile.tile<[128, 64], f32>
!scores = !tile.tile<[64, 128], f32>
!column = !tile.tile<[64, 1], f32>

pl.func private incore @attend(%q: !q, %k: !q, %v: !q, %i: index, inout %o: !q) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c2048 = arith.constant 2048 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %tq = tile.load %q[%i, 0] : !q -> !heads
  %max0 = tile.full %lowest : f32, !column
  %sum0 = tile.full %zero : f32, !column
  %acc0 = tile.full %zero : f32, !heads
  %state:3 = scf.for %j = %c0 to %c2048 step %c128 iter_args(%max = %max0, %sum = %sum0, %acc = %acc0) -> (!column, !column, !heads) {
    %tk = tile.load %k[%j, 0] : !q -> !keys
    %tv = tile.load %v[%j, 0] : !q -> !keys
    %kt = tile.transpose %tk, 0, 1 : !keys
    %s = tile.matmul %tq, %kt : !heads, !tile.tile<[64, 128], f32>
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
    %new_acc = tile.matmul_acc %old_acc, %p, %tv : !heads, !scores, !keys
    scf.yield %new_max, %new_sum, %new_acc : !column, !column, !heads
  }
  %out = tile.row_expand_div %state#2, %state#1 : !heads, !column
  %stored = tile.store %out, %o[%i, 0] : !heads, !q
  pl.return
}
pl.func orchestration @main(%q: !q, %k: !q, %v: !q, out %o: !q) attributes {pl.noalias} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c2048 = arith.constant 2048 : index
  scf.for %i = %c0 to %c2048 step %c64 {
    pl.call @attend(%q, %k, %v, %i, %o) : (!q, !q, !q, index, !q) -> ()
  }
  pl.return
}

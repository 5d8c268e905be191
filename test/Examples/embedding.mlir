// RUN: %python %S/run_example.py pypto-run %s %t

// An embedding and its gradient: rows gathered by the numbers of tokens, turned by positions (columns gathered in pairs),
// written to a cache at given slots, and gradients added to the rows of their tokens, which repeat.
// NUMPY: cases = [dict(T=13), dict(T=8), dict(T=1), dict(T=0)]
// NUMPY: def inputs(rng, T):
// NUMPY:     f = lambda *shape: rng.standard_normal(shape, dtype="f4")
// NUMPY:     return [rng.integers(0, 5, T, "i4"), f(11, 32), f(T, 32), f(T, 32), rng.integers(0, 24, (1, 8), "i4"), f(24, 32), f(T, 32)]
// NUMPY: def reference(ids, table, cos, sin, slots, cache, gradient):
// NUMPY:     x = table[ids]
// NUMPY:     swapped = x.reshape(-1, 16, 2)[:, :, ::-1].reshape(-1, 32)
// NUMPY:     y = x * cos + swapped * sin
// NUMPY:     for k, row in zip(slots[0], y): cache[k] = row
// NUMPY:     sums = np.zeros((11, 32), "f4")
// NUMPY:     np.add.at(sums, ids, gradient)
// NUMPY:     return y, cache, sums

!ids = !pl.tensor<[T], i32>
!table = !pl.tensor<[V, 32], f32>
!x = !pl.tensor<[T, 32], f32>
!slots = !pl.tensor<[1, 8], i32>
!cache = !pl.tensor<[24, 32], f32>
!row = !tile.tile<[1, 32], f32>
!rows = !tile.tile<[8, 32], f32, valid = [?, 32]>

pl.func incore @lookup(%ids: !ids, %table: !table, out %y: !x) -> !x {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pl.dim %ids, 0 : !ids
  scf.for %i = %c0 to %n step %c1 {
    %id = pl.read %ids[%i] : !ids
    %p = arith.index_cast %id : i32 to index
    %t = tile.load %table[%p, 0] : !table -> !row
    %s = tile.store %t, %y[%i, 0] : !row, !x
  }
  pl.return %y : !x
}
// y = x cos + x' sin, where x' has the columns of each pair exchanged: column c comes from column c ^ 1.
pl.func incore @rotate(%cos: !x, %sin: !x, inout %y: !x) -> !x {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = pl.dim %y, 0 : !x
  %columns = tile.arange %zero : i32, !tile.tile<[1, 32], i32>
  %pairs = tile.xor %columns, %one : !tile.tile<[1, 32], i32>, i32
  %any = tile.create : !tile.tile<[8, 32], i32>
  %partner = tile.col_expand %any, %pairs : !tile.tile<[8, 32], i32>, !tile.tile<[1, 32], i32>
  scf.for %i = %c0 to %n step %c8 {
    %left = arith.subi %n, %i : index
    %r = arith.minsi %left, %c8 : index
    %t = tile.load %y[%i, 0] valid(%r) : !x -> !rows
    %c = tile.load %cos[%i, 0] valid(%r) : !x -> !rows
    %s = tile.load %sin[%i, 0] valid(%r) : !x -> !rows
    %columns_of_rows = tile.set_validshape %partner[%r, 32] : !tile.tile<[8, 32], i32> -> !tile.tile<[8, 32], i32, valid = [?, 32]>
    %swapped = tile.gather %t, %columns_of_rows dim 1 : !rows, !tile.tile<[8, 32], i32, valid = [?, 32]>
    %0 = tile.mul %t, %c : !rows
    %1 = tile.mul %swapped, %s : !rows
    %2 = tile.add %0, %1 : !rows
    %st = tile.store %2, %y[%i, 0] : !rows, !x
  }
  pl.return %y : !x
}
// At most the first eight rows go to their slots.
pl.func incore @cache_rows(%y: !x, %slots: !slots, inout %cache: !cache) -> !cache {
  %c8 = arith.constant 8 : index
  %n = pl.dim %y, 0 : !x
  %r = arith.minsi %n, %c8 : index
  %t = tile.load %y[0, 0] valid(%r) : !x -> !rows
  %k = tile.load %slots[0, 0] valid(%r) : !slots -> !tile.tile<[1, 8], i32, valid = [1, ?]>
  %old = tile.load %cache[0, 0] : !cache -> !tile.tile<[24, 32], f32>
  %new = tile.scatter_update %t, %k, %old : !rows, !tile.tile<[1, 8], i32, valid = [1, ?]>, !tile.tile<[24, 32], f32>
  %s = tile.store %new, %cache[0, 0] : !tile.tile<[24, 32], f32>, !cache
  pl.return %s : !cache
}
pl.func incore @accumulate(%ids: !ids, %gradient: !x, inout %sums: !table) -> !table {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pl.dim %ids, 0 : !ids
  scf.for %i = %c0 to %n step %c1 {
    %id = pl.read %ids[%i] : !ids
    %p = arith.index_cast %id : i32 to index
    %t = tile.load %gradient[%i, 0] : !x -> !row
    %s = tile.store %t, %sums[%p, 0] atomic : !row, !table
  }
  pl.return %sums : !table
}
pl.func orchestration @main(%ids: !ids, %table: !table, %cos: !x, %sin: !x, %slots: !slots, inout %cache: !cache, %gradient: !x)
    -> (!x, !cache, !table) {
  %zero = arith.constant 0.0 : f32
  %y0 = pl.create : !x
  %y1 = pl.call @lookup(%ids, %table, %y0) : (!ids, !table, !x) -> !x
  %y = pl.call @rotate(%cos, %sin, %y1) : (!x, !x, !x) -> !x
  %c = pl.call @cache_rows(%y, %slots, %cache) : (!x, !slots, !cache) -> !cache
  %s0 = pl.full %zero : f32, !table
  %s = pl.call @accumulate(%ids, %gradient, %s0) : (!ids, !x, !table) -> !table
  pl.return %y, %c, %s : !x, !cache, !table
}

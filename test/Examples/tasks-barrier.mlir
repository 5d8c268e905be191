// RUN: %python %S/run_example.py pypto-run %s %t

// Blocks that wait for all others, many more than threads: those that wait stand on one stack, their tiles do not.
// NUMPY: threads = [2, 1, 8]
// NUMPY: adversarial = False
// NUMPY: interpret = False
// NUMPY: def inputs(rng): return [rng.integers(-99, 99, (200, 12000)).astype("i4"), 200]
// NUMPY: def reference(x, n): return x - x.max(axis=1, keepdims=True)

!t = !pl.tensor<[200, 12000], i32>
!s = !pl.tensor<[1], i32>
!tile = !tile.tile<[1, 12000], i32>
pl.func incore @block(%x: !t, %n: i32, inout %s: !s, out %z: !t) -> !t {
  %i = tile.get_block_idx
  %one = arith.constant 1 : i32
  %0 = tile.load %x[%i, 0] : !t -> !tile
  %m = tile.row_max %0 : !tile
  %d = tile.sub %0, %m : !tile, !tile.tile<[1, 1], i32>
  tile.notify add %one, %s[0] : !s
  tile.wait ge %s[0], %n : !s
  %1 = tile.store %d, %z[%i, 0] : !tile, !t
  pl.return %1 : !t
}
pl.func orchestration @main(%x: !t, %n: index, out %z: !t) -> !t {
  %zero = arith.constant 0 : i32
  %s = pl.full %zero : i32, !s
  %count = arith.index_cast %n : index to i32
  %0, %id = orchestration.submit @block(%x, %count, %s, %z) core_num %n : (!t, i32, !s, !t) -> (!t, !orchestration.task)
  pl.return %0 : !t
}

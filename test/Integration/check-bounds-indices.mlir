// RUN: %python %S/check_bounds.py pypto-run %s %t

// Indices that are data: each element is looked at before anything is accessed. And what sorts.

// PASS: np.zeros((2, 5), "f4"), np.full((2, 3), 4, "i4")
// PASS: np.zeros((2, 5), "f4"), np.zeros((2, 0), "i4")
// FAIL: np.zeros((2, 5), "f4"), np.array([[0, 1, 4], [3, 5, 7]], "i4"): 'pl.gather' expects an index in [0, 5) in dimension 1, but got 5
// FAIL: np.zeros((2, 5), "f4"), np.array([[0, 1, 4], [3, -1, 7]], "i4"): 'pl.gather' expects an index in [0, 5) in dimension 1, but got -1
// FAIL: np.zeros((2, 5), "f4"), np.zeros((3, 1), "i4"): 'pl.gather' expects dimension 0 of the indices to be from 0 to 2, but got 3
pl.func @gather(%x: !pl.tensor<[?, N], f32>, %i: !pl.tensor<[?, K], i32>) -> !pl.tensor<[?, K], f32> {
  %r = pl.gather %x, %i dim 1 : !pl.tensor<[?, N], f32>, !pl.tensor<[?, K], i32> // HERE
  pl.return %r : !pl.tensor<[?, K], f32>
}
// An unsigned index is never negative; a large one is out of range.
// PASS: np.zeros(200, "f4"), np.array([199], "u1")
// FAIL: np.zeros(200, "f4"), np.array([255], "u1"): 'pl.gather' expects an index in [0, 200) in dimension 0, but got 255
pl.func @gather_unsigned(%x: !pl.tensor<[N], f32>, %i: !pl.tensor<[K], ui8>) -> !pl.tensor<[K], f32> {
  %r = pl.gather %x, %i dim 0 : !pl.tensor<[N], f32>, !pl.tensor<[K], ui8> // HERE
  pl.return %r : !pl.tensor<[K], f32>
}
// Indices that are not valid are not looked at.
// PASS: "*", np.array([[0, 7, 8, 9]], "i4"), 2
// FAIL: "*", np.array([[0, 7, 8, 9]], "i4"), 3: 'tile.gather' expects an index in [0, 8) in dimension 1, but got 8
pl.func @tile_gather(%x: !pl.tensor<[1, 8], f32>, %i: !pl.tensor<[1, 4], i32>, %n: index) -> f32 {
  %t = tile.load %x[0, 0] : !pl.tensor<[1, 8], f32> -> !tile.tile<[1, 8], f32>
  %k = tile.load %i[0, 0] valid(%n) : !pl.tensor<[1, 4], i32> -> !tile.tile<[1, 4], i32, valid = [1, ?]>
  %g = tile.gather %t, %k dim 1 : !tile.tile<[1, 8], f32>, !tile.tile<[1, 4], i32, valid = [1, ?]> // HERE
  %r = tile.read %g[0, 0] : !tile.tile<[1, 4], f32, valid = [1, ?]>
  pl.return %r : f32
}
// PASS: np.zeros((2, 3), "f4"), np.full((2, 3), 4, "i4"), np.zeros((2, 5), "f4")
// FAIL: np.zeros((2, 3), "f4"), np.array([[0, 0, 0], [0, 0, 5]], "i4"), np.zeros((2, 5), "f4"): 'pl.scatter' expects an index in [0, 5) in dimension 1, but got 5
pl.func @scatter(%s: !pl.tensor<[2, 3], f32>, %i: !pl.tensor<[2, 3], i32>, inout %d: !pl.tensor<[2, N], f32>) -> !pl.tensor<[2, N], f32> {
  %r = pl.scatter %s, %i, %d dim 1 : !pl.tensor<[2, 3], f32>, !pl.tensor<[2, 3], i32>, !pl.tensor<[2, N], f32> // HERE
  pl.return %r : !pl.tensor<[2, N], f32>
}
// PASS: "*", np.array([[7, 0]], "i4")
// FAIL: "*", np.array([[7, 8]], "i4"): 'tile.scatter' expects an index in [0, 8) in dimension 1, but got 8
pl.func @tile_scatter(%x: !pl.tensor<[1, 8], f32>, %i: !pl.tensor<[1, 2], i32>) -> f32 {
  %t = tile.load %x[0, 0] : !pl.tensor<[1, 8], f32> -> !tile.tile<[1, 8], f32>
  %s = tile.load %x[0, 0] : !pl.tensor<[1, 8], f32> -> !tile.tile<[1, 2], f32>
  %k = tile.load %i[0, 0] : !pl.tensor<[1, 2], i32> -> !tile.tile<[1, 2], i32>
  %g = tile.scatter %s, %k, %t dim 1 : !tile.tile<[1, 2], f32>, !tile.tile<[1, 2], i32>, !tile.tile<[1, 8], f32> // HERE
  %r = tile.read %g[0, 0] : !tile.tile<[1, 8], f32>
  pl.return %r : f32
}
// PASS: np.zeros((2, 4), "f4"), np.array([5, 0], "i8"), np.zeros((6, 4), "f4")
// FAIL: np.zeros((2, 4), "f4"), np.array([5, 6], "i8"), np.zeros((6, 4), "f4"): 'pl.scatter_update' expects an index in [0, 6) in dimension 0, but got 6
// FAIL: np.zeros((3, 4), "f4"), np.array([5, 0], "i8"), np.zeros((6, 4), "f4"): 'pl.scatter_update' expects the number of indices to be 3, but got 2
pl.func @scatter_update(%s: !pl.tensor<[M, 4], f32>, %i: !pl.tensor<[K], i64>, inout %d: !pl.tensor<[N, 4], f32>) -> !pl.tensor<[N, 4], f32> {
  %r = pl.scatter_update %s, %i, %d : !pl.tensor<[M, 4], f32>, !pl.tensor<[K], i64>, !pl.tensor<[N, 4], f32> // HERE
  pl.return %r : !pl.tensor<[N, 4], f32>
}
// PASS: "*", np.array([[3, 0]], "i4")
// FAIL: "*", np.array([[4, 0]], "i4"): 'tile.scatter_update' expects an index in [0, 4) in dimension 0, but got 4
pl.func @tile_scatter_update(%x: !pl.tensor<[4, 8], f32>, %i: !pl.tensor<[1, 2], i32>) -> f32 {
  %t = tile.load %x[0, 0] : !pl.tensor<[4, 8], f32> -> !tile.tile<[4, 8], f32>
  %s = tile.load %x[0, 0] : !pl.tensor<[4, 8], f32> -> !tile.tile<[2, 8], f32>
  %k = tile.load %i[0, 0] : !pl.tensor<[1, 2], i32> -> !tile.tile<[1, 2], i32>
  %g = tile.scatter_update %s, %k, %t : !tile.tile<[2, 8], f32>, !tile.tile<[1, 2], i32>, !tile.tile<[4, 8], f32> // HERE
  %r = tile.read %g[0, 0] : !tile.tile<[4, 8], f32>
  pl.return %r : f32
}
// PASS: np.zeros((2, 64), "f4")
// FAIL: np.zeros((2, 40), "f4"): 'pl.sort32' expects dimension 1 to be a multiple of 32, but got 40
pl.func @sort32(%x: !pl.tensor<[2, N], f32>) -> !pl.tensor<[2, N], f32> {
  %v, %i = pl.sort32 %x : !pl.tensor<[2, N], f32> // HERE
  pl.return %v : !pl.tensor<[2, N], f32>
}
// PASS: np.zeros((1, 16), "f4"), np.zeros((1, 16), "i4")
// FAIL: np.zeros((1, 18), "f4"), np.zeros((1, 18), "i4"): 'pl.mrgsort' expects dimension 1 to be a multiple of 4, but got 18
// FAIL: np.zeros((1, 16), "f4"), np.zeros((1, 12), "i4"): 'pl.mrgsort' expects dimension 1 of the indices to be 16, but got 12
pl.func @mrgsort(%x: !pl.tensor<[1, ?], f32>, %k: !pl.tensor<[1, ?], i32>) -> !pl.tensor<[1, ?], f32> {
  %v, %i = pl.mrgsort %x, %k run 4 : !pl.tensor<[1, ?], f32>, !pl.tensor<[1, ?], i32> // HERE
  pl.return %v : !pl.tensor<[1, ?], f32>
}
// A table of indices that a loop follows.
// PASS: np.arange(8, dtype="f4"), np.array([3, 0, 7], "i4")
// FAIL: np.arange(8, dtype="f4"), np.array([3, 8, 7], "i4"): 'pl.read' expects an index in [0, 8) in dimension 0, but got 8
pl.func @table(%x: !pl.tensor<[N], f32>, %table: !pl.tensor<[K], i32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pl.dim %table, 0 : !pl.tensor<[K], i32>
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %k = pl.read %table[%i] : !pl.tensor<[K], i32>
    %at = arith.index_cast %k : i32 to index
    %e = pl.read %x[%at] : !pl.tensor<[N], f32> // HERE
    %next = arith.addf %s, %e : f32
    scf.yield %next : f32
  }
  pl.return %sum : f32
}

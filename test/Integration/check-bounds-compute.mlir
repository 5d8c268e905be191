// RUN: %python %S/check_bounds.py pypto-run %s %t

// What is checked in front of computations: extents that have to agree, and what is repeated has to be valid.

// PASS: np.zeros((3, 1), "f4"), np.zeros((1, 4), "f4")
// PASS: np.zeros((0, 4), "f4"), np.zeros((1, 4), "f4")
// FAIL: np.zeros((3, 4), "f4"), np.zeros((2, 4), "f4"): 'pl.add' expects dimension 0 of operand 1 to be 1 or 3, but got 2
pl.func @binary(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) -> !pl.tensor<[?, ?], f32> {
  %r = pl.add %x, %y : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32> // HERE
  pl.return %r : !pl.tensor<[?, ?], f32>
}
// Names that are not known to be equal.
// PASS: np.zeros((3, 4), "f4"), np.zeros(4, "f4")
// FAIL: np.zeros((3, 4), "f4"), np.zeros(5, "f4"): 'pl.cmp' expects dimension 0 of operand 1 to be 1 or 4, but got 5
pl.func @compare(%x: !pl.tensor<[M, N], f32>, %y: !pl.tensor<[K], f32>) -> !pl.tensor<[M, ?], i1> {
  %r = pl.cmp lt %x, %y : !pl.tensor<[M, N], f32>, !pl.tensor<[K], f32> // HERE
  pl.return %r : !pl.tensor<[M, ?], i1>
}
// PASS: np.zeros(3, "?"), np.zeros(3, "f4"), np.zeros(1, "f4")
// FAIL: np.zeros(3, "?"), np.zeros(3, "f4"), np.zeros(2, "f4"): 'pl.sel' expects dimension 0 of operand 2 to be 1 or 3, but got 2
pl.func @select(%m: !pl.tensor<[?], i1>, %x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) -> !pl.tensor<[?], f32> {
  %r = pl.sel %m, %x, %y : !pl.tensor<[?], i1>, !pl.tensor<[?], f32>, !pl.tensor<[?], f32> // HERE
  pl.return %r : !pl.tensor<[?], f32>
}
// A row is repeated, so it has to be valid unless nothing is computed.
// PASS: "*", "*", 1
// FAIL: "*", "*", 0: 'tile.add' expects the valid extent of dimension 0 of operand 1 to be at least 1, but got 0
pl.func @repeated(%x: !pl.tensor<[4, 8], f32>, %y: !pl.tensor<[1, 8], f32>, %n: index) -> f32 {
  %a = tile.load %x[0, 0] : !pl.tensor<[4, 8], f32> -> !tile.tile<[4, 8], f32>
  %b = tile.load %y[0, 0] valid(%n) : !pl.tensor<[1, 8], f32> -> !tile.tile<[1, 8], f32, valid = [?, 8]>
  %s = tile.add %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[1, 8], f32, valid = [?, 8]> // HERE
  %r = tile.read %s[0, 0] : !tile.tile<[4, 8], f32>
  pl.return %r : f32
}
// PASS: np.zeros((3, 4), "f4"), np.zeros((3, 1), "f4")
// FAIL: np.zeros((3, 4), "f4"), np.zeros((2, 1), "f4"): 'pl.row_expand_mul' expects dimension 0 of operand 1 to be 3, but got 2
pl.func @row_expand(%x: !pl.tensor<[M, N], f32>, %y: !pl.tensor<[?, 1], f32>) -> !pl.tensor<[M, N], f32> {
  %r = pl.row_expand_mul %x, %y : !pl.tensor<[M, N], f32>, !pl.tensor<[?, 1], f32> // HERE
  pl.return %r : !pl.tensor<[M, N], f32>
}
// PASS: np.zeros((3, 4), "f4"), np.zeros((1, 4), "f4")
// FAIL: np.zeros((3, 4), "f4"), np.zeros((1, 5), "f4"): 'pl.col_expand' expects dimension 1 of operand 1 to be 4, but got 5
pl.func @col_expand(%x: !pl.tensor<[M, N], f32>, %y: !pl.tensor<[1, ?], f32>) -> !pl.tensor<[M, N], f32> {
  %r = pl.col_expand %x, %y : !pl.tensor<[M, N], f32>, !pl.tensor<[1, ?], f32> // HERE
  pl.return %r : !pl.tensor<[M, N], f32>
}
// PASS: "*", "*", 1
// FAIL: "*", "*", 0: 'tile.col_expand_add' expects the valid extent of dimension 0 of operand 1 to be at least 1, but got 0
pl.func @col_expand_valid(%x: !pl.tensor<[4, 8], f32>, %y: !pl.tensor<[1, 8], f32>, %n: index) -> f32 {
  %a = tile.load %x[0, 0] : !pl.tensor<[4, 8], f32> -> !tile.tile<[4, 8], f32>
  %b = tile.load %y[0, 0] valid(%n) : !pl.tensor<[1, 8], f32> -> !tile.tile<[1, 8], f32, valid = [?, 8]>
  %s = tile.col_expand_add %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[1, 8], f32, valid = [?, 8]> // HERE
  %r = tile.read %s[0, 0] : !tile.tile<[4, 8], f32>
  pl.return %r : f32
}
// PASS: np.zeros((3, 4), "f4"), np.zeros((4, 5), "f4")
// FAIL: np.zeros((3, 4), "f4"), np.zeros((5, 5), "f4"): 'pl.matmul' expects dimension 0 of the second factor to be 4, but got 5
pl.func @matmul(%x: !pl.tensor<[M, K], f32>, %y: !pl.tensor<[?, N], f32>) -> !pl.tensor<[M, N], f32> {
  %r = pl.matmul %x, %y : !pl.tensor<[M, K], f32>, !pl.tensor<[?, N], f32> // HERE
  pl.return %r : !pl.tensor<[M, N], f32>
}
// PASS: np.zeros((3, 5), "f4"), np.zeros((3, 4), "f4"), np.zeros((4, 5), "f4")
// FAIL: np.zeros((2, 5), "f4"), np.zeros((3, 4), "f4"), np.zeros((4, 5), "f4"): 'pl.matmul_acc' expects dimension 0 of the accumulator to be 3, but got 2
pl.func @matmul_acc(inout %a: !pl.tensor<[?, N], f32>, %x: !pl.tensor<[M, K], f32>, %y: !pl.tensor<[K, N], f32>) -> !pl.tensor<[?, N], f32> {
  %r = pl.matmul_acc %a, %x, %y : !pl.tensor<[?, N], f32>, !pl.tensor<[M, K], f32>, !pl.tensor<[K, N], f32> // HERE
  pl.return %r : !pl.tensor<[?, N], f32>
}
// PASS: "*", "*", "*", 1
// FAIL: "*", "*", "*", 0: 'tile.matmul_bias' expects the valid extent of dimension 0 of the bias to be at least 1, but got 0
pl.func @matmul_bias(%x: !pl.tensor<[4, 8], f32>, %y: !pl.tensor<[8, 4], f32>, %z: !pl.tensor<[1, 4], f32>, %n: index) -> f32 {
  %a = tile.load %x[0, 0] : !pl.tensor<[4, 8], f32> -> !tile.tile<[4, 8], f32>
  %b = tile.load %y[0, 0] : !pl.tensor<[8, 4], f32> -> !tile.tile<[8, 4], f32>
  %c = tile.load %z[0, 0] valid(%n) : !pl.tensor<[1, 4], f32> -> !tile.tile<[1, 4], f32, valid = [?, 4]>
  %s = tile.matmul_bias %a, %b, %c : !tile.tile<[4, 8], f32>, !tile.tile<[8, 4], f32>, !tile.tile<[1, 4], f32, valid = [?, 4]> // HERE
  %r = tile.read %s[0, 0] : !tile.tile<[4, 4], f32>
  pl.return %r : f32
}
// PASS: np.zeros((3, 4), "f4"), np.zeros((3, 2), "f4")
// FAIL: np.zeros((3, 4), "f4"), np.zeros((2, 2), "f4"): 'pl.concat' expects dimension 0 of operand 1 to be 3, but got 2
pl.func @concat(%x: !pl.tensor<[M, 4], f32>, %y: !pl.tensor<[?, 2], f32>) -> !pl.tensor<[M, 6], f32> {
  %c = pl.concat %x, %y axis 1 : !pl.tensor<[M, 4], f32>, !pl.tensor<[?, 2], f32> // HERE
  pl.return %c : !pl.tensor<[M, 6], f32>
}
// PASS: "*", 4, 8, 4, 8
// PASS: "*", 2, 8, 4, 8
// PASS: "*", 2, 8, 1, 7
// FAIL: "*", 3, 7, 2, 8: 'tile.part_add' expects the valid extent of dimension 1 of operand 1 to be from 0 to 7, but got 8
pl.func @part(%x: !pl.tensor<[4, 8], f32>, %i: index, %j: index, %k: index, %l: index) -> f32 {
  %a = tile.load %x[0, 0] valid(%i, %j) : !pl.tensor<[4, 8], f32> -> !tile.tile<[4, 8], f32, valid = [?, ?]>
  %b = tile.load %x[0, 0] valid(%k, %l) : !pl.tensor<[4, 8], f32> -> !tile.tile<[4, 8], f32, valid = [?, ?]>
  %s = tile.part_add %a, %b : !tile.tile<[4, 8], f32, valid = [?, ?]>, !tile.tile<[4, 8], f32, valid = [?, ?]> // HERE
  %r = tile.read %s[0, 0] : !tile.tile<[4, 8], f32, valid = [?, ?]>
  pl.return %r : f32
}

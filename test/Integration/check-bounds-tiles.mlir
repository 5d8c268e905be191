// RUN: %python %S/check_bounds.py pypto-run %s %t

// What is checked in front of operations on tiles and arrays, each at the last legal number and past it.

// PASS: np.zeros((20, 8), "f4"), 4
// FAIL: np.zeros((20, 8), "f4"), 5: 'tile.load' expects an index in [0, 20) in dimension 0, but got 20
pl.func @load(%x: !pl.tensor<[N, 8], f32>, %i: index) -> f32 {
  %t = tile.load %x[%i, 0] : !pl.tensor<[N, 8], f32> -> !tile.tile<[16, 8], f32> // HERE
  %r = tile.read %t[0, 0] : !tile.tile<[16, 8], f32>
  pl.return %r : f32
}
// Only the valid part of a tile is loaded, and no more than the tile holds.
// PASS: np.zeros((9, 8), "f4"), 9
// FAIL: np.zeros((9, 8), "f4"), 10: 'tile.load' expects an index in [0, 9) in dimension 0, but got 9
// FAIL: np.zeros((20, 8), "f4"), 17: 'tile.load' expects the valid extent of dimension 0 to be from 0 to 16, but got 17
// FAIL: np.zeros((20, 8), "f4"), -1: 'tile.load' expects the valid extent of dimension 0 to be from 0 to 16, but got -1
pl.func @load_valid(%x: !pl.tensor<[N, 8], f32>, %n: index) -> f32 {
  %t = tile.load %x[0, 0] valid(%n) : !pl.tensor<[N, 8], f32> -> !tile.tile<[16, 8], f32, valid = [?, 8]> // HERE
  %r = tile.read %t[0, 0] : !tile.tile<[16, 8], f32, valid = [?, 8]>
  pl.return %r : f32
}
// PASS: np.zeros((20, 8), "f4"), 4, 16
// PASS: np.zeros((20, 8), "f4"), 19, 1
// FAIL: np.zeros((20, 8), "f4"), 19, 2: 'tile.store' expects an index in [0, 20) in dimension 0, but got 20
pl.func @store(inout %x: !pl.tensor<[N, 8], f32>, %i: index, %n: index) -> !pl.tensor<[N, 8], f32> {
  %c = arith.constant 1.0 : f32
  %t = tile.full %c valid(%n) : f32, !tile.tile<[16, 8], f32, valid = [?, 8]>
  %r = tile.store %t, %x[%i, 0] : !tile.tile<[16, 8], f32, valid = [?, 8]>, !pl.tensor<[N, 8], f32> // HERE
  pl.return %r : !pl.tensor<[N, 8], f32>
}
// PASS: 8
// FAIL: 9: 'tile.create' expects the valid extent of dimension 1 to be from 0 to 8, but got 9
pl.func @create(%n: index) -> f32 {
  %t = tile.create valid(%n) : !tile.tile<[4, 8], f32, valid = [4, ?]> // HERE
  %c = arith.constant 1.0 : f32
  %w = tile.write %c, %t[0, 0] : !tile.tile<[4, 8], f32, valid = [4, ?]>
  %r = tile.read %w[0, 0] : !tile.tile<[4, 8], f32, valid = [4, ?]>
  pl.return %r : f32
}
// PASS: 8
// FAIL: 9: 'tile.arange' expects the valid extent of dimension 1 to be from 0 to 8, but got 9
pl.func @arange(%n: index) -> i32 {
  %c = arith.constant 1 : i32
  %t = tile.arange %c valid(%n) : i32, !tile.tile<[1, 8], i32, valid = [1, ?]> // HERE
  %r = tile.read %t[0, 0] : !tile.tile<[1, 8], i32, valid = [1, ?]>
  pl.return %r : i32
}
// PASS: "*", 3
// FAIL: "*", 4: 'tile.cast_valid' expects the valid extent of dimension 0 to be 3, but got 4
pl.func @cast_valid(%x: !pl.tensor<[4, 8], f32>, %n: index) -> f32 {
  %t = tile.load %x[0, 0] valid(%n) : !pl.tensor<[4, 8], f32> -> !tile.tile<[4, 8], f32, valid = [?, 8]>
  %u = tile.cast_valid %t : !tile.tile<[4, 8], f32, valid = [?, 8]> -> !tile.tile<[4, 8], f32, valid = [3, 8]> // HERE
  %r = tile.read %u[0, 0] : !tile.tile<[4, 8], f32, valid = [3, 8]>
  pl.return %r : f32
}
// PASS: "*", 4
// FAIL: "*", 5: 'tile.set_validshape' expects the valid extent of dimension 0 to be from 0 to 4, but got 5
pl.func @set_validshape(%x: !pl.tensor<[4, 8], f32>, %n: index) -> f32 {
  %t = tile.load %x[0, 0] : !pl.tensor<[4, 8], f32> -> !tile.tile<[4, 8], f32>
  %u = tile.set_validshape %t[%n, 8] : !tile.tile<[4, 8], f32> -> !tile.tile<[4, 8], f32, valid = [?, 8]> // HERE
  %r = tile.read %u[0, 0] : !tile.tile<[4, 8], f32, valid = [?, 8]>
  pl.return %r : f32
}
// PASS: "*", 12
// FAIL: "*", 13: 'tile.slice' expects an index in [0, 16) in dimension 0, but got 16
// FAIL: "*", -1: 'tile.slice' expects an index in [0, 16) in dimension 0, but got -1
pl.func @slice(%x: !pl.tensor<[16, 8], f32>, %i: index) -> f32 {
  %t = tile.load %x[0, 0] : !pl.tensor<[16, 8], f32> -> !tile.tile<[16, 8], f32>
  %u = tile.slice %t[%i, 0] : !tile.tile<[16, 8], f32> -> !tile.tile<[4, 8], f32> // HERE
  %r = tile.read %u[0, 0] : !tile.tile<[4, 8], f32>
  pl.return %r : f32
}
// PASS: "*", 4
// FAIL: "*", 5: 'tile.extract' expects an index in [0, 8) in dimension 1, but got 8
pl.func @extract(%x: !pl.tensor<[16, 8], f32>, %i: index) -> f32 {
  %t = tile.load %x[0, 0] : !pl.tensor<[16, 8], f32> -> !tile.tile<[16, 8], f32, mat>
  %u = tile.extract %t[0, %i] : !tile.tile<[16, 8], f32, mat> -> !tile.tile<[16, 4], f32, left> // HERE
  %r = tile.read %u[0, 0] : !tile.tile<[16, 4], f32, left>
  pl.return %r : f32
}
// PASS: "*", 12
// FAIL: "*", 13: 'tile.assemble' expects an index in [0, 16) in dimension 0, but got 16
pl.func @assemble(%x: !pl.tensor<[16, 8], f32>, %i: index) -> f32 {
  %t = tile.load %x[0, 0] : !pl.tensor<[16, 8], f32> -> !tile.tile<[16, 8], f32>
  %u = tile.load %x[0, 0] : !pl.tensor<[16, 8], f32> -> !tile.tile<[4, 8], f32>
  %v = tile.assemble %u, %t[%i, 0] : !tile.tile<[4, 8], f32>, !tile.tile<[16, 8], f32> // HERE
  %r = tile.read %v[0, 0] : !tile.tile<[16, 8], f32>
  pl.return %r : f32
}
// PASS: "*", 7
// FAIL: "*", 8: 'tile.read' expects an index in [0, 8) in dimension 1, but got 8
pl.func @read(%x: !pl.tensor<[4, 8], f32>, %i: index) -> f32 {
  %t = tile.load %x[0, 0] : !pl.tensor<[4, 8], f32> -> !tile.tile<[4, 8], f32>
  %r = tile.read %t[3, %i] : !tile.tile<[4, 8], f32> // HERE
  pl.return %r : f32
}
// PASS: "*", 3
// FAIL: "*", 4: 'tile.write' expects an index in [0, 4) in dimension 0, but got 4
pl.func @write(%x: !pl.tensor<[4, 8], f32>, %i: index) -> f32 {
  %t = tile.load %x[0, 0] : !pl.tensor<[4, 8], f32> -> !tile.tile<[4, 8], f32>
  %c = arith.constant 1.0 : f32
  %w = tile.write %c, %t[%i, 0] : !tile.tile<[4, 8], f32> // HERE
  %r = tile.read %w[0, 0] : !tile.tile<[4, 8], f32>
  pl.return %r : f32
}
// PASS: "*", 16
// FAIL: "*", 17: 'tile.reshape' expects the valid extent of dimension 1 to be from 0 to 16, but got 17
pl.func @reshape(%x: !pl.tensor<[2, 8], f32>, %n: index) -> f32 {
  %t = tile.load %x[0, 0] : !pl.tensor<[2, 8], f32> -> !tile.tile<[2, 8], f32>
  %u = tile.reshape %t valid(%n) : !tile.tile<[2, 8], f32> -> !tile.tile<[1, 16], f32, valid = [1, ?]> // HERE
  %r = tile.read %u[0, 0] : !tile.tile<[1, 16], f32, valid = [1, ?]>
  pl.return %r : f32
}
// PASS: 7
// FAIL: 8: 'pl.array.get' expects an index in [0, 8) in dimension 0, but got 8
// FAIL: -1: 'pl.array.get' expects an index in [0, 8) in dimension 0, but got -1
pl.func @array_get(%i: index) -> index {
  %c = arith.constant 1 : index
  %a = pl.array.create %c : !pl.array<8 x index>
  %r = pl.array.get %a[%i] : !pl.array<8 x index> // HERE
  pl.return %r : index
}
// PASS: 7
// FAIL: 8: 'pl.array.update' expects an index in [0, 8) in dimension 0, but got 8
pl.func @array_update(%i: index) -> index {
  %c = arith.constant 1 : index
  %a = pl.array.create %c : !pl.array<8 x index>
  %b = pl.array.update %a[%i], %i : !pl.array<8 x index> // HERE
  %r = pl.array.get %b[%c] : !pl.array<8 x index>
  pl.return %r : index
}
// PASS: np.zeros(5, "i4"), 4
// FAIL: np.zeros(5, "i4"), 5: 'tile.notify' expects an index in [0, 5) in dimension 0, but got 5
pl.func @notify(inout %s: !pl.tensor<[N], i32>, %i: index) -> !pl.tensor<[N], i32> {
  %c = arith.constant 1 : i32
  tile.notify add %c, %s[%i] : !pl.tensor<[N], i32> // HERE
  pl.return %s : !pl.tensor<[N], i32>
}
// PASS: np.zeros(5, "i4"), 4
// FAIL: np.zeros(5, "i4"), 5: 'tile.wait' expects an index in [0, 5) in dimension 0, but got 5
pl.func @wait(inout %s: !pl.tensor<[N], i32>, %i: index) -> !pl.tensor<[N], i32> {
  %c = arith.constant 0 : i32
  tile.wait ge %s[%i], %c : !pl.tensor<[N], i32> // HERE
  pl.return %s : !pl.tensor<[N], i32>
}
// PASS: np.zeros(5, "i4"), 4
// FAIL: np.zeros(5, "i4"), 5: 'tile.defer_wait' expects an index in [0, 5) in dimension 0, but got 5
pl.func @defer_wait(inout %s: !pl.tensor<[N], i32>, %i: index) -> !pl.tensor<[N], i32> {
  %c = arith.constant 0 : i32
  tile.defer_wait ge %s[%i], %c : !pl.tensor<[N], i32> // HERE
  pl.return %s : !pl.tensor<[N], i32>
}

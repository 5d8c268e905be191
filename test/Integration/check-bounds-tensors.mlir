// RUN: %python %S/check_bounds.py pypto-run %s %t

// What is checked in front of operations on tensors in global memory, each at the last legal number and past it.

// PASS: 3
// FAIL: -1: 'pl.create' expects dimension 0 to be at least 0, but got -1
pl.func @create(%n: index) -> index {
  %t = pl.create(%n) : !pl.tensor<[?, 4], f32> // HERE
  %m = pl.dim %t, 0 : !pl.tensor<[?, 4], f32>
  pl.return %m : index
}
// PASS: 4
// FAIL: 5: 'pl.create' expects the valid extent of dimension 0 to be from 0 to 4, but got 5
pl.func @create_valid(%n: index) -> !pl.tensor<[4], f32, valid = [?]> {
  %t = pl.create(%n) : !pl.tensor<[4], f32, valid = [?]> // HERE
  pl.return %t : !pl.tensor<[4], f32, valid = [?]>
}
// The extent is an expression over a name.
// PASS: np.zeros(8, "f4")
// FAIL: np.zeros(7, "f4"): 'pl.full' expects dimension 0 to be at least 0, but got -1
pl.func @full(%x: !pl.tensor<[N], f32>) -> !pl.tensor<[N - 8], f32> {
  %c = arith.constant 1.0 : f32
  %t = pl.full %c : f32, !pl.tensor<[N - 8], f32> // HERE
  pl.return %t : !pl.tensor<[N - 8], f32>
}
// PASS: 2
// FAIL: -2: 'pl.arange' expects dimension 1 to be at least 0, but got -2
pl.func @arange(%n: index) -> !pl.tensor<[1, ?], i32> {
  %c = arith.constant 1 : i32
  %t = pl.arange %c (%n) : i32, !pl.tensor<[1, ?], i32> // HERE
  pl.return %t : !pl.tensor<[1, ?], i32>
}
// PASS: "*", 5, 3
// PASS: "*", 8, 0
// FAIL: "*", 5, 4: 'pl.slice' expects an index in [0, 8) in dimension 0, but got 8
// FAIL: "*", -1, 2: 'pl.slice' expects an index in [0, 8) in dimension 0, but got -1
// FAIL: "*", 1, -1: 'pl.slice' expects dimension 0 to be at least 0, but got -1
pl.func @slice(%x: !pl.tensor<[8, 4], f32>, %i: index, %n: index) -> !pl.tensor<[?, 4], f32> {
  %s = pl.slice %x[%i, 0] sizes(%n) : !pl.tensor<[8, 4], f32> -> !pl.tensor<[?, 4], f32> // HERE
  %r = pl.add %s, %s : !pl.tensor<[?, 4], f32>, !pl.tensor<[?, 4], f32>
  pl.return %r : !pl.tensor<[?, 4], f32>
}
// A dimension that the result does not have.
// PASS: np.zeros((5, 4), "f4"), 4
// FAIL: np.zeros((5, 4), "f4"), 5: 'pl.slice' expects an index in [0, 5) in dimension 0, but got 5
pl.func @slice_dropped(%x: !pl.tensor<[N, 4], f32>, %i: index) -> !pl.tensor<[4], f32> {
  %s = pl.slice %x[%i, 0] dropped [0] : !pl.tensor<[N, 4], f32> -> !pl.tensor<[4], f32> // HERE
  %r = pl.neg %s : !pl.tensor<[4], f32>
  pl.return %r : !pl.tensor<[4], f32>
}
// PASS: np.zeros((6, 4), "f4"), 8
// FAIL: np.zeros((6, 4), "f4"), 7: 'pl.reshape' expects the number of elements to be 24, but got 21
pl.func @reshape(%x: !pl.tensor<[N, 4], f32>, %n: index) -> !pl.tensor<[?, 3], f32> {
  %s = pl.reshape %x sizes(%n) : !pl.tensor<[N, 4], f32> -> !pl.tensor<[?, 3], f32> // HERE
  %r = pl.neg %s : !pl.tensor<[?, 3], f32>
  pl.return %r : !pl.tensor<[?, 3], f32>
}
// PASS: np.zeros((6, 4), "f4")
// FAIL: np.zeros((5, 4), "f4"): 'pl.cast_shape' expects dimension 0 to be 6, but got 5
pl.func @cast_shape(%x: !pl.tensor<[?, 4], f32>) -> !pl.tensor<[6, 4], f32> {
  %s = pl.cast_shape %x : !pl.tensor<[?, 4], f32> -> !pl.tensor<[6, 4], f32> // HERE
  %r = pl.neg %s : !pl.tensor<[6, 4], f32>
  pl.return %r : !pl.tensor<[6, 4], f32>
}
// A claim that an extent is a name.
// PASS: np.zeros(6, "f4"), np.zeros(6, "f4")
// FAIL: np.zeros(6, "f4"), np.zeros(5, "f4"): 'pl.cast_shape' expects dimension 0 to be 6, but got 5
pl.func @cast_to_name(%x: !pl.tensor<[N], f32>, %y: !pl.tensor<[?], f32>) -> !pl.tensor<[N], f32> {
  %s = pl.cast_shape %y : !pl.tensor<[?], f32> -> !pl.tensor<[N], f32> // HERE
  %r = pl.add %x, %s : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  pl.return %r : !pl.tensor<[N], f32>
}
// A claim that everything is valid.
// PASS: "*", 8
// FAIL: "*", 7: 'pl.cast_shape' expects the valid extent of dimension 0 to be 8, but got 7
pl.func @cast_valid(%x: !pl.tensor<[8], f32>, %n: index) -> !pl.tensor<[8], f32> {
  %v = pl.set_validshape %x[%n] : !pl.tensor<[8], f32> -> !pl.tensor<[8], f32, valid = [?]>
  %s = pl.cast_shape %v : !pl.tensor<[8], f32, valid = [?]> -> !pl.tensor<[8], f32> // HERE
  %r = pl.neg %s : !pl.tensor<[8], f32>
  pl.return %r : !pl.tensor<[8], f32>
}
// PASS: "*", 8
// FAIL: "*", 9: 'pl.set_validshape' expects the valid extent of dimension 0 to be from 0 to 8, but got 9
// FAIL: "*", -1: 'pl.set_validshape' expects the valid extent of dimension 0 to be from 0 to 8, but got -1
pl.func @set_validshape(%x: !pl.tensor<[8], f32>, %n: index) -> !pl.tensor<[8], f32, valid = [?]> {
  %v = pl.set_validshape %x[%n] : !pl.tensor<[8], f32> -> !pl.tensor<[8], f32, valid = [?]> // HERE
  %r = pl.neg %v : !pl.tensor<[8], f32, valid = [?]>
  pl.return %r : !pl.tensor<[8], f32, valid = [?]>
}
// PASS: "*", "*", 4
// FAIL: "*", "*", 5: 'pl.assemble' expects an index in [0, 8) in dimension 0, but got 8
pl.func @assemble(%x: !pl.tensor<[4, 2], f32>, inout %y: !pl.tensor<[8, 2], f32>, %i: index) -> !pl.tensor<[8, 2], f32> {
  %r = pl.assemble %x, %y[%i, 0] : !pl.tensor<[4, 2], f32>, !pl.tensor<[8, 2], f32> // HERE
  pl.return %r : !pl.tensor<[8, 2], f32>
}
// Only what is valid of the source is written.
// PASS: "*", "*", 5, 3
// FAIL: "*", "*", 5, 4: 'pl.assemble' expects an index in [0, 8) in dimension 0, but got 8
pl.func @assemble_valid(%x: !pl.tensor<[4], f32>, inout %y: !pl.tensor<[8], f32>, %i: index, %n: index) -> !pl.tensor<[8], f32> {
  %v = pl.set_validshape %x[%n] : !pl.tensor<[4], f32> -> !pl.tensor<[4], f32, valid = [?]>
  %r = pl.assemble %v, %y[%i] : !pl.tensor<[4], f32, valid = [?]>, !pl.tensor<[8], f32> // HERE
  pl.return %r : !pl.tensor<[8], f32>
}
// PASS: np.zeros((2, 3), "f4"), 1, 2
// FAIL: np.zeros((2, 3), "f4"), 1, 3: 'pl.read' expects an index in [0, 3) in dimension 1, but got 3
// FAIL: np.zeros((2, 3), "f4"), -1, 2: 'pl.read' expects an index in [0, 2) in dimension 0, but got -1
pl.func @read(%x: !pl.tensor<[M, N], f32>, %i: index, %j: index) -> f32 {
  %r = pl.read %x[%i, %j] : !pl.tensor<[M, N], f32> // HERE
  pl.return %r : f32
}
// PASS: np.zeros(0, "f4"), 0
// FAIL: np.zeros(0, "f4"), 1: 'pl.read' expects an index in [0, 0) in dimension 0, but got 0
pl.func @read_empty(%x: !pl.tensor<[N], f32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %e = pl.read %x[%i] : !pl.tensor<[N], f32> // HERE
    scf.yield %e : f32
  }
  pl.return %r : f32
}
// PASS: "*", 7
// FAIL: "*", 8: 'pl.write' expects an index in [0, 8) in dimension 0, but got 8
pl.func @write(inout %x: !pl.tensor<[8], f32>, %i: index) -> !pl.tensor<[8], f32> {
  %c = arith.constant 1.0 : f32
  %r = pl.write %c, %x[%i] : !pl.tensor<[8], f32> // HERE
  pl.return %r : !pl.tensor<[8], f32>
}

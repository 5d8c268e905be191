// RUN: %python %S/check_bounds.py pypto-run %s %t

// Where the error stands: in the second of two kernels, in inlined code, at calls whose arguments do not fit.

pl.func private incore @good(%x: !pl.tensor<[N, 4], f32>, out %y: !pl.tensor<[N, 4], f32>) -> !pl.tensor<[N, 4], f32> {
  %t = tile.load %x[0, 0] : !pl.tensor<[N, 4], f32> -> !tile.tile<[2, 4], f32>
  %r = tile.store %t, %y[0, 0] : !tile.tile<[2, 4], f32>, !pl.tensor<[N, 4], f32>
  pl.return %r : !pl.tensor<[N, 4], f32>
}
// PASS: np.zeros((9, 4), "f4"), np.zeros((9, 4), "f4"), 7
// FAIL: np.zeros((9, 4), "f4"), np.zeros((9, 4), "f4"), 8: 'tile.store' expects an index in [0, 9) in dimension 0, but got 9
pl.func incore @bad(%x: !pl.tensor<[N, 4], f32>, inout %y: !pl.tensor<[N, 4], f32>, %i: index) -> !pl.tensor<[N, 4], f32> {
  %t = tile.load %x[0, 0] : !pl.tensor<[N, 4], f32> -> !tile.tile<[2, 4], f32>
  %r = tile.store %t, %y[%i, 0] : !tile.tile<[2, 4], f32>, !pl.tensor<[N, 4], f32> // HERE
  pl.return %r : !pl.tensor<[N, 4], f32>
}
// The first of two kernels writes, the second one fails: no output file appears.
// PASS: np.zeros((9, 4), "f4"), 7
// FAIL: np.zeros((9, 4), "f4"), 8: 'tile.load' expects an index in [0, 9) in dimension 0, but got 9
pl.func orchestration @two_kernels(%x: !pl.tensor<[N, 4], f32>, out %y: !pl.tensor<[N, 4], f32>, %i: index) -> !pl.tensor<[N, 4], f32> {
  %0 = pl.call @good(%x, %y) : (!pl.tensor<[N, 4], f32>, !pl.tensor<[N, 4], f32>) -> !pl.tensor<[N, 4], f32>
  %1 = pl.call @second(%x, %0, %i) : (!pl.tensor<[N, 4], f32>, !pl.tensor<[N, 4], f32>, index) -> !pl.tensor<[N, 4], f32>
  pl.return %1 : !pl.tensor<[N, 4], f32>
}
pl.func private incore @second(%x: !pl.tensor<[N, 4], f32>, out %y: !pl.tensor<[N, 4], f32>, %i: index) -> !pl.tensor<[N, 4], f32> {
  %t = tile.load %x[%i, 0] : !pl.tensor<[N, 4], f32> -> !tile.tile<[2, 4], f32> // HERE
  %r = tile.store %t, %y[0, 0] : !tile.tile<[2, 4], f32>, !pl.tensor<[N, 4], f32>
  pl.return %r : !pl.tensor<[N, 4], f32>
}
// In inlined code it is the place in the callee, and that of the call.
// PASS: np.zeros(5, "f4"), 4
// FAIL: np.zeros(5, "f4"), 5: 'pl.read' expects an index in [0, 5) in dimension 0, but got 5 (called at CALL)
pl.func @inlined(%x: !pl.tensor<[N], f32>, %i: index) -> f32 {
  %r = pl.call @element(%x, %i) : (!pl.tensor<[N], f32>, index) -> f32 // CALL
  pl.return %r : f32
}
pl.func inline @element(%x: !pl.tensor<[M], f32>, %i: index) -> f32 {
  %r = pl.read %x[%i] : !pl.tensor<[M], f32> // HERE
  pl.return %r : f32
}
// The arguments of a kernel have to agree on a name.
// PASS: np.zeros((9, 4), "f4"), np.zeros((9, 4), "f4")
// FAIL: np.zeros((9, 4), "f4"), np.zeros((8, 4), "f4"): 'pl.call' expects dimension 0 of argument 1 to be 9, but got 8
pl.func orchestration @names(%x: !pl.tensor<[M, 4], f32>, inout %y: !pl.tensor<[K, 4], f32>) -> !pl.tensor<[K, 4], f32> {
  %z = pl.cast_shape %y : !pl.tensor<[K, 4], f32> -> !pl.tensor<[?, 4], f32>
  %w = pl.cast_shape %x : !pl.tensor<[M, 4], f32> -> !pl.tensor<[?, 4], f32>
  %r = pl.call @good(%w, %z) : (!pl.tensor<[?, 4], f32>, !pl.tensor<[?, 4], f32>) -> !pl.tensor<[?, 4], f32> // HERE
  pl.return %y : !pl.tensor<[K, 4], f32>
}
pl.func private incore @doubled(%x: !pl.tensor<[N], f32>, out %y: !pl.tensor<[N * 2], f32>) -> !pl.tensor<[N * 2], f32> {
  %c0 = arith.constant 0 : index
  %e = pl.read %x[%c0] : !pl.tensor<[N], f32>
  %r = pl.write %e, %y[%c0] : !pl.tensor<[N * 2], f32>
  pl.return %r : !pl.tensor<[N * 2], f32>
}
// An extent that is an expression over a name.
// PASS: np.zeros(3, "f4"), np.zeros(6, "f4")
// FAIL: np.zeros(3, "f4"), np.zeros(5, "f4"): 'orchestration.submit' expects dimension 0 of argument 1 to be 6, but got 5
pl.func orchestration @expression(%x: !pl.tensor<[?], f32>, inout %y: !pl.tensor<[?], f32>) -> !pl.tensor<[?], f32> {
  %r, %id = orchestration.submit @doubled(%x, %y) : (!pl.tensor<[?], f32>, !pl.tensor<[?], f32>) -> (!pl.tensor<[?], f32>, !orchestration.task) // HERE
  pl.return %r : !pl.tensor<[?], f32>
}
// What a caller says of a result.
pl.func private @some(%n: index) -> !pl.tensor<[?], f32> {
  %c = arith.constant 1.0 : f32
  %t = pl.full %c(%n) : f32, !pl.tensor<[?], f32>
  pl.return %t : !pl.tensor<[?], f32>
}
// PASS: 4
// FAIL: 3: 'pl.call' expects dimension 0 to be 4, but got 3
pl.func @result(%n: index) -> !pl.tensor<[4], f32> {
  %r = pl.call @some(%n) : (index) -> !pl.tensor<[4], f32> // HERE
  pl.return %r : !pl.tensor<[4], f32>
}
// What a function says of its result.
// PASS: 4
// FAIL: 3: 'pl.return' expects dimension 0 to be 4, but got 3
pl.func @returned(%n: index) -> !pl.tensor<[4], f32> {
  %c = arith.constant 1.0 : f32
  %t = pl.full %c(%n) : f32, !pl.tensor<[?], f32>
  pl.return %t : !pl.tensor<[?], f32> // HERE
}
// PASS: "*", 0
// FAIL: "*", -1: 'pl.spmd' expects the number of blocks to be at least 0, but got -1
pl.func @launch(inout %x: !pl.tensor<[8], f32>, %n: index) -> !pl.tensor<[8], f32> {
  %c = arith.constant 1.0 : f32
  pl.spmd (%i) in (%n) { // HERE
    %r = pl.write %c, %x[%i] : !pl.tensor<[8], f32>
  }
  pl.return %x : !pl.tensor<[8], f32>
}
// A block of a launch.
// PASS: "*", 8
// FAIL: "*", 9: 'pl.write' expects an index in [0, 8) in dimension 0, but got 8
pl.func @block(inout %x: !pl.tensor<[8], f32>, %n: index) -> !pl.tensor<[8], f32> {
  %c = arith.constant 1.0 : f32
  pl.spmd (%i) in (%n) {
    %r = pl.write %c, %x[%i] : !pl.tensor<[8], f32> // HERE
  }
  pl.return %x : !pl.tensor<[8], f32>
}

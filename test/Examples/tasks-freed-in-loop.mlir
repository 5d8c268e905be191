// RUN: %python %S/limit_memory.py %if sanitizer %{--sanitizer%} 2048 %python %S/run_example.py pypto-run %s %t

// Temporaries of an iteration, 10,000 times 256 KB, that tasks still use when the iteration ends.
// NUMPY: interpret = False
// NUMPY: def inputs(rng): return [rng.standard_normal(65536, dtype="f4"), np.zeros(256, "f4")]
// NUMPY: def reference(x, y): return y + 10000 * np.float32(1)

!t = !pl.tensor<[65536], f32>
!y = !pl.tensor<[256], f32>
pl.func incore @first(%x: !t, out %t: !t) -> !t {
  %0 = tile.load %x[0] : !t -> !tile.tile<[256], f32>
  %1 = tile.sub %0, %0 : !tile.tile<[256], f32>
  %one = arith.constant 1.0 : f32
  %2 = tile.add %1, %one : !tile.tile<[256], f32>, f32
  %3 = tile.store %2, %t[65280] : !tile.tile<[256], f32>, !t
  pl.return %3 : !t
}
pl.func incore @second(%t: !t, inout %y: !y) -> !y {
  %0 = tile.load %t[65280] : !t -> !tile.tile<[256], f32>
  %1 = tile.load %y[0] : !y -> !tile.tile<[256], f32>
  %2 = tile.add %0, %1 : !tile.tile<[256], f32>
  %3 = tile.store %2, %y[0] : !tile.tile<[256], f32>, !y
  pl.return %3 : !y
}
pl.func orchestration @main(%x: !t, inout %y: !y) -> !y {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10000 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = pl.create : !t
    %0 = pl.call @first(%x, %t) : (!t, !t) -> !t
    %1 = pl.call @second(%0, %y) : (!t, !y) -> !y
  }
  pl.return %y : !y
}

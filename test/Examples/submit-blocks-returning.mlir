// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: not pypto-run %s --random=1 --arg=* --arg=0 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not={{.}}
// RUN: not pypto-run %s --random=1 --arg=* --arg=-3 2>&1 | FileCheck %s --check-prefix=NEGATIVE --implicit-check-not={{.}}

// A kernel that returns a number and a new tensor, launched as several blocks: what it returns is what the last block
// does, after all of them have written.
// NUMPY: cases = [dict(n=3), dict(n=1), dict(n=4)]
// NUMPY: every_case = True
// NUMPY: def inputs(rng, n): return [rng.standard_normal((4, 8), dtype="f4"), n]
// NUMPY: def reference(x, n):
// NUMPY:     y = np.where(np.arange(4)[:, None] < n, x + x, 0).astype("f4")
// NUMPY:     return np.float32(n - 1), x[n - 1:n] + np.float32(n - 1), y

// NONE: error: {{.*}}submit-blocks-returning.mlir:[[#@LINE+24]]:{{[0-9]+}}: 'orchestration.submit' expects the number of blocks to be at least 1, but got 0
// NEGATIVE: error: {{.*}}'orchestration.submit' expects the number of blocks to be at least 1, but got -3

!t = !pl.tensor<[4, 8], f32>
!row = !pl.tensor<[1, 8], f32>
pl.func incore @rows(%x: !t, inout %y: !t) -> (f32, !row) {
  %block = tile.get_block_idx
  %bi = arith.index_cast %block : index to i32
  %b = arith.sitofp %bi : i32 to f32
  %t = tile.load %x[%block, 0] : !t -> !tile.tile<[1, 8], f32>
  %twice = tile.add %t, %t : !tile.tile<[1, 8], f32>
  %s = tile.store %twice, %y[%block, 0] : !tile.tile<[1, 8], f32>, !t
  %z = pl.create : !row
  %more = tile.add %t, %b : !tile.tile<[1, 8], f32>, f32
  %r = tile.store %more, %z[0, 0] : !tile.tile<[1, 8], f32>, !row
  pl.return %b, %r : f32, !row
}
pl.func incore @nested(%x: !t, inout %y: !t, %n: index) -> (f32, !row) {
  %b, %r, %id = orchestration.submit @rows(%x, %y) core_num %n : (!t, !t) -> (f32, !row, !orchestration.task)
  pl.return %b, %r : f32, !row
}
pl.func orchestration @main(%x: !t, %n: index) -> (f32, !row, !t) {
  %zero = arith.constant 0.0 : f32
  %y = pl.full %zero : f32, !t
  %b, %r, %id = orchestration.submit @rows(%x, %y) core_num %n : (!t, !t) -> (f32, !row, !orchestration.task)
  %c, %s = pl.call @nested(%x, %y, %n) : (!t, !t, index) -> (f32, !row)
  %isSame = arith.cmpf oeq, %b, %c : f32
  %d = arith.select %isSame, %b, %zero : f32
  pl.return %d, %s, %y : f32, !row, !t
}

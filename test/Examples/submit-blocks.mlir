// RUN: %python %S/run_example.py pypto-run %s %t

// A kernel launched as several blocks, each of which writes rows of its own and how many there are, and a task behind it
// that reads what all of them wrote.
// NUMPY: cases = [dict(n=4), dict(n=1), dict(n=0)]
// NUMPY: def inputs(rng, n): return [rng.standard_normal((4, 8), dtype="f4"), n]
// NUMPY: def reference(x, n):
// NUMPY:     y = np.zeros((4, 8), "f4")
// NUMPY:     for block in range(n): y[block] = x[block] * np.float32(block) + np.float32(n)
// NUMPY:     return y + y

!t = !pl.tensor<[4, 8], f32>
pl.func incore @rows(%x: !t, inout %y: !t) -> !t {
  %block = tile.get_block_idx
  %count = tile.get_block_num
  %bi = arith.index_cast %block : index to i32
  %ci = arith.index_cast %count : index to i32
  %b = arith.sitofp %bi : i32 to f32
  %c = arith.sitofp %ci : i32 to f32
  %t0 = tile.load %x[%block, 0] : !t -> !tile.tile<[1, 8], f32>
  %t1 = tile.mul %t0, %b : !tile.tile<[1, 8], f32>, f32
  %t2 = tile.add %t1, %c : !tile.tile<[1, 8], f32>, f32
  %r = tile.store %t2, %y[%block, 0] : !tile.tile<[1, 8], f32>, !t
  pl.return %r : !t
}
pl.func incore @double(%x: !t, out %y: !t) -> !t {
  %t0 = tile.load %x[0, 0] : !t -> !tile.tile<[4, 8], f32>
  %t1 = tile.add %t0, %t0 : !tile.tile<[4, 8], f32>
  %r = tile.store %t1, %y[0, 0] : !tile.tile<[4, 8], f32>, !t
  pl.return %r : !t
}
pl.func orchestration @main(%x: !t, %n: index) -> !t {
  %zero = arith.constant 0.0 : f32
  %y = pl.full %zero : f32, !t
  %z = pl.create runtime_allocated : !t
  %r, %first = orchestration.submit @rows(%x, %y) core_num %n : (!t, !t) -> (!t, !orchestration.task)
  %s, %second = orchestration.submit @double(%r, %z) after (%first) : (!t, !t) -> (!t, !orchestration.task)
  pl.return %s : !t
}

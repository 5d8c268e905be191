// RUN: %python %S/run_example.py pypto-run %s %t

// A kernel whose scalar result decides what comes next, a fresh tensor out of a kernel, a group of kernels, and a function
// of no kind that makes tasks of its own.
// NUMPY: every_case = True
// NUMPY: cases = [dict(scale=1), dict(scale=-1)]
// NUMPY: def inputs(rng, scale): return [(scale * np.arange(1, 65)).astype("f4")]
// NUMPY: def reference(x):
// NUMPY:   y = x + x
// NUMPY:   y = y + y if y[0] > 0 else y + x
// NUMPY:   return y + y

!t = !pl.tensor<[64], f32>
!tile = !tile.tile<[64], f32>
pl.func aiv @add(%x: !t, %y: !t, out %z: !t) -> !t {
  %0 = tile.load %x[0] : !t -> !tile
  %1 = tile.load %y[0] : !t -> !tile
  %2 = tile.add %0, %1 : !tile
  %3 = tile.store %2, %z[0] : !tile, !t
  pl.return %3 : !t
}
pl.func group @pair(%x: !t, out %z: !t) -> !t {
  %0 = pl.call @add(%x, %x, %z) : (!t, !t, !t) -> !t
  pl.return %0 : !t
}
pl.func incore @first(%x: !t) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = pl.read %x[%c0] : !t
  pl.return %0 : f32
}
pl.func incore @fresh(%x: !t) -> !t {
  %0 = pl.add %x, %x : !t, !t
  pl.return %0 : !t
}
pl.func private @tail(inout %y: !t) {
  %0 = pl.call @add(%y, %y, %y) : (!t, !t, !t) -> !t
  pl.return
}
pl.func orchestration @main(%x: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %t = pl.create : !t
  %0 = pl.call @pair(%x, %t) : (!t, !t) -> !t
  %e = pl.call @first(%t) : (!t) -> f32
  %isGreater = arith.cmpf ogt, %e, %zero : f32
  %y = scf.if %isGreater -> !t {
    %a, %id = orchestration.submit @fresh(%t) : (!t) -> (!t, !orchestration.task)
    scf.yield %a : !t
  } else {
    %b = pl.call @add(%t, %x, %t) : (!t, !t, !t) -> !t
    scf.yield %b : !t
  }
  pl.call @tail(%y) : (!t) -> ()
  pl.return %y : !t
}

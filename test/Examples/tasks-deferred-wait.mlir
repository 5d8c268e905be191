// RUN: %python %S/run_example.py pypto-run %s %t

// A task that is done only when another has given a signal: what waits for it by its id sees what the other wrote.
// NUMPY: threads = [2, 8]
// NUMPY: adversarial = False
// NUMPY: interpret = False
// NUMPY: def inputs(rng): return [rng.standard_normal(64, dtype="f4")]
// NUMPY: def reference(x): return x + x + x + x

!t = !pl.tensor<[64], f32>
!s = !pl.tensor<[1], i64>
!tile = !tile.tile<[64], f32>
!id = !orchestration.task
pl.func incore @double(%x: !t, out %y: !t) -> !t {
  %0 = tile.load %x[0] : !t -> !tile
  %1 = tile.add %0, %0 : !tile
  %2 = tile.store %1, %y[0] : !tile, !t
  pl.return %2 : !t
}
pl.func incore @waits(%s: !s) {
  %one = arith.constant 1 : i64
  tile.defer_wait eq %s[0], %one : !s
  pl.return
}
pl.func incore @gives(%x: !t, %s: !s, out %y: !t) {
  %one = arith.constant 1 : i64
  %0 = pl.call @double(%x, %y) : (!t, !t) -> !t
  tile.notify add %one, %s[0] : !s
  pl.return
}
pl.func orchestration @main(%x: !t) -> !t {
  %zero = arith.constant 0 : i64
  %s = pl.full %zero : i64, !s
  %y = pl.create : !t
  %z = pl.create : !t
  orchestration.scope manual {
    %a = orchestration.submit @waits(%s) : (!s) -> !id
    %b = orchestration.submit @gives(%x, %s, %y) : (!t, !s, !t) -> !id
    %0, %c = orchestration.submit @double(%y, %z) after(%a) : (!t, !t) -> (!t, !id)
  }
  pl.return %z : !t
}

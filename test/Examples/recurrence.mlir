// RUN: %python %S/run_example.py pypto-run %s %t

// The recurrence h = a h + b along time, by chunks of 8 steps: a kernel walks the steps of a chunk with the state in a
// variable, and hands it to the next chunk through a tensor. The state before the first step is given, that after the last
// one returned.
// NUMPY: cases = [dict(T=29), dict(T=8), dict(T=1), dict(T=0)]
// NUMPY: rtol, atol = 1e-4, 1e-5
// NUMPY: def inputs(rng, T): return [rng.random((T, 40), "f4"), rng.standard_normal((T, 40), dtype="f4"), rng.standard_normal((1, 40), dtype="f4")]
// NUMPY: def reference(a, b, h):
// NUMPY:     y = np.zeros_like(b)
// NUMPY:     for t in range(len(a)): h = y[t:t + 1] = a[t] * h + b[t]
// NUMPY:     return y, h

!x = !pl.tensor<[T, 40], f32>
!h = !pl.tensor<[1, 40], f32>
!row = !tile.tile<[1, 40], f32>

pl.func inline @advance(%h: !row, %a: !row, %b: !row) -> !row {
  %0 = tile.mul %a, %h : !row
  %1 = tile.add %0, %b : !row
  pl.return %1 : !row
}
pl.func incore @chunk(%a: !x, %b: !x, %begin: index, inout %h: !h, inout %y: !x) -> (!x, !h) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = pl.dim %a, 0 : !x
  %limit = arith.addi %begin, %c8 : index
  %end = arith.minsi %limit, %n : index
  %h0 = tile.load %h[0, 0] : !h -> !row
  %state = pl.var "state" = %h0 : !row
  scf.for %t = %begin to %end step %c1 {
    %ta = tile.load %a[%t, 0] : !x -> !row
    %tb = tile.load %b[%t, 0] : !x -> !row
    %before = pl.get %state : !row
    %next = pl.call @advance(%before, %ta, %tb) : (!row, !row, !row) -> !row
    pl.set %state, %next : !row
    %s = tile.store %next, %y[%t, 0] : !row, !x
  }
  %last = pl.get %state : !row
  %sh = tile.store %last, %h[0, 0] : !row, !h
  pl.return %y, %sh : !x, !h
}
pl.func orchestration @main(%a: !x, %b: !x, inout %h: !h) -> (!x, !h) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = pl.dim %a, 0 : !x
  %y = pl.create : !x
  %r:2 = scf.for %t = %c0 to %n step %c8 iter_args(%yt = %y, %ht = %h) -> (!x, !h) {
    %s:2 = pl.call @chunk(%a, %b, %t, %ht, %yt) : (!x, !x, index, !h, !x) -> (!x, !h)
    scf.yield %s#0, %s#1 : !x, !h
  }
  pl.return %r#0, %r#1 : !x, !h
}

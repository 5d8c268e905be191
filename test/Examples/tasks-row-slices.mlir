// RUN: %python %S/run_example.py pypto-run %s %t

// Tasks over rows of tensors, in loops and branches: each reads rows that others have written or will write.
// NUMPY: cases = [dict(N=12), dict(N=1), dict(N=0)]
// NUMPY: def inputs(rng, N): return [rng.standard_normal((N, 256), dtype="f4"), N]
// NUMPY: def reference(x, n):
// NUMPY:   y = np.zeros_like(x)
// NUMPY:   for i in range(n): y[i] = x[i] + x[i]
// NUMPY:   for i in range(1, n): y[i] = y[i] + (y[i - 1] if i % 3 else x[i - 1])
// NUMPY:   for i in range(n - 1): y[i] = y[i] + y[i + 1]
// NUMPY:   return y

!t = !pl.tensor<[N, 256], f32>
!r = !pl.tensor<[1, 256], f32>
!tile = !tile.tile<[1, 256], f32>
pl.func aiv @add(%x: !r, %y: !r, out %z: !r) -> !r {
  %0 = tile.load %x[0, 0] : !r -> !tile
  %1 = tile.load %y[0, 0] : !r -> !tile
  %2 = tile.add %0, %1 : !tile
  %3 = tile.store %2, %z[0, 0] : !tile, !r
  pl.return %3 : !r
}
pl.func orchestration @main(%x: !t, %n: index, out %y: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %last = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = pl.slice %x[%i, 0] : !t -> !r
    %b = pl.slice %y[%i, 0] : !t -> !r
    %0 = pl.call @add(%a, %a, %b) : (!r, !r, !r) -> !r
  }
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %rest = arith.remui %i, %c3 : index
    %isThird = arith.cmpi eq, %rest, %c0 : index
    %b = pl.slice %y[%i, 0] : !t -> !r
    scf.if %isThird {
      %a = pl.slice %x[%before, 0] : !t -> !r
      %0 = pl.call @add(%b, %a, %b) : (!r, !r, !r) -> !r
    } else {
      %a = pl.slice %y[%before, 0] : !t -> !r
      %0 = pl.call @add(%b, %a, %b) : (!r, !r, !r) -> !r
    }
  }
  scf.for %i = %c0 to %last step %c1 {
    %next = arith.addi %i, %c1 : index
    %a = pl.slice %y[%next, 0] : !t -> !r
    %b = pl.slice %y[%i, 0] : !t -> !r
    %0 = pl.call @add(%b, %a, %b) : (!r, !r, !r) -> !r
  }
  pl.return %y : !t
}

// RUN: %python %S/run_example.py pypto-run %s %t

// A manual scope in which ids order the tasks: along a loop, out of a branch, behind a dummy and a barrier.
// NUMPY: cases = [dict(n=9), dict(n=1), dict(n=0)]
// NUMPY: def inputs(rng, n): return [rng.standard_normal(256, dtype="f4"), n]
// NUMPY: def reference(x, n):
// NUMPY:   y = x.copy()
// NUMPY:   for i in range(n): y = y + y if i % 2 else y + x
// NUMPY:   z = y + x
// NUMPY:   return y + y, z + z

!t = !pl.tensor<[256], f32>
!id = !orchestration.task
pl.func incore @add(%x: !t, %y: !t, out %z: !t) -> !t {
  %0 = tile.load %x[0] : !t -> !tile.tile<[256], f32>
  %1 = tile.load %y[0] : !t -> !tile.tile<[256], f32>
  %2 = tile.add %0, %1 : !tile.tile<[256], f32>
  %3 = tile.store %2, %z[0] : !tile.tile<[256], f32>, !t
  pl.return %3 : !t
}
pl.func orchestration @main(%x: !t, %n: index) -> (!t, !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %y = pl.create : !t
  %z = pl.create : !t
  %copy = pl.assemble %x, %y[0] : !t, !t
  orchestration.scope manual {
    %none = orchestration.task_invalid
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%prior = %none) -> !id {
      %rest = arith.remui %i, %c2 : index
      %isOdd = arith.cmpi eq, %rest, %c1 : index
      %id = scf.if %isOdd -> !id {
        %0, %a = orchestration.submit @add(%y, %y, %y) after(%prior) : (!t, !t, !t) -> (!t, !id)
        scf.yield %a : !id
      } else {
        %0, %a = orchestration.submit @add(%y, %x, %y) after(%prior) : (!t, !t, !t) -> (!t, !id)
        scf.yield %a : !id
      }
      scf.yield %id : !id
    }
    // The invalid id of no iteration is waited for in no time.
    %any = orchestration.task_is_valid %end
    %late = orchestration.task_dummy after(%end)
    %1, %c = orchestration.submit @add(%y, %x, %z) after(%late) : (!t, !t, !t) -> (!t, !id)
    orchestration.barrier after(%c)
    %2, %d = orchestration.submit @add(%y, %y, %y) after(%c) : (!t, !t, !t) -> (!t, !id)
    %3, %e = orchestration.submit @add(%z, %z, %z) after(%c) : (!t, !t, !t) -> (!t, !id)
    orchestration.barrier
  }
  pl.return %y, %z : !t, !t
}

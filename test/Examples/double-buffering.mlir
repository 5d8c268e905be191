// RUN: %python %S/run_example.py pypto-run %s %t

// Two buffers between a producer and a consumer, ordered by task ids alone: in the manual scope a chunk is produced once
// the chunk two before it is consumed, and consumed once it is produced and the chunk before it consumed. The ids of the
// consumers are carried through the loop in an array, one for each buffer; at first there is none to wait for.
// NUMPY: cases = [dict(N=5), dict(N=2), dict(N=1), dict(N=0), dict(N=40)]
// NUMPY: rtol, atol = 1e-4, 1e-4
// NUMPY: def inputs(rng, N): return [rng.standard_normal((N, 8, 16), dtype="f4"), rng.standard_normal((16, 16), dtype="f4") / np.float32(4)]
// NUMPY: def reference(x, w): return np.maximum(x @ w, 0).sum(axis=0, dtype="f4")

!x = !pl.tensor<[N, 8, 16], f32>
!w = !pl.tensor<[16, 16], f32>
!c = !pl.tensor<[8, 16], f32>
!ring = !pl.tensor<[2, 8, 16], f32>
!ids = !pl.array<2 x !orchestration.task>

pl.func incore @produce(%x: !x, %w: !w, %i: index, out %buffer: !c) -> !c {
  %tx = tile.load %x[%i, 0, 0] : !x -> !tile.tile<[8, 16], f32>
  %tw = tile.load %w[0, 0] : !w -> !tile.tile<[16, 16], f32>
  %p = tile.matmul %tx, %tw : !tile.tile<[8, 16], f32>, !tile.tile<[16, 16], f32>
  %a = tile.relu %p : !tile.tile<[8, 16], f32>
  %s = tile.store %a, %buffer[0, 0] : !tile.tile<[8, 16], f32>, !c
  pl.return %s : !c
}
pl.func incore @consume(%buffer: !c, inout %sum: !c) -> !c {
  %t = tile.load %buffer[0, 0] : !c -> !tile.tile<[8, 16], f32>
  %old = tile.load %sum[0, 0] : !c -> !tile.tile<[8, 16], f32>
  %new = tile.add %old, %t : !tile.tile<[8, 16], f32>
  %s = tile.store %new, %sum[0, 0] : !tile.tile<[8, 16], f32>, !c
  pl.return %s : !c
}
pl.func orchestration @main(%x: !x, %w: !w) -> !c {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = pl.dim %x, 0 : !x
  %sum = pl.full %zero : f32, !c
  orchestration.scope manual {
    %ring = pl.create : !ring
    %none = orchestration.task_invalid
    %free0 = pl.array.create %none : !ids
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%free = %free0, %last = %none) -> (!ids, !orchestration.task) {
      %slot = arith.remui %i, %c2 : index
      %buffer = pl.slice %ring[%slot, 0, 0] dropped [0] : !ring -> !c
      %is_free = pl.array.get %free[%slot] : !ids
      %b, %produced = orchestration.submit @produce(%x, %w, %i, %buffer) after (%is_free)
          : (!x, !w, index, !c) -> (!c, !orchestration.task)
      %s, %consumed = orchestration.submit @consume(%b, %sum) after (%produced, %last)
          : (!c, !c) -> (!c, !orchestration.task)
      %next = pl.array.update %free[%slot], %consumed : !ids
      scf.yield %next, %consumed : !ids, !orchestration.task
    }
  }
  pl.return %sum : !c
}

// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: not pypto-run %s --random=1 --threads=1 2>&1 | FileCheck %s

// Two tasks that wait for each other are at work at the same time; one thread cannot do that.
// NUMPY: threads = [2, 8]
// NUMPY: adversarial = False
// NUMPY: interpret = False
// NUMPY: def inputs(rng): return [rng.standard_normal(8, dtype="f4")]
// NUMPY: def reference(x): return x + 1, x + 2

// CHECK: error: expects a task that can go on, but each waits for a signal: task 1 'left' at {{.*}}tasks-overlap.mlir

!t = !pl.tensor<[8], f32>
!s = !pl.tensor<[2], i32>
// Tells the other side that it is here, and goes on once the other side is here, too.
pl.func incore @left(%x: !t, %s: !s, out %y: !t) -> !t {
  %one = arith.constant 1 : i32
  %v = arith.constant 1.0 : f32
  tile.notify set %one, %s[0] : !s
  tile.wait ge %s[1], %one : !s
  %0 = tile.load %x[0] : !t -> !tile.tile<[8], f32>
  %1 = tile.add %0, %v : !tile.tile<[8], f32>, f32
  %2 = tile.store %1, %y[0] : !tile.tile<[8], f32>, !t
  pl.return %2 : !t
}
pl.func incore @right(%x: !t, %s: !s, out %y: !t) -> !t {
  %one = arith.constant 1 : i32
  %v = arith.constant 2.0 : f32
  tile.notify add %one, %s[1] : !s
  tile.wait eq %s[0], %one : !s
  %0 = tile.load %x[0] : !t -> !tile.tile<[8], f32>
  %1 = tile.add %0, %v : !tile.tile<[8], f32>, f32
  %2 = tile.store %1, %y[0] : !tile.tile<[8], f32>, !t
  pl.return %2 : !t
}
pl.func orchestration @main(%x: !t, out %y: !t, out %z: !t) -> (!t, !t) {
  %zero = arith.constant 0 : i32
  %s = pl.full %zero : i32, !s
  orchestration.scope manual {
    %0, %a = orchestration.submit @left(%x, %s, %y) : (!t, !s, !t) -> (!t, !orchestration.task)
    %1, %b = orchestration.submit @right(%x, %s, %z) : (!t, !s, !t) -> (!t, !orchestration.task)
  }
  pl.return %y, %z : !t, !t
}

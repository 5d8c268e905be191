// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: not pypto-run %s --random=1 --pipeline=convert-to-ssa,convert-pypto-to-linalg,pypto-cpu-back-pipeline 2>&1 | FileCheck %s

// Two blocks of a launch that stands in the host function wait for each other: they are at work at the same time, which
// blocks that run one after the other, as where they stand, cannot do.
// NUMPY: threads = [2, 8]
// NUMPY: adversarial = False
// NUMPY: interpret = False
// NUMPY: def inputs(rng): return [rng.standard_normal((2, 8), dtype="f4")]
// NUMPY: def reference(x): return x + 1

// CHECK: error: {{.*}}expects a task that can {{.*}} signal

!t = !pl.tensor<[2, 8], f32>
!s = !pl.tensor<[2], i32>
pl.func @main(%x: !t, out %y: !t) -> !t {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = arith.constant 1.0 : f32
  %s = pl.full %zero : i32, !s
  pl.spmd (%i) in (%c2) {
    %other = arith.subi %c1, %i : index
    tile.notify set %one, %s[%i] : !s
    tile.wait ge %s[%other], %one : !s
    %0 = tile.load %x[%i, 0] : !t -> !tile.tile<[1, 8], f32>
    %1 = tile.add %0, %v : !tile.tile<[1, 8], f32>, f32
    %2 = tile.store %1, %y[%i, 0] : !tile.tile<[1, 8], f32>, !t
  }
  pl.return %y : !t
}

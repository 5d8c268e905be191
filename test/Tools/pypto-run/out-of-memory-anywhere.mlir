// UNSUPPORTED: sanitizer
// RUN: %python %S/Inputs/limits.py %t pypto-run %s --dim=N=24000 --threads=2 | FileCheck %s
// CHECK: ends: {{(0 )?1}}

// Wherever memory runs out, for a parameter, for what a task computes with, or for what is written to a file: one
// error, no file.

!t = !pl.tensor<[N, 1024], f32>
pl.func incore @k(out %y: !t) -> !t {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %0 = pl.col_max %y : !t
  %1 = pl.write %one, %y[%c0, %c0] : !t
  pl.return %1 : !t
}
pl.func orchestration @main(out %y: !t) -> !t {
  %0 = pl.call @k(%y) : (!t) -> !t
  pl.return %0 : !t
}

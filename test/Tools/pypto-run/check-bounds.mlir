// Errors of checks: one line with the place if it is known, and no output.

// RUN: rm -f %t.npy
// RUN: not pypto-run %s --entry=own --arg=false --arg=7 --out=%t.npy 2>&1 | FileCheck %s --check-prefix=OWN --implicit-check-not={{.}}
// OWN: error: 'test' expects the answer to be at least 42, but got 7
// RUN: not test -e %t.npy
// RUN: pypto-run %s --entry=own --arg=true --arg=7 --out=%t.npy
// RUN: test -e %t.npy

// RUN: not pypto-run %s --entry=twice --random=1 --check-bounds 2>&1 | FileCheck %s --check-prefix=FIRST --implicit-check-not={{.}}
// FIRST: error: {{.*}}check-bounds.mlir:[[#@LINE+18]]:8: 'pl.read' expects an index in [0, 4) in dimension 0, but got 4

// The option is one of the passes.
// RUN: not pypto-run %s --entry=twice --random=1 --pipeline="pypto-cpu-front-pipeline{check-bounds},pypto-cpu-back-pipeline" 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: 'pl.read' expects an index in [0, 4) in dimension 0, but got 4
// RUN: not pypto-run %s --entry=twice --random=1 --check-bounds --pipeline=pypto-cpu-front-pipeline,pypto-cpu-back-pipeline 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: --check-bounds expects the passes of pypto-cpu-pipeline; give the option 'check-bounds' to yours

// A check that the program has itself needs no option.
pl.func @own(%ok: i1, %n: index) -> index {
  %c42 = arith.constant 42 : index
  pl.check at_least %ok, %n, %c42 subject "the answer" of "test" at ""
  pl.return %n : index
}
// Of two that fail the first is reported.
pl.func @twice(%x: !pl.tensor<[4], f32>) -> f32 {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %a = pl.read %x[%c4] : !pl.tensor<[4], f32>
  %b = pl.read %x[%c5] : !pl.tensor<[4], f32>
  %s = arith.addf %a, %b : f32
  pl.return %s : f32
}

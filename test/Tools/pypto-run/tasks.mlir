// RUN: rm -f %t.npy
// RUN: pypto-run %s --entry=main --random=1 --threads=2 --print-plan | FileCheck %s
// RUN: pypto-run %s --entry=main --random=1 --print-plan=table --order=adversarial | FileCheck %s
// RUN: pypto-run %s --entry=main --random=1 --threads=1 --print-plan=dot | FileCheck %s --check-prefix=DOT
// RUN: pypto-run %s --entry=main --random=1 --time --threads=2 | FileCheck %s --check-prefix=TIME
// RUN: not pypto-run %s --entry=race --random=1 --order=adversarial --out=%t.npy 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not ls %t.npy
// RUN: not pypto-run %s --entry=main --random=1 --order=random 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not pypto-run %s --entry=main --random=1 --threads=many 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not pypto-run %s --entry=main --random=1 --threads=4294967295 2>&1 | FileCheck %s --check-prefix=MANY

// What a run tells of its tasks, and options that say how they run.

!t = !pl.tensor<[64], f32>
pl.func incore @double(%x: !t, out %y: !t) -> !t {
  %0 = tile.load %x[0] : !t -> !tile.tile<[64], f32>
  %1 = tile.add %0, %0 : !tile.tile<[64], f32>
  %2 = tile.store %1, %y[0] : !tile.tile<[64], f32>, !t
  pl.return %2 : !t
}

// CHECK: task name waits for read written start us time us thread at
// CHECK: 1 double - 256 256 {{.*}}tasks.mlir:[[#@LINE + 15]]:{{[0-9]+}}
// CHECK: 2 double 1 raw 256 256 {{.*}}tasks.mlir:[[#@LINE + 15]]:{{[0-9]+}}
// CHECK: 3 task_dummy - 0 0 - - - {{.*}}tasks.mlir
// CHECK: 4 double 3 after, 2 raw 256 256 {{.*}}tasks.mlir
// CHECK: result 0: float32
// DOT: digraph tasks {
// DOT: "1" [label="1 double
// DOT: "1" -> "2" [label="raw"];
// DOT: }
// TIME: run: min
// RACE: error: {{.*}}tasks.mlir:[[#@LINE + 15]]:{{[0-9]+}}: {{.*}}double{{.*}}double{{.*}} both access 256 bytes
// ORDER: for the --order option: Cannot find option named 'random'!
// THREADS: for the --threads option: 'many' value invalid for uint argument!
pl.func orchestration @main(%x: !t, out %y: !t, out %z: !t) -> (!t, !t) {
  %w = pl.create : !t
  %0 = pl.call @double(%x, %w) : (!t, !t) -> !t
  %1 = pl.call @double(%w, %y) : (!t, !t) -> !t
  %first = orchestration.task_dummy
  %2, %id = orchestration.submit @double(%y, %w) after(%first) : (!t, !t) -> (!t, !orchestration.task)
  pl.return %y, %z : !t, !t
}
// Nothing orders these two.
pl.func orchestration @race(%x: !t, out %y: !t) -> !t {
  orchestration.scope manual {
    %0, %a = orchestration.submit @double(%x, %y) : (!t, !t) -> (!t, !orchestration.task)
    %1, %b = orchestration.submit @double(%y, %y) : (!t, !t) -> (!t, !orchestration.task)
  }
  pl.return %y : !t
}
// MANY: error: --threads expects at most 1024, but got 4294967295

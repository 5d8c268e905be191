// UNSUPPORTED: sanitizer
// RUN: %cc -shared -fPIC %S/Inputs/no_threads.c -o %t.so
// RUN: pypto-run %S/print-plan.mlir --random=1 --threads=1 > %t.one
// RUN: env LD_PRELOAD=%t.so pypto-run %S/print-plan.mlir --random=1 --threads=2 > %t.two
// RUN: cmp %t.one %t.two
// RUN: env LD_PRELOAD=%t.so pypto-run %S/print-plan.mlir --random=1 --order=groups --threads=8 > %t.two
// RUN: cmp %t.one %t.two
// RUN: env LD_PRELOAD=%t.so not pypto-run %s --random=1 --threads=2 2>&1 | FileCheck %s
// RUN: env LD_PRELOAD=%t.so pypto-run %s --random=1 --threads=1 | FileCheck %s --check-prefix=ONE

// Where no thread can be started, graphs and loops use the one that there is; tasks that were to have several end with
// one error.
// CHECK-NOT: {{.}}
// CHECK: error: cannot start a thread: the system has no more
// CHECK-NOT: {{.}}
// ONE: result 0: float32 (37,)

!t = !pl.tensor<[N], f32>
pl.func incore @double(%x: !t, out %y: !t) -> !t {
  %0 = pl.add %x, %x : !t, !t
  %1 = pl.assemble %0, %y[0] : !t, !t
  pl.return %1 : !t
}
pl.func orchestration @main(%x: !t, out %y: !t) -> !t {
  %0 = pl.call @double(%x, %y) : (!t, !t) -> !t
  pl.return %0 : !t
}

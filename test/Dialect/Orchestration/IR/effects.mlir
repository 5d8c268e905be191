// RUN: pypto-opt %s --cse --canonicalize --sccp --loop-invariant-code-motion --symbol-dce | FileCheck %s

// What upstream passes may do to tasks, and what they may not. Order does not matter to them: a task is unknown.

// CHECK: pl.func private incore @kernel
pl.func private incore @kernel(inout !pl.tensor<[16], f32>)

// CHECK-LABEL: pl.func orchestration @tasks_are_kept
// CHECK-COUNT-2: orchestration.submit @kernel
// CHECK-COUNT-2: orchestration.task_dummy
// CHECK-COUNT-2: orchestration.barrier
// CHECK: orchestration.scope
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
pl.func orchestration @tasks_are_kept(inout %x: !pl.tensor<[16], f32>) {
  %0 = orchestration.submit @kernel(%x) : (!pl.tensor<[16], f32>) -> !orchestration.task
  %1 = orchestration.submit @kernel(%x) : (!pl.tensor<[16], f32>) -> !orchestration.task
  %2 = orchestration.task_dummy
  %3 = orchestration.task_dummy
  orchestration.barrier
  orchestration.barrier
  orchestration.scope manual {
  }
  pl.return
}

// CHECK-LABEL: pl.func orchestration @ids_are_values
// CHECK-NEXT: %[[NONE:.*]] = orchestration.task_invalid
// CHECK-NEXT: orchestration.barrier after(%[[NONE]], %[[NONE]])
// CHECK-NEXT: pl.return
pl.func orchestration @ids_are_values() {
  %0 = orchestration.task_invalid
  %1 = orchestration.task_invalid
  %2 = orchestration.task_is_valid %0
  orchestration.barrier after(%0, %1)
  pl.return
}

// CHECK-LABEL: pl.func orchestration @tasks_stay_in_loops
// CHECK: scf.for
// CHECK-NEXT: orchestration.submit
// CHECK-NEXT: orchestration.task_dummy
// CHECK-NEXT: orchestration.barrier
pl.func orchestration @tasks_stay_in_loops(inout %x: !pl.tensor<[16], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = orchestration.submit @kernel(%x) : (!pl.tensor<[16], f32>) -> !orchestration.task
    %1 = orchestration.task_dummy
    orchestration.barrier
  }
  pl.return
}

// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Submits, tasks and run-time scopes.

// CHECK: pl.func private incore @kernel
pl.func private incore @kernel(!pl.tensor<[16], f32>, out !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>

// CHECK-LABEL: pl.func orchestration @submits
// CHECK: %[[NONE:.*]] = orchestration.task_invalid
// CHECK: %[[FIRST:.*]]:2 = orchestration.submit @kernel(%{{.*}}, %{{.*}}) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !orchestration.task)
// CHECK: orchestration.submit @kernel(%{{.*}}, %{{.*}}) after(%[[NONE]], %[[FIRST]]#1) core_num %{{.*}} sync_start dumps [0] : (
pl.func orchestration @submits(%x: !pl.tensor<[16], f32>, out %y: !pl.tensor<[16], f32>, %n: index) {
  %none = orchestration.task_invalid
  %0:2 = orchestration.submit @kernel(%x, %y) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>)
      -> (!pl.tensor<[16], f32>, !orchestration.task)
  %1:2 = orchestration.submit @kernel(%x, %y) after(%none, %0#1) core_num %n sync_start dumps [0]
      : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !orchestration.task)
  pl.return
}

// CHECK-LABEL: pl.func orchestration @tasks
// CHECK: %[[ROOT:.*]] = orchestration.task_dummy
// CHECK: %[[NEXT:.*]] = orchestration.task_dummy after(%[[ROOT]])
// CHECK: orchestration.task_is_valid %[[NEXT]]
// CHECK: orchestration.barrier
// CHECK: orchestration.barrier after(%[[ROOT]], %[[NEXT]])
// CHECK: pl.array.create %[[ROOT]] : !pl.array<4x!orchestration.task>
pl.func orchestration @tasks() {
  %0 = orchestration.task_dummy
  %1 = orchestration.task_dummy after(%0)
  %2 = orchestration.task_is_valid %1
  orchestration.barrier
  orchestration.barrier after(%0, %1)
  %3 = pl.array.create %0 : !pl.array<4 x !orchestration.task>
  pl.return
}

// CHECK-LABEL: pl.func orchestration @scopes
// CHECK: orchestration.scope {
// CHECK: orchestration.scope manual dumps(%{{.*}} : !pl.tensor<[16], f32>) -> !orchestration.task {
// CHECK: pl.yield %{{.*}} : !orchestration.task
pl.func orchestration @scopes(%x: !pl.tensor<[16], f32>) {
  orchestration.scope {
  }
  %0 = orchestration.scope manual dumps(%x : !pl.tensor<[16], f32>) -> !orchestration.task {
    %1 = orchestration.task_dummy
    pl.yield %1 : !orchestration.task
  }
  pl.return
}

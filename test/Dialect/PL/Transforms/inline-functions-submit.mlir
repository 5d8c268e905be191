// RUN: pypto-opt %s --split-input-file --keep-value-names --inline-functions --mlir-use-nameloc-as-prefix | FileCheck %s

// Tasks and synchronisation in inline functions.
// -----
// INL-115: launches, their dependencies and a later fence are copied as they are.
!t = !pl.tensor<[16], f32>
pl.func private incore @kernel(!t, out !t) -> !t
pl.func inline @launch(%x: !t, %o: !t, %prior: !orchestration.task, %n: index) -> (!t, !orchestration.task) {
  %r, %id = orchestration.submit @kernel(%x, %o) after (%prior) core_num %n : (!t, !t) -> (!t, !orchestration.task)
  %s, %id2 = orchestration.submit @kernel(%r, %o) after (%id) : (!t, !t) -> (!t, !orchestration.task)
  orchestration.barrier after (%id)
  pl.return %s, %id2 : !t, !orchestration.task
}
// CHECK-LABEL: pl.func private incore @kernel(!pl.tensor<[16], f32>, out !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
// CHECK-LABEL: pl.func orchestration @launches(%a: !pl.tensor<[16], f32>, %b: !pl.tensor<[16], f32>, %n: index) {
// CHECK-NEXT: %none = orchestration.task_invalid
// CHECK-NEXT: %[[V0:.*]]:2 = orchestration.submit @kernel(%a, %b) after(%none) core_num %n : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !orchestration.task)
// CHECK-NEXT: %[[V1:.*]]:2 = orchestration.submit @kernel(%[[V0]]#0, %b) after(%[[V0]]#1) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !orchestration.task)
// CHECK-NEXT: orchestration.barrier after(%[[V0]]#1)
// CHECK-NEXT: orchestration.barrier after(%[[V1]]#1)
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func orchestration @launches(%a: !t, %b: !t, %n: index) {
  %none = orchestration.task_invalid
  %r:2 = pl.call @launch(%a, %b, %none, %n) : (!t, !t, !orchestration.task, index) -> (!t, !orchestration.task)
  orchestration.barrier after (%r#1)
  pl.return
}
// -----
// INL-120: an array of task ids is a variable of the caller.
!a = !pl.array<4 x !orchestration.task>
pl.func inline @remember(%ids: !pl.var<!a>, %id: !orchestration.task, %i: index) {
  %v0 = pl.get %ids : !a
  %v1 = pl.array.update %v0[%i], %id : !a
  pl.set %ids, %v1 : !a
  pl.return
}
// CHECK-LABEL: pl.func orchestration @task_array(%i: index) {
// CHECK-NEXT: %none = orchestration.task_invalid
// CHECK-NEXT: %a0 = pl.array.create %none : !pl.array<4x!orchestration.task>
// CHECK-NEXT: %ids = pl.var "ids" = %a0 : !pl.array<4x!orchestration.task>
// CHECK-NEXT: %v0_inline0 = pl.get %ids : !pl.array<4x!orchestration.task>
// CHECK-NEXT: %v1_inline1 = pl.array.update %v0_inline0[%i], %none : !pl.array<4x!orchestration.task>
// CHECK-NEXT: pl.set %ids, %v1_inline1 : !pl.array<4x!orchestration.task>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func orchestration @task_array(%i: index) {
  %none = orchestration.task_invalid
  %a0 = pl.array.create %none : !a
  %ids = pl.var "ids" = %a0 : !a
  pl.call @remember(%ids, %none, %i) : (!pl.var<!a>, !orchestration.task, index) -> ()
  pl.return
}

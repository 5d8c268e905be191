// RUN: pypto-opt %s --convert-orchestration-to-runtime --split-input-file --mlir-print-local-scope | FileCheck %s

// Calls of the run time, with the structures that they take.

// The place of a task: a name and a location.
// CHECK-DAG: llvm.mlir.global internal constant @[[NAME:.*]]("kernel\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[PLACE:.*]]("program.py:7:3\00")
// CHECK-DAG: llvm.func @pyptoTaskSubmit(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, !llvm.ptr, i64, i64, i32) -> i64

// CHECK-LABEL: func.func private @pl.kernel
func.func private @pl.kernel(%x: memref<?x4xf32, strided<[?, 1], offset: ?>>, %n: index) {
  return
}
// CHECK-LABEL: func.func @host(
// The frame holds payload, accesses and ids, once for all iterations.
// CHECK-DAG: %[[PAYLOAD:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, ptr, i64, i64, i64, i64, i64, i64)>
// CHECK-DAG: %[[ACCESS:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, ptr, ptr, i32, i64, i64)>
// CHECK-DAG: %[[AFTER:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: ^bb1
// CHECK: %[[BODY:.*]] = llvm.mlir.addressof @pypto_task_pl.kernel :
// CHECK: %[[BYTES:.*]] = llvm.ptrtoint
// CHECK: %[[SITE:.*]] = llvm.mlir.addressof @[[SITE_NAME:.*]] :
// One row more than the last one starts at, nothing of an empty tensor.
// CHECK: %[[STEPS:.*]] = llvm.sub %[[ROWS:.*]], %
// CHECK: %[[LAST:.*]] = llvm.mul %[[STEPS]], %
// CHECK: %[[EMPTY:.*]] = llvm.icmp "sle" %[[ROWS]], %
// CHECK: llvm.select
// CHECK: %[[ID:.*]] = llvm.call @pyptoTaskSubmit(%[[SITE]], %[[BODY]], %[[PAYLOAD]], %[[BYTES]], %[[ACCESS]], %{{.*}}, %[[AFTER]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: cf.cond_br %{{.*}}, ^bb1(%[[ID]] : i64)
func.func @host(%x: memref<?x4xf32, strided<[?, 1], offset: ?>>, %n: index, %first: i64, %again: i1) {
  cf.br ^loop(%first : i64)
^loop(%prior: i64):
  %id = orchestration.launch @pl.kernel(read %x, %n) after(%prior)
      : memref<?x4xf32, strided<[?, 1], offset: ?>>, index loc("program.py":7:3)
  cf.cond_br %again, ^loop(%id : i64), ^end
^end:
  return
}
// CHECK-LABEL: llvm.func internal @pypto_task_pl.kernel(
// CHECK-SAME: %[[ARGUMENTS:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: llvm.getelementptr %[[ARGUMENTS]][0, 0]
// CHECK: call @pl.kernel(%{{.*}}, %{{.*}})
// CHECK: llvm.return

// -----

// The index of the block and their number come from the run time, if the kernel asks.
func.func private @pl.rows(%x: memref<4xf32>, %block: index, %count: index) {
  return
}
func.func private @pl.all(%x: memref<4xf32>) {
  return
}
// CHECK-LABEL: func.func @blocks(
// CHECK: %[[IN_ORDER:.*]] = llvm.mlir.constant(1 : {{.*}}) : i32
// CHECK: llvm.call @pyptoTaskSubmit({{.*}}, %[[IN_ORDER]])
func.func @blocks(%x: memref<4xf32>, %n: index) {
  %0 = orchestration.launch @pl.rows(write %x) blocks %n : memref<4xf32>
  %1 = orchestration.launch @pl.all(write %x) blocks %n in_order : memref<4xf32>
  return
}
// CHECK-LABEL: llvm.func internal @pypto_task_pl.rows_blocks(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[INDEX:.*]]: i64, %[[COUNT:.*]]: i64)
// CHECK: %[[I:.*]] = builtin.unrealized_conversion_cast %[[INDEX]] : i64 to index
// CHECK: %[[N:.*]] = builtin.unrealized_conversion_cast %[[COUNT]] : i64 to index
// CHECK: call @pl.rows(%{{.*}}, %[[I]], %[[N]])
// CHECK-LABEL: llvm.func internal @pypto_task_pl.all(
// CHECK: call @pl.all(%{{[^,]*}})

// -----

// CHECK-LABEL: func.func @waits(
// CHECK: llvm.call @pyptoTaskSync(
// CHECK: llvm.call @pyptoTaskDummy(
// CHECK: llvm.call @pyptoTaskBarrier(
// CHECK: llvm.call @pyptoScopeBegin(
// CHECK: llvm.call @pyptoScopeEnd()
func.func @waits(%x: memref<4xf32>) {
  orchestration.sync(read %x) : memref<4xf32>
  %0 = orchestration.launch_dummy
  orchestration.await(%0)
  orchestration.scope_begin manual
  orchestration.scope_end
  return
}

// -----

// What a function that makes tasks frees is freed behind them; a kernel frees at once.
// CHECK-LABEL: func.func @host(
// CHECK-NOT: orchestration.host
// CHECK: llvm.call @pyptoTaskFree(
func.func @host(%x: memref<4xf32>) attributes {orchestration.host} {
  memref.dealloc %x : memref<4xf32>
  return
}
// CHECK-LABEL: func.func @kernel(
// CHECK: memref.dealloc
func.func @kernel(%x: memref<4xf32>) {
  memref.dealloc %x : memref<4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @give(
// CHECK: llvm.store %{{.*}}, %{{.*}} atomic release {alignment = 4 : i64} : i32
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} release : !llvm.ptr, i32
func.func @give(%s: memref<8xi32>, %i: index, %n: i32) {
  orchestration.give_signal %n, %s[%i] : memref<8xi32>
  orchestration.give_signal add %n, %s[%i] : memref<8xi32>
  return
}
// CHECK-LABEL: func.func @give_float(
// CHECK: llvm.atomicrmw fadd
func.func @give_float(%s: memref<8xf32>, %i: index, %v: f32) {
  orchestration.give_signal add %v, %s[%i] : memref<8xf32>
  return
}
// CHECK-LABEL: func.func @wait(
// CHECK: llvm.br ^[[LOOK:.*]]
// CHECK: ^[[LOOK]]:
// CHECK: %[[SEEN:.*]] = llvm.load %{{.*}} atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: %[[IS_THERE:.*]] = llvm.icmp "uge" %[[SEEN]], %{{.*}} : i32
// CHECK: llvm.cond_br %[[IS_THERE]], ^[[GO_ON:.*]], ^[[PAUSE:.*]]
// CHECK: ^[[PAUSE]]:
// CHECK: llvm.call @pyptoSignalPause(
// CHECK: llvm.br ^[[LOOK]]
// CHECK: ^[[GO_ON]]:
// CHECK: return
func.func @wait(%s: memref<8xi32>, %i: index, %n: i32) {
  orchestration.await_signal unsigned ge %s[%i], %n : memref<8xi32>
  return
}
// CHECK-LABEL: func.func @wait_float(
// CHECK: llvm.fcmp "une"
func.func @wait_float(%s: memref<8xf32>, %i: index, %v: f32) {
  orchestration.await_signal ne %s[%i], %v : memref<8xf32>
  return
}

// -----

// Small arrays are vectors, whose copy in a payload is aligned as a number is.
// CHECK-LABEL: func.func private @pl.array(
func.func private @pl.array(%a: vector<8xi64>) {
  return
}
func.func @array(%a: vector<8xi64>) {
  %id = orchestration.launch @pl.array(%a) : vector<8xi64>
  return
}
// CHECK-LABEL: llvm.func internal @pypto_task_pl.array(
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<8xi64>

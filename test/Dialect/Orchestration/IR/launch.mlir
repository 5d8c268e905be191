// RUN: pypto-opt %s | pypto-opt | FileCheck %s
// RUN: pypto-opt --mlir-print-op-generic %s | pypto-opt | FileCheck %s
// RUN: pypto-opt --emit-bytecode %s | pypto-opt | FileCheck %s

// Tasks of lowered programs, in both forms of the text and as bytecode.

func.func private @kernel(%x: memref<?xf32>, %y: memref<4xf32>, %n: index) {
  return
}
func.func private @blocks(%x: memref<?xf32>, %block: index, %count: index) {
  return
}

// CHECK-LABEL: func.func @launches
// CHECK: %[[FIRST:.*]] = orchestration.launch @kernel(read %[[X:.*]], write %[[Y:.*]], %[[N:.*]]) : memref<?xf32>, memref<4xf32>, index
// CHECK: %[[NEXT:.*]] = orchestration.launch @kernel(update %[[X]], accumulate %[[Y]], %[[N]]) after(%[[FIRST]]) blocks %[[N]] in_order : memref<?xf32>, memref<4xf32>, index
// CHECK: orchestration.launch @blocks(write %[[X]]) after(%[[FIRST]], %[[NEXT]]) blocks %[[N]] : memref<?xf32>
func.func @launches(%x: memref<?xf32>, %y: memref<4xf32>, %n: index) {
  %0 = orchestration.launch @kernel(read %x, write %y, %n) : memref<?xf32>, memref<4xf32>, index
  %1 = orchestration.launch @kernel(update %x, accumulate %y, %n) after(%0) blocks %n in_order
      : memref<?xf32>, memref<4xf32>, index
  %2 = orchestration.launch @blocks(write %x) after(%0, %1) blocks %n : memref<?xf32>
  return
}

// CHECK-LABEL: func.func @waits
// CHECK: orchestration.sync(read %{{.*}}, write %{{.*}}) : memref<?xf32>, memref<4xi32>
// CHECK: %[[A:.*]] = orchestration.launch_dummy{{$}}
// CHECK: %[[B:.*]] = orchestration.launch_dummy after(%[[A]])
// CHECK: orchestration.await{{$}}
// CHECK: orchestration.await(%[[A]], %[[B]])
func.func @waits(%x: memref<?xf32>, %y: memref<4xi32>) {
  orchestration.sync(read %x, write %y) : memref<?xf32>, memref<4xi32>
  %a = orchestration.launch_dummy
  %b = orchestration.launch_dummy after(%a)
  orchestration.await
  orchestration.await(%a, %b)
  return
}

// CHECK-LABEL: func.func @scopes
// CHECK: orchestration.scope_begin{{$}}
// CHECK: orchestration.scope_begin manual
// CHECK: orchestration.scope_end
// CHECK: orchestration.scope_end
func.func @scopes() {
  orchestration.scope_begin
  orchestration.scope_begin manual
  orchestration.scope_end
  orchestration.scope_end
  return
}

// CHECK-LABEL: func.func @signals
// CHECK: orchestration.give_signal %{{.*}}, %{{.*}}[%{{.*}}] : memref<8xi32>
// CHECK: orchestration.give_signal add %{{.*}}, %{{.*}}[%{{.*}}] : memref<8xi32>
// CHECK: orchestration.await_signal ge %{{.*}}[%{{.*}}], %{{.*}} : memref<8xi32>
// CHECK: orchestration.await_signal unsigned lt %{{.*}}[%{{.*}}], %{{.*}} : memref<8xi32>
func.func @signals(%s: memref<8xi32>, %i: index, %n: i32) {
  orchestration.give_signal %n, %s[%i] : memref<8xi32>
  orchestration.give_signal add %n, %s[%i] : memref<8xi32>
  orchestration.await_signal ge %s[%i], %n : memref<8xi32>
  orchestration.await_signal unsigned lt %s[%i], %n : memref<8xi32>
  return
}

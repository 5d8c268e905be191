// RUN: pypto-opt --schedule-kernels --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: pypto-opt --schedule-kernels=barriers --split-input-file --verify-diagnostics %s | FileCheck %s --check-prefix=BARRIERS

// A and B wait for none and are the first group, whatever order they stand in; C waits for both.

func.func private @a(memref<4xf32>, memref<4xf32>)
func.func private @b(memref<4xf32>, memref<4xf32>)
func.func private @c(memref<4xf32>, memref<4xf32>, memref<4xf32>)
func.func private @d(memref<4xf32>, memref<4xf32>)

// CHECK-LABEL: func.func @groups
// CHECK-SAME: arena_bytes = 192 : i64, buffer_bytes = 192 : i64
// CHECK: %[[A:.*]] = orchestration.launch @a({{.*}}) {group = 1 : i64}
// CHECK-NEXT: %[[B:.*]] = orchestration.launch @b({{.*}}) {group = 1 : i64}
// CHECK-NEXT: orchestration.launch @d({{.*}}) after(%[[A]]) {group = 2 : i64}
// CHECK-NEXT: orchestration.launch @c({{.*}}) after(%[[A]], %[[B]]) {group = 2 : i64}

// BARRIERS-LABEL: func.func @groups
// BARRIERS: launch @a
// BARRIERS-NEXT: launch @b
// BARRIERS-NEXT: orchestration.await
// BARRIERS-NEXT: launch @d
// BARRIERS-NEXT: launch @c
func.func @groups(%out: memref<4xf32>, %x: memref<4xf32>) {
  %first = memref.alloc() : memref<4xf32>
  %second = memref.alloc() : memref<4xf32>
  %third = memref.alloc() : memref<4xf32>
  %0 = orchestration.launch @a(write %first, read %x) : memref<4xf32>, memref<4xf32>
  %1 = orchestration.launch @d(write %third, read %first) after(%0) : memref<4xf32>, memref<4xf32>
  %2 = orchestration.launch @b(write %second, read %x) : memref<4xf32>, memref<4xf32>
  %3 = orchestration.launch @c(write %out, read %first, read %second) after(%0, %2)
      : memref<4xf32>, memref<4xf32>, memref<4xf32>
  orchestration.await
  memref.dealloc %third : memref<4xf32>
  memref.dealloc %second : memref<4xf32>
  memref.dealloc %first : memref<4xf32>
  return
}

// -----

// In a chain the third buffer takes the place of the first, whose last reader is done by then.

func.func private @step(memref<64xf32>, memref<64xf32>)

// CHECK-LABEL: func.func @chain
// CHECK-SAME: arena_bytes = 512 : i64, buffer_bytes = 768 : i64
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<512xi8>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
// CHECK: memref.view %[[ARENA]][%{{.*}}][] : memref<512xi8> to memref<64xf32>
// CHECK: orchestration.launch @step
// CHECK: memref.dealloc %[[ARENA]]
func.func @chain(%out: memref<64xf32>, %x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %0 = orchestration.launch @step(write %a, read %x) : memref<64xf32>, memref<64xf32>
  %1 = orchestration.launch @step(write %b, read %a) after(%0) : memref<64xf32>, memref<64xf32>
  %2 = orchestration.launch @step(write %c, read %b) after(%1) : memref<64xf32>, memref<64xf32>
  %3 = orchestration.launch @step(write %out, read %c) after(%2) : memref<64xf32>, memref<64xf32>
  orchestration.await
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  memref.dealloc %c : memref<64xf32>
  return
}

// -----

func.func private @kernel(memref<4xf32>)
func.func @stranger(%x: memref<4xf32>, %other: i64) {
  // expected-error @below {{expects tasks of this function in front of 'kernel' as those that it waits for}}
  %0 = orchestration.launch @kernel(write %x) after(%other) : memref<4xf32>
  return
}

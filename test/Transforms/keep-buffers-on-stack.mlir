// RUN: pypto-opt %s --keep-buffers-on-stack | FileCheck %s
// Small buffers go to the stack of the function, others out of loops.

// CHECK-LABEL: func.func @rows
func.func @rows(%n: index, %m: index, %x: f32) {
  // CHECK: %[[ROW:.*]] = memref.alloca() : memref<1x4096xf32>
  // CHECK: %[[BLOCK:.*]] = memref.alloc(%{{.*}})
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: memref.store %{{.*}}, %[[BLOCK]]
  // CHECK-NEXT: memref.store %{{.*}}, %[[ROW]]
  // CHECK-NEXT: }
  // CHECK-NEXT: memref.dealloc %[[BLOCK]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %row = memref.alloc() : memref<1x4096xf32>
    %block = memref.alloc(%m) : memref<?x4096xf32>
    memref.store %x, %block[%c0, %c0] : memref<?x4096xf32>
    memref.store %x, %row[%c0, %c0] : memref<1x4096xf32>
    memref.dealloc %block : memref<?x4096xf32>
    memref.dealloc %row : memref<1x4096xf32>
  }
  return
}

// CHECK-LABEL: func.func @large
func.func @large(%x: f32, %i: index) {
  // CHECK: memref.alloc() : memref<32768xf32>
  %0 = memref.alloc() : memref<32768xf32>
  memref.store %x, %0[%i] : memref<32768xf32>
  memref.dealloc %0 : memref<32768xf32>
  return
}

// CHECK-LABEL: func.func @returned
func.func @returned() -> memref<16xf32> {
  // CHECK: memref.alloc() : memref<16xf32>
  %0 = memref.alloc() : memref<16xf32>
  return %0 : memref<16xf32>
}

// Iterations that run at the same time have their own.
// CHECK-LABEL: func.func @parallel
func.func @parallel(%n: index, %x: f32) {
  // CHECK: scf.parallel
  // CHECK: memref.alloca() : memref<16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.alloc() : memref<16xf32>
    memref.store %x, %0[%c0] : memref<16xf32>
    memref.dealloc %0 : memref<16xf32>
  }
  return
}

// The size is known in the loop only.
// CHECK-LABEL: func.func @size_of_iteration
func.func @size_of_iteration(%n: index, %x: f32) {
  // CHECK: scf.for
  // CHECK: memref.alloc(%{{.*}})
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloc(%i) : memref<?xf32>
    memref.store %x, %0[%c0] : memref<?xf32>
    memref.dealloc %0 : memref<?xf32>
  }
  return
}

func.func private @task(memref<16xf32>)

// Freeing waits for the task, the end of a stack frame does not.
// CHECK-LABEL: func.func @used_by_task
func.func @used_by_task() {
  // CHECK: memref.alloc() : memref<16xf32>
  %0 = memref.alloc() : memref<16xf32>
  %view = memref.cast %0 : memref<16xf32> to memref<16xf32>
  %id = orchestration.launch @task(write %view) : memref<16xf32>
  memref.dealloc %0 : memref<16xf32>
  return
}

// A task may have it under the name of the one that was selected, or of what a loop carries.
// CHECK-LABEL: func.func @used_by_another_name
func.func @used_by_another_name(%c: i1, %n: index) attributes {orchestration.host} {
  // CHECK-COUNT-3: memref.alloc() : memref<16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<16xf32>
  %1 = memref.alloc() : memref<16xf32>
  %2 = memref.alloc() : memref<16xf32>
  %either = arith.select %c, %0, %1 : memref<16xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%m = %2) -> memref<16xf32> {
    %id = orchestration.launch @task(write %m) : memref<16xf32>
    scf.yield %either : memref<16xf32>
  }
  memref.dealloc %2 : memref<16xf32>
  memref.dealloc %1 : memref<16xf32>
  memref.dealloc %0 : memref<16xf32>
  return
}

// Where no tasks are made other names do no harm.
// CHECK-LABEL: func.func @carried
func.func @carried(%n: index) {
  // CHECK: memref.alloca() : memref<16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<16xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%m = %0) -> memref<16xf32> {
    scf.yield %m : memref<16xf32>
  }
  memref.dealloc %0 : memref<16xf32>
  return
}

// Any number of these frames may stand on one stack.
// CHECK-LABEL: func.func private @recursive
func.func private @recursive(%c: i1) {
  // CHECK: memref.alloc() : memref<16xf32>
  %0 = memref.alloc() : memref<16xf32>
  scf.if %c {
    func.call @other(%c) : (i1) -> ()
  }
  memref.dealloc %0 : memref<16xf32>
  return
}
func.func private @other(%c: i1) {
  func.call @recursive(%c) : (i1) -> ()
  return
}

// So may those of tasks that wait: others run meanwhile.
// CHECK-LABEL: func.func private @waits
func.func private @waits(%s: memref<1xi32>, %n: i32) {
  %c0 = arith.constant 0 : index
  orchestration.await_signal ge %s[%c0], %n : memref<1xi32>
  return
}
// CHECK-LABEL: func.func @waits_in_callee
func.func @waits_in_callee(%s: memref<1xi32>, %n: i32) {
  // CHECK: memref.alloc() : memref<16xf32>
  %0 = memref.alloc() : memref<16xf32>
  func.call @waits(%s, %n) : (memref<1xi32>, i32) -> ()
  memref.dealloc %0 : memref<16xf32>
  return
}

// One frame of this one, whoever it calls.
// CHECK-LABEL: func.func @calls_recursive
func.func @calls_recursive(%c: i1) {
  // CHECK: memref.alloca() : memref<16xf32>
  %0 = memref.alloc() : memref<16xf32>
  func.call @recursive(%c) : (i1) -> ()
  memref.dealloc %0 : memref<16xf32>
  return
}

// A stack has an end: four buffers of 64 KiB, and no fifth.
// CHECK-LABEL: func.func @many
func.func @many(%x: f32, %i: index) {
  // CHECK-COUNT-4: memref.alloca() : memref<16384xf32>
  // CHECK: memref.alloc() : memref<16384xf32>
  %0 = memref.alloc() : memref<16384xf32>
  %1 = memref.alloc() : memref<16384xf32>
  %2 = memref.alloc() : memref<16384xf32>
  %3 = memref.alloc() : memref<16384xf32>
  %4 = memref.alloc() : memref<16384xf32>
  memref.store %x, %0[%i] : memref<16384xf32>
  memref.store %x, %1[%i] : memref<16384xf32>
  memref.store %x, %2[%i] : memref<16384xf32>
  memref.store %x, %3[%i] : memref<16384xf32>
  memref.store %x, %4[%i] : memref<16384xf32>
  memref.dealloc %0 : memref<16384xf32>
  memref.dealloc %1 : memref<16384xf32>
  memref.dealloc %2 : memref<16384xf32>
  memref.dealloc %3 : memref<16384xf32>
  memref.dealloc %4 : memref<16384xf32>
  return
}

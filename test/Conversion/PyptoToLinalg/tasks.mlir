// RUN: pypto-opt %s --pypto-cpu-front-pipeline --split-input-file | FileCheck %s
// RUN: pypto-opt %s --pypto-cpu-pipeline --split-input-file | FileCheck %s --check-prefix=LLVM
// LLVM-NOT: orchestration.
// LLVM-NOT: memref
// LLVM-NOT: unrealized

// Which calls become tasks, what they access, and where the host waits for them. Behind all passes nothing is left of
// it but calls of the run time.

!t = !pl.tensor<[8], f32>
pl.func incore @copy(%x: !t, out %y: !t) -> !t {
  %0 = tile.load %x[0] : !t -> !tile.tile<[8], f32>
  %1 = tile.store %0, %y[0] : !tile.tile<[8], f32>, !t
  pl.return %1 : !t
}

// CHECK-LABEL: func.func private @pl.calls(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref{{.*}}, %[[Y:[a-z0-9]*]]: memref{{.*}} attributes {{.*}}orchestration.host
// CHECK: %[[T:.*]] = memref.cast
// CHECK-NEXT: orchestration.launch @pl.copy(read %[[X]], write %[[T]]) :
// CHECK-NEXT: orchestration.launch @pl.copy(read %[[T]], write %[[Y]]) :
// CHECK-NEXT: return
pl.func @calls(%x: !t, out %y: !t) -> !t {
  %t = pl.create : !t
  %0 = pl.call @copy(%x, %t) : (!t, !t) -> !t
  %1 = pl.call @copy(%0, %y) : (!t, !t) -> !t
  pl.return %1 : !t
}

// An entry goes on once all tasks are done.
// CHECK-LABEL: func.func @pypto_entry_calls(
// CHECK: call @pl.calls
// CHECK-NEXT: orchestration.await
// CHECK: linalg.copy

// Within a kernel a call is a call.
// CHECK-LABEL: func.func private @pl.kernel(
// CHECK-NOT: orchestration
// CHECK: call @pl.copy(
// CHECK: return
pl.func group @kernel(%x: !t, out %y: !t) -> !t {
  %0 = pl.call @copy(%x, %y) : (!t, !t) -> !t
  pl.return %0 : !t
}

// A function that makes tasks is called.
// CHECK-LABEL: func.func private @pl.caller(
// CHECK: call @pl.calls(
// CHECK: orchestration.launch @pl.kernel(
pl.func orchestration @caller(%x: !t, out %y: !t, out %z: !t) {
  %0 = pl.call @calls(%x, %y) : (!t, !t) -> !t
  %1 = pl.call @kernel(%0, %z) : (!t, !t) -> !t
  pl.return
}

// -----

// Without kernels nothing waits.
// CHECK-LABEL: func.func private @pl.helper(
// CHECK-NOT: orchestration
pl.func private @helper(%x: !pl.tensor<[8], f32>, %i: index) -> f32 {
  %0 = pl.read %x[%i] : !pl.tensor<[8], f32>
  pl.return %0 : f32
}
pl.func orchestration @host(%x: !pl.tensor<[8], f32>, %i: index) -> f32 {
  %none = orchestration.task_dummy
  %0 = pl.call @helper(%x, %i) : (!pl.tensor<[8], f32>, index) -> f32
  orchestration.barrier after(%none)
  pl.return %0 : f32
}

// -----

// CHECK-LABEL: func.func private @pl.first(
// What a kernel returns that is new the host cannot go on without.
// CHECK-LABEL: func.func private @pl.submits(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref{{[^%]*}}%[[S:[a-z0-9]*]]: memref
// CHECK: %[[BEFORE:.*]] = orchestration.launch_dummy
// CHECK: orchestration.await(%[[BEFORE]])
// CHECK-NEXT: orchestration.sync(read %[[X]], write %[[S]])
// CHECK-NEXT: %[[FIRST:.*]] = call @pl.first(%[[X]], %[[S]])
// CHECK: %[[ID:.*]] = arith.constant 0 : i64
// CHECK: orchestration.await(%[[ID]])
// CHECK: return %[[FIRST]]
pl.func incore @first(%x: !pl.tensor<[8], f32>, out %s: !pl.tensor<[1], f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = pl.read %x[%c0] : !pl.tensor<[8], f32>
  %1 = pl.write %0, %s[%c0] : !pl.tensor<[1], f32>
  pl.return %0 : f32
}
pl.func orchestration @submits(%x: !pl.tensor<[8], f32>, out %s: !pl.tensor<[1], f32>) -> f32 {
  %before = orchestration.task_dummy
  %0, %id = orchestration.submit @first(%x, %s) after(%before) : (!pl.tensor<[8], f32>, !pl.tensor<[1], f32>)
      -> (f32, !orchestration.task)
  orchestration.barrier after(%id)
  pl.return %0 : f32
}

// -----

// A kernel that writes what its directions do not say: itself, through a view, through what it calls.
!t = !pl.tensor<[8], f32>
pl.func incore @written(%x: !t, %y: !t, %z: !t, %unused: !t) {
  %c0 = arith.constant 0 : index
  %0 = pl.read %x[%c0] : !t
  %v = pl.slice %y[4] : !t -> !pl.tensor<[4], f32>
  %1 = pl.write %0, %v[%c0] : !pl.tensor<[4], f32>
  pl.call @fill(%z) : (!t) -> ()
  pl.return
}
pl.func incore @fill(out %x: !t) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = pl.write %zero, %x[%c0] : !t
  pl.return
}
// One that adds atomically: its blocks and those of others like it keep their order.
pl.func incore @add(inout %x: !t, %y: !t) {
  %i = tile.get_block_idx
  %0 = tile.load %y[0] : !t -> !tile.tile<[8], f32>
  %1 = tile.store %0, %x[0] atomic : !tile.tile<[8], f32>, !t
  pl.return
}
// CHECK-LABEL: func.func private @pl.host(
// CHECK: orchestration.launch @pl.written(read %{{.*}}, update %{{.*}}, update %{{.*}}, read %{{.*}}) :
// CHECK: orchestration.launch @pl.add(accumulate %{{.*}}, read %{{.*}}) blocks %{{.*}} in_order :
// Blocks that all do the same keep their order, too.
// CHECK: orchestration.launch @pl.fill(write %{{.*}}) blocks %{{.*}} in_order :
pl.func orchestration @host(%x: !t, %y: !t, %z: !t, %u: !t, %n: index) {
  pl.call @written(%x, %y, %z, %u) : (!t, !t, !t, !t) -> ()
  %0 = orchestration.submit @add(%x, %y) core_num %n : (!t, !t) -> !orchestration.task
  %1 = orchestration.submit @fill(%x) core_num %n : (!t) -> !orchestration.task
  pl.return
}

// -----

// A scope, and the block of a launch in place.
!t = !pl.tensor<[8], f32>
pl.func incore @mark(out %x: !t) {
  %i = tile.get_block_idx
  %n = tile.get_block_num
  %zero = arith.constant 0.0 : f32
  %0 = pl.write %zero, %x[%i] : !t
  pl.return
}
// CHECK-LABEL: func.func private @pl.scopes(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref{{[^%]*}}%[[N:[a-z0-9]*]]: index,
// CHECK: orchestration.scope_begin manual
// CHECK: orchestration.scope_begin{{$}}
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]]
// CHECK-NEXT: orchestration.launch @pl.mark(write %[[X]], %[[I]], %[[N]]) :
// CHECK: orchestration.scope_end
// CHECK: orchestration.scope_end
pl.func orchestration @scopes(out %x: !t, %n: index) {
  orchestration.scope manual {
    orchestration.scope {
      pl.spmd (%i) in (%n) {
        pl.call @mark(%x) : (!t) -> ()
      }
    }
  }
  pl.return
}

// -----

// The host waits before each kind of access, once between two tasks, and not for what no task has seen.
!t = !pl.tensor<[8], f32>
pl.func incore @fill(out %x: !t) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = pl.write %zero, %x[%c0] : !t
  pl.return
}
// CHECK-LABEL: func.func private @pl.reads(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref
// CHECK: orchestration.launch
// CHECK-NEXT: orchestration.sync(read %[[X]])
// CHECK-NEXT: memref.load %[[X]]
// CHECK-NEXT: memref.load %[[X]]
// CHECK-NEXT: orchestration.sync(write %[[X]])
// CHECK-NEXT: memref.store %{{.*}}, %[[X]]
// CHECK-NEXT: memref.load %[[X]]
// CHECK-NEXT: orchestration.launch
// CHECK-NEXT: orchestration.sync(read %[[X]])
// CHECK-NEXT: memref.load %[[X]]
pl.func @reads(out %x: !t, %i: index) -> (f32, f32, f32, f32) {
  pl.call @fill(%x) : (!t) -> ()
  %0 = pl.read %x[%i] : !t
  %1 = pl.read %x[%i] : !t
  %2 = pl.write %1, %x[%i] : !t
  %3 = pl.read %x[%i] : !t
  pl.call @fill(%x) : (!t) -> ()
  %4 = pl.read %x[%i] : !t
  pl.return %0, %1, %3, %4 : f32, f32, f32, f32
}
// Only the part that is accessed.
// CHECK-LABEL: func.func private @pl.window(
// CHECK: orchestration.launch
// CHECK: %[[WINDOW:.*]] = memref.subview %{{.*}}[4] [4] [1]
// CHECK: orchestration.sync(read %[[WINDOW]])
// CHECK-NEXT: linalg.copy ins(%[[WINDOW]]
pl.func @window(out %x: !t) -> !pl.tensor<[4], f32> {
  pl.call @fill(%x) : (!t) -> ()
  %t = tile.load %x[4] : !t -> !tile.tile<[4], f32>
  %y = pl.create : !pl.tensor<[4], f32>
  %z = tile.store %t, %y[0] : !tile.tile<[4], f32>, !pl.tensor<[4], f32>
  pl.return %z : !pl.tensor<[4], f32>
}
// A loop without tasks waits in front of it, one with tasks inside.
// CHECK-LABEL: func.func private @pl.loops(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref
// CHECK: orchestration.launch
// CHECK-NEXT: orchestration.sync(write %[[X]])
// CHECK-NEXT: scf.for
// CHECK-NOT: sync
// CHECK: scf.for
// CHECK: orchestration.sync(write %[[X]])
// CHECK-NEXT: memref.store
// CHECK-NEXT: orchestration.launch
pl.func @loops(out %x: !t, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.call @fill(%x) : (!t) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %s = pl.slice %x[%i] : !t -> !pl.tensor<[4], f32>
    %0 = pl.write %v, %s[%c0] : !pl.tensor<[4], f32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %0 = pl.write %v, %x[%i] : !t
    pl.call @fill(%x) : (!t) -> ()
  }
  pl.return
}
// What is allocated, and what no task is given.
// CHECK-LABEL: func.func private @pl.unseen(
// CHECK-NOT: sync
// CHECK: orchestration.launch
// CHECK-NOT: sync
// CHECK: return
pl.func @unseen(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %own = pl.create : !t
  %shared = pl.full %v : f32, !t
  %0 = pl.write %v, %own[%c0] : !t
  pl.call @fill(%shared) : (!t) -> ()
  %1 = pl.read %own[%c0] : !t
  pl.return %1 : f32
}
// A signal is waited for while the tasks go on.
// CHECK-LABEL: func.func private @pl.signals(
// CHECK: orchestration.launch
// CHECK-NOT: orchestration.sync
// CHECK: orchestration.await_signal unsigned ge %{{.*}}[%{{.*}}], %{{.*}} : memref<1xi32
// CHECK: orchestration.give_signal add
pl.func @signals(%x: !t, %s: !pl.tensor<[1], ui32>, %n: i32) {
  pl.call @fill(%x) : (!t) -> ()
  tile.wait ge %s[0], %n : !pl.tensor<[1], ui32>
  tile.notify add %n, %s[0] : !pl.tensor<[1], ui32>
  pl.return
}
// A wait at the end of the kernel.
// CHECK-LABEL: func.func private @pl.deferred(
// CHECK: memref.store
// CHECK-NEXT: orchestration.await_signal eq
// CHECK-NEXT: return
pl.func incore @deferred(out %x: !t, %s: !pl.tensor<[1], i64>, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : index
  tile.defer_wait eq %s[0], %n : !pl.tensor<[1], i64>
  %0 = pl.write %v, %x[%c0] : !t
  pl.return
}

// -----

// Additions of a kernel that is called count as those of its caller; a write to storage that is not known may be one to
// any parameter. A function that calls itself may do anything.
!t = !pl.tensor<[8], f32>
pl.func incore @adds(%x: !t, %y: !t) {
  %0 = tile.load %y[0] : !t -> !tile.tile<[8], f32>
  %1 = tile.store %0, %x[0] atomic : !tile.tile<[8], f32>, !t
  pl.return
}
pl.func group @calls_adds(%x: !t, %y: !t) {
  pl.call @adds(%x, %y) : (!t, !t) -> ()
  pl.return
}
pl.func incore @either(%x: !t, %c: i1) -> !t {
  %r = scf.if %c -> !t {
    %0 = pl.call @either(%x, %c) : (!t, i1) -> !t
    scf.yield %0 : !t
  } else {
    scf.yield %x : !t
  }
  pl.return %r : !t
}
pl.func incore @writes_unknown(%x: !t, %y: !t, %c: i1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %r = pl.call @either(%x, %c) : (!t, i1) -> !t
  %w = pl.write %zero, %r[%c0] : !t
  pl.return
}
// CHECK-LABEL: func.func private @pl.effects(
// CHECK: orchestration.launch @pl.calls_adds(accumulate %{{.*}}, read %{{.*}}) blocks %{{.*}} in_order :
// CHECK: orchestration.launch @pl.writes_unknown(accumulate %{{.*}}, accumulate %{{.*}}, %{{.*}}) :
pl.func orchestration @effects(%x: !t, %y: !t, %c: i1, %n: index) {
  %0 = orchestration.submit @calls_adds(%x, %y) core_num %n : (!t, !t) -> !orchestration.task
  pl.call @writes_unknown(%x, %y, %c) : (!t, !t, i1) -> ()
  pl.return
}

// -----

// A submit of a host function that returns something new runs in place; whoever waits for it waits for its tasks.
!t = !pl.tensor<[8], f32>
pl.func incore @fill(out %x: !t) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = pl.write %zero, %x[%c0] : !t
  pl.return
}
pl.func orchestration @makes(inout %x: !t, %v: f32) -> f32 {
  pl.call @fill(%x) : (!t) -> ()
  %0 = arith.addf %v, %v : f32
  pl.return %0 : f32
}
// CHECK-LABEL: func.func private @pl.submits_host(
// CHECK: call @pl.makes(
// CHECK-NEXT: orchestration.await{{$}}
pl.func orchestration @submits_host(%x: !t, %v: f32) -> f32 {
  %0, %id = orchestration.submit @makes(%x, %v) : (!t, f32) -> (f32, !orchestration.task)
  pl.return %0 : f32
}

// RUN: pypto-opt %s --convert-pypto-to-linalg --split-input-file | FileCheck %s

// Scopes and launches of code run in place and in order.

// CHECK-LABEL: func.func private @pl.scope
// CHECK-NOT: pl.at
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK: bufferization.materialize_in_destination %[[SUM]]
// CHECK: return
pl.func @scope(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
  %r = pl.at core_group -> !pl.tensor<[16], f32> {
    %0 = pl.add %a, %a : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
    pl.yield %0 : !pl.tensor<[16], f32>
  }
  pl.return %r : !pl.tensor<[16], f32>
}

// -----

// A function that asks for its block takes index and number as its last arguments; a submit of several blocks is a task
// of as many.
// CHECK-LABEL: func.func private @pl.block
// CHECK-SAME: (%[[T:.*]]: memref<8xi32, {{.*}}>, %[[I:.*]]: index, %[[N:.*]]: index)
// CHECK: memref.store %{{.*}}, %[[T]][%[[I]]]
pl.func incore @block(out %t: !pl.tensor<[8], i32>) {
  %i = tile.get_block_idx
  %n = tile.get_block_num
  %v = arith.index_cast %n : index to i32
  %w = pl.write %v, %t[%i] : !pl.tensor<[8], i32>
  pl.return
}
// CHECK-LABEL: func.func @pypto_entry_block
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: call @pl.block(%{{.*}}, %[[ZERO]], %[[ONE]])

// CHECK-LABEL: func.func private @pl.launch
// CHECK-SAME: %[[COUNT:[a-z0-9]*]]: index)
// CHECK: %[[ID:.*]] = orchestration.launch @pl.block(write %{{.*}}) blocks %[[COUNT]] :
// CHECK: %[[LATE:.*]] = orchestration.launch_dummy after(%[[ID]])
// CHECK: orchestration.await(%[[LATE]])
pl.func orchestration @launch(inout %t: !pl.tensor<[8], i32>, %n: index) {
  %id = orchestration.submit @block(%t) core_num %n : (!pl.tensor<[8], i32>) -> !orchestration.task
  %late = orchestration.task_dummy after (%id)
  orchestration.barrier after (%late)
  pl.return
}

// -----

// What a launch yields is the tensor around it.
// CHECK-LABEL: func.func private @pl.spmd
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]]]
// CHECK: return{{$}}
pl.func @spmd(inout %t: !pl.tensor<[8], f32>, %v: f32, %n: index) -> !pl.tensor<[8], f32> {
  %r = pl.spmd (%i) in (%n) -> !pl.tensor<[8], f32> {
    %w = pl.write %v, %t[%i] : !pl.tensor<[8], f32>
    pl.yield %w : !pl.tensor<[8], f32>
  }
  pl.return %r : !pl.tensor<[8], f32>
}

// -----

// Task ids are numbers, the id of no task is negative.
// CHECK-LABEL: func.func private @pl.tasks
// CHECK: %[[NONE:.*]] = arith.constant -1 : i64
// CHECK: arith.cmpi sge, %[[NONE]]
pl.func orchestration @tasks() -> i1 {
  %id = orchestration.task_invalid
  %b = orchestration.task_is_valid %id
  pl.return %b : i1
}

// -----

// A name that the body binds is the number that it is bound to, inside of its block.
// CHECK-LABEL: func.func private @pl.symbol
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[TWICE:.*]] = arith.muli %[[I]]
// CHECK: memref.alloc(%[[TWICE]])
pl.func @symbol(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    pl.symbol @rows = %i : index
    %t = pl.create : !pl.tensor<[rows * 2], f32>
  }
  pl.return
}

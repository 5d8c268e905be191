// RUN: pypto-opt --convert-to-ssa --allow-unregistered-dialect %s | FileCheck %s
// A scope runs once, in place: what it binds is there afterwards, as a result of the scope. A launch runs many
// times: what it binds is the same handle as before, and is dropped.

// CHECK-LABEL: pl.func @at
// CHECK-SAME: %[[X:.*]]: !pl.tensor<[16], f32>
// CHECK-NEXT: %[[T:.*]] = pl.at core_group split up_down name "hint" -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %[[SUM:.*]] = pl.add %[[X]], %[[X]]
// CHECK-NEXT: pl.yield %[[SUM]] : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %[[T]]
pl.func @at(%x: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[16], f32>
  pl.at core_group split up_down name "hint" {
    %0 = pl.get %t : !pl.tensor<[16], f32>
    %1 = pl.add %0, %0 : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
    pl.set %t, %1 : !pl.tensor<[16], f32>
  }
  %2 = pl.get %t : !pl.tensor<[16], f32>
  pl.return %2 : !pl.tensor<[16], f32>
}

// Not read afterwards: no result.
// CHECK-LABEL: pl.func @at_not_read
// CHECK: pl.at core_group {
pl.func @at_not_read(%x: !pl.tensor<[16], f32>) {
  %t = pl.var "t" = %x : !pl.tensor<[16], f32>
  pl.at core_group {
    %1 = pl.add %x, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
    pl.set %t, %1 : !pl.tensor<[16], f32>
  }
  pl.return
}

// Results that are there already come first.
// CHECK-LABEL: pl.func @scopes
// CHECK-SAME: %[[A:.*]]: index, %[[B:.*]]: index
// CHECK: %[[CLUSTER:.*]]:2 = pl.cluster -> index, index {
// CHECK-NEXT: %[[GRAPH:.*]] = pl.graph -> index {
// CHECK-NEXT: %[[SCOPE:.*]] = orchestration.scope manual -> index {
// CHECK-NEXT: %[[REGION:.*]] = scf.execute_region -> index {
// CHECK-NEXT: scf.yield %[[B]] : index
// CHECK-NEXT: }
// CHECK-NEXT: pl.yield %[[REGION]] : index
// CHECK-NEXT: }
// CHECK-NEXT: pl.yield %[[SCOPE]] : index
// CHECK-NEXT: }
// CHECK-NEXT: pl.yield %[[A]], %[[GRAPH]] : index, index
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %[[CLUSTER]]#0, %[[CLUSTER]]#1
pl.func @scopes(%a: index, %b: index) -> (index, index) {
  %n = pl.var "n" : index
  %0 = pl.cluster -> index {
    pl.graph {
      orchestration.scope manual {
        scf.execute_region {
          pl.set %n, %b : index
          scf.yield
        }
      }
    }
    pl.yield %a : index
  }
  %1 = pl.get %n : index
  pl.return %0, %1 : index, index
}

// A dump mark on a variable is one on the value that it has where the scope begins.
// CHECK-LABEL: pl.func @dump_mark
// CHECK-SAME: %[[X:.*]]: !pl.tensor<[16], f32>
// CHECK: pl.at core_group dumps(%[[X]] : !pl.tensor<[16], f32>) {
pl.func @dump_mark(%x: !pl.tensor<[16], f32>) {
  %t = pl.var "t" = %x : !pl.tensor<[16], f32>
  pl.at core_group dumps(%t : !pl.var<!pl.tensor<[16], f32>>) {
    %1 = pl.add %x, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
    pl.set %t, %1 : !pl.tensor<[16], f32>
  }
  pl.return
}

// A mark is a read: the loop carries the variable for it.
// CHECK-LABEL: pl.func @dump_mark_in_loop
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK-NEXT: %[[NEXT:.*]] = pl.cluster dumps(%[[T]] : !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
pl.func @dump_mark_in_loop(%x: !pl.tensor<[16], f32>, %k: index) {
  %t = pl.var "t" = %x : !pl.tensor<[16], f32>
  scf.for %i = %k to %k step %k {
    pl.cluster dumps(%t : !pl.var<!pl.tensor<[16], f32>>) {
      %1 = pl.add %x, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
      pl.set %t, %1 : !pl.tensor<[16], f32>
    }
  }
  pl.return
}

//===- Launches ---------------------------------------------------------------------------------===//

// Each block begins with the handle from before; afterwards that is what the variable means.
// CHECK-LABEL: pl.func @launch
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: !pl.tensor<[16], f32>
// CHECK: pl.spmd (%[[I:.*]]) in (%[[N]]) {
// CHECK-NEXT: %[[W:.*]] = pl.write %{{.*}}, %[[X]][%[[I]]]
// CHECK-NEXT: %[[W2:.*]] = pl.write %{{.*}}, %[[W]][%[[I]]]
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %[[X]]
pl.func @launch(%n: index, %x: !pl.tensor<[16], f32>, %f: f32) -> !pl.tensor<[16], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[16], f32>
  pl.spmd (%i) in (%n) {
    %0 = pl.get %t : !pl.tensor<[16], f32>
    %1 = pl.write %f, %0[%i] : !pl.tensor<[16], f32>
    pl.set %t, %1 : !pl.tensor<[16], f32>
    %2 = pl.get %t : !pl.tensor<[16], f32>
    %3 = pl.write %f, %2[%i] : !pl.tensor<[16], f32>
    pl.set %t, %3 : !pl.tensor<[16], f32>
  }
  %4 = pl.get %t : !pl.tensor<[16], f32>
  pl.return %4 : !pl.tensor<[16], f32>
}

// The same handle on every path: through branches, loops, scopes and calls.
// CHECK-LABEL: pl.func @launch_paths
// CHECK-SAME: %{{.*}}: index, %[[X:.*]]: !pl.tensor<[16], f32>
// CHECK: pl.return %[[X]]
pl.func @launch_paths(%n: index, %x: !pl.tensor<[16], f32>, %f: f32, %c: i1) -> !pl.tensor<[16], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[16], f32>
  pl.spmd (%i) in (%n) {
    scf.if %c {
      %0 = pl.get %t : !pl.tensor<[16], f32>
      %1 = pl.write %f, %0[%i] : !pl.tensor<[16], f32>
      pl.set %t, %1 : !pl.tensor<[16], f32>
    }
    scf.for %j = %n to %n step %n {
      %0 = pl.get %t : !pl.tensor<[16], f32>
      %1 = pl.write %f, %0[%j] : !pl.tensor<[16], f32>
      pl.set %t, %1 : !pl.tensor<[16], f32>
      scf.for %l = %n to %n step %n {
        %2 = pl.get %t : !pl.tensor<[16], f32>
        %3 = pl.cast_shape %2 : !pl.tensor<[16], f32> -> !pl.tensor<[?], f32>
        pl.set %t, %3 : !pl.var<!pl.tensor<[16], f32>> -> !pl.tensor<[?], f32>
      }
    }
    pl.at core_group {
      %0 = pl.get %t : !pl.tensor<[16], f32>
      %1, %2 = pl.call @write(%f, %0) : (f32, !pl.tensor<[16], f32>) -> (f32, !pl.tensor<[16], f32>)
      pl.set %t, %2 : !pl.tensor<[16], f32>
    }
  }
  %4 = pl.get %t : !pl.tensor<[16], f32>
  pl.return %4 : !pl.tensor<[16], f32>
}
pl.func @write(%f: f32, inout %x: !pl.tensor<[16], f32>) -> (f32, !pl.tensor<[16], f32>) {
  %t = pl.var "t" = %x : !pl.tensor<[16], f32>
  %c0 = arith.constant 0 : index
  %0 = pl.get %t : !pl.tensor<[16], f32>
  %1 = pl.write %f, %0[%c0] : !pl.tensor<[16], f32>
  pl.set %t, %1 : !pl.tensor<[16], f32>
  %2 = pl.get %t : !pl.tensor<[16], f32>
  pl.return %f, %2 : f32, !pl.tensor<[16], f32>
}

// In a loop around the launch the variable is what the loop has.
// CHECK-LABEL: pl.func @launch_in_loop
// CHECK: %[[T:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %{{.*}}) -> (!pl.tensor<[16], f32>) {
// CHECK: %[[NEXT:.*]] = pl.add %[[CARRIED]]
// CHECK: pl.spmd
// CHECK-NEXT: pl.write %{{.*}}, %[[NEXT]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[NEXT]]
pl.func @launch_in_loop(%n: index, %x: !pl.tensor<[16], f32>, %f: f32) -> !pl.tensor<[16], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[16], f32>
  scf.for %j = %n to %n step %n {
    %0 = pl.get %t : !pl.tensor<[16], f32>
    %1 = pl.add %0, %0 : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
    pl.set %t, %1 : !pl.tensor<[16], f32>
    pl.spmd (%i) in (%n) {
      %2 = pl.get %t : !pl.tensor<[16], f32>
      %3 = pl.write %f, %2[%i] : !pl.tensor<[16], f32>
      pl.set %t, %3 : !pl.tensor<[16], f32>
    }
  }
  %4 = pl.get %t : !pl.tensor<[16], f32>
  pl.return %4 : !pl.tensor<[16], f32>
}

// A temporary of the launch that has the name of an outer variable, which nobody reads afterwards.
// CHECK-LABEL: pl.func @launch_temporary
// CHECK: pl.spmd (%[[I:.*]]) in (%[[N:.*]]) {
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[I]], %[[N]]
// CHECK-NEXT: "test.use"(%[[SUM]])
pl.func @launch_temporary(%n: index) {
  %t = pl.var "t" = %n : index
  pl.spmd (%i) in (%n) {
    %0 = pl.get %t : index
    %1 = arith.addi %i, %0 : index
    pl.set %t, %1 : index
    %2 = pl.get %t : index
    "test.use"(%2) : (index) -> ()
  }
  pl.return
}

// CHECK-LABEL: pl.func incore @split_aiv
// CHECK-SAME: %[[X:.*]]: !pl.tensor<[16], f32>
// CHECK: pl.split_aiv up_down (%[[I:.*]]) {
// CHECK-NEXT: pl.write %{{.*}}, %[[X]][%[[I]]]
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %[[X]]
pl.func incore @split_aiv(out %x: !pl.tensor<[16], f32>, %f: f32) -> !pl.tensor<[16], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[16], f32>
  pl.split_aiv up_down (%i) {
    %0 = pl.get %t : !pl.tensor<[16], f32>
    %1 = pl.write %f, %0[%i] : !pl.tensor<[16], f32>
    pl.set %t, %1 : !pl.tensor<[16], f32>
  }
  %2 = pl.get %t : !pl.tensor<[16], f32>
  pl.return %2 : !pl.tensor<[16], f32>
}

//===- Other operations with regions ----------------------------------------------------------------===//

// They may read outer variables and have variables of their own.
// CHECK-LABEL: pl.func @other_regions
// CHECK-SAME: %[[K:.*]]: index
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[I]], %[[K]]
// CHECK-NEXT: "test.use"(%[[SUM]])
pl.func @other_regions(%k: index) {
  %n = pl.var "n" = %k : index
  scf.parallel (%i) = (%k) to (%k) step (%k) {
    %m = pl.var "m" = %i : index
    %0 = pl.get %n : index
    %1 = pl.get %m : index
    %2 = arith.addi %1, %0 : index
    pl.set %m, %2 : index
    %3 = pl.get %m : index
    "test.use"(%3) : (index) -> ()
  }
  pl.return
}

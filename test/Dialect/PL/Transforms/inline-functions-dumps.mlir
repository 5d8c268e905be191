// RUN: pypto-opt %s --split-input-file --keep-value-names --inline-functions --mlir-use-nameloc-as-prefix | FileCheck %s

// Dump marks of a call follow the argument into the body.
// -----
// INL-109: to the scope that uses it, under the name that it has there; not to a scope that does not use it.
!t = !pl.tensor<[16], f32>
pl.func inline @helper(%x: !t, %t: !pl.var<!t>) {
  pl.at core_group {
    %g = pl.get %t : !t
    %s = pl.exp %g : !t
    pl.set %t, %s : !t
  }
  pl.at core_group {
    %s = pl.exp %x : !t
  }
  pl.return
}
// CHECK-LABEL: pl.func @localised(%a: !pl.tensor<[16], f32>, %b: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %b : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.at core_group dumps(%t_inline0 : !pl.var<!pl.tensor<[16], f32>>) {
// CHECK-NEXT: %g_inline1 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %s_inline2 = pl.exp %g_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %s_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.at core_group {
// CHECK-NEXT: %s_inline3 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @localised(%a: !t, %b: !t) {
  pl.call @helper(%a, %b) dumps [1] : (!t, !t) -> ()
  pl.return
}
// -----
// INL-109: near miss: without a mark on the call there is none.
!t = !pl.tensor<[16], f32>
pl.func inline @helper(%x: !t) {
  pl.at core_group {
    %s = pl.exp %x : !t
  }
  pl.return
}
// CHECK-LABEL: pl.func @unmarked(%a: !pl.tensor<[16], f32>) {
// CHECK-NEXT: pl.at core_group {
// CHECK-NEXT: %s_inline0 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @unmarked(%a: !t) {
  pl.call @helper(%a) : (!t) -> ()
  pl.return
}
// -----
// INL-110: to the argument of a dispatch, also when it is read from the local variable.
!t = !pl.tensor<[16], f32>
pl.func private incore @kernel(!t, !t)
pl.func inline @dispatch(%x: !t, %t: !pl.var<!t>) {
  %g = pl.get %t : !t
  %s = pl.exp %g : !t
  pl.set %t, %s : !t
  %h = pl.get %t : !t
  pl.call @kernel(%x, %h) : (!t, !t) -> ()
  pl.return
}
// CHECK-LABEL: pl.func private incore @kernel(!pl.tensor<[16], f32>, !pl.tensor<[16], f32>)
// CHECK-LABEL: pl.func orchestration @to_dispatch(%a: !pl.tensor<[16], f32>, %b: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %b : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline1 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %s_inline2 = pl.exp %g_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %s_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: %h_inline3 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.call @kernel(%a, %h_inline3) dumps [1] : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> ()
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func orchestration @to_dispatch(%a: !t, %b: !t) {
  pl.call @dispatch(%a, %b) dumps [1] : (!t, !t) -> ()
  pl.return
}
// -----
// INL-111: through two levels.
!t = !pl.tensor<[16], f32>
pl.func inline @inner(%x: !t) -> !t {
  %r = pl.at core_group -> !t {
    %s = pl.exp %x : !t
    pl.yield %s : !t
  }
  pl.return %r : !t
}
pl.func inline @outer(%t: !pl.var<!t>) -> !t {
  %g = pl.get %t : !t
  %s = pl.exp %g : !t
  pl.set %t, %s : !t
  %h = pl.get %t : !t
  %r = pl.call @inner(%h) : (!t) -> !t
  pl.return %r : !t
}
// CHECK-LABEL: pl.func @two_levels(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline1 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %s_inline2 = pl.exp %g_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %s_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: %h_inline3 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %r_inline4 = pl.at core_group dumps(%h_inline3 : !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %s_inline5 = pl.exp %h_inline3 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.yield %s_inline5 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %r_inline4 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @two_levels(%a: !t) -> !t {
  %r = pl.call @outer(%a) dumps [0] : (!t) -> !t
  pl.return %r : !t
}
// -----
// INL-112: marks that the helper itself has follow the parameter, on the outer and the inner scope; a mark of the
// call is not repeated.
!t = !pl.tensor<[16], f32>
pl.func inline @helper(%x: !t) {
  pl.cluster dumps(%x : !t) {
    pl.at core_group dumps(%x : !t) {
      %s = pl.exp %x : !t
    }
  }
  pl.graph dumps(%x : !t) {
    pl.at core_group {
      %s = pl.exp %x : !t
    }
  }
  pl.return
}
// CHECK-LABEL: pl.func @own_marks(%a: !pl.tensor<[16], f32>) {
// CHECK-NEXT: pl.cluster dumps(%a : !pl.tensor<[16], f32>) {
// CHECK-NEXT: pl.at core_group dumps(%a : !pl.tensor<[16], f32>) {
// CHECK-NEXT: %s_inline0 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: pl.graph dumps(%a : !pl.tensor<[16], f32>) {
// CHECK-NEXT: pl.at core_group dumps(%a : !pl.tensor<[16], f32>) {
// CHECK-NEXT: %s_inline1 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @own_marks(%a: !t) {
  pl.call @helper(%a) dumps [0] : (!t) -> ()
  pl.return
}
// -----
// INL-113: a split region never has a mark; the scope around it does, and a launch.
!t = !pl.tensor<[16], f32>
pl.func inline @helper(%x: !t, %n: index) {
  pl.at core_group {
    pl.split_aiv up_down (%i) {
      %s = pl.exp %x : !t
    }
  }
  pl.spmd (%i) in (%n) {
    %s = pl.exp %x : !t
  }
  orchestration.scope {
    %s = pl.exp %x : !t
  }
  pl.return
}
// CHECK-LABEL: pl.func @split_and_launch(%a: !pl.tensor<[16], f32>, %n: index) {
// CHECK-NEXT: pl.at core_group dumps(%a : !pl.tensor<[16], f32>) {
// CHECK-NEXT: pl.split_aiv up_down (%i_inline0) {
// CHECK-NEXT: %s_inline1 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: pl.spmd (%i_inline2) in (%n) dumps(%a : !pl.tensor<[16], f32>) {
// CHECK-NEXT: %s_inline3 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: orchestration.scope dumps(%a : !pl.tensor<[16], f32>) {
// CHECK-NEXT: %s_inline4 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @split_and_launch(%a: !t, %n: index) {
  pl.call @helper(%a, %n) dumps [0] : (!t, index) -> ()
  pl.return
}
// -----
// INL-114, INL-127: a submit gets the mark beside those it has, and keeps what else it has.
!t = !pl.tensor<[16], f32>
pl.func private incore @kernel(!t, out !t) -> !t
pl.func inline @launch(%x: !t, %o: !t, %prior: !orchestration.task, %n: index) -> !orchestration.task {
  %r, %id = orchestration.submit @kernel(%x, %o) after (%prior) core_num %n sync_start dumps [1] : (!t, !t) -> (!t, !orchestration.task)
  pl.return %id : !orchestration.task
}
// CHECK-LABEL: pl.func private incore @kernel(!pl.tensor<[16], f32>, out !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
// CHECK-LABEL: pl.func orchestration @submit(%a: !pl.tensor<[16], f32>, %b: !pl.tensor<[16], f32>, %n: index) {
// CHECK-NEXT: %none = orchestration.task_invalid
// CHECK-NEXT: %[[V0:.*]]:2 = orchestration.submit @kernel(%a, %b) after(%none) core_num %n sync_start dumps [0, 1] : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !orchestration.task)
// CHECK-NEXT: orchestration.barrier after(%[[V0]]#1)
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func orchestration @submit(%a: !t, %b: !t, %n: index) {
  %none = orchestration.task_invalid
  %id = pl.call @launch(%a, %b, %none, %n) dumps [0] : (!t, !t, !orchestration.task, index) -> !orchestration.task
  orchestration.barrier after (%id)
  pl.return
}
// -----
// INL-112: a mark of the call goes to clusters and graphs, and to the scopes in them.
!t = !pl.tensor<[16], f32>
pl.func inline @helper(%x: !t) {
  pl.cluster {
    pl.at core_group {
      %s = pl.exp %x : !t
    }
  }
  pl.graph {
    %s = pl.exp %x : !t
  }
  pl.return
}
// CHECK-LABEL: pl.func @cluster_and_graph(%a: !pl.tensor<[16], f32>) {
// CHECK-NEXT: pl.cluster dumps(%a : !pl.tensor<[16], f32>) {
// CHECK-NEXT: pl.at core_group dumps(%a : !pl.tensor<[16], f32>) {
// CHECK-NEXT: %s_inline0 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: pl.graph dumps(%a : !pl.tensor<[16], f32>) {
// CHECK-NEXT: %s_inline1 = pl.exp %a : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @cluster_and_graph(%a: !t) {
  pl.call @helper(%a) dumps [0] : (!t) -> ()
  pl.return
}

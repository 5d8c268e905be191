// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Placement scopes.

// CHECK-LABEL: pl.func @at
pl.func @at(%t: !pl.tensor<[4], f32>) {
  // CHECK: pl.at core_group {
  // CHECK-NEXT: }
  pl.at core_group {
  }
  // CHECK: pl.at host role orchestrator split up_down name "hint" dumps(%{{.*}} : !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  // CHECK-NEXT: pl.yield %{{.*}} : !pl.tensor<[4], f32>
  %0 = pl.at host role orchestrator split up_down name "hint" dumps(%t : !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
    pl.yield %t : !pl.tensor<[4], f32>
  }
  pl.return
}

// CHECK-LABEL: pl.func @cluster
pl.func @cluster(%t: !pl.tensor<[4], f32>) {
  // CHECK: pl.cluster name "c" dumps(%{{.*}} : !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32>
  %0 = pl.cluster name "c" dumps(%t : !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
    pl.yield %t : !pl.tensor<[4], f32>
  }
  pl.return
}

// CHECK-LABEL: pl.func orchestration @graph
pl.func orchestration @graph(%t: !pl.tensor<[4], f32>) {
  // CHECK: pl.graph name "g" dumps(%{{.*}} : !pl.tensor<[4], f32>) {
  pl.graph name "g" dumps(%t : !pl.tensor<[4], f32>) {
  }
  pl.return
}

// CHECK-LABEL: pl.func @spmd
pl.func @spmd(%t: !pl.tensor<[4], f32>, %n: index) {
  // CHECK: pl.spmd (%[[BLOCK:.*]]) in (%{{.*}}) {
  // CHECK-NEXT: "test.use"(%[[BLOCK]])
  // CHECK-NEXT: }
  pl.spmd (%i) in (%n) {
    "test.use"(%i) : (index) -> ()
  }
  // CHECK: pl.spmd (%{{.*}}) in (%{{.*}}) sync_start name "s" dumps(%{{.*}} : !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  // CHECK-NEXT: pl.yield
  %0 = pl.spmd (%i) in (%n) sync_start name "s" dumps(%t : !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
    pl.yield %t : !pl.tensor<[4], f32>
  }
  pl.return
}

// CHECK-LABEL: pl.func @split_aiv
pl.func @split_aiv() {
  // CHECK: pl.split_aiv up_down (%[[CORE:.*]]) {
  // CHECK-NEXT: "test.use"(%[[CORE]])
  pl.split_aiv up_down (%i) {
    "test.use"(%i) : (index) -> ()
  }
  // CHECK: pl.split_aiv none (%{{.*}}) attributes {test.a} {
  pl.split_aiv none (%i) attributes {test.a} {
  }
  pl.return
}

// CHECK-LABEL: pl.func @loops
pl.func @loops(%n: index) {
  // CHECK: {pl.loop = #pl.loop<parallel>}
  scf.for %i = %n to %n step %n {
  } {pl.loop = #pl.loop<parallel>}
  // CHECK: {pl.loop = #pl.loop<unroll>}
  scf.for %i = %n to %n step %n {
  } {pl.loop = #pl.loop<unroll>}
  // CHECK: {pl.loop = #pl.loop<pipeline, stages = 2>}
  scf.for %i = %n to %n step %n {
  } {pl.loop = #pl.loop<pipeline, stages = 2>}
  pl.return
}

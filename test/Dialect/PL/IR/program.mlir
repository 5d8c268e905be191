// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Functions, their kinds and directions, returns and calls.

// CHECK: pl.func @opaque() {
pl.func @opaque() {
  pl.return
}
// CHECK: pl.func inline @inlined()
pl.func inline @inlined() {
  pl.return
}
// CHECK: pl.func incore @in_core()
pl.func incore @in_core() {
  pl.return
}
// CHECK: pl.func aic @cube()
pl.func aic @cube() {
  pl.return
}
// CHECK: pl.func aiv @vector()
pl.func aiv @vector() {
  pl.return
}
// CHECK: pl.func orchestration @orchestrator()
pl.func orchestration @orchestrator() {
  pl.return
}
// CHECK: pl.func group @grouped()
pl.func group @grouped() {
  pl.return
}
// CHECK: pl.func spmd @launched()
pl.func spmd @launched() {
  pl.return
}
// CHECK: pl.func graph @recorded()
pl.func graph @recorded() {
  pl.return
}
// CHECK: pl.func private incore @declared(!pl.tensor<[4], f32>, out !pl.tensor<[4], f32>, inout !pl.tensor<[4], f32>) -> index{{$}}
pl.func private incore @declared(!pl.tensor<[4], f32>, out !pl.tensor<[4], f32>, inout !pl.tensor<[4], f32>) -> index
// CHECK: pl.func @placed() level chip_die role worker {
pl.func @placed() level chip_die role worker {
  pl.return
}
// CHECK: pl.func private @attributes(index {test.a}) -> (index {test.r}) attributes {pl.noalias, test.f = 1 : i64}
pl.func private @attributes(index {test.a}) -> (index {test.r}) attributes {test.f = 1, pl.noalias}

// CHECK-LABEL: pl.func inline @parameters
// CHECK-SAME: (%{{.*}}: !pl.var<index>, out %{{.*}}: !pl.var<f32>, inout %{{.*}}: !pl.array<4xindex>, %{{.*}}: !tile.tile<[R, 4], f32>) -> (index, !tile.tile<[R, 4], f32>)
pl.func inline @parameters(%n: !pl.var<index>, out %x: !pl.var<f32>, inout %a: !pl.array<4 x index>, %t: !tile.tile<[R, 4], f32>)
    -> (index, !tile.tile<[R, 4], f32>) {
  %0 = pl.get %n : index
  // CHECK: pl.return %{{.*}}, %{{.*}} : index, !tile.tile<[R, 4], f32>
  pl.return %0, %t : index, !tile.tile<[R, 4], f32>
}

// CHECK-LABEL: pl.func @calls
pl.func @calls(%t: !pl.tensor<[4], f32>, %n: index) {
  // CHECK: %{{.*}} = pl.call @declared(%{{.*}}, %{{.*}}, %{{.*}}) dumps [0, 2] : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> index
  %0 = pl.call @declared(%t, %t, %t) dumps [0, 2] : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> index
  // CHECK: pl.call @opaque() : () -> ()
  pl.call @opaque() : () -> ()
  pl.return
}

// A symbol is what the argument has there, and the result may say so or less.
pl.func private @square(!pl.tensor<[N, N], f32>) -> !pl.tensor<[N], f32>
// CHECK-LABEL: pl.func @symbols_bind
pl.func @symbols_bind(%a: !pl.tensor<[8, 8], f32>, %b: !pl.tensor<[M * 2, M * 2], f32>, %m: !pl.tensor<[M], f32>) {
  // CHECK: -> !pl.tensor<[8], f32>
  %0 = pl.call @square(%a) : (!pl.tensor<[8, 8], f32>) -> !pl.tensor<[8], f32>
  // CHECK: -> !pl.tensor<[M * 2], f32>
  %1 = pl.call @square(%b) : (!pl.tensor<[M * 2, M * 2], f32>) -> !pl.tensor<[M * 2], f32>
  // CHECK: -> !pl.tensor<[?], f32>
  %2 = pl.call @square(%b) : (!pl.tensor<[M * 2, M * 2], f32>) -> !pl.tensor<[?], f32>
  pl.return
}

// In an inline function two arguments may have different extents for one name, and the valid shape does not count.
pl.func private inline @pair(!pl.tensor<[N], f32>, !pl.tensor<[N], f32>)
// CHECK-LABEL: pl.func @inline_binds_each
pl.func @inline_binds_each(%a: !pl.tensor<[8], f32>, %b: !pl.tensor<[16], f32, valid = [8]>) {
  // CHECK: pl.call @pair
  pl.call @pair(%a, %b) : (!pl.tensor<[8], f32>, !pl.tensor<[16], f32, valid = [8]>) -> ()
  pl.return
}

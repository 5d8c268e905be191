// RUN: pypto-opt --infer-noalias --allow-unregistered-dialect %s | FileCheck %s
// A private function is marked if every use of it is a call or submit with tensors of different storage.

!tensor = !pl.tensor<[16], f32>

// CHECK: pl.func private incore @distinct({{.*}}) attributes {pl.noalias} {
pl.func private incore @distinct(%x: !tensor, %n: index, out %y: !tensor) {
  pl.return
}
// Callees of a function that is marked, in whichever order they stand.
// CHECK: pl.func private incore @forwarded({{.*}}) attributes {pl.noalias} {
pl.func private incore @forwarded(%x: !tensor, out %y: !tensor) {
  pl.return
}
// CHECK: pl.func private @forwards({{.*}}) attributes {pl.noalias} {
pl.func private @forwards(%x: !tensor, out %y: !tensor) {
  pl.call @forwarded(%x, %y) : (!tensor, !tensor) -> ()
  pl.return
}
// Near misses: one tensor twice, ...
// CHECK: pl.func private incore @same_tensor({{.*}}) {
pl.func private incore @same_tensor(%x: !tensor, out %y: !tensor) {
  pl.return
}
// ... two views of one tensor, in one call of several, ...
// CHECK: pl.func private incore @views({{.*}}) {
pl.func private incore @views(%x: !tensor, out %y: !tensor) {
  pl.return
}
// ... two parameters of a public function, ...
// CHECK: pl.func private incore @of_public({{.*}}) {
pl.func private incore @of_public(%x: !tensor, out %y: !tensor) {
  pl.return
}
// ... storage of one loop, ...
// CHECK: pl.func private incore @in_loop({{.*}}) {
pl.func private incore @in_loop(%x: !tensor, out %y: !tensor) {
  pl.return
}
// ... a use that is no call, ...
// CHECK: pl.func private incore @other_use({{.*}}) {
pl.func private incore @other_use(%x: !tensor, out %y: !tensor) {
  pl.return
}
// ... and no use.
// CHECK: pl.func private incore @unused({{.*}}) {
pl.func private incore @unused(%x: !tensor, out %y: !tensor) {
  pl.return
}
// A public function may be called by others; only its author marks it.
// CHECK: pl.func incore @public({{.*}}) {
pl.func incore @public(%x: !tensor, out %y: !tensor) {
  pl.return
}
// CHECK: pl.func incore @marked_by_author({{.*}}) attributes {pl.noalias} {
pl.func incore @marked_by_author(%x: !tensor, out %y: !tensor) attributes {pl.noalias} {
  pl.return
}
// A declaration is somebody else's.
// CHECK: pl.func private incore @by_hand(!pl.tensor<[16], f32>, out !pl.tensor<[16], f32>){{$}}
pl.func private incore @by_hand(!tensor, out !tensor)

pl.func orchestration @main(%n: index, %x: !tensor, %z: !tensor) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = pl.create : !tensor
  pl.call @distinct(%x, %n, %y) : (!tensor, index, !tensor) -> ()
  %task = orchestration.submit @distinct(%z, %n, %y) : (!tensor, index, !tensor) -> (!orchestration.task)
  pl.call @forwards(%x, %y) : (!tensor, !tensor) -> ()
  pl.call @same_tensor(%x, %x) : (!tensor, !tensor) -> ()
  pl.call @views(%x, %y) : (!tensor, !tensor) -> ()
  %v = pl.slice %y[0] : !tensor -> !tensor
  %w = pl.slice %y[0] : !tensor -> !tensor
  pl.call @views(%v, %w) : (!tensor, !tensor) -> ()
  pl.call @of_public(%x, %z) : (!tensor, !tensor) -> ()
  pl.call @other_use(%x, %y) : (!tensor, !tensor) -> ()
  "foreign.table"() {entry = @other_use} : () -> ()
  pl.call @public(%x, %y) : (!tensor, !tensor) -> ()
  pl.call @by_hand(%x, %y) : (!tensor, !tensor) -> ()
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %y) -> (!tensor) {
    %new = pl.create : !tensor
    pl.call @in_loop(%last, %new) : (!tensor, !tensor) -> ()
    scf.yield %new : !tensor
  }
  pl.return
}

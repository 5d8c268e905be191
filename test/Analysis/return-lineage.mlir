// RUN: pypto-opt --test-return-lineage %s -o /dev/null | FileCheck %s
// What the analysis says of each returned value: the index of a parameter, `*` behind it if its valid shape may
// have changed; and what the structural reader says. NRO-51: after the pass the reader is enough.
// RUN: pypto-opt --normalize-return-order --test-return-lineage %s -o /dev/null | FileCheck %s --check-prefix=AFTER

!tensor = !pl.tensor<[16], f32>
!narrow = !pl.tensor<[16], f32, valid = [8]>

// Roots and positions, before anything is explicit.
// CHECK: @kernel: 2 1* none none; explicit: none none none none
// AFTER: @kernel: 1* 2 none none; explicit: none 2 none none
pl.func incore @kernel(%n: index, out %a: !tensor, out %b: !tensor) -> (!tensor, !narrow, !tensor, index) {
  %0 = pl.cast_shape %b : !tensor -> !tensor
  %1 = pl.set_validshape %a[8] : !tensor -> !narrow
  %2 = pl.create : !tensor
  pl.return %0, %1, %2, %n : !tensor, !narrow, !tensor, index
}
// Every kind of function has lineage, those that the pass leaves alone too.
// CHECK: @opaque: 0; explicit: none
// AFTER: @opaque: 0; explicit: none
pl.func @opaque(out %a: !tensor) -> !tensor {
  %0 = pl.cast_shape %a : !tensor -> !tensor
  pl.return %0 : !tensor
}
// A scalar parameter is no write-back, and no returned parameter to a reader.
// CHECK: @scalar: none 1; explicit: none 1
// AFTER: @scalar: none 1; explicit: none 1
pl.func group @scalar(%n: index, out %a: !tensor) -> (index, !tensor) {
  pl.return %n, %a : index, !tensor
}
// CHECK: @by_hand:; explicit: none
// AFTER: @by_hand:; explicit: none
pl.func private incore @by_hand(out !tensor) -> !tensor
// CHECK: @self:; explicit: none
// AFTER: @self:; explicit: none
pl.func group @self(out %a: !tensor) -> !tensor {
  %0 = pl.call @self(%a) : (!tensor) -> !tensor
  pl.return %0 : !tensor
}
// An operand may be a variable in a call of an inline function.
// CHECK: @inline: 0; explicit: none
// AFTER: @inline: 0; explicit: none
pl.func inline @inline(%p: !pl.var<!tensor>) -> !tensor {
  %0 = pl.get %p : !tensor
  pl.return %0 : !tensor
}
// CHECK: @caller: 0; explicit: none
// AFTER: @caller: 0; explicit: 0
pl.func group @caller(out %a: !tensor) -> !tensor {
  %v = pl.var "v" = %a : !tensor
  %0 = pl.call @inline(%v) : (!pl.var<!tensor>) -> !tensor
  pl.return %0 : !tensor
}

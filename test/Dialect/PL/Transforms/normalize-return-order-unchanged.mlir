// RUN: pypto-opt %s -o %t
// RUN: pypto-opt --normalize-return-order %s | diff %t -
// NRO-03: a program without kernels, group, spmd and graph functions does not change. NRO-10: an orchestration
// or opaque function is not made explicit.

!tensor = !pl.tensor<[16], f32>

pl.func @opaque(out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %0 = pl.cast_shape %b : !tensor -> !tensor
  pl.return %0, %a : !tensor, !tensor
}
pl.func inline @inline(%a: !tensor) -> !tensor {
  %0 = pl.cast_shape %a : !tensor -> !tensor
  pl.return %0 : !tensor
}
pl.func orchestration @main(out %a: !tensor, out %b: !tensor) -> (!tensor, !tensor) {
  %0:2 = pl.call @opaque(%a, %b) : (!tensor, !tensor) -> (!tensor, !tensor)
  %1 = pl.call @inline(%0#1) : (!tensor) -> !tensor
  pl.return %0#0, %1 : !tensor, !tensor
}

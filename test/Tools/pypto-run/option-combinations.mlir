// RUN: %python %S/Inputs/option_combinations.py %t pypto-run %s %S/Inputs/product-graph.mlir

// Each option has an effect beside each way to run, or is one error that names both.

!t = !pl.tensor<[8], f32>
pl.func incore @double(%x: !t, inout %y: !t) -> !t {
  %0 = tile.load %x[0] : !t -> !tile.tile<[8], f32>
  %1 = tile.add %0, %0 : !tile.tile<[8], f32>
  %2 = tile.store %1, %y[0] : !tile.tile<[8], f32>, !t
  pl.return %2 : !t
}
pl.func @main(%x: !t, inout %y: !t) -> !t {
  %0 = pl.call @double(%x, %y) : (!t, !t) -> !t
  pl.return %0 : !t
}

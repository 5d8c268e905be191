// RUN: pypto-opt --convert-to-ssa %s | FileCheck %s
// Loops carry what a later iteration or the code behind them needs, and nothing else.

// CHECK-LABEL: pl.func @bound_before_each_read(
// CHECK-NOT: iter_args
// CHECK: pl.return
pl.func @bound_before_each_read(%n: index, %a: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = pl.var "v" = %a : index
  scf.for %i = %c0 to %n step %c1 {
    pl.set %v, %i : index
    %0 = pl.get %v : index
    %1 = arith.addi %0, %c1 : index
  }
  pl.return
}

// Blocks of a launch leave the variable with the handle that it had: the loop around has nothing to carry.
// CHECK-LABEL: pl.func @launch_in_loop(
// CHECK-SAME: %[[A:.*]]: !pl.tensor<[16], f32>, %[[X:.*]]: !pl.tensor<[16], f32>
// CHECK-NOT: iter_args
// CHECK: pl.assemble %[[X]], %[[A]][0]
// CHECK: pl.return %[[A]]
pl.func @launch_in_loop(%a: !pl.tensor<[16], f32>, %x: !pl.tensor<[16], f32>, %n: index) -> !pl.tensor<[16], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = pl.var "v" = %a : !pl.tensor<[16], f32>
  scf.for %i = %c0 to %n step %c1 {
    pl.spmd (%b) in (%n) {
      %h = pl.get %v : !pl.tensor<[16], f32>
      %0 = pl.assemble %x, %h[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
      pl.set %v, %0 : !pl.tensor<[16], f32>
    }
  }
  %r = pl.get %v : !pl.tensor<[16], f32>
  pl.return %r : !pl.tensor<[16], f32>
}

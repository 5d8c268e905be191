// RUN: pypto-opt --inline-functions %s | FileCheck %s
// RUN: pypto-opt --inline-functions --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s --check-prefix=LOC
// What surrounds a call or is around it: scopes of the helper, scopes of the caller, other modules, the call's callers.

// INL-112: a mark of the call goes to each kind of scope of the helper that can have one.
// CHECK-LABEL: pl.func @marked(
// CHECK-SAME: %[[A:.*]]: !pl.tensor<[16], f32>
// CHECK: pl.cluster dumps(%[[A]] :
// CHECK: pl.graph dumps(%[[A]] :
// CHECK: pl.at core_group dumps(%[[A]] :
pl.func inline @scopes(%x: !pl.tensor<[16], f32>) {
  pl.cluster {
    %0 = pl.add %x, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
  }
  pl.graph {
    pl.at core_group {
      %0 = pl.add %x, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
    }
  }
  pl.return
}
pl.func @marked(%a: !pl.tensor<[16], f32>) {
  pl.call @scopes(%a) dumps [0] : (!pl.tensor<[16], f32>) -> ()
  pl.return
}

// A name that a call binds inside of a scope does not leave it in a type.
// CHECK-LABEL: pl.func @name_stays_inside(
// CHECK: %[[R:.*]] = pl.at core_group -> !pl.tensor<[?], f32>
// CHECK: pl.symbol @[[NAME:.*]] = %{{.*}} : index
// CHECK: %[[T:.*]] = pl.create : !pl.tensor<[[[NAME]]], f32>
// CHECK: %[[CAST:.*]] = pl.cast_shape %[[T]] : !pl.tensor<[[[NAME]]], f32> -> !pl.tensor<[?], f32>
// CHECK: pl.yield %[[CAST]]
// CHECK: pl.return %[[R]] : !pl.tensor<[?], f32>
pl.func inline @make(%n: index) -> !pl.tensor<[?], f32> {
  pl.symbol @rows = %n : index
  %t = pl.create : !pl.tensor<[rows], f32>
  pl.return %t : !pl.tensor<[rows], f32>
}
pl.func @name_stays_inside(%n: index) -> !pl.tensor<[?], f32> {
  %r = pl.at core_group -> !pl.tensor<[?], f32> {
    %t = pl.call @make(%n) : (index) -> !pl.tensor<[?], f32>
    pl.yield %t : !pl.tensor<[?], f32>
  }
  pl.return %r : !pl.tensor<[?], f32>
}

// A copy in a copy is located at its own place, called from the helper, called from the caller.
// LOC-LABEL: pl.func @twice_nested(
// LOC: arith.addi {{.*}} loc(callsite("inner":1:1 at callsite("middle":2:1 at "outer":3:1)))
pl.func inline @inner(%k: index) -> index {
  %0 = arith.addi %k, %k : index loc("inner":1:1)
  pl.return %0 : index
}
pl.func inline @middle(%k: index) -> index {
  %0 = pl.call @inner(%k) : (index) -> index loc("middle":2:1)
  pl.return %0 : index
}
pl.func @twice_nested(%k: index) -> index {
  %0 = pl.call @middle(%k) : (index) -> index loc("outer":3:1)
  pl.return %0 : index
}

// A module inside has functions of its own, whatever their names.
// CHECK-LABEL: module @other
// CHECK: pl.func inline @inner
// CHECK: pl.call @inner
module @other {
  pl.func inline @inner(%k: index) -> index {
    pl.return %k : index
  }
  pl.func @caller(%k: index) -> index {
    %0 = pl.call @inner(%k) : (index) -> index
    pl.return %0 : index
  }
}

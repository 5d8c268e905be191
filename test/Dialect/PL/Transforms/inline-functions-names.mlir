// RUN: pypto-opt %s --split-input-file --keep-value-names --inline-functions --mlir-use-nameloc-as-prefix | FileCheck %s
// RUN: pypto-opt %s --split-input-file --inline-functions --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC
// RUN: pypto-opt %s --split-input-file --keep-value-names --inline-functions --mlir-use-nameloc-as-prefix --mlir-disable-threading | FileCheck %s

// Names of the copies: one counter that starts again in each module (INL-105), names of values as locations.
// -----
// INL-105: program order; a variable and what is called like it have one name each.
pl.func inline @local(%k: index) -> index {
  %y = arith.addi %k, %k : index
  %v = pl.var "v" = %y : index
  %0 = pl.get %v : index
  pl.return %0 : index
}
// CHECK-LABEL: pl.func @numbers(%k: index) -> index {
// CHECK-NEXT: %y_inline0 = arith.addi %k, %k : index
// CHECK-NEXT: %v_inline1 = pl.var "v_inline1" = %y_inline0 : index
// CHECK-NEXT: %[[V0:.*]] = pl.get %v_inline1 : index
// CHECK-NEXT: %y_inline2 = arith.addi %[[V0]], %[[V0]] : index
// CHECK-NEXT: %v_inline3 = pl.var "v_inline3" = %y_inline2 : index
// CHECK-NEXT: %[[V1:.*]] = pl.get %v_inline3 : index
// CHECK-NEXT: pl.return %[[V1]] : index
// CHECK-NEXT: }
pl.func @numbers(%k: index) -> index {
  %a = pl.call @local(%k) : (index) -> index
  %b = pl.call @local(%a) : (index) -> index
  pl.return %b : index
}
// -----
// INL-105: the name is outermost, then the place in the callee and the place of the call, without the name that
// the result of the call has.
pl.func inline @located(%k: index) -> index {
  %0 = arith.addi %k, %k : index loc("y"("callee":1:2))
  pl.return %0 : index
}
// LOC-LABEL: pl.func @location
// LOC-NEXT: arith.addi {{.*}} loc([[NAMED:#.*]])
// LOC: [[CALLEE:#.*]] = loc("callee":1:2)
// LOC: [[CALLER:#.*]] = loc("caller":3:4)
// LOC: [[SITE:#.*]] = loc(callsite([[CALLEE]] at [[CALLER]]))
// LOC: [[NAMED]] = loc("y_inline0"([[SITE]]))
pl.func @location(%k: index) -> index {
  %0 = pl.call @located(%k) : (index) -> index loc("z"("caller":3:4))
  pl.return %0 : index
}
// -----
// INL-106: a name that the compiler made keeps its role and version at the end.
pl.func inline @auto(%k: index) -> index {
  %t__inline_arg_v0 = arith.addi %k, %k : index
  %s__iter = arith.addi %k, %t__inline_arg_v0 : index
  pl.return %s__iter : index
}
// CHECK-LABEL: pl.func @auto_names
// CHECK-NEXT: %t__inline0_inline_arg_v0 = arith.addi
// CHECK-NEXT: %s__inline1_iter = arith.addi
pl.func @auto_names(%k: index) -> index {
  %r = pl.call @auto(%k) : (index) -> index
  pl.return %r : index
}
// -----
// INL-107: underscores at the end go, so that no reserved delimiter comes about.
pl.func inline @underscores(%k: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %_ = %c0 to %k step %c1 {
  }
  %t_ = arith.addi %k, %k : index
  pl.return %t_ : index
}
// CHECK-LABEL: pl.func @discard_names
// CHECK: scf.for %_inline2 =
// CHECK: %t_inline3 = arith.addi
pl.func @discard_names(%k: index) -> index {
  %r = pl.call @underscores(%k) : (index) -> index
  pl.return %r : index
}
// -----
// INL-108: in the IR a name is a location: the pass takes any.
pl.func inline @reserved(%k: index) -> index {
  %0 = arith.addi %k, %k : index loc("a__b")
  %c = pl.var "c__d" = %0 : index
  pl.return %0 : index
}
// CHECK-LABEL: pl.func @any_location
// CHECK-NEXT: %a__b_inline0 = arith.addi
// CHECK-NEXT: pl.var "c__d_inline1"
pl.func @any_location(%k: index) -> index {
  %r = pl.call @reserved(%k) : (index) -> index
  pl.return %r : index
}
// -----
// A symbol of the program that is called like a fresh one is passed over.
pl.func inline @symbols(%k: index) {
  pl.symbol @rows = %k : index
  pl.return
}
// CHECK-LABEL: pl.func @taken
// CHECK: pl.symbol @rows_inline1 =
pl.func @taken(%k: index, %x: !pl.tensor<[rows_inline0], f32>) {
  pl.call @symbols(%k) : (index) -> ()
  pl.return
}
// -----
// The place of a nested call is in the callee, and that of the call around it in the caller.
pl.func inline @inner(%k: index) -> index {
  %0 = arith.addi %k, %k : index loc("inner":1:2)
  pl.return %0 : index
}
pl.func inline @outer(%k: index) -> index {
  %0 = pl.call @inner(%k) : (index) -> index loc("outer":3:4)
  pl.return %0 : index
}
// LOC-LABEL: pl.func @nested_location
// LOC-NEXT: arith.addi {{.*}} loc([[PLACE:#.*]])
// LOC-DAG: [[IN:#.*]] = loc("inner":1:2)
// LOC-DAG: [[OUT:#.*]] = loc("outer":3:4)
// LOC-DAG: [[CALL:#.*]] = loc("caller":5:6)
// LOC: [[AROUND:#.*]] = loc(callsite([[OUT]] at [[CALL]]))
// LOC: [[PLACE]] = loc(callsite([[IN]] at [[AROUND]]))
pl.func @nested_location(%k: index) -> index {
  %0 = pl.call @outer(%k) : (index) -> index loc("caller":5:6)
  pl.return %0 : index
}

// RUN: pypto-opt %s --convert-checks-to-runtime | FileCheck %s

// A check becomes a branch to a call that does not return; equal texts are one constant, also where their name is taken.

// CHECK-DAG: llvm.func @pyptoFailBounds(!llvm.ptr, !llvm.ptr, i64, i64, i64) attributes {passthrough = ["cold", "noreturn"]}
// CHECK-DAG: llvm.func @pyptoFailCheck(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64, i64) attributes {passthrough = ["cold", "noreturn"]}
// CHECK-DAG: llvm.mlir.global private unnamed_addr constant @[[PLACE:pypto_check_text.*]]("a.mlir:3:4\00")
// CHECK-DAG: llvm.mlir.global private unnamed_addr constant @[[OP:pypto_check_text.*]]("tile.load\00")
// CHECK-DAG: llvm.mlir.global private unnamed_addr constant @[[SUBJECT:pypto_check_text.*]]("the answer\00")

llvm.mlir.global private constant @pypto_check_text(0 : i8) : i8

// CHECK-LABEL: func.func @index
// CHECK-SAME: (%[[OK:.*]]: i1, %[[I:.*]]: index, %[[N:.*]]: index)
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: %[[BAD:.*]] = arith.xori %[[OK]], %[[TRUE]]
// CHECK: scf.if %[[BAD]] {
// CHECK: %[[P:.*]] = llvm.mlir.addressof @[[PLACE]]
// CHECK: %[[O:.*]] = llvm.mlir.addressof @[[OP]]
// CHECK: %[[ACTUAL:.*]] = arith.index_cast %[[I]]
// CHECK: %[[LIMIT:.*]] = arith.index_cast %[[N]]
// CHECK: %[[DIM:.*]] = arith.constant 2 : i64
// CHECK: llvm.call @pyptoFailBounds(%[[P]], %[[O]], %[[DIM]], %[[ACTUAL]], %[[LIMIT]])
func.func @index(%ok: i1, %i: index, %n: index) {
  pl.check index %ok, %i, %n dim 2 of "tile.load" at "a.mlir:3:4"
  return
}
// CHECK-LABEL: func.func @other
// CHECK: %[[P:.*]] = llvm.mlir.addressof @[[PLACE]]
// CHECK: %[[O:.*]] = llvm.mlir.addressof @[[OP]]
// CHECK: %[[KIND:.*]] = arith.constant 4 : i32
// CHECK: %[[S:.*]] = llvm.mlir.addressof @[[SUBJECT]]
// CHECK: llvm.call @pyptoFailCheck(%[[P]], %[[O]], %[[KIND]], %[[S]], %{{.*}}, %{{.*}})
func.func @other(%ok: i1, %i: index, %n: index) {
  pl.check one_or %ok, %i, %n subject "the answer" of "tile.load" at "a.mlir:3:4"
  return
}

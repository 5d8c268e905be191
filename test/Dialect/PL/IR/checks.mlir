// RUN: pypto-opt %s --split-input-file | pypto-opt --split-input-file | FileCheck %s --check-prefix=TEXT
// RUN: pypto-opt %s --split-input-file --canonicalize --cse --loop-invariant-code-motion --sccp | FileCheck %s

// Checks: their text, and that upstream passes keep each of them in its place, unless its condition is true.

// TEXT-LABEL: func.func @text
// TEXT: pl.check index %{{.*}}, %{{.*}}, %{{.*}} dim 2 of "tile.load" at "a.mlir:3:4"
// TEXT: pl.check equal %{{.*}}, %{{.*}}, %{{.*}} subject "the answer" of "pl.call" at ""
func.func @text(%ok: i1, %i: index, %n: index) {
  pl.check index %ok, %i, %n dim 2 of "tile.load" at "a.mlir:3:4"
  pl.check equal %ok, %i, %n subject "the answer" of "pl.call" at ""
  return
}

// -----

// Two equal ones stay two, and neither leaves the loop: it may not run.
// CHECK-LABEL: func.func @kept
// CHECK: scf.for
// CHECK-COUNT-2: pl.check range
// CHECK: }
func.func @kept(%ok: i1, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    pl.check range %ok, %i, %n subject "n" of "pl.create" at ""
    pl.check range %ok, %i, %n subject "n" of "pl.create" at ""
  }
  return
}

// -----

// A store does not become dead, or move, over a check.
// CHECK-LABEL: func.func @stores
// CHECK: memref.store
// CHECK-NEXT: pl.check
// CHECK-NEXT: memref.store
func.func @stores(%m: memref<f32>, %x: f32, %y: f32, %ok: i1, %i: index, %n: index) {
  memref.store %x, %m[] : memref<f32>
  pl.check range %ok, %i, %n subject "n" of "pl.create" at ""
  memref.store %y, %m[] : memref<f32>
  return
}

// -----

// CHECK-LABEL: func.func @certain
// CHECK-NEXT: return
func.func @certain(%i: index) {
  %c8 = arith.constant 8 : index
  %ok = arith.cmpi sle, %c8, %c8 : index
  pl.check range %ok, %c8, %c8 subject "n" of "pl.create" at ""
  return
}

// -----

// CHECK-LABEL: func.func @certainly_wrong
// CHECK: pl.check
func.func @certainly_wrong(%i: index) {
  %ok = arith.constant false
  pl.check range %ok, %i, %i subject "n" of "pl.create" at ""
  return
}

// RUN: pypto-opt %s --convert-pypto-to-linalg=check-bounds | FileCheck %s
// RUN: pypto-opt %s --convert-pypto-to-linalg | FileCheck %s --check-prefix=OFF

// Checks stand in front of what they are for, only where the numbers are not known, and only if they are asked for.

// OFF-NOT: pl.check

// CHECK-LABEL: func.func private @pl.window
// CHECK-SAME: (%[[X:.*]]: memref<?x8xf32{{.*}}>, %[[I:.*]]: index)
// CHECK: %[[N:.*]] = memref.dim %[[X]]
// CHECK: %[[ROOM:.*]] = arith.subi %[[N]], %c4
// CHECK: %[[POSITIVE:.*]] = arith.cmpi sge, %[[I]], %c0
// CHECK: %[[INSIDE:.*]] = arith.cmpi sle, %[[I]], %[[ROOM]]
// CHECK: %[[OK:.*]] = arith.andi %[[POSITIVE]], %[[INSIDE]]
// CHECK: %[[LAST:.*]] = arith.addi %[[I]], %c3
// CHECK: %[[INDEX:.*]] = arith.select %[[POSITIVE]], %[[LAST]], %[[I]]
// CHECK: pl.check index %[[OK]], %[[INDEX]], %[[N]] dim 0 of "pl.slice" at "{{.*}}check-bounds.mlir:[[#@LINE+3]]:8"
// CHECK-NEXT: memref.subview
pl.func private @window(%x: !pl.tensor<[N, 8], f32>, %i: index) -> !pl.tensor<[4, 8], f32> {
  %s = pl.slice %x[%i, 0] : !pl.tensor<[N, 8], f32> -> !pl.tensor<[4, 8], f32>
  %r = pl.neg %s : !pl.tensor<[4, 8], f32>
  pl.return %r : !pl.tensor<[4, 8], f32>
}
// CHECK-LABEL: func.func private @pl.certain
// CHECK-NOT: pl.check
// CHECK: return
pl.func private @certain(%x: !pl.tensor<[N, 8], f32>, %y: !pl.tensor<[N, 8], f32>) -> !pl.tensor<[8], f32> {
  %c = arith.constant 1 : index
  %0 = pl.add %x, %y : !pl.tensor<[N, 8], f32>, !pl.tensor<[N, 8], f32>
  %1 = pl.full %c : index, !pl.tensor<[8, 8], index>
  %2 = pl.read %1[%c, %c] : !pl.tensor<[8, 8], index>
  %3 = pl.col_sum %0 : !pl.tensor<[N, 8], f32>
  %4 = pl.reshape %3 : !pl.tensor<[1, 8], f32> -> !pl.tensor<[8], f32>
  pl.return %4 : !pl.tensor<[8], f32>
}
// The place of inlined code is that in the callee, and where it was called.
// CHECK-LABEL: func.func private @pl.locations
// CHECK: pl.check index {{.*}} of "pl.read" at "callee.py:3:4 (called at caller.py:7:1)"
// CHECK: pl.check index {{.*}} of "pl.read" at "a.py:1:2 (called at b.py:3:4 (called at c.py:5:6))"
// CHECK: pl.check index {{.*}} of "pl.read" at "first.py:1:2"
// CHECK: pl.check index {{.*}} of "pl.read" at "caller.py:7:1"
// CHECK: pl.check index {{.*}} of "pl.read" at ""
pl.func private @locations(%x: !pl.tensor<[N], f32>, %i: index) {
  %0 = pl.read %x[%i] : !pl.tensor<[N], f32> loc("name"(callsite("inner"("callee.py":3:4) at "caller.py":7:1)))
  %1 = pl.read %x[%i] : !pl.tensor<[N], f32> loc(callsite("a.py":1:2 at callsite("b.py":3:4 at "c.py":5:6)))
  %2 = pl.read %x[%i] : !pl.tensor<[N], f32> loc(fused[unknown, "first.py":1:2, "second.py":3:4])
  %3 = pl.read %x[%i] : !pl.tensor<[N], f32> loc(callsite(unknown at "caller.py":7:1))
  %4 = pl.read %x[%i] : !pl.tensor<[N], f32> loc(unknown)
  pl.return
}

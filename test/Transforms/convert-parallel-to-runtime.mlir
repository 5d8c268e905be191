// RUN: pypto-opt %s --convert-parallel-to-runtime | FileCheck %s

// The outermost loop becomes a function of one iteration, which finds the values that it uses in a structure.

// CHECK:       llvm.func @pyptoParallelFor(!llvm.ptr, !llvm.ptr, i64)
// CHECK-LABEL: func.func @fill
// CHECK-SAME:      %[[A:.*]]: memref<8x4xf32>, %[[VALUE:.*]]: f32
// CHECK:         %[[VALUES:.*]] = llvm.alloca
// CHECK-NOT:     scf.parallel
// CHECK:         %[[PART:.*]] = constant @fill_part
// CHECK:         %[[BODY:.*]] = builtin.unrealized_conversion_cast %[[PART]]
// CHECK:         llvm.call @pyptoParallelFor(%[[BODY]], %[[VALUES]], %{{.*}})
// CHECK-LABEL: func.func private @fill_part
// CHECK-SAME:      %[[FIELDS:.*]]: !llvm.ptr, %[[ITERATION:.*]]: i64
// CHECK:         %[[NUMBER:.*]] = arith.index_cast %[[ITERATION]] : i64 to index
// CHECK:         arith.remui %[[NUMBER]]
// CHECK:         arith.divui %[[NUMBER]]
// CHECK:         scf.parallel
// CHECK:           memref.store
func.func @fill(%a: memref<8x4xf32>, %value: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c4) step (%c2, %c1) {
    scf.parallel (%k) = (%c0) to (%c2) step (%c1) {
      %row = arith.addi %i, %k : index
      memref.store %value, %a[%row, %j] : memref<8x4xf32>
    }
  }
  return
}

// A loop with a result adds up what its iterations yield, and stays.
// CHECK-LABEL: func.func @sum
// CHECK:         scf.parallel
func.func @sum(%a: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %x = memref.load %a[%i] : memref<8xf32>
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      scf.reduce.return %s : f32
    }
  }
  return %sum : f32
}

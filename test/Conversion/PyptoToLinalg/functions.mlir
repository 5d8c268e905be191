// RUN: pypto-opt %s --convert-pypto-to-linalg --split-input-file | FileCheck %s
// RUN: pypto-opt %s --pypto-cpu-pipeline --split-input-file | FileCheck %s --check-prefix=LLVM

// Functions, their entries and calls: a result that is a parameter's storage is dropped, and the caller goes on with
// its argument.

// A kernel that returns its parameters returns nothing.
// CHECK-LABEL: func.func private @pl.kernel
// CHECK-SAME: (%[[X:.*]]: memref<?xf32, strided<[?], offset: ?>>, %[[OUT:.*]]: memref<?xf32, strided<[?], offset: ?>>)
// CHECK-SAME: linkage<internal>
// CHECK-NOT: pl.
// CHECK: return{{$}}

// Its entry returns copies: the caller owns what it gets.
// CHECK-LABEL: func.func @pypto_entry_kernel
// CHECK-SAME: %[[OUT:[a-z0-9]*]]: memref<?xf32, strided<[?], offset: ?>>)
// CHECK-SAME: -> memref<?xf32, strided<[?], offset: ?>> attributes {llvm.emit_c_interface}
// CHECK: call @pl.kernel
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK: linalg.copy ins(%[[OUT]] {{.*}} outs(%[[COPY]]
// CHECK: %[[RESULT:.*]] = memref.cast %[[COPY]]
// CHECK: return %[[RESULT]]
// LLVM-LABEL: llvm.func @pypto_entry_kernel
// LLVM-LABEL: llvm.func @_mlir_ciface_pypto_entry_kernel
pl.func incore @kernel(%x: !pl.tensor<[N], f32>, out %y: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  pl.return %y : !pl.tensor<[N], f32>
}

// The caller's result is the tensor that it passed, under its own type. A private function has no entry.
// CHECK-LABEL: func.func private @pl.caller
// CHECK: %[[ALLOC:.*]] = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// CHECK: %[[T:.*]] = memref.cast %[[ALLOC]] : memref<16xf32> to memref<16xf32, strided<[?], offset: ?>>
// CHECK: %[[ANY:.*]] = memref.cast %[[T]] : {{.*}} to memref<?xf32, strided<[?], offset: ?>>
// CHECK: orchestration.launch @pl.kernel(read %{{.*}}, write %[[ANY]]) :
// CHECK: %[[BACK:.*]] = memref.cast %{{.*}} to memref<16xf32, strided<[?], offset: ?>>
// CHECK: return %[[BACK]]
// CHECK-NOT: @pypto_entry_caller
pl.func private @caller(%x: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
  %t = pl.create : !pl.tensor<[16], f32>
  %r = pl.call @kernel(%x, %t) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
  pl.return %r : !pl.tensor<[16], f32>
}

// -----

// A fresh tensor goes through the entry without a copy, two names of one do not.
// CHECK-LABEL: func.func @pypto_entry_fresh
// CHECK-NEXT: %[[R:.*]] = call @pl.fresh()
// CHECK-NEXT: return %[[R]]
pl.func @fresh() -> !pl.tensor<[4], f32> {
  %t = pl.create : !pl.tensor<[4], f32>
  pl.return %t : !pl.tensor<[4], f32>
}
// CHECK-LABEL: func.func @pypto_entry_twice
// CHECK: %[[R:.*]]:2 = call @pl.twice()
// CHECK: linalg.copy ins(%[[R]]#0
// CHECK: linalg.copy ins(%[[R]]#1
pl.func @twice() -> (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) {
  %t = pl.create : !pl.tensor<[4], f32>
  pl.return %t, %t : !pl.tensor<[4], f32>, !pl.tensor<[4], f32>
}

// -----

// A valid shape that is not constant travels as numbers behind its tensor, on the way in and out.
// CHECK-LABEL: func.func private @pl.valid
// CHECK-SAME: (%{{.*}}: memref<64x16xf32, strided<[?, ?], offset: ?>>, %[[N:.*]]: index, %[[M:.*]]: index) -> (index, index)
// CHECK: return %[[N]], %{{.*}} : index, index
// CHECK-LABEL: func.func @pypto_entry_valid
// CHECK: %[[V:.*]]:2 = call @pl.valid
// CHECK: return %{{.*}}, %[[V]]#0, %[[V]]#1 : memref<64x16xf32, strided<[?, ?], offset: ?>>, index, index
pl.func @valid(inout %t: !pl.tensor<[64, 16], f32, valid = [N, 16]>) -> !pl.tensor<[64, 16], f32, valid = [N, 16]> {
  pl.return %t : !pl.tensor<[64, 16], f32, valid = [N, 16]>
}

// -----

// What is known of a result through branches and loops: the storage of a parameter, or not.
// CHECK-LABEL: func.func private @pl.same_in_both(%{{.*}}) attributes
pl.func @same_in_both(%c: i1, inout %t: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  %r = scf.if %c -> !pl.tensor<[4], f32> {
    scf.yield %t : !pl.tensor<[4], f32>
  } else {
    scf.yield %t : !pl.tensor<[4], f32>
  }
  pl.return %r : !pl.tensor<[4], f32>
}
// CHECK-LABEL: func.func private @pl.either(%{{.*}}) -> memref<4xf32
pl.func @either(%c: i1, inout %t: !pl.tensor<[4], f32>, inout %u: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  %r = scf.if %c -> !pl.tensor<[4], f32> {
    scf.yield %t : !pl.tensor<[4], f32>
  } else {
    scf.yield %u : !pl.tensor<[4], f32>
  }
  pl.return %r : !pl.tensor<[4], f32>
}
// CHECK-LABEL: func.func private @pl.carried(%{{.*}}) attributes
pl.func @carried(%v: f32, inout %t: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%u = %t) -> !pl.tensor<[4], f32> {
    %w = pl.write %v, %u[%i] : !pl.tensor<[4], f32>
    scf.yield %w : !pl.tensor<[4], f32>
  }
  pl.return %r : !pl.tensor<[4], f32>
}
// CHECK-LABEL: func.func private @pl.view(%{{.*}}) -> memref<2xf32
pl.func @view(inout %t: !pl.tensor<[4], f32>) -> !pl.tensor<[2], f32> {
  %r = pl.slice %t[1] : !pl.tensor<[4], f32> -> !pl.tensor<[2], f32>
  pl.return %r : !pl.tensor<[2], f32>
}

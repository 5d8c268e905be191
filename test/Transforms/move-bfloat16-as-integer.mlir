// RUN: pypto-opt %s --move-bfloat16-as-integer --split-input-file | FileCheck %s

// Numbers that are moved become their bits; where something computes with them they stay.

// CHECK-LABEL: llvm.func @moves
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr, %[[C:.*]]: i1, %[[I:.*]]: i16) -> vector<4xi16>
// CHECK: %[[X:.*]] = llvm.load %[[P]] : !llvm.ptr -> i16
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(16256 : i16) : i16
// CHECK: %[[S:.*]] = llvm.select %[[C]], %[[X]], %[[ONE]] : i1, i16
// CHECK: %[[D:.*]] = llvm.mlir.constant(dense<[0, 16256, 1, -16384]> : vector<4xi16>) : vector<4xi16>
// CHECK: %[[G:.*]] = llvm.getelementptr %[[P]][1] : (!llvm.ptr) -> !llvm.ptr, i16
// CHECK: llvm.store %[[S]], %[[G]] : i16, !llvm.ptr
// CHECK: llvm.store %[[I]], %[[P]] : i16, !llvm.ptr
// CHECK: llvm.return %[[D]] : vector<4xi16>
llvm.func @moves(%p: !llvm.ptr, %c: i1, %i: i16) -> vector<4xbf16> {
  %x = llvm.load %p : !llvm.ptr -> bf16
  %one = llvm.mlir.constant(1.0 : bf16) : bf16
  %s = llvm.select %c, %x, %one : i1, bf16
  %d = llvm.mlir.constant(dense<[0.0, 1.0, 0x0001, -2.0]> : vector<4xbf16>) : vector<4xbf16>
  %g = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, bf16
  llvm.store %s, %g : bf16, !llvm.ptr
  %b = llvm.bitcast %i : i16 to bf16
  llvm.store %b, %p : bf16, !llvm.ptr
  llvm.return %d : vector<4xbf16>
}

// -----

// CHECK-LABEL: llvm.func @computes
// CHECK: llvm.load {{.*}} -> bf16
// CHECK: llvm.fadd {{.*}} : bf16
llvm.func @computes(%p: !llvm.ptr) -> bf16 {
  %x = llvm.load %p : !llvm.ptr -> bf16
  %y = llvm.fadd %x, %x : bf16
  llvm.return %y : bf16
}

// -----

// An instruction on pairs gets its operands as bf16; what moves them does not.
// CHECK-LABEL: llvm.func @pairs
// CHECK: %[[X:.*]] = llvm.load %{{.*}} -> vector<32xi16>
// CHECK: %[[A:.*]] = llvm.bitcast %[[X]] : vector<32xi16> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %[[A]], %{{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK: llvm.store %[[X]], %{{.*}} : vector<32xi16>, !llvm.ptr
llvm.func @pairs(%p: !llvm.ptr, %sum: vector<16xf32>) -> vector<16xf32> {
  %x = llvm.load %p : !llvm.ptr -> vector<32xbf16>
  %r = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%sum, %x, %x) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
  llvm.store %x, %p : vector<32xbf16>, !llvm.ptr
  llvm.return %r : vector<16xf32>
}

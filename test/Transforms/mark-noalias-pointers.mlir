// RUN: pypto-opt %s --mark-noalias-pointers | FileCheck %s
// RUN: pypto-opt %s --mark-noalias-pointers --finalize-memref-to-llvm --convert-func-to-llvm --mark-noalias-pointers | FileCheck %s --check-prefix=LLVM
// Which parameters do not alias survives the conversion of functions.

// CHECK-LABEL: func.func @all
// CHECK-SAME: attributes {pypto.noalias_pointers}
// LLVM-LABEL: llvm.func @all
// LLVM-SAME: (%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr {llvm.noalias}
// LLVM-NOT: pypto.noalias_pointers
func.func @all(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias}, %i: index) {
  return
}

// CHECK-LABEL: func.func @some
// CHECK-NOT: pypto.noalias_pointers
// LLVM-LABEL: llvm.func @some
// LLVM-NOT: llvm.noalias
func.func @some(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32>) {
  return
}

// RUN: pypto-opt --rangeify --split-kernels %s | FileCheck %s
// RUN: pypto-opt --rangeify --split-kernels %s | sed -e '/func.func @scale(/,/^  }/d' \
// RUN:   | pypto-opt --pypto-kernel-pipeline | FileCheck %s --check-prefix=LOWERED

// A kernel gets addresses, each of memory of its own and aligned, and then scalars.

// CHECK: func.func private @scale_kernel_0(
// CHECK-SAME: memref<32xf32> {llvm.align = 64 : i64, llvm.noalias}
// CHECK-SAME: memref<4x8xf32> {llvm.align = 64 : i64, llvm.noalias}
// CHECK-SAME: f32)

// LOWERED: llvm.func @scale_kernel_0(
// LOWERED-SAME: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}
// LOWERED-SAME: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}
// LOWERED-SAME: f32)
func.func @scale(%x: tensor<4x8xf32>, %factor: f32) -> tensor<4x8xf32> {
  %splat = tensor.splat %factor : tensor<4x8xf32>
  %0 = arith.mulf %x, %splat : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// UNSUPPORTED: sanitizer
// RUN: mlir-opt %s --load-dialect-plugin=%pypto_build_dir/lib/libPypto.so | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%pypto_build_dir/lib/libPypto.so --load-pass-plugin=%pypto_build_dir/lib/libPypto.so \
// RUN:   --pass-pipeline='builtin.module(inline-functions,convert-to-ssa,normalize-return-order,canonicalize)' | FileCheck %s
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// libPypto.so is a dialect and pass plugin of the packaged mlir-opt.

// WITHOUT: error: Dialect `pl' not found

// CHECK-LABEL: pl.func incore @kernel
// CHECK-SAME: out %{{.*}}: !pl.tensor<[16], f32>
pl.func incore @kernel(%x: !pl.tensor<[16], f32>, out %y: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
  %c0 = arith.constant 0 : index
  // CHECK: %[[TILE:.*]] = tile.load
  %t = tile.load %x[%c0] : !pl.tensor<[16], f32> -> !tile.tile<[16], f32>
  // CHECK: tile.store %[[TILE]]
  %r = tile.store %t, %y[%c0] : !tile.tile<[16], f32>, !pl.tensor<[16], f32>
  pl.return %r : !pl.tensor<[16], f32>
}

// UNSUPPORTED: sanitizer
// RUN: rm -rf %t
// RUN: cmake --install %pypto_build_dir --prefix %t/install > %t.install.log
// RUN: cmake -G Ninja -S %S/Inputs/foreign -B %t/build -DCMAKE_BUILD_TYPE=Release \
// RUN:   -DCMAKE_PREFIX_PATH=%t/install -DCMAKE_C_COMPILER=%cc -DCMAKE_CXX_COMPILER=%cxx \
// RUN:   -DCMAKE_CXX_COMPILER_LAUNCHER="%compiler_launcher" > %t.configure.log
// RUN: cmake --build %t/build > %t.build.log
// RUN: %t/build/foreign-opt %s --foreign-lower-twice --inline-functions --normalize-return-order | FileCheck %s
// RUN: %t/install/bin/pypto-opt %s --load-dialect-plugin=%t/build/libforeign-plugin.so | FileCheck %s --check-prefix=PLUGIN
// RUN: %t/install/bin/pypto-opt %s --load-dialect-plugin=%t/build/libforeign-plugin.so \
// RUN:   --load-pass-plugin=%t/build/libforeign-plugin.so \
// RUN:   --pass-pipeline='builtin.module(foreign-lower-twice,inline-functions)' | FileCheck %s
// RUN: not %t/install/bin/pypto-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// A project of others, built against an install tree, has our operations in C++ and in TableGen, and our
// passes in its own driver. The same dialect as a plugin serves the installed pypto-opt.

// WITHOUT: error: Dialect `foreign' not found

// CHECK-LABEL: pl.func @twice(
// CHECK-SAME: %[[X:.*]]: !pl.tensor<[N, 8], f32>
// CHECK: %[[SUM:.*]] = pl.add %[[X]], %[[X]] : !pl.tensor<[N, 8], f32>, !pl.tensor<[N, 8], f32>
// CHECK: pl.return %[[SUM]]
// PLUGIN-LABEL: pl.func @twice(
// PLUGIN: foreign.twice
pl.func @twice(%x: !pl.tensor<[N, 8], f32>) -> !pl.tensor<[N, 8], f32> {
  %0 = foreign.twice %x : !pl.tensor<[N, 8], f32>
  pl.return %0 : !pl.tensor<[N, 8], f32>
}

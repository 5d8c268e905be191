// Schedules that are searched give the numbers of those that are chosen; both are found again.

// RUN: rm -rf %t && mkdir %t
// RUN: pypto-run %s --random=3 --threads=1 --out=%t/heuristic.npy
// RUN: pypto-run %s --random=3 --threads=1 --opt=heuristic --expect=%t/heuristic.npy
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-run %s --random=3 --threads=1 --opt=beam=1 --progress --expect=%t/heuristic.npy 2>&1 | FileCheck %s
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-run %s --random=3 --threads=1 --opt=beam=1 --progress --expect=%t/heuristic.npy 2>&1 | FileCheck %s --check-prefix=FOUND
// CHECK: search: round 1 [
// FOUND-NOT: search
// RUN: not pypto-run %s --random=3 --opt=beam=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not pypto-run %s --random=3 --opt=beam=x 2>&1 | FileCheck %s --check-prefix=LETTER
// ZERO: error: --opt=beam expects a number of at least 1, but got '0'
// LETTER: error: --opt=beam expects a number of at least 1, but got 'x'

// The same of a graph.
// RUN: pypto-run %S/Inputs/product-graph.mlir --random=3 --threads=1 --opt=none --out=%t/graph.npy
// RUN: pypto-run %S/Inputs/product-graph.mlir --random=3 --threads=1 --opt=heuristic --expect=%t/graph.npy --rtol=1e-4 --atol=1e-4
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-run %S/Inputs/product-graph.mlir --random=3 --threads=1 --opt=beam=1 --progress --expect=%t/graph.npy --rtol=1e-4 --atol=1e-4 2>&1 | FileCheck %s
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-run %S/Inputs/product-graph.mlir --random=3 --threads=1 --opt=beam=1 --progress --expect=%t/graph.npy --rtol=1e-4 --atol=1e-4 2>&1 | FileCheck %s --check-prefix=FOUND

pl.func incore @main(%a: !pl.tensor<[33, 20], f32>, %b: !pl.tensor<[20, 40], f32>) -> !pl.tensor<[33, 40], f32> {
  %0 = pl.matmul %a, %b : !pl.tensor<[33, 20], f32>, !pl.tensor<[20, 40], f32>
  pl.return %0 : !pl.tensor<[33, 40], f32>
}

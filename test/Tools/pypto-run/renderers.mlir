// RUN: pypto-run %s --random=3 --out=%t0.npy --out=%t1.npy
// RUN: pypto-run %s --random=3 --renderer=llvm --expect=%t0.npy --expect=%t1.npy
// RUN: pypto-run %s --random=3 --renderer=c --expect=%t0.npy --expect=%t1.npy
// RUN: pypto-run %s --random=3 --renderer=mlir --expect=%t0.npy --expect=%t1.npy
// RUN: pypto-run %s --random=3 --opt=none --expect=%t0.npy --expect=%t1.npy
// RUN: pypto-run %s --random=3 --opt=none --renderer=c --expect=%t0.npy --expect=%t1.npy
// RUN: pypto-run %s --random=3 --check | FileCheck %s --check-prefix=CHECKED
// RUN: pypto-run %s --random=3 --check --renderer=c | FileCheck %s --check-prefix=CHECKED
// RUN: not pypto-run %s --random=3 --check --rtol=0 --atol=0 | FileCheck %s --check-prefix=DIFFERS
// RUN: pypto-run %s --renderer=c --stop-after=codegen | FileCheck %s --check-prefix=C
// RUN: pypto-run %s --renderer=llvm --stop-after=codegen | FileCheck %s --check-prefix=LLVM
// RUN: pypto-run %s --renderer=mlir --stop-after=codegen | FileCheck %s --check-prefix=MLIR
// RUN: pypto-run %s --renderer=mlir --stop-after=codegen | pypto-opt --split-input-file
// RUN: pypto-run %s --renderer=c --stop-after=codegen | sed '/-----/,$d' > %t.c
// RUN: %cc -std=gnu11 -Wall -Werror -Wno-unused-variable -c %t.c -o %t.o
// RUN: not pypto-run %s --random=3 --renderer=fortran 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: env PYPTO_RENDERER=c pypto-run %s --stop-after=codegen | FileCheck %s --check-prefix=C
// RUN: not env PYPTO_RENDERER=pascal pypto-run %s --random=3 2>&1 | FileCheck %s --check-prefix=VARIABLE
// RUN: not pypto-run %s --random=3 --opt=some 2>&1 | FileCheck %s --check-prefix=OPT
// RUN: not env CC=no-such-compiler pypto-run %s --random=3 --renderer=c 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not env CC=false pypto-run %s --random=3 --renderer=c 2>&1 | FileCheck %s --check-prefix=FAILS

// Kernels in the three kinds of code: each runs and computes the same, each can be read. The C source is accepted by a
// compiler with all its warnings.

// CHECKED: plain loops: result 0: max abs error {{.*}}, equal within tolerance
// CHECKED: plain loops: result 1: max abs error {{.*}}, equal within tolerance
// DIFFERS: plain loops: result {{.*}} elements differ

// C: #include <math.h>
// C: void main_kernel_0(float *restrict
// C: for (int64_t
// C: tanhf(
// C: void pypto_invoke(void **arguments, void *result) {
// C: main_kernel_0(
// C: // -----
// C: void main_kernel_1(

// LLVM: define void @main_kernel_0(ptr noalias {{.*}}align 64{{.*}} %0, ptr noalias {{.*}}align 64
// LLVM: define void @main_kernel_1(

// MLIR: module @main_kernel_0
// MLIR: func.func @main_kernel_0(%{{.*}}: memref<4x16xf32>
// MLIR: module @main_kernel_1

// UNKNOWN: error: --renderer: expects a renderer of llvm, c, mlir, but got 'fortran'
// VARIABLE: error: PYPTO_RENDERER: expects a renderer of llvm, c, mlir, but got 'pascal'
// OPT: error: --opt expects none, heuristic or beam=N, but got 'some'
// ABSENT: error: cannot find the C compiler 'no-such-compiler' that the environment variable CC names
// FAILS: error: the C compiler '{{.*}}false' fails

func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<4x16xf32>
  %narrow = tensor.empty() : tensor<4xf32>
  %zero = linalg.fill ins(%c0 : f32) outs(%wide : tensor<4x16xf32>) -> tensor<4x16xf32>
  %product = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zero : tensor<4x16xf32>) -> tensor<4x16xf32>
  %bias = linalg.broadcast ins(%b : tensor<16xf32>) outs(%wide : tensor<4x16xf32>) dimensions = [0]
  %sum = arith.addf %product, %bias : tensor<4x16xf32>
  %y = math.tanh %sum : tensor<4x16xf32>
  %none = linalg.fill ins(%c0 : f32) outs(%narrow : tensor<4xf32>) -> tensor<4xf32>
  %total = linalg.reduce {arith.addf} ins(%y : tensor<4x16xf32>) outs(%none : tensor<4xf32>) dimensions = [1]
  return %y, %total : tensor<4x16xf32>, tensor<4xf32>
}

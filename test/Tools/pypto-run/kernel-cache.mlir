// RUN: rm -rf %t && mkdir %t && touch %t/file

// Kernels are kept for other processes. Where that cannot be done the program runs all the same, and
// says so once.

// RUN: env PYPTO_KERNEL_CACHE=%t/kernels pypto-run %s --random=1 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: ls %t/kernels | count 2
// RUN: env PYPTO_KERNEL_CACHE=%t/file/below pypto-run %s --random=1 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,WARNING --implicit-check-not=warning
// WARNING: warning: cannot keep kernels for other processes: cannot make '{{.*}}file/below': Not a directory
// RUN: env PYPTO_KERNEL_CACHE=%t/new bash -c 'trap "" XFSZ; ulimit -f 0; exec "$@"' - pypto-run %s --random=1 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,FULL --implicit-check-not=warning
// FULL: warning: cannot keep kernels for other processes: cannot write '{{.*}}/new/{{[0-9a-f]+}}.o': File too large
// RUN: ls %t/new | count 0
// CHECK: result 0: float32 (2, 3)

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<2x3xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  %empty = tensor.empty() : tensor<2x3xf32>
  %all = linalg.broadcast ins(%sum : tensor<f32>) outs(%empty : tensor<2x3xf32>) dimensions = [0, 1]
  %0 = arith.divf %x, %all : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// RUN: pypto-run %s --random=1 --print-plan | FileCheck %s --check-prefix=TEXT
// RUN: pypto-run %s --random=1 --print-plan=dot | FileCheck %s --check-prefix=DOT
// RUN: pypto-run %s --random=1 --threads=2 --print-plan=json > %t.json
// RUN: pypto-run %s --random=1 --print-plan=html > %t.html
// RUN: pypto-run %s --random=1 --profile=%t.trace
// RUN: %python %S/check_plan.py %t.json %t.html %t.trace
// RUN: pypto-run %S/tasks.mlir --entry=main --random=1 --print-plan=json > %t.tasks.json
// RUN: pypto-run %S/tasks.mlir --entry=main --random=1 --print-plan=html > %t.tasks.html
// RUN: pypto-run %S/tasks.mlir --entry=main --random=1 --profile=%t.tasks.trace
// RUN: %python %S/check_plan.py %t.tasks.json %t.tasks.html %t.tasks.trace
// RUN: not pypto-run %s --random=1 --print-plan=pdf 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pypto-run %s --random=1 --profile=%t.absent/trace 2>&1 | FileCheck %s --check-prefix=UNWRITABLE

// What a plan shows: kernels, edges with their reasons, buffers, estimates of work, times. Pages and traces are well
// formed and name every kernel, also for tile programs.

// A product of 32 x 16 and 16 x 64 adds up 32 * 64 * 16 products. Each of the sums waits for it; the two sums of
// everything do not wait for each other.

// TEXT: kernel name group waits for reads writes read written flops
// TEXT-NEXT: 0 main_kernel_0 1 - x, w buf0 6144 B 8192 B 65.5 k
// TEXT-NEXT: 1 main_kernel_1 2 0 raw buf0 buf{{[0-9]}} 8192 B 4 B 2048
// TEXT-NEXT: 2 main_kernel_2 2 0 raw buf0 buf{{[0-9]}} 8192 B 4 B 4096
// TEXT-NEXT: 3 main_kernel_3 3 {{.*}} out0
// TEXT: buffer type kind bytes at groups
// TEXT: out0 32x64xf32 output 8192 - 3 to 3
// TEXT: x 32x16xf32 input 2048 - 1 to 1
// TEXT: buf{{[0-9]}} 32x64xf32 intermediate 8192 {{[0-9]+}} 1 to 3
// TEXT: intermediates: 8320 bytes at the peak, 8320 without sharing
// TEXT: result 0

// DOT: digraph plan {
// DOT: k0 [label="main_kernel_0\nreads x 32x16xf32\nreads w 16x64xf32\nwrites buf0 32x64xf32\n{{.*}}65.5 k flops
// DOT: k0 -> k1 [label="raw buf0"];
// DOT: { rank=same; k1; k2; }
// DOT: }
// DOT-NOT: result 0

// UNKNOWN: error: --print-plan: expects a format of text, table, dot, html, json, trace, but got 'pdf'
// UNWRITABLE: error: cannot write '{{.*}}.absent/trace'

func.func @main(%x: tensor<32x16xf32>, %w: tensor<16x64xf32>) -> tensor<32x64xf32> {
  %c0 = arith.constant 0.0 : f32
  %space = tensor.empty() : tensor<32x64xf32>
  %scalar = tensor.empty() : tensor<f32>
  %zero = linalg.fill ins(%c0 : f32) outs(%space : tensor<32x64xf32>) -> tensor<32x64xf32>
  %none = linalg.fill ins(%c0 : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %product = linalg.matmul ins(%x, %w : tensor<32x16xf32>, tensor<16x64xf32>) outs(%zero : tensor<32x64xf32>) -> tensor<32x64xf32>
  %sum = linalg.reduce {arith.addf} ins(%product : tensor<32x64xf32>) outs(%none : tensor<f32>) dimensions = [0, 1]
  %squared = arith.mulf %product, %product : tensor<32x64xf32>
  %squares = linalg.reduce {arith.addf} ins(%squared : tensor<32x64xf32>) outs(%none : tensor<f32>) dimensions = [0, 1]
  %a = linalg.broadcast ins(%sum : tensor<f32>) outs(%space : tensor<32x64xf32>) dimensions = [0, 1]
  %b = linalg.broadcast ins(%squares : tensor<f32>) outs(%space : tensor<32x64xf32>) dimensions = [0, 1]
  %scaled = arith.mulf %product, %a : tensor<32x64xf32>
  %y = arith.addf %scaled, %b : tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}

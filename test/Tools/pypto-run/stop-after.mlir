// RUN: pypto-run %s --stop-after=graph | FileCheck %s --check-prefix=GRAPH
// RUN: pypto-run %s --stop-after=rangeify | FileCheck %s --check-prefix=RANGEIFY
// RUN: pypto-run %s --stop-after=split | FileCheck %s --check-prefix=SPLIT
// RUN: pypto-run %s --stop-after=schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: pypto-run %s --stop-after=optimize | FileCheck %s --check-prefix=OPTIMIZE
// RUN: pypto-run %s --stop-after=codegen | FileCheck %s --check-prefix=CODEGEN
// RUN: pypto-run %s --stop-after=schedule --opt=none | FileCheck %s --check-prefix=NAIVE
// RUN: not pypto-run %s --stop-after=parse 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pypto-run %S/tasks.mlir --random=1 --entry=main --stop-after=graph 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: not pypto-run %S/tasks.mlir --random=1 --entry=main --renderer=c 2>&1 | FileCheck %s --check-prefix=RENDERER
// RUN: not pypto-run %S/tasks.mlir --random=1 --entry=main --check 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: not pypto-run %S/tasks.mlir --random=1 --entry=main --order=groups 2>&1 | FileCheck %s --check-prefix=ORDER

// A graph behind each of its phases.

// GRAPH: func.func @main(%{{.*}}: tensor<6xf32>) -> tensor<2x3xf32>
// GRAPH: linalg.broadcast

// RANGEIFY: func.func @main(%{{.*}}: tensor<6xf32>) -> tensor<2x3xf32>
// RANGEIFY-NOT: linalg.broadcast
// RANGEIFY: linalg.generic

// SPLIT: func.func private @main_kernel_0(
// SPLIT: orchestration.launch @main_kernel_0({{.*}}) :
// SPLIT-NOT: group

// SCHEDULE: orchestration.launch @main_kernel_0({{.*}}) {group = 1 : i64}

// OPTIMIZE: module @main_kernel_0
// OPTIMIZE: func.func @main_kernel_0(%{{.*}}: memref<6xf32>
// OPTIMIZE-NOT: tensor<

// CODEGEN: define void @main_kernel_0(

// NAIVE: func.func private @main_kernel_0(
// NAIVE: linalg.broadcast

// UNKNOWN: error: --stop-after: expects a phase of graph, rangeify, split, schedule, optimize, codegen, but got 'parse'
// TILES: error: --stop-after expects a graph of tensor ops
// RENDERER: error: --renderer expects a graph of tensor ops
// CHECKED: error: --check expects a graph of tensor ops
// ORDER: error: --order=groups expects a graph of tensor ops

func.func @main(%x: tensor<6xf32>) -> tensor<2x3xf32> {
  %reshaped = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %space = tensor.empty() : tensor<4x2x3xf32>
  %expanded = linalg.broadcast ins(%reshaped : tensor<2x3xf32>) outs(%space : tensor<4x2x3xf32>) dimensions = [0]
  %zero = arith.constant dense<0.0> : tensor<2x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%expanded : tensor<4x2x3xf32>) outs(%zero : tensor<2x3xf32>) dimensions = [0]
  return %sum : tensor<2x3xf32>
}

// RUN: not pypto-opt %s --allow-unregistered-dialect --mlir-pass-pipeline-crash-reproducer=%t.mlir --one-shot-bufferize 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// RUN: FileCheck %s < %t.mlir
// RUN: not pypto-opt %t.mlir --allow-unregistered-dialect --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN

// A pass that fails leaves a file with its input and pipeline, which shows the failure again.

// ERROR: error: op was not bufferized
// AGAIN: error: op was not bufferized
// CHECK: pl.func @user
// CHECK: pipeline: "builtin.module(one-shot-bufferize{{.*}})"
pl.func @user() {
  %0 = "foreign.tensor"() : () -> tensor<4xf32>
  pl.return
}

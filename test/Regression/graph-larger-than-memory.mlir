// RUN: pypto-run %s --random=1 | FileCheck %s --check-prefix=LARGE
// RUN: not pypto-run %s --random=1 --check 2>&1 | FileCheck %s --check-prefix=TOO-LARGE

// A tensor that is never in memory may be larger than that. Plain loops keep it.
// LARGE: result 0: float32 1
// TOO-LARGE: :[[@LINE+3]]:{{.*}}error: expects tensors of at most 2^48 elements, but got 'tensor<4294967296x4294967296xf32>'
func.func @large() -> tensor<f32> {
  %one = arith.constant 1.0 : f32
  %0 = tensor.empty() : tensor<4294967296x4294967296xf32>
  %1 = linalg.fill ins(%one : f32) outs(%0 : tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32>
  %2 = tensor.empty() : tensor<f32>
  %3 = linalg.fill ins(%one : f32) outs(%2 : tensor<f32>) -> tensor<f32>
  %4 = linalg.reduce {arith.maximumf} ins(%1 : tensor<4294967296x4294967296xf32>) outs(%3 : tensor<f32>) dimensions = [0, 1]
  return %4 : tensor<f32>
}

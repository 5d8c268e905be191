// RUN: pypto-run %s --entry=extent --random=1 --check | FileCheck %s
// RUN: pypto-run %s --entry=extent --random=1 --renderer=c | FileCheck %s
// RUN: pypto-run %s --entry=casts --random=1 --check | FileCheck %s --check-prefix=CASTS
// RUN: pypto-run %s --entry=nothing --random=1 --check

// Graphs of which little or nothing is left to compute.

// CHECK: result 0: int64 (1,), {{.*}} values 37
func.func @extent(%x: tensor<?xf32>) -> tensor<1xindex> {
  %zero = arith.constant 0 : index
  %0 = tensor.dim %x, %zero : tensor<?xf32>
  %1 = tensor.from_elements %0 : tensor<1xindex>
  return %1 : tensor<1xindex>
}

// CASTS: result 0: float32 (4,), {{.*}} values 0.969624937
// CASTS: equal within tolerance
func.func @casts(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func @nothing(%x: tensor<4xf32>) {
  return
}

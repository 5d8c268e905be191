// RUN: pypto-run %s --entry=i64_to_i8 --random=1 --check
// RUN: pypto-run %s --entry=i64_to_i32 --random=1 --check
// RUN: pypto-run %s --entry=i32_to_i8 --random=1 --check
// RUN: pypto-run %s --entry=i64_to_i16 --random=1 --check

// A masked store of one lane of what is truncated writes one narrow element, not a wide one: the last column of 17.

func.func @i64_to_i8(%a: tensor<5x17xi64>, %b: tensor<17x17xi64>) -> tensor<5x17xi8> {
  %z = arith.constant dense<0> : tensor<5x17xi64>
  %0 = linalg.matmul ins(%a, %b : tensor<5x17xi64>, tensor<17x17xi64>) outs(%z : tensor<5x17xi64>) -> tensor<5x17xi64>
  %1 = arith.trunci %0 : tensor<5x17xi64> to tensor<5x17xi8>
  return %1 : tensor<5x17xi8>
}

func.func @i64_to_i32(%a: tensor<5x17xi64>, %b: tensor<17x17xi64>) -> tensor<5x17xi32> {
  %z = arith.constant dense<0> : tensor<5x17xi64>
  %0 = linalg.matmul ins(%a, %b : tensor<5x17xi64>, tensor<17x17xi64>) outs(%z : tensor<5x17xi64>) -> tensor<5x17xi64>
  %1 = arith.trunci %0 : tensor<5x17xi64> to tensor<5x17xi32>
  return %1 : tensor<5x17xi32>
}

func.func @i32_to_i8(%a: tensor<5x17xi32>, %b: tensor<17x17xi32>) -> tensor<5x17xi8> {
  %z = arith.constant dense<0> : tensor<5x17xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<5x17xi32>, tensor<17x17xi32>) outs(%z : tensor<5x17xi32>) -> tensor<5x17xi32>
  %1 = arith.trunci %0 : tensor<5x17xi32> to tensor<5x17xi8>
  return %1 : tensor<5x17xi8>
}

func.func @i64_to_i16(%a: tensor<5x17xi64>, %b: tensor<17x17xi64>) -> tensor<5x17xi16> {
  %z = arith.constant dense<0> : tensor<5x17xi64>
  %0 = linalg.matmul ins(%a, %b : tensor<5x17xi64>, tensor<17x17xi64>) outs(%z : tensor<5x17xi64>) -> tensor<5x17xi64>
  %1 = arith.trunci %0 : tensor<5x17xi64> to tensor<5x17xi16>
  return %1 : tensor<5x17xi16>
}

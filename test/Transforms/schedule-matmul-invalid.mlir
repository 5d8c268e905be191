// RUN: pypto-opt %s --schedule-matmul --split-input-file --verify-diagnostics
// RUN: pypto-opt %s --lower-matmul --split-input-file --verify-diagnostics

// Schedules that no product can have.

func.func @number(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{expects 'rows' of 'pypto.schedule' to be an integer from 1 to 32, but got 0 : i64}}
  linalg.matmul {pypto.schedule = {rows = 0}} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

func.func @no_number(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{expects 'k_block' of 'pypto.schedule' to be an integer from 1 to 1073741824, but got true}}
  linalg.matmul {pypto.schedule = {k_block = true}} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

func.func @no_flag(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{expects 'pack_lhs' of 'pypto.schedule' to be true or false, but got 1 : i64}}
  linalg.matmul {pypto.schedule = {pack_lhs = 1}} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

func.func @width(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{expects 'vector_bits' of 'pypto.schedule' to be 128, 256 or 512, but got 300 : i64}}
  linalg.matmul {pypto.schedule = {vector_bits = 300}} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

func.func @name(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{expects 'pypto.schedule' to have entries vector_bits, rows, vectors, unroll, m_block, n_block, k_block, m_part, n_part, pack_lhs, pack_rhs, bf16_dot, amx, share_rhs, prefetch, stream, but got "row"}}
  linalg.matmul {pypto.schedule = {row = 4}} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

func.func @too_many(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{expects 'rows' times 'vectors' of 'pypto.schedule' to be at most 48, but got 56}}
  linalg.matmul {pypto.schedule = {rows = 14, vectors = 4}} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

// expected-error @+1 {{expects 'pypto.schedule' to be a dictionary, but got 4 : i64}}
func.func @no_dictionary(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>)
    attributes {pypto.schedule = 4} {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// RUN: pypto-opt %s --schedule-loops --split-input-file --verify-diagnostics
// RUN: pypto-opt %s --parallelize-rows --parallelize-operations --split-input-file --verify-diagnostics
// RUN: pypto-opt %s --parallelize-rows --vectorize-elements --split-input-file --verify-diagnostics
// RUN: pypto-opt %s --search-schedules --split-input-file --verify-diagnostics

// Schedules that no loop can have are errors at the operation, or at the function that has them.

func.func @range(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{expects 'unroll' of 'pypto.schedule' to be an integer from 1 to 16, but got 0 : i64}}
  linalg.negf {pypto.schedule = {unroll = 0}} ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return
}

// -----

func.func @type(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{expects 'prefetch' of 'pypto.schedule' to be true or false, but got 1 : i64}}
  linalg.negf {pypto.schedule = {prefetch = 1}} ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return
}

// -----

func.func @name(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{expects 'pypto.schedule' to have entries vector_bits, unroll, row_block, transpose_block, parts, prefetch, stream, fuse_rows, but got "k_block"}}
  linalg.negf {pypto.schedule = {k_block = 4}} ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return
}

// -----

func.func @loop(%y: memref<1024x2048xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  // expected-error @+1 {{expects 'pypto.schedule' to have entries parts, but got "unroll"}}
  scf.for %i = %c0 to %c1024 step %c1 {
    %row = memref.subview %y[%i, 0] [1, 2048] [1, 1] : memref<1024x2048xf32> to memref<1x2048xf32, strided<[2048, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%row : memref<1x2048xf32, strided<[2048, 1], offset: ?>>)
  } {pypto.rows, pypto.schedule = {unroll = 2}}
  return
}

// -----

// expected-error @+1 {{expects 'pypto.schedule' to have entries vector_bits, rows, vectors, unroll, m_block, n_block, k_block, m_part, n_part, pack_lhs, pack_rhs, bf16_dot, amx, share_rhs, prefetch, stream, row_block, transpose_block, parts, fuse_rows, but got "part"}}
func.func @function(%a: memref<4x4xf32>, %b: memref<4x4xf32>) attributes {pypto.schedule = {part = 4}} {
  linalg.negf ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return
}

// RUN: pypto-opt %s --split-input-file --verify-diagnostics
// Result types are inferred before operand types are verified: inference meets any type.

pl.func @binary_of_index(%a: index) {
  // expected-error @+1 {{expects a tensor or a tile, but got 'index'}}
  %0 = pl.add %a, %a : index, index
  pl.return
}

// -----

pl.func @shift_of_index(%a: index) {
  // expected-error @+1 {{expects a tensor or a tile, but got 'index'}}
  %0 = pl.shl %a, %a : index, index
  pl.return
}

// -----

pl.func @unary_of_index(%a: index) {
  // expected-error @+1 {{expects a tensor or a tile, but got 'index'}}
  %0 = pl.neg %a : index
  pl.return
}

// -----

pl.func @float_unary_of_index(%a: index) {
  // expected-error @+1 {{expects a tensor or a tile, but got 'index'}}
  %0 = pl.exp %a : index
  pl.return
}

// -----

pl.func @integer_unary_of_index(%a: index) {
  // expected-error @+1 {{expects a tensor or a tile, but got 'index'}}
  %0 = pl.not %a : index
  pl.return
}

// -----

pl.func @tile_binary_of_tensor(%a: !pl.tensor<[4], f32>) {
  // expected-error @+1 {{expects a tile, but got '!pl.tensor<[4], f32>'}}
  %0 = tile.add %a, %a : !pl.tensor<[4], f32>
  pl.return
}

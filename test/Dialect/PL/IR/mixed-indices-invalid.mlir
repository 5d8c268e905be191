// RUN: pypto-opt %s --split-input-file --verify-diagnostics

// The number that stands for "an operand" in a list of constants and operands, written as a constant.

pl.func @offset(%a: !pl.tensor<[N], f32>, inout %b: !pl.tensor<[N], f32>) {
  // expected-error @below {{'pl.assemble' op C1: expects 1 operands in its list of indices, but got 0}}
  %0 = pl.assemble %a, %b[-9223372036854775808] : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  pl.return
}

// -----

pl.func @valid(%a: !pl.tensor<[8], f32>) {
  // expected-error @below {{'pl.set_validshape' op C1: expects 1 operands in its list of indices, but got 0}}
  %0 = pl.set_validshape %a[-9223372036854775808] : !pl.tensor<[8], f32> -> !pl.tensor<[8], f32, valid = [?]>
  pl.return
}

// -----

pl.func @index(%a: !pl.tensor<[8], f32>) {
  %t = tile.load %a[0] : !pl.tensor<[8], f32> -> !tile.tile<[8], f32>
  // expected-error @below {{'tile.read' op C1: expects 1 operands in its list of indices, but got 0}}
  %0 = tile.read %t[-9223372036854775808] : !tile.tile<[8], f32>
  pl.return
}

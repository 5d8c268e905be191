// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of matrix products of tiles, one each.

pl.func inline @matmul_c1(%a: !tile.tile<[8], f16>, %b: !tile.tile<[8, 4], f16>) {
  // expected-error @below {{C1: expects operands of rank two or more, but got}}
  %0 = tile.matmul %a, %b : !tile.tile<[8], f16>, !tile.tile<[8, 4], f16>
  pl.return
}

// -----

pl.func inline @matmul_c2(%a: !tile.tile<[4, 8], f16>) {
  // expected-error @below {{C2: expects equal inner extents, but got 8 and 4}}
  %0 = tile.matmul %a, %a : !tile.tile<[4, 8], f16>, !tile.tile<[4, 8], f16>
  pl.return
}

// -----

pl.func inline @matmul_c3(%a: !tile.tile<[2, 4, 8], f32>, %b: !tile.tile<[3, 8, 4], f32>) {
  // expected-error @below {{C3: expects batches that broadcast, but got}}
  %0 = tile.matmul %a, %b : !tile.tile<[2, 4, 8], f32>, !tile.tile<[3, 8, 4], f32>
  pl.return
}

// -----

pl.func inline @matmul_c4_mixed(%a: !tile.tile<[4, 8], f16>, %b: !tile.tile<[8, 4], i8>) {
  // expected-error @below {{C4: expects two float or two integer element types, but got 'f16' and 'i8'}}
  %0 = tile.matmul %a, %b : !tile.tile<[4, 8], f16>, !tile.tile<[8, 4], i8>
  pl.return
}

// -----

pl.func inline @matmul_c4_index(%a: !tile.tile<[4, 4], index>) {
  // expected-error @below {{C4: expects two float or two integer element types, but got 'index' and 'index'}}
  %0 = tile.matmul %a, %a : !tile.tile<[4, 4], index>, !tile.tile<[4, 4], index>
  pl.return
}

// -----

pl.func inline @matmul_c5_left(%a: !tile.tile<[4, 8], f16, right>, %b: !tile.tile<[8, 4], f16>) {
  // expected-error @below {{C5: expects a left operand in 'left', but got}}
  %0 = tile.matmul %a, %b : !tile.tile<[4, 8], f16, right>, !tile.tile<[8, 4], f16>
  pl.return
}

// -----

pl.func inline @matmul_c5_right(%a: !tile.tile<[4, 8], f16>, %b: !tile.tile<[8, 4], f16, acc>) {
  // expected-error @below {{C5: expects a right operand in 'right', but got}}
  %0 = tile.matmul %a, %b : !tile.tile<[4, 8], f16>, !tile.tile<[8, 4], f16, acc>
  pl.return
}

// -----

pl.func inline @matmul_acc_c5(%c: !tile.tile<[4, 4], f32>, %a: !tile.tile<[4, 8], f16, bias>, %b: !tile.tile<[8, 4], f16>) {
  // expected-error @below {{C5: expects a left operand in 'left', but got}}
  %0 = tile.matmul_acc %c, %a, %b : !tile.tile<[4, 4], f32>, !tile.tile<[4, 8], f16, bias>, !tile.tile<[8, 4], f16>
  pl.return
}

// -----

pl.func inline @matmul_acc_c6_extents(%c: !tile.tile<[4, 5], f32>, %a: !tile.tile<[4, 8], f16>, %b: !tile.tile<[8, 4], f16>) {
  // expected-error @below {{C6: expects an accumulator with the extents of}}
  %0 = tile.matmul_acc %c, %a, %b : !tile.tile<[4, 5], f32>, !tile.tile<[4, 8], f16>, !tile.tile<[8, 4], f16>
  pl.return
}

// -----

pl.func inline @matmul_acc_c6_element(%c: !tile.tile<[4, 4], f16>, %a: !tile.tile<[4, 8], f16>, %b: !tile.tile<[8, 4], f16>) {
  // expected-error @below {{C6: expects an accumulator of element type 'f32' in 'acc', but got}}
  %0 = tile.matmul_acc %c, %a, %b : !tile.tile<[4, 4], f16>, !tile.tile<[4, 8], f16>, !tile.tile<[8, 4], f16>
  pl.return
}

// -----

pl.func inline @matmul_acc_c6_space(%c: !tile.tile<[4, 4], f32, vec>, %a: !tile.tile<[4, 8], f16>, %b: !tile.tile<[8, 4], f16>) {
  // expected-error @below {{C6: expects an accumulator of element type 'f32' in 'acc', but got}}
  %0 = tile.matmul_acc %c, %a, %b : !tile.tile<[4, 4], f32, vec>, !tile.tile<[4, 8], f16>, !tile.tile<[8, 4], f16>
  pl.return
}

// -----

pl.func inline @matmul_bias_c6_rows(%a: !tile.tile<[4, 8], f16>, %b: !tile.tile<[8, 4], f16>, %c: !tile.tile<[2, 4], f32>) {
  // expected-error @below {{C6: expects a bias of one row that fits}}
  %0 = tile.matmul_bias %a, %b, %c : !tile.tile<[4, 8], f16>, !tile.tile<[8, 4], f16>, !tile.tile<[2, 4], f32>
  pl.return
}

// -----

pl.func inline @matmul_bias_c6_space(%a: !tile.tile<[4, 8], f16>, %b: !tile.tile<[8, 4], f16>, %c: !tile.tile<[1, 4], f32, vec>) {
  // expected-error @below {{C6: expects a bias of one row that fits}}
  %0 = tile.matmul_bias %a, %b, %c : !tile.tile<[4, 8], f16>, !tile.tile<[8, 4], f16>, !tile.tile<[1, 4], f32, vec>
  pl.return
}

// -----

pl.func inline @matmul_bias_c6_element(%a: !tile.tile<[4, 8], f16>, %b: !tile.tile<[8, 4], f16>, %c: !tile.tile<[1, 4], f16>) {
  // expected-error @below {{C6: expects a bias of one row that fits}}
  %0 = tile.matmul_bias %a, %b, %c : !tile.tile<[4, 8], f16>, !tile.tile<[8, 4], f16>, !tile.tile<[1, 4], f16>
  pl.return
}

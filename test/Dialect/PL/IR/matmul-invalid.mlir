// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of matrix products of tensors, one each.

pl.func inline @matmul_c1(%a: !pl.tensor<[4], f32>, %b: !pl.tensor<[4, 4], f32>) {
  // expected-error @below {{C1: expects operands of rank two or more, but got}}
  %0 = pl.matmul %a, %b : !pl.tensor<[4], f32>, !pl.tensor<[4, 4], f32>
  pl.return
}

// -----

pl.func inline @matmul_c2(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[7, 4], f32>) {
  // expected-error @below {{C2: expects equal inner extents, but got 8 and 7}}
  %0 = pl.matmul %a, %b : !pl.tensor<[4, 8], f32>, !pl.tensor<[7, 4], f32>
  pl.return
}

// -----

pl.func inline @matmul_c2_trans(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[8, 4], f32>) {
  // expected-error @below {{C2: expects equal inner extents, but got 8 and 4}}
  %0 = pl.matmul %a, %b b_trans : !pl.tensor<[4, 8], f32>, !pl.tensor<[8, 4], f32>
  pl.return
}

// -----

pl.func inline @matmul_c3(%a: !pl.tensor<[2, 4, 8], f32>, %b: !pl.tensor<[3, 8, 4], f32>) {
  // expected-error @below {{C3: expects batches that broadcast, but got}}
  %0 = pl.matmul %a, %b : !pl.tensor<[2, 4, 8], f32>, !pl.tensor<[3, 8, 4], f32>
  pl.return
}

// -----

pl.func inline @matmul_c4(%a: !pl.tensor<[4, 8], i1>, %b: !pl.tensor<[8, 4], f32>) {
  // expected-error @below {{C4: expects element types that promote and are not i1, but got 'i1' and 'f32'}}
  %0 = pl.matmul %a, %b : !pl.tensor<[4, 8], i1>, !pl.tensor<[8, 4], f32>
  pl.return
}

// -----

pl.func inline @matmul_c5_float(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[8, 4], f32>) {
  // expected-error @below {{C5: expects a float element type, but got 'i32'}}
  %0 = pl.matmul %a, %b to i32 : !pl.tensor<[4, 8], f32>, !pl.tensor<[8, 4], f32>
  pl.return
}

// -----

pl.func inline @matmul_c5_integer(%a: !pl.tensor<[4, 8], i8>, %b: !pl.tensor<[8, 4], i8>) {
  // expected-error @below {{C5: expects an integer element type, but got 'f32'}}
  %0 = pl.matmul %a, %b to f32 : !pl.tensor<[4, 8], i8>, !pl.tensor<[8, 4], i8>
  pl.return
}

// -----

pl.func inline @matmul_c5_type(%a: !pl.tensor<[4, 8], i8>, %b: !pl.tensor<[8, 4], i8>) {
  // expected-error @below {{C5: expects an integer element type, but got 'tuple<>'}}
  %0 = pl.matmul %a, %b to tuple<> : !pl.tensor<[4, 8], i8>, !pl.tensor<[8, 4], i8>
  pl.return
}

// -----

pl.func inline @matmul_operand(%a: !pl.tensor<[4, 8], f32>, %b: f32) {
  // expected-error @below {{expects a tensor or a tile, but got 'f32'}}
  %0 = pl.matmul %a, %b : !pl.tensor<[4, 8], f32>, f32
  pl.return
}

// -----

pl.func inline @matmul_acc_c2(%c: !pl.tensor<[4, 4], f32>, %a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[7, 4], f32>) {
  // expected-error @below {{C2: expects equal inner extents, but got 8 and 7}}
  %0 = pl.matmul_acc %c, %a, %b : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 8], f32>, !pl.tensor<[7, 4], f32>
  pl.return
}

// -----

pl.func inline @matmul_acc_c5(%c: !pl.tensor<[4, 4], i32>, %a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[8, 4], f32>) {
  // expected-error @below {{C5: expects a float element type, but got 'i32'}}
  %0 = pl.matmul_acc %c, %a, %b : !pl.tensor<[4, 4], i32>, !pl.tensor<[4, 8], f32>, !pl.tensor<[8, 4], f32>
  pl.return
}

// -----

pl.func inline @matmul_acc_c6(%c: !pl.tensor<[4, 5], f32>, %a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[8, 4], f32>) {
  // expected-error @below {{C6: expects an accumulator with the extents of '!pl.tensor<[4, 4], f32>', but got '!pl.tensor<[4, 5], f32>'}}
  %0 = pl.matmul_acc %c, %a, %b : !pl.tensor<[4, 5], f32>, !pl.tensor<[4, 8], f32>, !pl.tensor<[8, 4], f32>
  pl.return
}

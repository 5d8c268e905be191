// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of operations that shape, fill and select tensors, one each.

pl.func inline @transpose_c1(%a: !pl.tensor<[4, 8], f32>) {
  // expected-error @below {{C1: expects axes less than 2, but got 2}}
  %0 = pl.transpose %a, 0, 2 : !pl.tensor<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @transpose_c1_negative(%a: !pl.tensor<[4, 8], f32>) {
  // expected-error @below {{C1: expects axes less than 2, but got -1}}
  %0 = pl.transpose %a, -1, 0 : !pl.tensor<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @concat_c1(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[5, 8], f32>) {
  // expected-error @below {{C1: expects extents that differ in dimension 1 only, but got}}
  %0 = pl.concat %a, %b : !pl.tensor<[4, 8], f32>, !pl.tensor<[5, 8], f32>
  pl.return
}

// -----

pl.func inline @concat_c1_rank(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[8], f32>) {
  // expected-error @below {{C1: expects extents that differ in dimension 1 only, but got}}
  %0 = pl.concat %a, %b : !pl.tensor<[4, 8], f32>, !pl.tensor<[8], f32>
  pl.return
}

// -----

pl.func inline @concat_c2(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[4, 8], f16>) {
  // expected-error @below {{C2: expects equal element types, but got 'f32' and 'f16'}}
  %0 = pl.concat %a, %b : !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], f16>
  pl.return
}

// -----

pl.func inline @concat_c3(%a: !pl.tensor<[4, 8], f32>) {
  // expected-error @below {{C3: expects an axis less than 2, but got 2}}
  %0 = pl.concat %a, %a axis 2 : !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @concat_c3_rank(%a: !pl.tensor<[], f32>) {
  // expected-error @below {{C3: expects an axis less than 0, but got -1}}
  %0 = pl.concat %a, %a : !pl.tensor<[], f32>, !pl.tensor<[], f32>
  pl.return
}

// -----

pl.func inline @concat_c4(%a: !pl.tensor<[8, 8], f32, valid = [8, 3]>) {
  // expected-error @below {{C4: expects a first operand that is valid in its whole extent of dimension 1, but got}}
  %0 = pl.concat %a, %a : !pl.tensor<[8, 8], f32, valid = [8, 3]>, !pl.tensor<[8, 8], f32, valid = [8, 3]>
  pl.return
}

// -----

pl.func inline @fillpad_c1(%a: !pl.tensor<[4, 8], f32>) {
  // expected-error @below {{C1: expects 'zero', 'max' or 'min', but got 'null'}}
  %0 = pl.fillpad null %a : !pl.tensor<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @sel_c1(%m: !pl.tensor<[3, 8], i1>, %a: !pl.tensor<[4, 8], f32>) {
  // expected-error @below {{C1: the shapes of}}
  %0 = pl.sel %m, %a, %a : !pl.tensor<[3, 8], i1>, !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @sel_c2(%m: !pl.tensor<[4, 8], i1>, %a: !pl.tensor<[4, 8], f32>, %x: f16) {
  // expected-error @below {{C2: expects a scalar of type 'f32', but got 'f16'}}
  %0 = pl.sel %m, %a, %x : !pl.tensor<[4, 8], i1>, !pl.tensor<[4, 8], f32>, f16
  pl.return
}

// -----

pl.func inline @sel_c3(%a: !pl.tensor<[4, 8], f32>) {
  // expected-error @below {{C3: expects a mask of i1 elements, but got}}
  %0 = pl.sel %a, %a, %a : !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @part_add_c1(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[4, 1], f32>) {
  // expected-error @below {{C1: expects equal extents, but got}}
  %0 = pl.part_add %a, %b : !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 1], f32>
  pl.return
}

// -----

pl.func inline @part_mul_c2(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[4, 8], i32>) {
  // expected-error @below {{C2: expects equal element types, but got 'f32' and 'i32'}}
  %0 = pl.part_mul %a, %b : !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], i32>
  pl.return
}

// -----

pl.func inline @part_max_c3(%a: !pl.tensor<[8, 8], f32, valid = [8, 3]>, %b: !pl.tensor<[8, 8], f32, valid = [3, 8]>) {
  // expected-error @below {{C3: expects a valid shape inside the other one, but got}}
  %0 = pl.part_max %a, %b : !pl.tensor<[8, 8], f32, valid = [8, 3]>, !pl.tensor<[8, 8], f32, valid = [3, 8]>
  pl.return
}

// -----

pl.func inline @arange_c2(%s: i64) {
  // expected-error @below {{C2: expects a start of the element type, which is not i1, but got 'i64'}}
  %0 = pl.arange %s : i64, !pl.tensor<[8], i32>
  pl.return
}

// -----

pl.func inline @arange_c2_bit(%s: i1) {
  // expected-error @below {{C2: expects a start of the element type, which is not i1, but got 'i1'}}
  %0 = pl.arange %s : i1, !pl.tensor<[8], i1>
  pl.return
}

// -----

pl.func inline @arange_c3(%s: i32) {
  // expected-error @below {{C3: expects extents of one before the last, but got}}
  %0 = pl.arange %s : i32, !pl.tensor<[2, 8], i32>
  pl.return
}

// -----

pl.func inline @arange_c3_rank(%s: i32) {
  // expected-error @below {{C3: expects extents of one before the last, but got}}
  %0 = pl.arange %s : i32, !pl.tensor<[], i32>
  pl.return
}

// -----

pl.func inline @arange_c1(%s: i32) {
  // expected-error @below {{C1: expects 1 operand for the '?' of its type, but got 0}}
  %0 = pl.arange %s : i32, !pl.tensor<[?], i32>
  pl.return
}

// -----

pl.func inline @sel_operand(%x: f32, %a: !pl.tensor<[4], f32>) {
  // expected-error @below {{expects a tensor or a tile, but got 'f32'}}
  %0 = pl.sel %x, %a, %a : f32, !pl.tensor<[4], f32>, !pl.tensor<[4], f32>
  pl.return
}

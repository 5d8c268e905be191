// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of elementwise operations on tensors, one each.

pl.func inline @add_c1(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[4, 7], f32>) {
  // expected-error @below {{C1: the shapes of '!pl.tensor<[4, 8], f32>' and '!pl.tensor<[4, 7], f32>' do not broadcast}}
  %0 = pl.add %a, %b : !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 7], f32>
  pl.return
}

// -----

pl.func inline @add_c2_scalar(%a: !pl.tensor<[4, 8], f32>, %x: f16) {
  // expected-error @below {{C2: expects a scalar of type 'f32', but got 'f16'}}
  %0 = pl.add %a, %x : !pl.tensor<[4, 8], f32>, f16
  pl.return
}

// -----

pl.func inline @add_c2_unsigned_scalar(%a: !pl.tensor<[4], ui8>, %x: i16) {
  // expected-error @below {{C2: expects a scalar of type 'i8', but got 'i16'}}
  %0 = pl.add %a, %x : !pl.tensor<[4], ui8>, i16
  pl.return
}

// -----

pl.func inline @and_c2(%a: !pl.tensor<[4, 8], f32>) {
  // expected-error @below {{C2: expects integer elements, but got 'f32'}}
  %0 = pl.and %a, %a : !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @shl_c2(%a: !pl.tensor<[4, 8], f32>) {
  // expected-error @below {{C2: expects integer elements, but got 'f32'}}
  %0 = pl.shl %a, %a : !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @cmp_c1(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[3, 8], f32>) {
  // expected-error @below {{C1: the shapes of}}
  %0 = pl.cmp lt %a, %b : !pl.tensor<[4, 8], f32>, !pl.tensor<[3, 8], f32>
  pl.return
}

// -----

pl.func inline @cmp_c2(%a: !pl.tensor<[4, 8], f32>, %x: i32) {
  // expected-error @below {{C2: expects a scalar of type 'f32', but got 'i32'}}
  %0 = pl.cmp lt %a, %x : !pl.tensor<[4, 8], f32>, i32
  pl.return
}

// -----

pl.func inline @exp_c1(%a: !pl.tensor<[4, 8], i32>) {
  // expected-error @below {{C1: expects float elements, but got 'i32'}}
  %0 = pl.exp %a : !pl.tensor<[4, 8], i32>
  pl.return
}

// -----

pl.func inline @not_c1(%a: !pl.tensor<[4, 8], f32>) {
  // expected-error @below {{C1: expects integer elements, but got 'f32'}}
  %0 = pl.not %a : !pl.tensor<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @cast_c1(%a: !pl.tensor<[4, 8], f32>) {
  // expected-error @below {{C1: expects an element type, but got 'tuple<>'}}
  %0 = pl.cast %a to tuple<> : !pl.tensor<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @inferred_type(%a: !pl.tensor<[4, 8], f32>) {
  // expected-error @below {{'pl.exp' op inferred type(s)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "pl.exp"(%a) : (!pl.tensor<[4, 8], f32>) -> !pl.tensor<[4, 9], f32>
  pl.return
}

// -----

pl.func inline @add_operand(%a: f32) {
  // expected-error @below {{expects a tensor or a tile, but got 'f32'}}
  %0 = pl.add %a, %a : f32, f32
  pl.return
}

// -----

pl.func inline @add_c2_promote(%a: !pl.tensor<[4], f8E4M3FN>, %b: !pl.tensor<[4], f4E2M1FN>) {
  // expected-error @below {{C2: expects integer elements, but got 'f8E4M3FN'}}
  %0 = pl.and %a, %b : !pl.tensor<[4], f8E4M3FN>, !pl.tensor<[4], f4E2M1FN>
  pl.return
}

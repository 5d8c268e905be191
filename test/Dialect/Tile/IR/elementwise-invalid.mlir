// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of elementwise operations on tiles, one each.

pl.func inline @add_c1(%a: !tile.tile<[4, 8], f32>, %b: !tile.tile<[4, 7], f32>) {
  // expected-error @below {{C1: the shapes of '!tile.tile<[4, 8], f32>' and '!tile.tile<[4, 7], f32>' do not broadcast}}
  %0 = tile.add %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[4, 7], f32>
  pl.return
}

// -----

pl.func inline @add_c2_scalar(%a: !tile.tile<[4, 8], f32>, %x: f16) {
  // expected-error @below {{C2: expects a scalar of type 'f32', but got 'f16'}}
  %0 = tile.add %a, %x : !tile.tile<[4, 8], f32>, f16
  pl.return
}

// -----

pl.func inline @add_c2_unsigned_scalar(%a: !tile.tile<[4], ui8>, %x: i16) {
  // expected-error @below {{C2: expects a scalar of type 'i8', but got 'i16'}}
  %0 = tile.add %a, %x : !tile.tile<[4], ui8>, i16
  pl.return
}

// -----

pl.func inline @and_c2(%a: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C2: expects integer elements, but got 'f32'}}
  %0 = tile.and %a, %a : !tile.tile<[4, 8], f32>, !tile.tile<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @shl_c2(%a: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C2: expects integer elements, but got 'f32'}}
  %0 = tile.shl %a, %a : !tile.tile<[4, 8], f32>, !tile.tile<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @cmp_c1(%a: !tile.tile<[4, 8], f32>, %b: !tile.tile<[3, 8], f32>) {
  // expected-error @below {{C1: the shapes of}}
  %0 = tile.cmp lt %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[3, 8], f32>
  pl.return
}

// -----

pl.func inline @cmp_c2(%a: !tile.tile<[4, 8], f32>, %x: i32) {
  // expected-error @below {{C2: expects a scalar of type 'f32', but got 'i32'}}
  %0 = tile.cmp lt %a, %x : !tile.tile<[4, 8], f32>, i32
  pl.return
}

// -----

pl.func inline @exp_c1(%a: !tile.tile<[4, 8], i32>) {
  // expected-error @below {{C1: expects float elements, but got 'i32'}}
  %0 = tile.exp %a : !tile.tile<[4, 8], i32>
  pl.return
}

// -----

pl.func inline @not_c1(%a: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C1: expects integer elements, but got 'f32'}}
  %0 = tile.not %a : !tile.tile<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @cast_c1(%a: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C1: expects an element type, but got 'tuple<>'}}
  %0 = tile.cast %a to tuple<> : !tile.tile<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @inferred_type(%a: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{'tile.exp' op inferred type(s)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "tile.exp"(%a) : (!tile.tile<[4, 8], f32>) -> !tile.tile<[4, 9], f32>
  pl.return
}

// -----

pl.func inline @add_operand(%a: f32) {
  // expected-error @below {{expects a tile, but got 'f32'}}
  %0 = tile.add %a, %a : f32
  pl.return
}

// -----

pl.func inline @add_c1_space(%a: !tile.tile<[4], f32, vec>, %b: !tile.tile<[4], f32, mat>) {
  // expected-error @below {{C1: expects tiles in one memory space, but got}}
  %0 = tile.add %a, %b : !tile.tile<[4], f32, vec>, !tile.tile<[4], f32, mat>
  pl.return
}

// -----

pl.func inline @add_c2(%a: !tile.tile<[4], f32>, %b: !tile.tile<[4], f16>) {
  // expected-error @below {{C2: expects equal element types, but got 'f32' and 'f16'}}
  %0 = tile.add %a, %b : !tile.tile<[4], f32>, !tile.tile<[4], f16>
  pl.return
}

// -----

pl.func inline @shl_c2_width(%a: !tile.tile<[4], i32>, %b: !tile.tile<[4], i8>) {
  // expected-error @below {{C2: expects equal element types, but got 'i32' and 'i8'}}
  %0 = tile.shl %a, %b : !tile.tile<[4], i32>, !tile.tile<[4], i8>
  pl.return
}

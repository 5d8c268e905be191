// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of allocation, views, retyping, writes and element access, one each.

pl.func inline @create_c1() {
  // expected-error @below {{C1: expects 1 operand for the '?' of its type, but got 0}}
  %0 = pl.create : !pl.tensor<[?, 16], f32>
  pl.return
}

// -----

pl.func inline @full_c1(%v: f32) {
  // expected-error @below {{C1: expects 1 operand for the '?' of its type, but got 0}}
  %0 = pl.full %v : f32, !pl.tensor<[?, 16], f32>
  pl.return
}

// -----

pl.func inline @full_c2(%v: f16) {
  // expected-error @below {{C2: expects a scalar of type 'f32', but got 'f16'}}
  %0 = pl.full %v : f16, !pl.tensor<[64, 8], f32>
  pl.return
}

// -----

pl.func inline @slice_c1(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C1: expects one offset per dimension (2), but got 1}}
  %0 = pl.slice %t[0] : !pl.tensor<[64, 8], f32> -> !pl.tensor<[16, 8], f32>
  pl.return
}

// -----

pl.func inline @slice_c2_element(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C2: expects element type 'f32', but got 'f16'}}
  %0 = pl.slice %t[0, 0] : !pl.tensor<[64, 8], f32> -> !pl.tensor<[16, 8], f16>
  pl.return
}

// -----

pl.func inline @slice_c2_rank(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C2: expects a result of rank 2, but got 1}}
  %0 = pl.slice %t[0, 0] : !pl.tensor<[64, 8], f32> -> !pl.tensor<[8], f32>
  pl.return
}

// -----

pl.func inline @slice_c3(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C3: expects 1 operand for the '?' of its type, but got 0}}
  %0 = pl.slice %t[0, 0] : !pl.tensor<[64, 8], f32> -> !pl.tensor<[?, 8], f32>
  pl.return
}

// -----

pl.func inline @slice_c4(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C4: expects a window inside extent 64 of dimension 0, but got offset 49 and size 16}}
  %0 = pl.slice %t[49, 0] : !pl.tensor<[64, 8], f32> -> !pl.tensor<[16, 8], f32>
  pl.return
}

// -----

pl.func inline @slice_c4_dropped(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C4: expects a window inside extent 64 of dimension 0, but got offset 64 and size 1}}
  %0 = pl.slice %t[64, 0] dropped [0] : !pl.tensor<[64, 8], f32> -> !pl.tensor<[8], f32>
  pl.return
}

// -----

pl.func inline @slice_c5_order(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C5: expects dropped dimensions that are sorted and less than 2, but got 0}}
  %0 = pl.slice %t[0, 0] dropped [1, 0] : !pl.tensor<[64, 8], f32> -> !pl.tensor<[], f32>
  pl.return
}

// -----

pl.func inline @slice_c5_range(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C5: expects dropped dimensions that are sorted and less than 2, but got 2}}
  %0 = pl.slice %t[0, 0] dropped [2] : !pl.tensor<[64, 8], f32> -> !pl.tensor<[8], f32>
  pl.return
}

// -----

pl.func inline @reshape_c1(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C1: expects element type 'f32', but got 'f16'}}
  %0 = pl.reshape %t : !pl.tensor<[64, 8], f32> -> !pl.tensor<[512], f16>
  pl.return
}

// -----

pl.func inline @reshape_c2(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C2: expects 512 elements, but got 511}}
  %0 = pl.reshape %t : !pl.tensor<[64, 8], f32> -> !pl.tensor<[511], f32>
  pl.return
}

// -----

pl.func inline @reshape_c3(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C3: expects 1 operand for the '?' of its type, but got 0}}
  %0 = pl.reshape %t : !pl.tensor<[64, 8], f32> -> !pl.tensor<[?], f32>
  pl.return
}

// -----

pl.func inline @cast_shape_c1(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C1: expects compatible types, but got}}
  %0 = pl.cast_shape %t : !pl.tensor<[64, 8], f32> -> !pl.tensor<[64, 9], f32>
  pl.return
}

// -----

pl.func inline @set_validshape_c1(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C1: expects one valid extent per dimension (2), but got 1}}
  %0 = pl.set_validshape %t[8] : !pl.tensor<[64, 8], f32> -> !pl.tensor<[64, 8], f32>
  pl.return
}

// -----

pl.func inline @set_validshape_c2(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C2: expects a result that differs in its valid shape only, but got}}
  %0 = pl.set_validshape %t[8, 8] : !pl.tensor<[64, 8], f32> -> !pl.tensor<[63, 8], f32, valid = [8, 8]>
  pl.return
}

// -----

pl.func inline @set_validshape_c3(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C3: expects valid extent 8 of its result in dimension 0, but got 9}}
  %0 = pl.set_validshape %t[9, 8] : !pl.tensor<[64, 8], f32> -> !pl.tensor<[64, 8], f32, valid = [8, 8]>
  pl.return
}

// -----

pl.func inline @assemble_c1(%s: !pl.tensor<[64, 8], f32>, %t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C1: expects one offset per dimension (2), but got 1}}
  %0 = pl.assemble %s, %t[0] : !pl.tensor<[64, 8], f32>, !pl.tensor<[64, 8], f32>
  pl.return
}

// -----

pl.func inline @assemble_c2_element(%s: !pl.tensor<[64, 8], i8>, %t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C2: expects element type 'f32', but got 'i8'}}
  %0 = pl.assemble %s, %t[0, 0] : !pl.tensor<[64, 8], i8>, !pl.tensor<[64, 8], f32>
  pl.return
}

// -----

pl.func inline @assemble_c2_rank(%s: !pl.tensor<[1, 64, 8], f32>, %t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C2: expects a window of rank at most 2, but got 3}}
  %0 = pl.assemble %s, %t[0, 0] : !pl.tensor<[1, 64, 8], f32>, !pl.tensor<[64, 8], f32>
  pl.return
}

// -----

pl.func inline @assemble_c3(%s: !pl.tensor<[64, 8], f32>, %t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C3: expects a result compatible with}}
  %0 = pl.assemble %s, %t[0, 0] : !pl.tensor<[64, 8], f32>, !pl.tensor<[64, 8], f32> -> !pl.tensor<[64, 9], f32>
  pl.return
}

// -----

pl.func inline @assemble_c4(%s: !pl.tensor<[64, 8], f32>, %t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C4: expects a window inside extent 64 of dimension 0, but got offset 1 and size 64}}
  %0 = pl.assemble %s, %t[1, 0] : !pl.tensor<[64, 8], f32>, !pl.tensor<[64, 8], f32>
  pl.return
}

// -----

pl.func inline @dim_c1(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C1: expects an axis less than 2, but got 2}}
  %0 = pl.dim %t, 2 : !pl.tensor<[64, 8], f32>
  pl.return
}

// -----

pl.func inline @dim_c1_negative(%t: !pl.tensor<[64, 8], f32>) {
  // expected-error @below {{C1: expects an axis less than 2, but got}}
  %0 = pl.dim %t, -1 : !pl.tensor<[64, 8], f32>
  pl.return
}

// -----

pl.func inline @read_c1(%t: !pl.tensor<[64, 8], f32>, %i: index) {
  // expected-error @below {{C1: expects one index per dimension (2), but got 1}}
  %0 = pl.read %t[%i] : !pl.tensor<[64, 8], f32>
  pl.return
}

// -----

pl.func inline @write_c1(%v: f32, %t: !pl.tensor<[64, 8], f32>, %i: index) {
  // expected-error @below {{C1: expects one index per dimension (2), but got 1}}
  %0 = pl.write %v, %t[%i] : !pl.tensor<[64, 8], f32>
  pl.return
}

// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of operations that window, shape, fill and select tiles, one each.

pl.func inline @transpose_c1(%a: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C1: expects axes less than 2, but got 2}}
  %0 = tile.transpose %a, 0, 2 : !tile.tile<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @transpose_c1_negative(%a: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C1: expects axes less than 2, but got -1}}
  %0 = tile.transpose %a, -1, 0 : !tile.tile<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @concat_c1(%a: !tile.tile<[4, 8], f32>, %b: !tile.tile<[5, 8], f32>) {
  // expected-error @below {{C1: expects extents that differ in dimension 1 only, but got}}
  %0 = tile.concat %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[5, 8], f32>
  pl.return
}

// -----

pl.func inline @concat_c1_rank(%a: !tile.tile<[4, 8], f32>, %b: !tile.tile<[8], f32>) {
  // expected-error @below {{C1: expects extents that differ in dimension 1 only, but got}}
  %0 = tile.concat %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[8], f32>
  pl.return
}

// -----

pl.func inline @concat_c2(%a: !tile.tile<[4, 8], f32>, %b: !tile.tile<[4, 8], f16>) {
  // expected-error @below {{C2: expects equal element types, but got 'f32' and 'f16'}}
  %0 = tile.concat %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[4, 8], f16>
  pl.return
}

// -----

pl.func inline @concat_c3(%a: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C3: expects an axis less than 2, but got 2}}
  %0 = tile.concat %a, %a axis 2 : !tile.tile<[4, 8], f32>, !tile.tile<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @concat_c3_rank(%a: !tile.tile<[], f32>) {
  // expected-error @below {{C3: expects an axis less than 0, but got -1}}
  %0 = tile.concat %a, %a : !tile.tile<[], f32>, !tile.tile<[], f32>
  pl.return
}

// -----

pl.func inline @concat_c4(%a: !tile.tile<[8, 8], f32, valid = [8, 3]>) {
  // expected-error @below {{C4: expects a first operand that is valid in its whole extent of dimension 1, but got}}
  %0 = tile.concat %a, %a : !tile.tile<[8, 8], f32, valid = [8, 3]>, !tile.tile<[8, 8], f32, valid = [8, 3]>
  pl.return
}

// -----

pl.func inline @fillpad_c1(%a: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C1: expects 'zero', 'max' or 'min', but got 'null'}}
  %0 = tile.fillpad null %a : !tile.tile<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @sel_c1(%m: !tile.tile<[3, 8], i1>, %a: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C1: the shapes of}}
  %0 = tile.sel %m, %a, %a : !tile.tile<[3, 8], i1>, !tile.tile<[4, 8], f32>, !tile.tile<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @sel_c2(%m: !tile.tile<[4, 8], i1>, %a: !tile.tile<[4, 8], f32>, %x: f16) {
  // expected-error @below {{C2: expects a scalar of type 'f32', but got 'f16'}}
  %0 = tile.sel %m, %a, %x : !tile.tile<[4, 8], i1>, !tile.tile<[4, 8], f32>, f16
  pl.return
}

// -----

pl.func inline @sel_c3(%a: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C3: expects a mask of i1 elements, but got}}
  %0 = tile.sel %a, %a, %a : !tile.tile<[4, 8], f32>, !tile.tile<[4, 8], f32>, !tile.tile<[4, 8], f32>
  pl.return
}

// -----

pl.func inline @part_add_c1(%a: !tile.tile<[4, 8], f32>, %b: !tile.tile<[4, 1], f32>) {
  // expected-error @below {{C1: expects equal extents, but got}}
  %0 = tile.part_add %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[4, 1], f32>
  pl.return
}

// -----

pl.func inline @part_mul_c2(%a: !tile.tile<[4, 8], f32>, %b: !tile.tile<[4, 8], i32>) {
  // expected-error @below {{C2: expects equal element types, but got 'f32' and 'i32'}}
  %0 = tile.part_mul %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[4, 8], i32>
  pl.return
}

// -----

pl.func inline @part_max_c3(%a: !tile.tile<[8, 8], f32, valid = [8, 3]>, %b: !tile.tile<[8, 8], f32, valid = [3, 8]>) {
  // expected-error @below {{C3: expects a valid shape inside the other one, but got}}
  %0 = tile.part_max %a, %b : !tile.tile<[8, 8], f32, valid = [8, 3]>, !tile.tile<[8, 8], f32, valid = [3, 8]>
  pl.return
}

// -----

pl.func inline @arange_c2(%s: i64) {
  // expected-error @below {{C2: expects a start of the element type, which is not i1, but got 'i64'}}
  %0 = tile.arange %s : i64, !tile.tile<[8], i32>
  pl.return
}

// -----

pl.func inline @arange_c2_bit(%s: i1) {
  // expected-error @below {{C2: expects a start of the element type, which is not i1, but got 'i1'}}
  %0 = tile.arange %s : i1, !tile.tile<[8], i1>
  pl.return
}

// -----

pl.func inline @arange_c3(%s: i32) {
  // expected-error @below {{C3: expects extents of one before the last, but got}}
  %0 = tile.arange %s : i32, !tile.tile<[2, 8], i32>
  pl.return
}

// -----

pl.func inline @arange_c3_rank(%s: i32) {
  // expected-error @below {{C3: expects extents of one before the last, but got}}
  %0 = tile.arange %s : i32, !tile.tile<[], i32>
  pl.return
}

// -----

pl.func inline @arange_c1(%s: i32) {
  // expected-error @below {{C1: expects 1 operand for the '?' of its type, but got 0}}
  %0 = tile.arange %s : i32, !tile.tile<[8], i32, valid = [?]>
  pl.return
}

// -----

pl.func inline @slice_c1(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C1: expects one offset per dimension (2), but got 1}}
  %0 = tile.slice %t[0] : !tile.tile<[64, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @slice_c2_element(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C2: expects element type 'f32', but got 'f16'}}
  %0 = tile.slice %t[0, 0] : !tile.tile<[64, 64], f32> -> !tile.tile<[16, 64], f16>
  pl.return
}

// -----

pl.func inline @slice_c2_rank(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C2: expects a window of rank at most 2, but got 3}}
  %0 = tile.slice %t[0, 0] : !tile.tile<[64, 64], f32> -> !tile.tile<[1, 16, 64], f32>
  pl.return
}

// -----

pl.func inline @slice_c3(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C3: expects 1 operand for the '?' of its type, but got 0}}
  %0 = tile.slice %t[0, 0] : !tile.tile<[64, 64], f32> -> !tile.tile<[16, 64], f32, valid = [?, 64]>
  pl.return
}

// -----

pl.func inline @slice_c4(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C4: expects a window inside extent 64 of dimension 0, but got offset 49 and size 16}}
  %0 = tile.slice %t[49, 0] : !tile.tile<[64, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @slice_c4_negative(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C4: expects offsets that are not negative, but got -1 in dimension 0}}
  %0 = tile.slice %t[-1, 0] : !tile.tile<[64, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @slice_c5(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C5: expects a result in the space of}}
  %0 = tile.slice %t[0, 0] : !tile.tile<[64, 64], f32> -> !tile.tile<[16, 64], f32, vec>
  pl.return
}

// -----

pl.func inline @extract_c1(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C1: expects one offset per dimension (2), but got 3}}
  %0 = tile.extract %t[0, 0, 0] : !tile.tile<[64, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @extract_c2(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C2: expects element type 'f32', but got 'i32'}}
  %0 = tile.extract %t[0, 0] : !tile.tile<[64, 64], f32> -> !tile.tile<[16, 64], i32>
  pl.return
}

// -----

pl.func inline @extract_c3(%t: !tile.tile<[64, 64], f32>, %n: index) {
  // expected-error @below {{C3: expects 0 operands for the '?' of its type, but got 1}}
  %0 = tile.extract %t[0, 0] valid(%n) : !tile.tile<[64, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @extract_c4(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C4: expects a window inside extent 64 of dimension 1, but got offset 1 and size 64}}
  %0 = tile.extract %t[0, 1] : !tile.tile<[64, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @assemble_c1(%s: !tile.tile<[16, 64], f32>, %t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C1: expects one offset per dimension (2), but got 0}}
  %0 = tile.assemble %s, %t[] : !tile.tile<[16, 64], f32>, !tile.tile<[64, 64], f32>
  pl.return
}

// -----

pl.func inline @assemble_c2(%s: !tile.tile<[16, 64], i8>, %t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C2: expects element type 'f32', but got 'i8'}}
  %0 = tile.assemble %s, %t[0, 0] : !tile.tile<[16, 64], i8>, !tile.tile<[64, 64], f32>
  pl.return
}

// -----

pl.func inline @assemble_c3(%s: !tile.tile<[16, 64], f32, vec>, %t: !tile.tile<[64, 64], f32, mat>) {
  // expected-error @below {{C3: expects tiles in one memory space, but got}}
  %0 = tile.assemble %s, %t[0, 0] : !tile.tile<[16, 64], f32, vec>, !tile.tile<[64, 64], f32, mat>
  pl.return
}

// -----

pl.func inline @assemble_c4(%s: !tile.tile<[16, 64], f32>, %t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C4: expects a window inside extent 64 of dimension 0, but got offset 60 and size 16}}
  %0 = tile.assemble %s, %t[60, 0] : !tile.tile<[16, 64], f32>, !tile.tile<[64, 64], f32>
  pl.return
}

// -----

pl.func inline @read_c1(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C1: expects one index per dimension (2), but got 1}}
  %0 = tile.read %t[0] : !tile.tile<[64, 64], f32>
  pl.return
}

// -----

pl.func inline @read_c2(%t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C2: expects an index inside dimension 1 of}}
  %0 = tile.read %t[0, 64] : !tile.tile<[64, 64], f32>
  pl.return
}

// -----

pl.func inline @write_c1(%x: f32, %t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C1: expects one index per dimension (2), but got 1}}
  %0 = tile.write %x, %t[0] : !tile.tile<[64, 64], f32>
  pl.return
}

// -----

pl.func inline @write_c2(%x: f32, %t: !tile.tile<[64, 64], f32>) {
  // expected-error @below {{C2: expects an index inside dimension 0 of}}
  %0 = tile.write %x, %t[-1, 0] : !tile.tile<[64, 64], f32>
  pl.return
}

// -----

pl.func inline @reshape_c1(%t: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C1: expects element type 'f32', but got 'f16'}}
  %0 = tile.reshape %t : !tile.tile<[4, 8], f32> -> !tile.tile<[32], f16>
  pl.return
}

// -----

pl.func inline @reshape_c2(%t: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C2: expects 32 elements, but got 33}}
  %0 = tile.reshape %t : !tile.tile<[4, 8], f32> -> !tile.tile<[33], f32>
  pl.return
}

// -----

pl.func inline @reshape_c3(%t: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C3: expects 1 operand for the '?' of its type, but got 0}}
  %0 = tile.reshape %t : !tile.tile<[4, 8], f32> -> !tile.tile<[32], f32, valid = [?]>
  pl.return
}

// -----

pl.func inline @reshape_c4(%t: !tile.tile<[4, 8], f32>) {
  // expected-error @below {{C4: expects a result in the space of}}
  %0 = tile.reshape %t : !tile.tile<[4, 8], f32> -> !tile.tile<[32], f32, vec>
  pl.return
}

// -----

pl.func inline @concat_c5(%a: !tile.tile<[4], f32, vec>, %b: !tile.tile<[4], f32, mat>) {
  // expected-error @below {{C5: expects tiles in one memory space, but got}}
  %0 = tile.concat %a, %b : !tile.tile<[4], f32, vec>, !tile.tile<[4], f32, mat>
  pl.return
}

// -----

pl.func inline @part_min_c4(%a: !tile.tile<[4], f32, vec>, %b: !tile.tile<[4], f32, mat>) {
  // expected-error @below {{C4: expects tiles in one memory space, but got}}
  %0 = tile.part_min %a, %b : !tile.tile<[4], f32, vec>, !tile.tile<[4], f32, mat>
  pl.return
}

// -----

pl.func inline @sel_c1_space(%m: !tile.tile<[4], i1, mat>, %a: !tile.tile<[4], f32, vec>) {
  // expected-error @below {{C1: expects tiles in one memory space, but got}}
  %0 = tile.sel %m, %a, %a : !tile.tile<[4], i1, mat>, !tile.tile<[4], f32, vec>, !tile.tile<[4], f32, vec>
  pl.return
}

// -----

pl.func inline @concat_operand(%a: f32) {
  // expected-error @below {{expects a tile, but got 'f32'}}
  %0 = tile.concat %a, %a : f32, f32
  pl.return
}

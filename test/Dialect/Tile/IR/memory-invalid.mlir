// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of loads, stores, tiles from nothing and retyping, one each.

pl.func inline @load_c1(%x: !pl.tensor<[128, 64], f32>) {
  // expected-error @below {{C1: expects one offset per dimension (2), but got 1}}
  %0 = tile.load %x[0] : !pl.tensor<[128, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @load_c2_element(%x: !pl.tensor<[128, 64], f32>) {
  // expected-error @below {{C2: expects element type 'f32', but got 'f16'}}
  %0 = tile.load %x[0, 0] : !pl.tensor<[128, 64], f32> -> !tile.tile<[16, 64], f16>
  pl.return
}

// -----

pl.func inline @load_c2_rank(%x: !pl.tensor<[128, 64], f32>) {
  // expected-error @below {{C2: expects a window of rank at most 2, but got 3}}
  %0 = tile.load %x[0, 0] : !pl.tensor<[128, 64], f32> -> !tile.tile<[1, 16, 64], f32>
  pl.return
}

// -----

pl.func inline @load_c3(%x: !pl.tensor<[128, 64], f32>) {
  // expected-error @below {{C3: expects 1 operand for the '?' of its type, but got 0}}
  %0 = tile.load %x[0, 0] : !pl.tensor<[128, 64], f32> -> !tile.tile<[16, 64], f32, valid = [?, 64]>
  pl.return
}

// -----

pl.func inline @load_c4(%x: !pl.tensor<[128, 64], f32>) {
  // expected-error @below {{C4: expects a window inside extent 128 of dimension 0, but got offset 113 and size 16}}
  %0 = tile.load %x[113, 0] : !pl.tensor<[128, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @load_c4_overflow(%x: !pl.tensor<[128, 64], f32>) {
  // expected-error @below {{C4: expects a window inside extent 128 of dimension 0, but got offset 9223372036854775807 and size 16}}
  %0 = tile.load %x[9223372036854775807, 0] : !pl.tensor<[128, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @store_c1(%t: !tile.tile<[16, 64], f32>, %x: !pl.tensor<[128, 64], f32>) {
  // expected-error @below {{C1: expects one offset per dimension (2), but got 3}}
  %0 = tile.store %t, %x[0, 0, 0] : !tile.tile<[16, 64], f32>, !pl.tensor<[128, 64], f32>
  pl.return
}

// -----

pl.func inline @store_c2(%t: !tile.tile<[16, 64], i8>, %x: !pl.tensor<[128, 64], f32>) {
  // expected-error @below {{C2: expects element type 'f32', but got 'i8'}}
  %0 = tile.store %t, %x[0, 0] : !tile.tile<[16, 64], i8>, !pl.tensor<[128, 64], f32>
  pl.return
}

// -----

pl.func inline @store_c3(%t: !tile.tile<[16, 64], f32>, %x: !pl.tensor<[128, 64], f32>) {
  // expected-error @below {{C3: expects a result compatible with}}
  %0 = tile.store %t, %x[0, 0] : !tile.tile<[16, 64], f32>, !pl.tensor<[128, 64], f32> -> !pl.tensor<[128, 63], f32>
  pl.return
}

// -----

pl.func inline @store_c4(%t: !tile.tile<[16, 64], f32>, %x: !pl.tensor<[128, 64], f32>) {
  // expected-error @below {{C4: expects offsets that are not negative, but got -1 in dimension 0}}
  %0 = tile.store %t, %x[-1, 0] : !tile.tile<[16, 64], f32>, !pl.tensor<[128, 64], f32>
  pl.return
}

// -----

pl.func inline @create_c1(%n: index) {
  // expected-error @below {{C1: expects 0 operands for the '?' of its type, but got 1}}
  %0 = tile.create valid(%n) : !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @full_c1(%v: f32) {
  // expected-error @below {{C1: expects 2 operands for the '?' of its type, but got 0}}
  %0 = tile.full %v : f32, !tile.tile<[16, 64], f32, valid = [?, ?]>
  pl.return
}

// -----

pl.func inline @full_c2(%v: f16) {
  // expected-error @below {{C2: expects a scalar of type 'f32', but got 'f16'}}
  %0 = tile.full %v : f16, !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @move_c1_extent(%t: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C1: expects types that differ in the memory space only, but got}}
  %0 = tile.move %t : !tile.tile<[16, 64], f32> -> !tile.tile<[16, 63], f32, vec>
  pl.return
}

// -----

pl.func inline @move_c1_space(%t: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C1: expects types that differ in the memory space only, but got}}
  %0 = tile.move %t : !tile.tile<[16, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @cast_valid_c1(%t: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C1: expects compatible types, but got}}
  %0 = tile.cast_valid %t : !tile.tile<[16, 64], f32> -> !tile.tile<[16, 63], f32>
  pl.return
}

// -----

pl.func inline @set_validshape_c1(%t: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C1: expects one valid extent per dimension (2), but got 1}}
  %0 = tile.set_validshape %t[16] : !tile.tile<[16, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @set_validshape_c2(%t: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C2: expects a result that differs in its valid shape only, but got}}
  %0 = tile.set_validshape %t[8, 64] : !tile.tile<[16, 64], f32> -> !tile.tile<[17, 64], f32, valid = [8, 64]>
  pl.return
}

// -----

pl.func inline @set_validshape_c3(%t: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C3: expects valid extent 8 of its result in dimension 0, but got 9}}
  %0 = tile.set_validshape %t[9, 64] : !tile.tile<[16, 64], f32> -> !tile.tile<[16, 64], f32, valid = [8, 64]>
  pl.return
}

// -----

pl.func inline @set_validshape_c3_negative(%t: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C3: expects valid extents that are not negative, but got -2}}
  %0 = tile.set_validshape %t[-2, 64] : !tile.tile<[16, 64], f32> -> !tile.tile<[16, 64], f32, valid = [?, 64]>
  pl.return
}

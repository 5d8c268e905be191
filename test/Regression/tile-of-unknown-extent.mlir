// RUN: pypto-opt --split-input-file --verify-diagnostics %s

// Extents that are not known to be equal give '?', which no tile has: inference reports it rather than making the type.

pl.func inline @symbols(%a: !tile.tile<[N], f32>, %b: !tile.tile<[M], f32>) {
  // expected-error @below {{C3: expects physical extents of a tile that are known, but got '?' (dynamic sizes stand in 'valid')}}
  %0 = tile.add %a, %b : !tile.tile<[N], f32>, !tile.tile<[M], f32>
  pl.return
}

// -----

pl.func inline @overflow(%a: !tile.tile<[9223372036854775807], f32>) {
  // expected-error @below {{C3: expects physical extents of a tile that are known, but got '?' (dynamic sizes stand in 'valid')}}
  %0 = tile.concat %a, %a : !tile.tile<[9223372036854775807], f32>, !tile.tile<[9223372036854775807], f32>
  pl.return
}

// -----

pl.func inline @tile_and_tensor(%a: !tile.tile<[4, 4], f32>, %b: !pl.tensor<[4, ?], f32>) {
  // expected-error @below {{C3: expects physical extents of a tile that are known, but got '?' (dynamic sizes stand in 'valid')}}
  %0 = pl.matmul %a, %b : !tile.tile<[4, 4], f32>, !pl.tensor<[4, ?], f32>
  pl.return
}

// -----

// The valid shape of one does not fit the extents of the other.
pl.func @valid_shape(%a: !pl.tensor<[4], f32, valid = [2]>, %b: !pl.tensor<[?], f32, valid = [8]>) {
  // expected-error @below {{C3: expects a valid extent of at most 4, but got 8}}
  %0 = pl.part_add %a, %b : !pl.tensor<[4], f32, valid = [2]>, !pl.tensor<[?], f32, valid = [8]>
  pl.return
}

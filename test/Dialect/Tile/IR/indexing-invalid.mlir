// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of gathers, scatters and sorting of tiles, one each.

pl.func inline @gather_c1(%a: !tile.tile<[16, 64], f32>, %i: !tile.tile<[17, 8], i32>) {
  // expected-error @below {{C1: expects indices whose extents are at most those of}}
  %0 = tile.gather %a, %i dim 1 : !tile.tile<[16, 64], f32>, !tile.tile<[17, 8], i32>
  pl.return
}

// -----

pl.func inline @gather_c1_rank(%a: !tile.tile<[16, 64], f32>, %i: !tile.tile<[8], i32>) {
  // expected-error @below {{C1: expects indices whose extents are at most those of}}
  %0 = tile.gather %a, %i dim 1 : !tile.tile<[16, 64], f32>, !tile.tile<[8], i32>
  pl.return
}

// -----

pl.func inline @gather_c2(%a: !tile.tile<[16, 64], f32>, %i: !tile.tile<[16, 8], i32>) {
  // expected-error @below {{C2: expects a dimension less than 2, but got 2}}
  %0 = tile.gather %a, %i dim 2 : !tile.tile<[16, 64], f32>, !tile.tile<[16, 8], i32>
  pl.return
}

// -----

pl.func inline @gather_c3(%a: !tile.tile<[16, 64], f32>, %i: !tile.tile<[16, 8], f32>) {
  // expected-error @below {{C3: expects integer or index elements, but got}}
  %0 = tile.gather %a, %i dim 1 : !tile.tile<[16, 64], f32>, !tile.tile<[16, 8], f32>
  pl.return
}

// -----

pl.func inline @scatter_c1(%s: !tile.tile<[16, 8], f32>, %i: !tile.tile<[16, 7], i32>, %a: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C1: expects a source and indices of equal extents, but got}}
  %0 = tile.scatter %s, %i, %a dim 1 : !tile.tile<[16, 8], f32>, !tile.tile<[16, 7], i32>, !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @scatter_c2(%s: !tile.tile<[16, 8], f32>, %i: !tile.tile<[16, 8], i32>, %a: !tile.tile<[15, 64], f32>) {
  // expected-error @below {{C2: expects a source whose extents are at most those of}}
  %0 = tile.scatter %s, %i, %a dim 1 : !tile.tile<[16, 8], f32>, !tile.tile<[16, 8], i32>, !tile.tile<[15, 64], f32>
  pl.return
}

// -----

pl.func inline @scatter_c3(%s: !tile.tile<[16, 8], f16>, %i: !tile.tile<[16, 8], i32>, %a: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C3: expects element type 'f32', but got 'f16'}}
  %0 = tile.scatter %s, %i, %a dim 1 : !tile.tile<[16, 8], f16>, !tile.tile<[16, 8], i32>, !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @scatter_c4(%s: !tile.tile<[16, 8], f32>, %i: !tile.tile<[16, 8], i32>, %a: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C4: expects a dimension less than 2, but got -1}}
  %0 = tile.scatter %s, %i, %a dim -1 : !tile.tile<[16, 8], f32>, !tile.tile<[16, 8], i32>, !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @scatter_c5(%s: !tile.tile<[16, 8], f32>, %i: !tile.tile<[16, 8], i1>, %a: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C5: expects integer or index elements, but got}}
  %0 = tile.scatter %s, %i, %a dim 1 : !tile.tile<[16, 8], f32>, !tile.tile<[16, 8], i1>, !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @scatter_update_c1(%s: !tile.tile<[16, 8], f32>, %i: !tile.tile<[16], i32>, %a: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C1: expects a source and a destination of rank two with equal second extents, but got}}
  %0 = tile.scatter_update %s, %i, %a : !tile.tile<[16, 8], f32>, !tile.tile<[16], i32>, !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @scatter_update_c2(%s: !tile.tile<[16, 64], f16>, %i: !tile.tile<[16], i32>, %a: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C2: expects element type 'f32', but got 'f16'}}
  %0 = tile.scatter_update %s, %i, %a : !tile.tile<[16, 64], f16>, !tile.tile<[16], i32>, !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @scatter_update_c3(%s: !tile.tile<[4, 64], f32>, %i: !tile.tile<[5], i32>, %a: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C3: expects one index per row of the source (4), but got 5}}
  %0 = tile.scatter_update %s, %i, %a : !tile.tile<[4, 64], f32>, !tile.tile<[5], i32>, !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @scatter_update_c4(%s: !tile.tile<[4, 64], f32>, %i: !tile.tile<[4], f32>, %a: !tile.tile<[16, 64], f32>) {
  // expected-error @below {{C4: expects integer or index elements, but got}}
  %0 = tile.scatter_update %s, %i, %a : !tile.tile<[4, 64], f32>, !tile.tile<[4], f32>, !tile.tile<[16, 64], f32>
  pl.return
}

// -----

pl.func inline @sort32_c1(%a: !tile.tile<[4, 48], f32>) {
  // expected-error @below {{C1: expects a last extent that is a multiple of 32 and valid as a whole, but got}}
  %0, %1 = tile.sort32 %a : !tile.tile<[4, 48], f32>
  pl.return
}

// -----

pl.func inline @sort32_c1_valid(%a: !tile.tile<[4, 64], f32, valid = [4, 32]>) {
  // expected-error @below {{C1: expects a last extent that is a multiple of 32 and valid as a whole, but got}}
  %0, %1 = tile.sort32 %a : !tile.tile<[4, 64], f32, valid = [4, 32]>
  pl.return
}

// -----

pl.func inline @sort32_c1_rank(%a: !tile.tile<[], f32>) {
  // expected-error @below {{C1: expects a last extent that is a multiple of 32 and valid as a whole, but got}}
  %0, %1 = tile.sort32 %a : !tile.tile<[], f32>
  pl.return
}

// -----

pl.func inline @sort32_c2(%a: !tile.tile<[4, 64], f32>, %i: !tile.tile<[4, 32], i32>) {
  // expected-error @below {{C2: expects indices with the extents of}}
  %0, %1 = tile.sort32 %a, %i : !tile.tile<[4, 64], f32>, !tile.tile<[4, 32], i32>
  pl.return
}

// -----

pl.func inline @sort32_c3(%a: !tile.tile<[4, 64], f32>, %i: !tile.tile<[4, 64], i64>) {
  // expected-error @below {{C3: expects 32-bit integer indices, but got}}
  %0, %1 = tile.sort32 %a, %i : !tile.tile<[4, 64], f32>, !tile.tile<[4, 64], i64>
  pl.return
}

// -----

pl.func inline @sort32_c3_values(%a: !tile.tile<[4, 64], i1>) {
  // expected-error @below {{C3: expects values other than i1, but got}}
  %0, %1 = tile.sort32 %a : !tile.tile<[4, 64], i1>
  pl.return
}

// -----

pl.func inline @mrgsort_c1_run(%a: !tile.tile<[4, 64], f32>, %i: !tile.tile<[4, 64], i32>) {
  // expected-error @below {{C1: expects a positive length of a run, but got 0}}
  %0, %1 = tile.mrgsort %a, %i run 0 : !tile.tile<[4, 64], f32>, !tile.tile<[4, 64], i32>
  pl.return
}

// -----

pl.func inline @mrgsort_c1(%a: !tile.tile<[4, 64], f32>, %i: !tile.tile<[4, 64], i32>) {
  // expected-error @below {{C1: expects a last extent that is a multiple of 48 and valid as a whole, but got}}
  %0, %1 = tile.mrgsort %a, %i run 48 : !tile.tile<[4, 64], f32>, !tile.tile<[4, 64], i32>
  pl.return
}

// -----

pl.func inline @mrgsort_c2(%a: !tile.tile<[4, 64], f32>, %i: !tile.tile<[4, 32], i32>) {
  // expected-error @below {{C2: expects indices with the extents of}}
  %0, %1 = tile.mrgsort %a, %i run 32 : !tile.tile<[4, 64], f32>, !tile.tile<[4, 32], i32>
  pl.return
}

// -----

pl.func inline @mrgsort_c3(%a: !tile.tile<[4, 64], f32>, %i: !tile.tile<[4, 64], i16>) {
  // expected-error @below {{C3: expects 32-bit integer indices, but got}}
  %0, %1 = tile.mrgsort %a, %i run 32 : !tile.tile<[4, 64], f32>, !tile.tile<[4, 64], i16>
  pl.return
}

// -----

pl.func inline @gather_c4(%a: !tile.tile<[4], f32, vec>, %i: !tile.tile<[4], i32, mat>) {
  // expected-error @below {{C4: expects tiles in one memory space, but got}}
  %0 = tile.gather %a, %i dim 0 : !tile.tile<[4], f32, vec>, !tile.tile<[4], i32, mat>
  pl.return
}

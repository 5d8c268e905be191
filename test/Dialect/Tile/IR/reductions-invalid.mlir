// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of reductions and expansions of tiles, one each.

pl.func inline @row_sum_c1(%a: !tile.tile<[], f32>) {
  // expected-error @below {{C1: expects a rank of at least 1, but got 0}}
  %0 = tile.row_sum %a : !tile.tile<[], f32>
  pl.return
}

// -----

pl.func inline @col_max_c1(%a: !tile.tile<[8], f32>) {
  // expected-error @below {{C1: expects a rank of at least 2, but got 1}}
  %0 = tile.col_max %a : !tile.tile<[8], f32>
  pl.return
}

// -----

pl.func inline @row_min_c2(%a: !tile.tile<[4, 8], i1>) {
  // expected-error @below {{C2: expects elements other than i1, but got}}
  %0 = tile.row_min %a : !tile.tile<[4, 8], i1>
  pl.return
}

// -----

pl.func inline @col_argmax_c2(%a: !tile.tile<[4, 8], i1>) {
  // expected-error @below {{C2: expects elements other than i1, but got}}
  %0 = tile.col_argmax %a : !tile.tile<[4, 8], i1>
  pl.return
}

// -----

pl.func inline @row_expand_c1(%a: !tile.tile<[4, 8], f32>, %b: !tile.tile<[4, 2], f32>) {
  // expected-error @below {{C1: expects a vector with the extent}}
  %0 = tile.row_expand %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[4, 2], f32>
  pl.return
}

// -----

pl.func inline @row_expand_add_c1_rank(%a: !tile.tile<[4, 8], f32>, %b: !tile.tile<[4], f32>) {
  // expected-error @below {{C1: expects a vector with the extents}}
  %0 = tile.row_expand_add %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[4], f32>
  pl.return
}

// -----

pl.func inline @col_expand_mul_c1(%a: !tile.tile<[4, 8], f32>, %b: !tile.tile<[1, 7], f32>) {
  // expected-error @below {{C1: expects a vector with the extents}}
  %0 = tile.col_expand_mul %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[1, 7], f32>
  pl.return
}

// -----

pl.func inline @row_expand_expdif_c2(%a: !tile.tile<[4, 8], i32>, %b: !tile.tile<[4, 1], i32>) {
  // expected-error @below {{C2: expects float elements, but got 'i32'}}
  %0 = tile.row_expand_expdif %a, %b : !tile.tile<[4, 8], i32>, !tile.tile<[4, 1], i32>
  pl.return
}

// -----

pl.func inline @row_expand_sub_operand(%a: !tile.tile<[4, 8], f32>, %b: f32) {
  // expected-error @below {{expects a t}}
  %0 = tile.row_expand_sub %a, %b : !tile.tile<[4, 8], f32>, f32
  pl.return
}

// -----

pl.func inline @row_sum_operand(%a: f32) {
  // expected-error @below {{expects a t}}
  %0 = tile.row_sum %a : f32
  pl.return
}

// -----

pl.func inline @row_expand_c2(%a: !tile.tile<[4, 8], f32>, %b: !tile.tile<[4, 1], f16>) {
  // expected-error @below {{C2: expects equal element types, but got 'f32' and 'f16'}}
  %0 = tile.row_expand %a, %b : !tile.tile<[4, 8], f32>, !tile.tile<[4, 1], f16>
  pl.return
}

// -----

pl.func inline @row_expand_div_c3(%a: !tile.tile<[4, 8], f32, vec>, %b: !tile.tile<[4, 1], f32, mat>) {
  // expected-error @below {{C3: expects tiles in one memory space, but got}}
  %0 = tile.row_expand_div %a, %b : !tile.tile<[4, 8], f32, vec>, !tile.tile<[4, 1], f32, mat>
  pl.return
}

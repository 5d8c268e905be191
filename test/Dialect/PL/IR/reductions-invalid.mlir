// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of reductions and expansions of tensors, one each.

pl.func inline @row_sum_c1(%a: !pl.tensor<[], f32>) {
  // expected-error @below {{C1: expects a rank of at least 1, but got 0}}
  %0 = pl.row_sum %a : !pl.tensor<[], f32>
  pl.return
}

// -----

pl.func inline @col_max_c1(%a: !pl.tensor<[8], f32>) {
  // expected-error @below {{C1: expects a rank of at least 2, but got 1}}
  %0 = pl.col_max %a : !pl.tensor<[8], f32>
  pl.return
}

// -----

pl.func inline @row_min_c2(%a: !pl.tensor<[4, 8], i1>) {
  // expected-error @below {{C2: expects elements other than i1, but got}}
  %0 = pl.row_min %a : !pl.tensor<[4, 8], i1>
  pl.return
}

// -----

pl.func inline @col_argmax_c2(%a: !pl.tensor<[4, 8], i1>) {
  // expected-error @below {{C2: expects elements other than i1, but got}}
  %0 = pl.col_argmax %a : !pl.tensor<[4, 8], i1>
  pl.return
}

// -----

pl.func inline @row_expand_c1(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[4, 2], f32>) {
  // expected-error @below {{C1: expects a vector with the extent}}
  %0 = pl.row_expand %a, %b : !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 2], f32>
  pl.return
}

// -----

pl.func inline @row_expand_add_c1_rank(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[4], f32>) {
  // expected-error @below {{C1: expects a vector with the extents}}
  %0 = pl.row_expand_add %a, %b : !pl.tensor<[4, 8], f32>, !pl.tensor<[4], f32>
  pl.return
}

// -----

pl.func inline @col_expand_mul_c1(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[1, 7], f32>) {
  // expected-error @below {{C1: expects a vector with the extents}}
  %0 = pl.col_expand_mul %a, %b : !pl.tensor<[4, 8], f32>, !pl.tensor<[1, 7], f32>
  pl.return
}

// -----

pl.func inline @row_expand_expdif_c2(%a: !pl.tensor<[4, 8], i32>, %b: !pl.tensor<[4, 1], i32>) {
  // expected-error @below {{C2: expects float elements, but got 'i32'}}
  %0 = pl.row_expand_expdif %a, %b : !pl.tensor<[4, 8], i32>, !pl.tensor<[4, 1], i32>
  pl.return
}

// -----

pl.func inline @row_expand_sub_operand(%a: !pl.tensor<[4, 8], f32>, %b: f32) {
  // expected-error @below {{expects a t}}
  %0 = pl.row_expand_sub %a, %b : !pl.tensor<[4, 8], f32>, f32
  pl.return
}

// -----

pl.func inline @row_sum_operand(%a: f32) {
  // expected-error @below {{expects a t}}
  %0 = pl.row_sum %a : f32
  pl.return
}

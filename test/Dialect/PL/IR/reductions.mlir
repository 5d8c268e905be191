// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Reductions of rows and columns, and rows and columns applied to a whole tensor.

// CHECK-LABEL: pl.func @rows
// CHECK: pl.row_sum %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.row_prod %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.row_max %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.row_min %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.row_argmax %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.row_argmin %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.row_sum %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f16, valid = [?, 24]>
pl.func @rows(%a: !pl.tensor<[64, N], f32>, %v: !pl.tensor<[64, N], f16, valid = [?, 24]>) {
  %0 = pl.row_sum %a : !pl.tensor<[64, N], f32>
  "test.use"(%0) : (!pl.tensor<[64, 1], f32>) -> ()
  %1 = pl.row_prod %a : !pl.tensor<[64, N], f32>
  "test.use"(%1) : (!pl.tensor<[64, 1], f32>) -> ()
  %2 = pl.row_max %a : !pl.tensor<[64, N], f32>
  "test.use"(%2) : (!pl.tensor<[64, 1], f32>) -> ()
  %3 = pl.row_min %a : !pl.tensor<[64, N], f32>
  "test.use"(%3) : (!pl.tensor<[64, 1], f32>) -> ()
  %a0 = pl.row_argmax %a : !pl.tensor<[64, N], f32>
  "test.use"(%a0) : (!pl.tensor<[64, 1], i32>) -> ()
  %a1 = pl.row_argmin %a : !pl.tensor<[64, N], f32>
  "test.use"(%a1) : (!pl.tensor<[64, 1], i32>) -> ()
  %r = pl.row_sum %v : !pl.tensor<[64, N], f16, valid = [?, 24]>
  "test.use"(%r) : (!pl.tensor<[64, 1], f16, valid = [?, 1]>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @columns
// CHECK: pl.col_sum %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.col_prod %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.col_max %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.col_min %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.col_argmax %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.col_argmin %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>
// CHECK: pl.col_sum %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f16, valid = [?, 24]>
pl.func @columns(%a: !pl.tensor<[64, N], f32>, %v: !pl.tensor<[64, N], f16, valid = [?, 24]>) {
  %0 = pl.col_sum %a : !pl.tensor<[64, N], f32>
  "test.use"(%0) : (!pl.tensor<[1, N], f32>) -> ()
  %1 = pl.col_prod %a : !pl.tensor<[64, N], f32>
  "test.use"(%1) : (!pl.tensor<[1, N], f32>) -> ()
  %2 = pl.col_max %a : !pl.tensor<[64, N], f32>
  "test.use"(%2) : (!pl.tensor<[1, N], f32>) -> ()
  %3 = pl.col_min %a : !pl.tensor<[64, N], f32>
  "test.use"(%3) : (!pl.tensor<[1, N], f32>) -> ()
  %a0 = pl.col_argmax %a : !pl.tensor<[64, N], f32>
  "test.use"(%a0) : (!pl.tensor<[1, N], i32>) -> ()
  %a1 = pl.col_argmin %a : !pl.tensor<[64, N], f32>
  "test.use"(%a1) : (!pl.tensor<[1, N], i32>) -> ()
  %r = pl.col_sum %v : !pl.tensor<[64, N], f16, valid = [?, 24]>
  "test.use"(%r) : (!pl.tensor<[1, N], f16, valid = [1, 24]>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @expand_rows
// CHECK: pl.row_expand %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
// CHECK: pl.row_expand_add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
// CHECK: pl.row_expand_sub %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
// CHECK: pl.row_expand_mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
// CHECK: pl.row_expand_div %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
// CHECK: pl.row_expand_max %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
// CHECK: pl.row_expand_min %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
// CHECK: pl.row_expand_expdif %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
pl.func @expand_rows(%a: !pl.tensor<[64, N], f32>, %b: !pl.tensor<[64, 1], f32>) {
  %e = pl.row_expand %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
  "test.use"(%e) : (!pl.tensor<[64, N], f32>) -> ()
  %0 = pl.row_expand_add %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
  "test.use"(%0) : (!pl.tensor<[64, N], f32>) -> ()
  %1 = pl.row_expand_sub %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
  "test.use"(%1) : (!pl.tensor<[64, N], f32>) -> ()
  %2 = pl.row_expand_mul %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
  "test.use"(%2) : (!pl.tensor<[64, N], f32>) -> ()
  %3 = pl.row_expand_div %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
  "test.use"(%3) : (!pl.tensor<[64, N], f32>) -> ()
  %4 = pl.row_expand_max %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
  "test.use"(%4) : (!pl.tensor<[64, N], f32>) -> ()
  %5 = pl.row_expand_min %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
  "test.use"(%5) : (!pl.tensor<[64, N], f32>) -> ()
  %6 = pl.row_expand_expdif %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[64, 1], f32>
  "test.use"(%6) : (!pl.tensor<[64, N], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @expand_columns
// CHECK: pl.col_expand %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.col_expand_add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.col_expand_sub %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.col_expand_mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.col_expand_div %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.col_expand_max %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.col_expand_min %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.col_expand_expdif %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
pl.func @expand_columns(%a: !pl.tensor<[64, N], f32>, %b: !pl.tensor<[1, N], f32>) {
  %e = pl.col_expand %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%e) : (!pl.tensor<[64, N], f32>) -> ()
  %0 = pl.col_expand_add %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%0) : (!pl.tensor<[64, N], f32>) -> ()
  %1 = pl.col_expand_sub %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%1) : (!pl.tensor<[64, N], f32>) -> ()
  %2 = pl.col_expand_mul %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%2) : (!pl.tensor<[64, N], f32>) -> ()
  %3 = pl.col_expand_div %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%3) : (!pl.tensor<[64, N], f32>) -> ()
  %4 = pl.col_expand_max %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%4) : (!pl.tensor<[64, N], f32>) -> ()
  %5 = pl.col_expand_min %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%5) : (!pl.tensor<[64, N], f32>) -> ()
  %6 = pl.col_expand_expdif %a, %b : !pl.tensor<[64, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%6) : (!pl.tensor<[64, N], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @ranks
// CHECK: pl.row_sum %{{[a-z0-9#]+}} : !pl.tensor<[2, 3, 4], f32>
// CHECK: pl.col_sum %{{[a-z0-9#]+}} : !pl.tensor<[2, 3, 4], f32>
pl.func @ranks(%a: !pl.tensor<[2, 3, 4], f32>) {
  %0 = pl.row_sum %a : !pl.tensor<[2, 3, 4], f32>
  "test.use"(%0) : (!pl.tensor<[2, 3, 1], f32>) -> ()
  %1 = pl.col_sum %a : !pl.tensor<[2, 3, 4], f32>
  "test.use"(%1) : (!pl.tensor<[2, 1, 4], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @expand_promotes
// CHECK: pl.row_expand_add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, 8], i32>, !pl.tensor<[4, 1], f16>
// CHECK: pl.row_expand %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, 8], i32>, !pl.tensor<[4, 1], f16>
// CHECK: pl.row_expand_mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, 8], f32, valid = [2, 8]>, !pl.tensor<[4, 1], f16>
pl.func @expand_promotes(%a: !pl.tensor<[4, 8], i32>,
                         %b: !pl.tensor<[4, 1], f16>,
                         %t: !pl.tensor<[4, 8], f32, valid = [2, 8]>) {
  %0 = pl.row_expand_add %a, %b : !pl.tensor<[4, 8], i32>, !pl.tensor<[4, 1], f16>
  "test.use"(%0) : (!pl.tensor<[4, 8], f16>) -> ()
  %1 = pl.row_expand %a, %b : !pl.tensor<[4, 8], i32>, !pl.tensor<[4, 1], f16>
  "test.use"(%1) : (!pl.tensor<[4, 8], f16>) -> ()
  %2 = pl.row_expand_mul %t, %b : !pl.tensor<[4, 8], f32, valid = [2, 8]>, !pl.tensor<[4, 1], f16>
  "test.use"(%2) : (!pl.tensor<[4, 8], f32, valid = [2, 8]>) -> ()
  pl.return
}

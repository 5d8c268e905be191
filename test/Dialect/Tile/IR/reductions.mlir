// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Reductions of rows and columns, and rows and columns applied to a whole tile.

// CHECK-LABEL: pl.func inline @rows
// CHECK: tile.row_sum %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.row_prod %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.row_max %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.row_min %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.row_argmax %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.row_argmin %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.row_sum %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f16, valid = [?, 24]>
pl.func inline @rows(%a: !tile.tile<[64, 32], f32>,
                     %v: !tile.tile<[64, 32], f16, valid = [?, 24]>) {
  %0 = tile.row_sum %a : !tile.tile<[64, 32], f32>
  "test.use"(%0) : (!tile.tile<[64, 1], f32>) -> ()
  %1 = tile.row_prod %a : !tile.tile<[64, 32], f32>
  "test.use"(%1) : (!tile.tile<[64, 1], f32>) -> ()
  %2 = tile.row_max %a : !tile.tile<[64, 32], f32>
  "test.use"(%2) : (!tile.tile<[64, 1], f32>) -> ()
  %3 = tile.row_min %a : !tile.tile<[64, 32], f32>
  "test.use"(%3) : (!tile.tile<[64, 1], f32>) -> ()
  %a0 = tile.row_argmax %a : !tile.tile<[64, 32], f32>
  "test.use"(%a0) : (!tile.tile<[64, 1], i32>) -> ()
  %a1 = tile.row_argmin %a : !tile.tile<[64, 32], f32>
  "test.use"(%a1) : (!tile.tile<[64, 1], i32>) -> ()
  %r = tile.row_sum %v : !tile.tile<[64, 32], f16, valid = [?, 24]>
  "test.use"(%r) : (!tile.tile<[64, 1], f16, valid = [?, 1]>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @columns
// CHECK: tile.col_sum %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.col_prod %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.col_max %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.col_min %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.col_argmax %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.col_argmin %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>
// CHECK: tile.col_sum %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f16, valid = [?, 24]>
pl.func inline @columns(%a: !tile.tile<[64, 32], f32>,
                        %v: !tile.tile<[64, 32], f16, valid = [?, 24]>) {
  %0 = tile.col_sum %a : !tile.tile<[64, 32], f32>
  "test.use"(%0) : (!tile.tile<[1, 32], f32>) -> ()
  %1 = tile.col_prod %a : !tile.tile<[64, 32], f32>
  "test.use"(%1) : (!tile.tile<[1, 32], f32>) -> ()
  %2 = tile.col_max %a : !tile.tile<[64, 32], f32>
  "test.use"(%2) : (!tile.tile<[1, 32], f32>) -> ()
  %3 = tile.col_min %a : !tile.tile<[64, 32], f32>
  "test.use"(%3) : (!tile.tile<[1, 32], f32>) -> ()
  %a0 = tile.col_argmax %a : !tile.tile<[64, 32], f32>
  "test.use"(%a0) : (!tile.tile<[1, 32], i32>) -> ()
  %a1 = tile.col_argmin %a : !tile.tile<[64, 32], f32>
  "test.use"(%a1) : (!tile.tile<[1, 32], i32>) -> ()
  %r = tile.col_sum %v : !tile.tile<[64, 32], f16, valid = [?, 24]>
  "test.use"(%r) : (!tile.tile<[1, 32], f16, valid = [1, 24]>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @expand_rows
// CHECK: tile.row_expand %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
// CHECK: tile.row_expand_add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
// CHECK: tile.row_expand_sub %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
// CHECK: tile.row_expand_mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
// CHECK: tile.row_expand_div %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
// CHECK: tile.row_expand_max %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
// CHECK: tile.row_expand_min %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
// CHECK: tile.row_expand_expdif %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
pl.func inline @expand_rows(%a: !tile.tile<[64, 32], f32>, %b: !tile.tile<[64, 1], f32>) {
  %e = tile.row_expand %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
  "test.use"(%e) : (!tile.tile<[64, 32], f32>) -> ()
  %0 = tile.row_expand_add %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
  "test.use"(%0) : (!tile.tile<[64, 32], f32>) -> ()
  %1 = tile.row_expand_sub %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
  "test.use"(%1) : (!tile.tile<[64, 32], f32>) -> ()
  %2 = tile.row_expand_mul %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
  "test.use"(%2) : (!tile.tile<[64, 32], f32>) -> ()
  %3 = tile.row_expand_div %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
  "test.use"(%3) : (!tile.tile<[64, 32], f32>) -> ()
  %4 = tile.row_expand_max %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
  "test.use"(%4) : (!tile.tile<[64, 32], f32>) -> ()
  %5 = tile.row_expand_min %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
  "test.use"(%5) : (!tile.tile<[64, 32], f32>) -> ()
  %6 = tile.row_expand_expdif %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[64, 1], f32>
  "test.use"(%6) : (!tile.tile<[64, 32], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @expand_columns
// CHECK: tile.col_expand %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
// CHECK: tile.col_expand_add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
// CHECK: tile.col_expand_sub %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
// CHECK: tile.col_expand_mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
// CHECK: tile.col_expand_div %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
// CHECK: tile.col_expand_max %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
// CHECK: tile.col_expand_min %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
// CHECK: tile.col_expand_expdif %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
pl.func inline @expand_columns(%a: !tile.tile<[64, 32], f32>, %b: !tile.tile<[1, 32], f32>) {
  %e = tile.col_expand %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
  "test.use"(%e) : (!tile.tile<[64, 32], f32>) -> ()
  %0 = tile.col_expand_add %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
  "test.use"(%0) : (!tile.tile<[64, 32], f32>) -> ()
  %1 = tile.col_expand_sub %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
  "test.use"(%1) : (!tile.tile<[64, 32], f32>) -> ()
  %2 = tile.col_expand_mul %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
  "test.use"(%2) : (!tile.tile<[64, 32], f32>) -> ()
  %3 = tile.col_expand_div %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
  "test.use"(%3) : (!tile.tile<[64, 32], f32>) -> ()
  %4 = tile.col_expand_max %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
  "test.use"(%4) : (!tile.tile<[64, 32], f32>) -> ()
  %5 = tile.col_expand_min %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
  "test.use"(%5) : (!tile.tile<[64, 32], f32>) -> ()
  %6 = tile.col_expand_expdif %a, %b : !tile.tile<[64, 32], f32>, !tile.tile<[1, 32], f32>
  "test.use"(%6) : (!tile.tile<[64, 32], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @spaces
// CHECK: tile.row_sum %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32, vec>
// CHECK: tile.row_expand_add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[64, 32], f32, vec>, !tile.tile<[64, 1], f32>
pl.func inline @spaces(%a: !tile.tile<[64, 32], f32, vec>, %b: !tile.tile<[64, 1], f32>) {
  %0 = tile.row_sum %a : !tile.tile<[64, 32], f32, vec>
  "test.use"(%0) : (!tile.tile<[64, 1], f32, vec>) -> ()
  %1 = tile.row_expand_add %a, %b : !tile.tile<[64, 32], f32, vec>, !tile.tile<[64, 1], f32>
  "test.use"(%1) : (!tile.tile<[64, 32], f32, vec>) -> ()
  pl.return
}

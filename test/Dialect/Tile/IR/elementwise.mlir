// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Elementwise operations on tiles: text, generic form and bytecode, and the types that they infer.

// CHECK-LABEL: pl.func inline @binary
// CHECK: tile.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.sub %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.div %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.fmod %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.maximum %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.minimum %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
// CHECK: tile.sub %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
// CHECK: tile.mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
// CHECK: tile.div %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
// CHECK: tile.fmod %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
// CHECK: tile.maximum %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
// CHECK: tile.minimum %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
pl.func inline @binary(%a: !tile.tile<[16, 64], f32>, %b: !tile.tile<[16, 64], f32>, %s: f32) {
  %0 = tile.add %a, %b : !tile.tile<[16, 64], f32>
  "test.use"(%0) : (!tile.tile<[16, 64], f32>) -> ()
  %1 = tile.sub %a, %b : !tile.tile<[16, 64], f32>
  "test.use"(%1) : (!tile.tile<[16, 64], f32>) -> ()
  %2 = tile.mul %a, %b : !tile.tile<[16, 64], f32>
  "test.use"(%2) : (!tile.tile<[16, 64], f32>) -> ()
  %3 = tile.div %a, %b : !tile.tile<[16, 64], f32>
  "test.use"(%3) : (!tile.tile<[16, 64], f32>) -> ()
  %4 = tile.fmod %a, %b : !tile.tile<[16, 64], f32>
  "test.use"(%4) : (!tile.tile<[16, 64], f32>) -> ()
  %5 = tile.maximum %a, %b : !tile.tile<[16, 64], f32>
  "test.use"(%5) : (!tile.tile<[16, 64], f32>) -> ()
  %6 = tile.minimum %a, %b : !tile.tile<[16, 64], f32>
  "test.use"(%6) : (!tile.tile<[16, 64], f32>) -> ()
  %s0 = tile.add %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%s0) : (!tile.tile<[16, 64], f32>) -> ()
  %s1 = tile.sub %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%s1) : (!tile.tile<[16, 64], f32>) -> ()
  %s2 = tile.mul %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%s2) : (!tile.tile<[16, 64], f32>) -> ()
  %s3 = tile.div %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%s3) : (!tile.tile<[16, 64], f32>) -> ()
  %s4 = tile.fmod %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%s4) : (!tile.tile<[16, 64], f32>) -> ()
  %s5 = tile.maximum %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%s5) : (!tile.tile<[16, 64], f32>) -> ()
  %s6 = tile.minimum %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%s6) : (!tile.tile<[16, 64], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @bitwise
// CHECK: tile.and %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4], ui8>
// CHECK: tile.or %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4], ui8>
// CHECK: tile.xor %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4], ui8>
// CHECK: tile.shl %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4], ui8>
// CHECK: tile.shr %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4], ui8>
// CHECK: tile.and %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4], ui8>, i8
// CHECK: tile.or %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4], ui8>, i8
// CHECK: tile.xor %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4], ui8>, i8
// CHECK: tile.shl %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4], ui8>, i8
// CHECK: tile.shr %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4], ui8>, i8
pl.func inline @bitwise(%a: !tile.tile<[4], ui8>, %s: i8) {
  %0 = tile.and %a, %a : !tile.tile<[4], ui8>
  "test.use"(%0) : (!tile.tile<[4], ui8>) -> ()
  %1 = tile.or %a, %a : !tile.tile<[4], ui8>
  "test.use"(%1) : (!tile.tile<[4], ui8>) -> ()
  %2 = tile.xor %a, %a : !tile.tile<[4], ui8>
  "test.use"(%2) : (!tile.tile<[4], ui8>) -> ()
  %3 = tile.shl %a, %a : !tile.tile<[4], ui8>
  "test.use"(%3) : (!tile.tile<[4], ui8>) -> ()
  %4 = tile.shr %a, %a : !tile.tile<[4], ui8>
  "test.use"(%4) : (!tile.tile<[4], ui8>) -> ()
  %s0 = tile.and %a, %s : !tile.tile<[4], ui8>, i8
  "test.use"(%s0) : (!tile.tile<[4], ui8>) -> ()
  %s1 = tile.or %a, %s : !tile.tile<[4], ui8>, i8
  "test.use"(%s1) : (!tile.tile<[4], ui8>) -> ()
  %s2 = tile.xor %a, %s : !tile.tile<[4], ui8>, i8
  "test.use"(%s2) : (!tile.tile<[4], ui8>) -> ()
  %s3 = tile.shl %a, %s : !tile.tile<[4], ui8>, i8
  "test.use"(%s3) : (!tile.tile<[4], ui8>) -> ()
  %s4 = tile.shr %a, %s : !tile.tile<[4], ui8>, i8
  "test.use"(%s4) : (!tile.tile<[4], ui8>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @unary
// CHECK: tile.exp %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.log %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.sqrt %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.rsqrt %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.recip %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.sin %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.cos %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.neg %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.abs %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.relu %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>
// CHECK: tile.not %{{[a-z0-9#]+}} : !tile.tile<[4], i32>
pl.func inline @unary(%a: !tile.tile<[16, 64], f32>, %i: !tile.tile<[4], i32>) {
  %0 = tile.exp %a : !tile.tile<[16, 64], f32>
  "test.use"(%0) : (!tile.tile<[16, 64], f32>) -> ()
  %1 = tile.log %a : !tile.tile<[16, 64], f32>
  "test.use"(%1) : (!tile.tile<[16, 64], f32>) -> ()
  %2 = tile.sqrt %a : !tile.tile<[16, 64], f32>
  "test.use"(%2) : (!tile.tile<[16, 64], f32>) -> ()
  %3 = tile.rsqrt %a : !tile.tile<[16, 64], f32>
  "test.use"(%3) : (!tile.tile<[16, 64], f32>) -> ()
  %4 = tile.recip %a : !tile.tile<[16, 64], f32>
  "test.use"(%4) : (!tile.tile<[16, 64], f32>) -> ()
  %5 = tile.sin %a : !tile.tile<[16, 64], f32>
  "test.use"(%5) : (!tile.tile<[16, 64], f32>) -> ()
  %6 = tile.cos %a : !tile.tile<[16, 64], f32>
  "test.use"(%6) : (!tile.tile<[16, 64], f32>) -> ()
  %7 = tile.neg %a : !tile.tile<[16, 64], f32>
  "test.use"(%7) : (!tile.tile<[16, 64], f32>) -> ()
  %8 = tile.abs %a : !tile.tile<[16, 64], f32>
  "test.use"(%8) : (!tile.tile<[16, 64], f32>) -> ()
  %9 = tile.relu %a : !tile.tile<[16, 64], f32>
  "test.use"(%9) : (!tile.tile<[16, 64], f32>) -> ()
  %n = tile.not %i : !tile.tile<[4], i32>
  "test.use"(%n) : (!tile.tile<[4], i32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @compare
// CHECK: tile.cmp eq %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
// CHECK: tile.cmp ne %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
// CHECK: tile.cmp lt %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
// CHECK: tile.cmp le %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
// CHECK: tile.cmp gt %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
// CHECK: tile.cmp ge %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, f32
pl.func inline @compare(%a: !tile.tile<[16, 64], f32>, %s: f32) {
  %0 = tile.cmp eq %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%0) : (!tile.tile<[16, 64], i1>) -> ()
  %1 = tile.cmp ne %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%1) : (!tile.tile<[16, 64], i1>) -> ()
  %2 = tile.cmp lt %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%2) : (!tile.tile<[16, 64], i1>) -> ()
  %3 = tile.cmp le %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%3) : (!tile.tile<[16, 64], i1>) -> ()
  %4 = tile.cmp gt %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%4) : (!tile.tile<[16, 64], i1>) -> ()
  %5 = tile.cmp ge %a, %s : !tile.tile<[16, 64], f32>, f32
  "test.use"(%5) : (!tile.tile<[16, 64], i1>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @convert
// CHECK: tile.cast %{{[a-z0-9#]+}} to f16 : !tile.tile<[16, 64], f32>
// CHECK: tile.cast %{{[a-z0-9#]+}} to ui8 mode rint : !tile.tile<[16, 64], f32>
pl.func inline @convert(%a: !tile.tile<[16, 64], f32>) {
  %0 = tile.cast %a to f16 : !tile.tile<[16, 64], f32>
  "test.use"(%0) : (!tile.tile<[16, 64], f16>) -> ()
  %1 = tile.cast %a to ui8 mode rint : !tile.tile<[16, 64], f32>
  "test.use"(%1) : (!tile.tile<[16, 64], ui8>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @broadcast
// CHECK: tile.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[1, 64], f32>, !tile.tile<[16, 64], f32>
// CHECK: tile.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, !tile.tile<[64], f32>
pl.func inline @broadcast(%a: !tile.tile<[16, 64], f32>,
                          %b: !tile.tile<[1, 64], f32>,
                          %c: !tile.tile<[64], f32>) {
  %0 = tile.add %b, %a : !tile.tile<[1, 64], f32>, !tile.tile<[16, 64], f32>
  "test.use"(%0) : (!tile.tile<[16, 64], f32>) -> ()
  %1 = tile.add %a, %c : !tile.tile<[16, 64], f32>, !tile.tile<[64], f32>
  "test.use"(%1) : (!tile.tile<[16, 64], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @spaces
// CHECK: tile.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32, vec>
pl.func inline @spaces(%a: !tile.tile<[16, 64], f32>, %b: !tile.tile<[16, 64], f32, vec>) {
  %0 = tile.add %a, %b : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32, vec>
  "test.use"(%0) : (!tile.tile<[16, 64], f32, vec>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @valid_shape
// CHECK: tile.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32, valid = [8, 64]>, !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK: tile.mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32, valid = [?, 64]>, f32
pl.func inline @valid_shape(%a: !tile.tile<[16, 64], f32, valid = [8, 64]>,
                            %b: !tile.tile<[16, 64], f32, valid = [?, 64]>,
                            %s: f32) {
  %0 = tile.add %a, %b : !tile.tile<[16, 64], f32, valid = [8, 64]>, !tile.tile<[16, 64], f32, valid = [?, 64]>
  "test.use"(%0) : (!tile.tile<[16, 64], f32, valid = [?, 64]>) -> ()
  %1 = tile.mul %b, %s : !tile.tile<[16, 64], f32, valid = [?, 64]>, f32
  "test.use"(%1) : (!tile.tile<[16, 64], f32, valid = [?, 64]>) -> ()
  pl.return
}

// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Elementwise operations on tensors: text, generic form and bytecode, and the types that they infer.

// CHECK-LABEL: pl.func @binary
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.sub %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.div %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.fmod %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.maximum %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.minimum %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
// CHECK: pl.sub %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
// CHECK: pl.mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
// CHECK: pl.div %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
// CHECK: pl.fmod %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
// CHECK: pl.maximum %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
// CHECK: pl.minimum %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
pl.func @binary(%a: !pl.tensor<[4, N], f32>, %b: !pl.tensor<[1, N], f32>, %s: f32) {
  %0 = pl.add %a, %b : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%0) : (!pl.tensor<[4, N], f32>) -> ()
  %1 = pl.sub %a, %b : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%1) : (!pl.tensor<[4, N], f32>) -> ()
  %2 = pl.mul %a, %b : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%2) : (!pl.tensor<[4, N], f32>) -> ()
  %3 = pl.div %a, %b : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%3) : (!pl.tensor<[4, N], f32>) -> ()
  %4 = pl.fmod %a, %b : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%4) : (!pl.tensor<[4, N], f32>) -> ()
  %5 = pl.maximum %a, %b : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%5) : (!pl.tensor<[4, N], f32>) -> ()
  %6 = pl.minimum %a, %b : !pl.tensor<[4, N], f32>, !pl.tensor<[1, N], f32>
  "test.use"(%6) : (!pl.tensor<[4, N], f32>) -> ()
  %s0 = pl.add %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%s0) : (!pl.tensor<[4, N], f32>) -> ()
  %s1 = pl.sub %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%s1) : (!pl.tensor<[4, N], f32>) -> ()
  %s2 = pl.mul %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%s2) : (!pl.tensor<[4, N], f32>) -> ()
  %s3 = pl.div %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%s3) : (!pl.tensor<[4, N], f32>) -> ()
  %s4 = pl.fmod %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%s4) : (!pl.tensor<[4, N], f32>) -> ()
  %s5 = pl.maximum %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%s5) : (!pl.tensor<[4, N], f32>) -> ()
  %s6 = pl.minimum %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%s6) : (!pl.tensor<[4, N], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @bitwise
// CHECK: pl.and %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], ui8>, !pl.tensor<[4, N], i16>
// CHECK: pl.or %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], ui8>, !pl.tensor<[4, N], i16>
// CHECK: pl.xor %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], ui8>, !pl.tensor<[4, N], i16>
// CHECK: pl.shl %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], ui8>, !pl.tensor<[4, N], i16>
// CHECK: pl.shr %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], ui8>, !pl.tensor<[4, N], i16>
// CHECK: pl.and %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], ui8>, i8
// CHECK: pl.or %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], ui8>, i8
// CHECK: pl.xor %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], ui8>, i8
// CHECK: pl.shl %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], ui8>, i8
// CHECK: pl.shr %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], ui8>, i8
pl.func @bitwise(%a: !pl.tensor<[4, N], ui8>, %b: !pl.tensor<[4, N], i16>, %s: i8) {
  %0 = pl.and %a, %b : !pl.tensor<[4, N], ui8>, !pl.tensor<[4, N], i16>
  "test.use"(%0) : (!pl.tensor<[4, N], i16>) -> ()
  %1 = pl.or %a, %b : !pl.tensor<[4, N], ui8>, !pl.tensor<[4, N], i16>
  "test.use"(%1) : (!pl.tensor<[4, N], i16>) -> ()
  %2 = pl.xor %a, %b : !pl.tensor<[4, N], ui8>, !pl.tensor<[4, N], i16>
  "test.use"(%2) : (!pl.tensor<[4, N], i16>) -> ()
  %3 = pl.shl %a, %b : !pl.tensor<[4, N], ui8>, !pl.tensor<[4, N], i16>
  "test.use"(%3) : (!pl.tensor<[4, N], ui8>) -> ()
  %4 = pl.shr %a, %b : !pl.tensor<[4, N], ui8>, !pl.tensor<[4, N], i16>
  "test.use"(%4) : (!pl.tensor<[4, N], ui8>) -> ()
  %s0 = pl.and %a, %s : !pl.tensor<[4, N], ui8>, i8
  "test.use"(%s0) : (!pl.tensor<[4, N], ui8>) -> ()
  %s1 = pl.or %a, %s : !pl.tensor<[4, N], ui8>, i8
  "test.use"(%s1) : (!pl.tensor<[4, N], ui8>) -> ()
  %s2 = pl.xor %a, %s : !pl.tensor<[4, N], ui8>, i8
  "test.use"(%s2) : (!pl.tensor<[4, N], ui8>) -> ()
  %s3 = pl.shl %a, %s : !pl.tensor<[4, N], ui8>, i8
  "test.use"(%s3) : (!pl.tensor<[4, N], ui8>) -> ()
  %s4 = pl.shr %a, %s : !pl.tensor<[4, N], ui8>, i8
  "test.use"(%s4) : (!pl.tensor<[4, N], ui8>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @unary
// CHECK: pl.exp %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>
// CHECK: pl.log %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>
// CHECK: pl.sqrt %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>
// CHECK: pl.rsqrt %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>
// CHECK: pl.recip %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>
// CHECK: pl.sin %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>
// CHECK: pl.cos %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>
// CHECK: pl.neg %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>
// CHECK: pl.abs %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>
// CHECK: pl.relu %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>
// CHECK: pl.not %{{[a-z0-9#]+}} : !pl.tensor<[4], i32>
pl.func @unary(%a: !pl.tensor<[4, N], f32>, %i: !pl.tensor<[4], i32>) {
  %0 = pl.exp %a : !pl.tensor<[4, N], f32>
  "test.use"(%0) : (!pl.tensor<[4, N], f32>) -> ()
  %1 = pl.log %a : !pl.tensor<[4, N], f32>
  "test.use"(%1) : (!pl.tensor<[4, N], f32>) -> ()
  %2 = pl.sqrt %a : !pl.tensor<[4, N], f32>
  "test.use"(%2) : (!pl.tensor<[4, N], f32>) -> ()
  %3 = pl.rsqrt %a : !pl.tensor<[4, N], f32>
  "test.use"(%3) : (!pl.tensor<[4, N], f32>) -> ()
  %4 = pl.recip %a : !pl.tensor<[4, N], f32>
  "test.use"(%4) : (!pl.tensor<[4, N], f32>) -> ()
  %5 = pl.sin %a : !pl.tensor<[4, N], f32>
  "test.use"(%5) : (!pl.tensor<[4, N], f32>) -> ()
  %6 = pl.cos %a : !pl.tensor<[4, N], f32>
  "test.use"(%6) : (!pl.tensor<[4, N], f32>) -> ()
  %7 = pl.neg %a : !pl.tensor<[4, N], f32>
  "test.use"(%7) : (!pl.tensor<[4, N], f32>) -> ()
  %8 = pl.abs %a : !pl.tensor<[4, N], f32>
  "test.use"(%8) : (!pl.tensor<[4, N], f32>) -> ()
  %9 = pl.relu %a : !pl.tensor<[4, N], f32>
  "test.use"(%9) : (!pl.tensor<[4, N], f32>) -> ()
  %n = pl.not %i : !pl.tensor<[4], i32>
  "test.use"(%n) : (!pl.tensor<[4], i32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @compare
// CHECK: pl.cmp eq %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
// CHECK: pl.cmp ne %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
// CHECK: pl.cmp lt %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
// CHECK: pl.cmp le %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
// CHECK: pl.cmp gt %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
// CHECK: pl.cmp ge %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, N], f32>, f32
pl.func @compare(%a: !pl.tensor<[4, N], f32>, %s: f32) {
  %0 = pl.cmp eq %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%0) : (!pl.tensor<[4, N], i1>) -> ()
  %1 = pl.cmp ne %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%1) : (!pl.tensor<[4, N], i1>) -> ()
  %2 = pl.cmp lt %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%2) : (!pl.tensor<[4, N], i1>) -> ()
  %3 = pl.cmp le %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%3) : (!pl.tensor<[4, N], i1>) -> ()
  %4 = pl.cmp gt %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%4) : (!pl.tensor<[4, N], i1>) -> ()
  %5 = pl.cmp ge %a, %s : !pl.tensor<[4, N], f32>, f32
  "test.use"(%5) : (!pl.tensor<[4, N], i1>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @convert
// CHECK: pl.cast %{{[a-z0-9#]+}} to f16 : !pl.tensor<[4, N], f32>
// CHECK: pl.cast %{{[a-z0-9#]+}} to ui8 mode rint : !pl.tensor<[4, N], f32>
// CHECK: pl.cast %{{[a-z0-9#]+}} to i32 mode round : !pl.tensor<[4, N], f32>
// CHECK: pl.cast %{{[a-z0-9#]+}} to i32 mode floor : !pl.tensor<[4, N], f32>
// CHECK: pl.cast %{{[a-z0-9#]+}} to i32 mode ceil : !pl.tensor<[4, N], f32>
// CHECK: pl.cast %{{[a-z0-9#]+}} to i32 mode trunc : !pl.tensor<[4, N], f32>
// CHECK: pl.cast %{{[a-z0-9#]+}} to i32 mode odd : !pl.tensor<[4, N], f32>
pl.func @convert(%a: !pl.tensor<[4, N], f32>) {
  %0 = pl.cast %a to f16 : !pl.tensor<[4, N], f32>
  "test.use"(%0) : (!pl.tensor<[4, N], f16>) -> ()
  %1 = pl.cast %a to ui8 mode rint : !pl.tensor<[4, N], f32>
  "test.use"(%1) : (!pl.tensor<[4, N], ui8>) -> ()
  %m0 = pl.cast %a to i32 mode round : !pl.tensor<[4, N], f32>
  "test.use"(%m0) : (!pl.tensor<[4, N], i32>) -> ()
  %m1 = pl.cast %a to i32 mode floor : !pl.tensor<[4, N], f32>
  "test.use"(%m1) : (!pl.tensor<[4, N], i32>) -> ()
  %m2 = pl.cast %a to i32 mode ceil : !pl.tensor<[4, N], f32>
  "test.use"(%m2) : (!pl.tensor<[4, N], i32>) -> ()
  %m3 = pl.cast %a to i32 mode trunc : !pl.tensor<[4, N], f32>
  "test.use"(%m3) : (!pl.tensor<[4, N], i32>) -> ()
  %m4 = pl.cast %a to i32 mode odd : !pl.tensor<[4, N], f32>
  "test.use"(%m4) : (!pl.tensor<[4, N], i32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @promotion
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4], i32>, !pl.tensor<[4], f16>
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4], f16>, !pl.tensor<[4], bf16>
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4], ui32>, !pl.tensor<[4], i32>
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4], i32>, !pl.tensor<[4], i64>
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4], index>, !pl.tensor<[4], i32>
pl.func @promotion(%i: !pl.tensor<[4], i32>,
                   %u: !pl.tensor<[4], ui32>,
                   %h: !pl.tensor<[4], f16>,
                   %b: !pl.tensor<[4], bf16>,
                   %x: !pl.tensor<[4], index>,
                   %l: !pl.tensor<[4], i64>) {
  %0 = pl.add %i, %h : !pl.tensor<[4], i32>, !pl.tensor<[4], f16>
  "test.use"(%0) : (!pl.tensor<[4], f16>) -> ()
  %1 = pl.add %h, %b : !pl.tensor<[4], f16>, !pl.tensor<[4], bf16>
  "test.use"(%1) : (!pl.tensor<[4], f32>) -> ()
  %2 = pl.add %u, %i : !pl.tensor<[4], ui32>, !pl.tensor<[4], i32>
  "test.use"(%2) : (!pl.tensor<[4], i32>) -> ()
  %3 = pl.add %i, %l : !pl.tensor<[4], i32>, !pl.tensor<[4], i64>
  "test.use"(%3) : (!pl.tensor<[4], i64>) -> ()
  %4 = pl.add %x, %i : !pl.tensor<[4], index>, !pl.tensor<[4], i32>
  "test.use"(%4) : (!pl.tensor<[4], index>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @broadcast
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[M, 1, 4], f32>, !pl.tensor<[N, 4], f32>
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4], f32>, !pl.tensor<[N, 4], f32>
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[?, 4], f32>, !pl.tensor<[N, 4], f32>
pl.func @broadcast(%a: !pl.tensor<[M, 1, 4], f32>,
                   %b: !pl.tensor<[N, 4], f32>,
                   %c: !pl.tensor<[4], f32>,
                   %d: !pl.tensor<[?, 4], f32>) {
  %0 = pl.add %a, %b : !pl.tensor<[M, 1, 4], f32>, !pl.tensor<[N, 4], f32>
  "test.use"(%0) : (!pl.tensor<[M, N, 4], f32>) -> ()
  %1 = pl.add %c, %b : !pl.tensor<[4], f32>, !pl.tensor<[N, 4], f32>
  "test.use"(%1) : (!pl.tensor<[N, 4], f32>) -> ()
  %2 = pl.add %d, %b : !pl.tensor<[?, 4], f32>, !pl.tensor<[N, 4], f32>
  "test.use"(%2) : (!pl.tensor<[?, 4], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @valid_shape
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, 8], f32, valid = [48, 8]>, !pl.tensor<[64, 8], f32, valid = [48, 8]>
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, 8], f32, valid = [48, 8]>, !pl.tensor<[64, 8], f32>
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, 8], f32, valid = [48, 8]>, !pl.tensor<[64, 8], f32, valid = [32, 8]>
// CHECK: pl.add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[64, 8], f32, valid = [48, 8]>, !pl.tensor<[64, 8], f32, valid = [?, 8]>
// CHECK: pl.exp %{{[a-z0-9#]+}} : !pl.tensor<[64, 8], f32, valid = [?, 8]>
pl.func @valid_shape(%a: !pl.tensor<[64, 8], f32, valid = [48, 8]>,
                     %b: !pl.tensor<[64, 8], f32>,
                     %c: !pl.tensor<[64, 8], f32, valid = [32, 8]>,
                     %d: !pl.tensor<[64, 8], f32, valid = [?, 8]>) {
  %0 = pl.add %a, %a : !pl.tensor<[64, 8], f32, valid = [48, 8]>, !pl.tensor<[64, 8], f32, valid = [48, 8]>
  "test.use"(%0) : (!pl.tensor<[64, 8], f32, valid = [48, 8]>) -> ()
  %1 = pl.add %a, %b : !pl.tensor<[64, 8], f32, valid = [48, 8]>, !pl.tensor<[64, 8], f32>
  "test.use"(%1) : (!pl.tensor<[64, 8], f32, valid = [48, 8]>) -> ()
  %2 = pl.add %a, %c : !pl.tensor<[64, 8], f32, valid = [48, 8]>, !pl.tensor<[64, 8], f32, valid = [32, 8]>
  "test.use"(%2) : (!pl.tensor<[64, 8], f32, valid = [32, 8]>) -> ()
  %3 = pl.add %a, %d : !pl.tensor<[64, 8], f32, valid = [48, 8]>, !pl.tensor<[64, 8], f32, valid = [?, 8]>
  "test.use"(%3) : (!pl.tensor<[64, 8], f32, valid = [?, 8]>) -> ()
  %4 = pl.exp %d : !pl.tensor<[64, 8], f32, valid = [?, 8]>
  "test.use"(%4) : (!pl.tensor<[64, 8], f32, valid = [?, 8]>) -> ()
  pl.return
}

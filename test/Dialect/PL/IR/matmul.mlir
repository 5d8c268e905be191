// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Matrix products of tensors: shapes, transposed operands, batches, element types.

// CHECK-LABEL: pl.func @plain
// CHECK: pl.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[M, 64], f16>, !pl.tensor<[64, 32], f16>
// CHECK: pl.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} to f32 : !pl.tensor<[M, 64], f16>, !pl.tensor<[64, 32], f16>
pl.func @plain(%a: !pl.tensor<[M, 64], f16>, %b: !pl.tensor<[64, 32], f16>) {
  %0 = pl.matmul %a, %b : !pl.tensor<[M, 64], f16>, !pl.tensor<[64, 32], f16>
  "test.use"(%0) : (!pl.tensor<[M, 32], f16>) -> ()
  %1 = pl.matmul %a, %b to f32 : !pl.tensor<[M, 64], f16>, !pl.tensor<[64, 32], f16>
  "test.use"(%1) : (!pl.tensor<[M, 32], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @transposed
// CHECK: pl.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} a_trans b_trans to f32 : !pl.tensor<[64, M], f16>, !pl.tensor<[32, 64], f16>
pl.func @transposed(%a: !pl.tensor<[64, M], f16>, %b: !pl.tensor<[32, 64], f16>) {
  %0 = pl.matmul %a, %b a_trans b_trans to f32 : !pl.tensor<[64, M], f16>, !pl.tensor<[32, 64], f16>
  "test.use"(%0) : (!pl.tensor<[M, 32], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @batches
// CHECK: pl.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[2, 1, M, 64], f32>, !pl.tensor<[5, 64, 8], f32>
// CHECK: pl.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[2, 1, M, 64], f32>, !pl.tensor<[64, 8], f32>
pl.func @batches(%a: !pl.tensor<[2, 1, M, 64], f32>,
                 %b: !pl.tensor<[5, 64, 8], f32>,
                 %c: !pl.tensor<[64, 8], f32>) {
  %0 = pl.matmul %a, %b : !pl.tensor<[2, 1, M, 64], f32>, !pl.tensor<[5, 64, 8], f32>
  "test.use"(%0) : (!pl.tensor<[2, 5, M, 8], f32>) -> ()
  %1 = pl.matmul %a, %c : !pl.tensor<[2, 1, M, 64], f32>, !pl.tensor<[64, 8], f32>
  "test.use"(%1) : (!pl.tensor<[2, 1, M, 8], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @integers
// CHECK: pl.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} to i32 : !pl.tensor<[4, 8], i8>, !pl.tensor<[8, 4], ui8>
// CHECK: pl.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, 8], i8>, !pl.tensor<[8, 4], ui8>
pl.func @integers(%a: !pl.tensor<[4, 8], i8>, %b: !pl.tensor<[8, 4], ui8>) {
  %0 = pl.matmul %a, %b to i32 : !pl.tensor<[4, 8], i8>, !pl.tensor<[8, 4], ui8>
  "test.use"(%0) : (!pl.tensor<[4, 4], i32>) -> ()
  %1 = pl.matmul %a, %b : !pl.tensor<[4, 8], i8>, !pl.tensor<[8, 4], ui8>
  "test.use"(%1) : (!pl.tensor<[4, 4], i8>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @valid_shape
// CHECK: pl.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[16, 64], f32, valid = [?, 48]>, !pl.tensor<[64, 8], f32, valid = [48, 5]>
// CHECK: pl.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} a_trans : !pl.tensor<[64, 8], f32>, !pl.tensor<[64, 8], f32>
pl.func @valid_shape(%a: !pl.tensor<[16, 64], f32, valid = [?, 48]>,
                     %b: !pl.tensor<[64, 8], f32, valid = [48, 5]>,
                     %c: !pl.tensor<[64, 8], f32>) {
  %0 = pl.matmul %a, %b : !pl.tensor<[16, 64], f32, valid = [?, 48]>, !pl.tensor<[64, 8], f32, valid = [48, 5]>
  "test.use"(%0) : (!pl.tensor<[16, 8], f32, valid = [?, 5]>) -> ()
  %1 = pl.matmul %c, %c a_trans : !pl.tensor<[64, 8], f32>, !pl.tensor<[64, 8], f32>
  "test.use"(%1) : (!pl.tensor<[8, 8], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @accumulate
// CHECK: pl.matmul_acc %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[M, 32], f32>, !pl.tensor<[M, 64], f16>, !pl.tensor<[64, 32], f16>
// CHECK: pl.matmul_acc %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} init %{{[a-z0-9#]+}} : !pl.tensor<[M, 32], f32>, !pl.tensor<[M, 64], f16>, !pl.tensor<[64, 32], f16>
pl.func @accumulate(%acc: !pl.tensor<[M, 32], f32>,
                    %a: !pl.tensor<[M, 64], f16>,
                    %b: !pl.tensor<[64, 32], f16>,
                    %c: i1) {
  %0 = pl.matmul_acc %acc, %a, %b : !pl.tensor<[M, 32], f32>, !pl.tensor<[M, 64], f16>, !pl.tensor<[64, 32], f16>
  "test.use"(%0) : (!pl.tensor<[M, 32], f32>) -> ()
  %1 = pl.matmul_acc %acc, %a, %b init %c : !pl.tensor<[M, 32], f32>, !pl.tensor<[M, 64], f16>, !pl.tensor<[64, 32], f16>
  "test.use"(%1) : (!pl.tensor<[M, 32], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @accumulate_transposed
// CHECK: pl.matmul_acc %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} a_trans b_trans : !pl.tensor<[M, 32], f32>, !pl.tensor<[64, M], f16>, !pl.tensor<[32, 64], f16>
pl.func @accumulate_transposed(%acc: !pl.tensor<[M, 32], f32>,
                               %a: !pl.tensor<[64, M], f16>,
                               %b: !pl.tensor<[32, 64], f16>) {
  %0 = pl.matmul_acc %acc, %a, %b a_trans b_trans : !pl.tensor<[M, 32], f32>, !pl.tensor<[64, M], f16>, !pl.tensor<[32, 64], f16>
  "test.use"(%0) : (!pl.tensor<[M, 32], f32>) -> ()
  pl.return
}

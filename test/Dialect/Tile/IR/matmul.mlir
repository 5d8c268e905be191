// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Matrix products of tiles: the space and the element type of the result.

// CHECK-LABEL: pl.func inline @placed
// CHECK: tile.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f16, left>, !tile.tile<[64, 32], f16, right>
pl.func inline @placed(%a: !tile.tile<[16, 64], f16, left>, %b: !tile.tile<[64, 32], f16, right>) {
  %0 = tile.matmul %a, %b : !tile.tile<[16, 64], f16, left>, !tile.tile<[64, 32], f16, right>
  "test.use"(%0) : (!tile.tile<[16, 32], f32, acc>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @not_placed
// CHECK: tile.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], bf16>, !tile.tile<[64, 32], bf16>
// CHECK: tile.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], bf16>, !tile.tile<[64, 32], bf16, mat>
pl.func inline @not_placed(%a: !tile.tile<[16, 64], bf16>,
                           %b: !tile.tile<[64, 32], bf16>,
                           %m: !tile.tile<[64, 32], bf16, mat>) {
  %0 = tile.matmul %a, %b : !tile.tile<[16, 64], bf16>, !tile.tile<[64, 32], bf16>
  "test.use"(%0) : (!tile.tile<[16, 32], f32>) -> ()
  %1 = tile.matmul %a, %m : !tile.tile<[16, 64], bf16>, !tile.tile<[64, 32], bf16, mat>
  "test.use"(%1) : (!tile.tile<[16, 32], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @elements
// CHECK: tile.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4, 8], i8>, !tile.tile<[8, 4], ui8>
// CHECK: tile.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4, 8], f16>, !tile.tile<[8, 4], f64>
// CHECK: tile.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4, 8], i8>, !tile.tile<[8, 4], i64>
// CHECK: tile.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4, 8], f8E4M3FN>, !tile.tile<[8, 4], f64>
pl.func inline @elements(%i: !tile.tile<[4, 8], i8>,
                         %u: !tile.tile<[8, 4], ui8>,
                         %d: !tile.tile<[8, 4], f64>,
                         %h: !tile.tile<[4, 8], f16>,
                         %l: !tile.tile<[8, 4], i64>,
                         %q: !tile.tile<[4, 8], f8E4M3FN>) {
  %0 = tile.matmul %i, %u : !tile.tile<[4, 8], i8>, !tile.tile<[8, 4], ui8>
  "test.use"(%0) : (!tile.tile<[4, 4], i32>) -> ()
  %1 = tile.matmul %h, %d : !tile.tile<[4, 8], f16>, !tile.tile<[8, 4], f64>
  "test.use"(%1) : (!tile.tile<[4, 4], f64>) -> ()
  %2 = tile.matmul %i, %l : !tile.tile<[4, 8], i8>, !tile.tile<[8, 4], i64>
  "test.use"(%2) : (!tile.tile<[4, 4], i64>) -> ()
  %3 = tile.matmul %q, %d : !tile.tile<[4, 8], f8E4M3FN>, !tile.tile<[8, 4], f64>
  "test.use"(%3) : (!tile.tile<[4, 4], f64>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @batches
// CHECK: tile.matmul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[3, 16, 64], f16>, !tile.tile<[64, 32], f16>
pl.func inline @batches(%a: !tile.tile<[3, 16, 64], f16>, %b: !tile.tile<[64, 32], f16>) {
  %0 = tile.matmul %a, %b : !tile.tile<[3, 16, 64], f16>, !tile.tile<[64, 32], f16>
  "test.use"(%0) : (!tile.tile<[3, 16, 32], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @accumulate
// CHECK: tile.matmul_acc %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 32], f32, acc>, !tile.tile<[16, 64], f16, left>, !tile.tile<[64, 32], f16, right>
// CHECK: tile.matmul_acc %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} init %{{[a-z0-9#]+}} : !tile.tile<[16, 32], f32, acc>, !tile.tile<[16, 64], f16, left>, !tile.tile<[64, 32], f16, right>
pl.func inline @accumulate(%acc: !tile.tile<[16, 32], f32, acc>,
                           %a: !tile.tile<[16, 64], f16, left>,
                           %b: !tile.tile<[64, 32], f16, right>,
                           %c: i1) {
  %0 = tile.matmul_acc %acc, %a, %b : !tile.tile<[16, 32], f32, acc>, !tile.tile<[16, 64], f16, left>, !tile.tile<[64, 32], f16, right>
  "test.use"(%0) : (!tile.tile<[16, 32], f32, acc>) -> ()
  %1 = tile.matmul_acc %acc, %a, %b init %c : !tile.tile<[16, 32], f32, acc>, !tile.tile<[16, 64], f16, left>, !tile.tile<[64, 32], f16, right>
  "test.use"(%1) : (!tile.tile<[16, 32], f32, acc>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @bias
// CHECK: tile.matmul_bias %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f16, left>, !tile.tile<[64, 32], f16, right>, !tile.tile<[1, 32], f32, bias>
pl.func inline @bias(%a: !tile.tile<[16, 64], f16, left>,
                     %b: !tile.tile<[64, 32], f16, right>,
                     %c: !tile.tile<[1, 32], f32, bias>) {
  %0 = tile.matmul_bias %a, %b, %c : !tile.tile<[16, 64], f16, left>, !tile.tile<[64, 32], f16, right>, !tile.tile<[1, 32], f32, bias>
  "test.use"(%0) : (!tile.tile<[16, 32], f32, acc>) -> ()
  pl.return
}

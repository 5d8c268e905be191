// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Tensors transposed, put together, filled, made from numbers, selected from, combined in part.

// CHECK-LABEL: pl.func @transpose
// CHECK: pl.transpose %{{[a-z0-9#]+}}, 0, 1 : !pl.tensor<[M, 64, 2], f32, valid = [M, 32, 2]>
pl.func @transpose(%a: !pl.tensor<[M, 64, 2], f32, valid = [M, 32, 2]>) {
  %0 = pl.transpose %a, 0, 1 : !pl.tensor<[M, 64, 2], f32, valid = [M, 32, 2]>
  "test.use"(%0) : (!pl.tensor<[64, M, 2], f32, valid = [32, M, 2]>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @concat
// CHECK: pl.concat %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} axis 0 : !pl.tensor<[M, 64], f32>, !pl.tensor<[N, 64], f32>
// CHECK: pl.concat %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[M, 64], f32>, !pl.tensor<[M, 8], f32, valid = [M, 3]>
// CHECK: pl.concat %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[M, 64], f32>, !pl.tensor<[M, 8], f32, valid = [?, 8]>
pl.func @concat(%a: !pl.tensor<[M, 64], f32>,
                %b: !pl.tensor<[N, 64], f32>,
                %c: !pl.tensor<[M, 8], f32, valid = [M, 3]>,
                %d: !pl.tensor<[M, 8], f32, valid = [?, 8]>) {
  %0 = pl.concat %a, %b axis 0 : !pl.tensor<[M, 64], f32>, !pl.tensor<[N, 64], f32>
  "test.use"(%0) : (!pl.tensor<[M + N, 64], f32>) -> ()
  %1 = pl.concat %a, %c : !pl.tensor<[M, 64], f32>, !pl.tensor<[M, 8], f32, valid = [M, 3]>
  "test.use"(%1) : (!pl.tensor<[M, 72], f32, valid = [M, 67]>) -> ()
  %2 = pl.concat %a, %d : !pl.tensor<[M, 64], f32>, !pl.tensor<[M, 8], f32, valid = [?, 8]>
  "test.use"(%2) : (!pl.tensor<[M, 72], f32, valid = [?, 72]>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @fillpad
// CHECK: pl.fillpad zero %{{[a-z0-9#]+}} : !pl.tensor<[64, 64], f32, valid = [N, 64], pad = max>
// CHECK: pl.fillpad max %{{[a-z0-9#]+}} : !pl.tensor<[64, 64], f32, valid = [N, 64], pad = max>
// CHECK: pl.fillpad min %{{[a-z0-9#]+}} : !pl.tensor<[64, 64], f32, valid = [N, 64], pad = max>
pl.func @fillpad(%a: !pl.tensor<[64, 64], f32, valid = [N, 64], pad = max>,
                 %n: !pl.tensor<[N], f32>) {
  %0 = pl.fillpad zero %a : !pl.tensor<[64, 64], f32, valid = [N, 64], pad = max>
  "test.use"(%0) : (!pl.tensor<[64, 64], f32>) -> ()
  %1 = pl.fillpad max %a : !pl.tensor<[64, 64], f32, valid = [N, 64], pad = max>
  "test.use"(%1) : (!pl.tensor<[64, 64], f32>) -> ()
  %2 = pl.fillpad min %a : !pl.tensor<[64, 64], f32, valid = [N, 64], pad = max>
  "test.use"(%2) : (!pl.tensor<[64, 64], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @arange
// CHECK: pl.arange %{{[a-z0-9#]+}} : i32, !pl.tensor<[1, 64], i32>
// CHECK: pl.arange %{{[a-z0-9#]+}}(%{{[a-z0-9#]+}}) descending : f32, !pl.tensor<[?], f32>
// CHECK: pl.arange %{{[a-z0-9#]+}} : i32, !pl.tensor<[8], ui32>
pl.func @arange(%s: i32, %f: f32, %n: index) {
  %0 = pl.arange %s : i32, !pl.tensor<[1, 64], i32>
  "test.use"(%0) : (!pl.tensor<[1, 64], i32>) -> ()
  %1 = pl.arange %f(%n) descending : f32, !pl.tensor<[?], f32>
  "test.use"(%1) : (!pl.tensor<[?], f32>) -> ()
  %2 = pl.arange %s : i32, !pl.tensor<[8], ui32>
  "test.use"(%2) : (!pl.tensor<[8], ui32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @sel
// CHECK: pl.sel %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, 1], i1>, !pl.tensor<[4, N], f16>, !pl.tensor<[N], f32>
// CHECK: pl.sel %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, 1], i1>, !pl.tensor<[4, N], f16>, f16
pl.func @sel(%m: !pl.tensor<[4, 1], i1>,
             %a: !pl.tensor<[4, N], f16>,
             %b: !pl.tensor<[N], f32>,
             %x: f16) {
  %0 = pl.sel %m, %a, %b : !pl.tensor<[4, 1], i1>, !pl.tensor<[4, N], f16>, !pl.tensor<[N], f32>
  "test.use"(%0) : (!pl.tensor<[4, N], f32>) -> ()
  %1 = pl.sel %m, %a, %x : !pl.tensor<[4, 1], i1>, !pl.tensor<[4, N], f16>, f16
  "test.use"(%1) : (!pl.tensor<[4, N], f16>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @part
// CHECK: pl.part_add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[16, 64], f32>, !pl.tensor<[16, 64], f32, valid = [N, 64]>
// CHECK: pl.part_mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[16, 64], f32>, !pl.tensor<[16, 64], f32, valid = [N, 64]>
// CHECK: pl.part_max %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[16, 64], f32>, !pl.tensor<[16, 64], f32, valid = [N, 64]>
// CHECK: pl.part_min %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[16, 64], f32>, !pl.tensor<[16, 64], f32, valid = [N, 64]>
pl.func @part(%n: !pl.tensor<[N], f32>,
              %a: !pl.tensor<[16, 64], f32>,
              %b: !pl.tensor<[16, 64], f32, valid = [N, 64]>) {
  %0 = pl.part_add %a, %b : !pl.tensor<[16, 64], f32>, !pl.tensor<[16, 64], f32, valid = [N, 64]>
  "test.use"(%0) : (!pl.tensor<[16, 64], f32>) -> ()
  %1 = pl.part_mul %a, %b : !pl.tensor<[16, 64], f32>, !pl.tensor<[16, 64], f32, valid = [N, 64]>
  "test.use"(%1) : (!pl.tensor<[16, 64], f32>) -> ()
  %2 = pl.part_max %a, %b : !pl.tensor<[16, 64], f32>, !pl.tensor<[16, 64], f32, valid = [N, 64]>
  "test.use"(%2) : (!pl.tensor<[16, 64], f32>) -> ()
  %3 = pl.part_min %a, %b : !pl.tensor<[16, 64], f32>, !pl.tensor<[16, 64], f32, valid = [N, 64]>
  "test.use"(%3) : (!pl.tensor<[16, 64], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @part_valid
// CHECK: pl.part_add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[8, 8], f32, valid = [4, ?]>, !pl.tensor<[8, 8], f32, valid = [6, 8]>
// CHECK: pl.part_add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[8, 8], f32, valid = [4, ?]>, !pl.tensor<[8, 8], f32, valid = [4, ?]>
pl.func @part_valid(%a: !pl.tensor<[8, 8], f32, valid = [4, ?]>,
                    %b: !pl.tensor<[8, 8], f32, valid = [6, 8]>) {
  %0 = pl.part_add %a, %b : !pl.tensor<[8, 8], f32, valid = [4, ?]>, !pl.tensor<[8, 8], f32, valid = [6, 8]>
  "test.use"(%0) : (!pl.tensor<[8, 8], f32, valid = [6, 8]>) -> ()
  %1 = pl.part_add %a, %a : !pl.tensor<[8, 8], f32, valid = [4, ?]>, !pl.tensor<[8, 8], f32, valid = [4, ?]>
  "test.use"(%1) : (!pl.tensor<[8, 8], f32, valid = [4, ?]>) -> ()
  pl.return
}

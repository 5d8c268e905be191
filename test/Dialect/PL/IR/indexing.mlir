// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Elements of tensors by index, and sorting.

// CHECK-LABEL: pl.func @gather
// CHECK: pl.gather %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} dim 1 : !pl.tensor<[16, N], f32>, !pl.tensor<[16, 8], i32>
// CHECK: pl.gather %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} dim 0 : !pl.tensor<[16, N], f32>, !pl.tensor<[4, N], index>
pl.func @gather(%a: !pl.tensor<[16, N], f32>,
                %i: !pl.tensor<[16, 8], i32>,
                %x: !pl.tensor<[4, N], index>) {
  %0 = pl.gather %a, %i dim 1 : !pl.tensor<[16, N], f32>, !pl.tensor<[16, 8], i32>
  "test.use"(%0) : (!pl.tensor<[16, 8], f32>) -> ()
  %1 = pl.gather %a, %x dim 0 : !pl.tensor<[16, N], f32>, !pl.tensor<[4, N], index>
  "test.use"(%1) : (!pl.tensor<[4, N], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @scatter
// CHECK: pl.scatter %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} dim 1 : !pl.tensor<[16, 8], f32>, !pl.tensor<[16, 8], i32>, !pl.tensor<[16, N], f32>
pl.func @scatter(%s: !pl.tensor<[16, 8], f32>,
                 %i: !pl.tensor<[16, 8], i32>,
                 %d: !pl.tensor<[16, N], f32>) {
  %0 = pl.scatter %s, %i, %d dim 1 : !pl.tensor<[16, 8], f32>, !pl.tensor<[16, 8], i32>, !pl.tensor<[16, N], f32>
  "test.use"(%0) : (!pl.tensor<[16, N], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @scatter_update
// CHECK: pl.scatter_update %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[8, 64], f32>, !pl.tensor<[2, 4], i32>, !pl.tensor<[N, 64], f32>
pl.func @scatter_update(%s: !pl.tensor<[8, 64], f32>,
                        %i: !pl.tensor<[2, 4], i32>,
                        %d: !pl.tensor<[N, 64], f32>) {
  %0 = pl.scatter_update %s, %i, %d : !pl.tensor<[8, 64], f32>, !pl.tensor<[2, 4], i32>, !pl.tensor<[N, 64], f32>
  "test.use"(%0) : (!pl.tensor<[N, 64], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @sort32
// CHECK: pl.sort32 %{{[a-z0-9#]+}} : !pl.tensor<[4, 64], f16>
// CHECK: pl.sort32 %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.tensor<[4, 64], f16>, !pl.tensor<[4, 64], ui32>
pl.func @sort32(%a: !pl.tensor<[4, 64], f16>, %i: !pl.tensor<[4, 64], ui32>) {
  %0, %1 = pl.sort32 %a : !pl.tensor<[4, 64], f16>
  "test.use"(%0, %1) : (!pl.tensor<[4, 64], f16>, !pl.tensor<[4, 64], i32>) -> ()
  %2, %3 = pl.sort32 %a, %i : !pl.tensor<[4, 64], f16>, !pl.tensor<[4, 64], ui32>
  "test.use"(%2, %3) : (!pl.tensor<[4, 64], f16>, !pl.tensor<[4, 64], ui32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func @mrgsort
// CHECK: pl.mrgsort %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} run 32 : !pl.tensor<[4, 128], f32>, !pl.tensor<[4, 128], i32>
pl.func @mrgsort(%a: !pl.tensor<[4, 128], f32>, %i: !pl.tensor<[4, 128], i32>) {
  %0, %1 = pl.mrgsort %a, %i run 32 : !pl.tensor<[4, 128], f32>, !pl.tensor<[4, 128], i32>
  "test.use"(%0, %1) : (!pl.tensor<[4, 128], f32>, !pl.tensor<[4, 128], i32>) -> ()
  pl.return
}

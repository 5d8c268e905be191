// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Elements of tiles by index, and sorting.

// CHECK-LABEL: pl.func inline @gather
// CHECK: tile.gather %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} dim 1 : !tile.tile<[16, 64], f32>, !tile.tile<[16, 8], i32, vec>
pl.func inline @gather(%a: !tile.tile<[16, 64], f32>, %i: !tile.tile<[16, 8], i32, vec>) {
  %0 = tile.gather %a, %i dim 1 : !tile.tile<[16, 64], f32>, !tile.tile<[16, 8], i32, vec>
  "test.use"(%0) : (!tile.tile<[16, 8], f32, vec>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @scatter
// CHECK: tile.scatter %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} dim 1 : !tile.tile<[16, 8], f32>, !tile.tile<[16, 8], i32>, !tile.tile<[16, 64], f32>
pl.func inline @scatter(%s: !tile.tile<[16, 8], f32>,
                        %i: !tile.tile<[16, 8], i32>,
                        %d: !tile.tile<[16, 64], f32>) {
  %0 = tile.scatter %s, %i, %d dim 1 : !tile.tile<[16, 8], f32>, !tile.tile<[16, 8], i32>, !tile.tile<[16, 64], f32>
  "test.use"(%0) : (!tile.tile<[16, 64], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @scatter_update
// CHECK: tile.scatter_update %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[8, 64], f32>, !tile.tile<[2, 4], i32>, !tile.tile<[16, 64], f32>
pl.func inline @scatter_update(%s: !tile.tile<[8, 64], f32>,
                               %i: !tile.tile<[2, 4], i32>,
                               %d: !tile.tile<[16, 64], f32>) {
  %0 = tile.scatter_update %s, %i, %d : !tile.tile<[8, 64], f32>, !tile.tile<[2, 4], i32>, !tile.tile<[16, 64], f32>
  "test.use"(%0) : (!tile.tile<[16, 64], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @sort32
// CHECK: tile.sort32 %{{[a-z0-9#]+}} : !tile.tile<[4, 64], f16>
// CHECK: tile.sort32 %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4, 64], f16>, !tile.tile<[4, 64], ui32>
pl.func inline @sort32(%a: !tile.tile<[4, 64], f16>, %i: !tile.tile<[4, 64], ui32>) {
  %0, %1 = tile.sort32 %a : !tile.tile<[4, 64], f16>
  "test.use"(%0, %1) : (!tile.tile<[4, 64], f16>, !tile.tile<[4, 64], i32>) -> ()
  %2, %3 = tile.sort32 %a, %i : !tile.tile<[4, 64], f16>, !tile.tile<[4, 64], ui32>
  "test.use"(%2, %3) : (!tile.tile<[4, 64], f16>, !tile.tile<[4, 64], ui32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @mrgsort
// CHECK: tile.mrgsort %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} run 32 : !tile.tile<[4, 128], f32>, !tile.tile<[4, 128], i32>
pl.func inline @mrgsort(%a: !tile.tile<[4, 128], f32>, %i: !tile.tile<[4, 128], i32>) {
  %0, %1 = tile.mrgsort %a, %i run 32 : !tile.tile<[4, 128], f32>, !tile.tile<[4, 128], i32>
  "test.use"(%0, %1) : (!tile.tile<[4, 128], f32>, !tile.tile<[4, 128], i32>) -> ()
  pl.return
}

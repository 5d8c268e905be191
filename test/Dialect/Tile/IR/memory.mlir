// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Loads, stores, tiles from nothing, moves and retyping.

// CHECK-LABEL: pl.func incore @load
// CHECK: tile.load %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 0] : !pl.tensor<[128, 64], f32> -> !tile.tile<[16, 64], f32>
// CHECK: tile.load %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 0] valid(%{{[a-z0-9#]+}}) : !pl.tensor<[128, 64], f32> -> !tile.tile<[16, 64], f32, vec, valid = [?, 64]>
// CHECK: tile.load %{{[a-z0-9#]+}}[127, 0] : !pl.tensor<[128, 64], f32> -> !tile.tile<[64], f32>
pl.func incore @load(%x: !pl.tensor<[128, 64], f32>, %i: index, %n: index) {
  %0 = tile.load %x[%i, 0] : !pl.tensor<[128, 64], f32> -> !tile.tile<[16, 64], f32>
  %1 = tile.load %x[%i, 0] valid(%n) : !pl.tensor<[128, 64], f32> -> !tile.tile<[16, 64], f32, vec, valid = [?, 64]>
  %2 = tile.load %x[127, 0] : !pl.tensor<[128, 64], f32> -> !tile.tile<[64], f32>
  pl.return
}

// CHECK-LABEL: pl.func incore @store
// CHECK: tile.full %{{[a-z0-9#]+}} : f32, !tile.tile<[16, 64], f32>
// CHECK: tile.store %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 0] : !tile.tile<[16, 64], f32>, !pl.tensor<[128, 64], f32>
// CHECK: tile.store %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}[0, 0] atomic : !tile.tile<[16, 64], f32>, !pl.tensor<[128, 64], f32> -> !pl.tensor<[?, 64], f32>
pl.func incore @store(%x: !pl.tensor<[128, 64], f32>, %i: index, %n: index, %v: f32) {
  %0 = tile.full %v : f32, !tile.tile<[16, 64], f32>
  %1 = tile.store %0, %x[%i, 0] : !tile.tile<[16, 64], f32>, !pl.tensor<[128, 64], f32>
  "test.use"(%1) : (!pl.tensor<[128, 64], f32>) -> ()
  %2 = tile.store %0, %x[0, 0] atomic : !tile.tile<[16, 64], f32>, !pl.tensor<[128, 64], f32> -> !pl.tensor<[?, 64], f32>
  "test.use"(%2) : (!pl.tensor<[?, 64], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func incore @make
// CHECK: tile.create : !tile.tile<[16, 64], f32, vec>
// CHECK: tile.create valid(%{{[a-z0-9#]+}}) : !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK: tile.full %{{[a-z0-9#]+}} valid(%{{[a-z0-9#]+}}) : f32, !tile.tile<[16, 64], f32, valid = [?, 64]>
pl.func incore @make(%v: f32, %n: index) {
  %0 = tile.create : !tile.tile<[16, 64], f32, vec>
  %1 = tile.create valid(%n) : !tile.tile<[16, 64], f32, valid = [?, 64]>
  %2 = tile.full %v valid(%n) : f32, !tile.tile<[16, 64], f32, valid = [?, 64]>
  pl.return
}

// CHECK-LABEL: pl.func inline @retype
// CHECK: tile.move %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f16, mat> -> !tile.tile<[16, 64], f16, left>
// CHECK: tile.cast_valid %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f16, mat> -> !tile.tile<[16, 64], f16, valid = [?, 64]>
// CHECK: tile.set_validshape %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 64] : !tile.tile<[16, 64], f16, mat> -> !tile.tile<[16, 64], f16, mat, valid = [?, 64]>
pl.func inline @retype(%t: !tile.tile<[16, 64], f16, mat>, %n: index) {
  %0 = tile.move %t : !tile.tile<[16, 64], f16, mat> -> !tile.tile<[16, 64], f16, left>
  %1 = tile.cast_valid %t : !tile.tile<[16, 64], f16, mat> -> !tile.tile<[16, 64], f16, valid = [?, 64]>
  %2 = tile.set_validshape %t[%n, 64] : !tile.tile<[16, 64], f16, mat> -> !tile.tile<[16, 64], f16, mat, valid = [?, 64]>
  pl.return
}

// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Windows of tiles; tiles transposed, put together, filled, made from numbers, selected from, combined in part.

// CHECK-LABEL: pl.func inline @slice
// CHECK: tile.slice %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 0] : !tile.tile<[64, 64], f32, vec> -> !tile.tile<[16, 64], f32, vec>
// CHECK: tile.slice %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}] valid(%{{[a-z0-9#]+}}) : !tile.tile<[64, 64], f32, vec> -> !tile.tile<[16, 64], f32, vec, valid = [?, 64]>
// CHECK: tile.slice %{{[a-z0-9#]+}}[3, 0] : !tile.tile<[64, 64], f32, vec> -> !tile.tile<[64], f32, vec>
pl.func inline @slice(%a: !tile.tile<[64, 64], f32, vec>, %i: index, %n: index) {
  %0 = tile.slice %a[%i, 0] : !tile.tile<[64, 64], f32, vec> -> !tile.tile<[16, 64], f32, vec>
  %1 = tile.slice %a[%i, %i] valid(%n) : !tile.tile<[64, 64], f32, vec> -> !tile.tile<[16, 64], f32, vec, valid = [?, 64]>
  %2 = tile.slice %a[3, 0] : !tile.tile<[64, 64], f32, vec> -> !tile.tile<[64], f32, vec>
  pl.return
}

// CHECK-LABEL: pl.func inline @extract
// CHECK: tile.extract %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 0] : !tile.tile<[64, 64], f16, mat> -> !tile.tile<[16, 64], f16, left>
pl.func inline @extract(%a: !tile.tile<[64, 64], f16, mat>, %i: index) {
  %0 = tile.extract %a[%i, 0] : !tile.tile<[64, 64], f16, mat> -> !tile.tile<[16, 64], f16, left>
  pl.return
}

// CHECK-LABEL: pl.func inline @assemble
// CHECK: tile.assemble %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 0] : !tile.tile<[16, 64], f32>, !tile.tile<[64, 64], f32>
pl.func inline @assemble(%a: !tile.tile<[16, 64], f32>, %t: !tile.tile<[64, 64], f32>, %i: index) {
  %0 = tile.assemble %a, %t[%i, 0] : !tile.tile<[16, 64], f32>, !tile.tile<[64, 64], f32>
  "test.use"(%0) : (!tile.tile<[64, 64], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @element
// CHECK: tile.read %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 0] : !tile.tile<[4, 8], ui8>
// CHECK: tile.write %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}, 7] : !tile.tile<[4, 8], ui8>
pl.func inline @element(%t: !tile.tile<[4, 8], ui8>, %i: index) {
  %0 = tile.read %t[%i, 0] : !tile.tile<[4, 8], ui8>
  "test.use"(%0) : (i8) -> ()
  %1 = tile.write %0, %t[%i, 7] : !tile.tile<[4, 8], ui8>
  "test.use"(%1) : (!tile.tile<[4, 8], ui8>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @reshape
// CHECK: tile.reshape %{{[a-z0-9#]+}} : !tile.tile<[4, 8], f32> -> !tile.tile<[1, 32], f32>
// CHECK: tile.reshape %{{[a-z0-9#]+}} valid(%{{[a-z0-9#]+}}) : !tile.tile<[4, 8], f32> -> !tile.tile<[1, 32], f32, valid = [1, ?]>
pl.func inline @reshape(%t: !tile.tile<[4, 8], f32>, %n: index) {
  %0 = tile.reshape %t : !tile.tile<[4, 8], f32> -> !tile.tile<[1, 32], f32>
  %1 = tile.reshape %t valid(%n) : !tile.tile<[4, 8], f32> -> !tile.tile<[1, 32], f32, valid = [1, ?]>
  pl.return
}

// CHECK-LABEL: pl.func inline @transpose
// CHECK: tile.transpose %{{[a-z0-9#]+}}, 0, 1 : !tile.tile<[16, 64], f32, vec, valid = [?, 32]>
pl.func inline @transpose(%a: !tile.tile<[16, 64], f32, vec, valid = [?, 32]>) {
  %0 = tile.transpose %a, 0, 1 : !tile.tile<[16, 64], f32, vec, valid = [?, 32]>
  "test.use"(%0) : (!tile.tile<[64, 16], f32, vec, valid = [32, ?]>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @concat
// CHECK: tile.concat %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} axis 0 : !tile.tile<[16, 64], f32>, !tile.tile<[8, 64], f32, vec>
// CHECK: tile.concat %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32>
pl.func inline @concat(%a: !tile.tile<[16, 64], f32>, %b: !tile.tile<[8, 64], f32, vec>) {
  %0 = tile.concat %a, %b axis 0 : !tile.tile<[16, 64], f32>, !tile.tile<[8, 64], f32, vec>
  "test.use"(%0) : (!tile.tile<[24, 64], f32, vec>) -> ()
  %1 = tile.concat %a, %a : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32>
  "test.use"(%1) : (!tile.tile<[16, 128], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @fillpad
// CHECK: tile.fillpad zero %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK: tile.fillpad max %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK: tile.fillpad min %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK: tile.fillpad zero %{{[a-z0-9#]+}} in_place : !tile.tile<[16, 64], f32, valid = [?, 64]>
pl.func inline @fillpad(%a: !tile.tile<[16, 64], f32, valid = [?, 64]>) {
  %0 = tile.fillpad zero %a : !tile.tile<[16, 64], f32, valid = [?, 64]>
  "test.use"(%0) : (!tile.tile<[16, 64], f32>) -> ()
  %1 = tile.fillpad max %a : !tile.tile<[16, 64], f32, valid = [?, 64]>
  "test.use"(%1) : (!tile.tile<[16, 64], f32>) -> ()
  %2 = tile.fillpad min %a : !tile.tile<[16, 64], f32, valid = [?, 64]>
  "test.use"(%2) : (!tile.tile<[16, 64], f32>) -> ()
  %3 = tile.fillpad zero %a in_place : !tile.tile<[16, 64], f32, valid = [?, 64]>
  "test.use"(%3) : (!tile.tile<[16, 64], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @arange
// CHECK: tile.arange %{{[a-z0-9#]+}} : i32, !tile.tile<[1, 64], i32>
// CHECK: tile.arange %{{[a-z0-9#]+}} valid(%{{[a-z0-9#]+}}) descending : i32, !tile.tile<[64], i32, valid = [?]>
pl.func inline @arange(%s: i32, %n: index) {
  %0 = tile.arange %s : i32, !tile.tile<[1, 64], i32>
  %1 = tile.arange %s valid(%n) descending : i32, !tile.tile<[64], i32, valid = [?]>
  pl.return
}

// CHECK-LABEL: pl.func inline @sel
// CHECK: tile.sel %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4, 8], i1>, !tile.tile<[4, 8], f32>, !tile.tile<[1, 8], f32, vec>
// CHECK: tile.sel %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[4, 8], i1>, !tile.tile<[4, 8], f32>, f32
pl.func inline @sel(%m: !tile.tile<[4, 8], i1>,
                    %a: !tile.tile<[4, 8], f32>,
                    %b: !tile.tile<[1, 8], f32, vec>,
                    %x: f32) {
  %0 = tile.sel %m, %a, %b : !tile.tile<[4, 8], i1>, !tile.tile<[4, 8], f32>, !tile.tile<[1, 8], f32, vec>
  "test.use"(%0) : (!tile.tile<[4, 8], f32, vec>) -> ()
  %1 = tile.sel %m, %a, %x : !tile.tile<[4, 8], i1>, !tile.tile<[4, 8], f32>, f32
  "test.use"(%1) : (!tile.tile<[4, 8], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @part
// CHECK: tile.part_add %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK: tile.part_mul %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK: tile.part_max %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32, valid = [?, 64]>
// CHECK: tile.part_min %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32, valid = [?, 64]>
pl.func inline @part(%a: !tile.tile<[16, 64], f32>,
                     %b: !tile.tile<[16, 64], f32, valid = [?, 64]>) {
  %0 = tile.part_add %a, %b : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32, valid = [?, 64]>
  "test.use"(%0) : (!tile.tile<[16, 64], f32>) -> ()
  %1 = tile.part_mul %a, %b : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32, valid = [?, 64]>
  "test.use"(%1) : (!tile.tile<[16, 64], f32>) -> ()
  %2 = tile.part_max %a, %b : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32, valid = [?, 64]>
  "test.use"(%2) : (!tile.tile<[16, 64], f32>) -> ()
  %3 = tile.part_min %a, %b : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32, valid = [?, 64]>
  "test.use"(%3) : (!tile.tile<[16, 64], f32>) -> ()
  pl.return
}

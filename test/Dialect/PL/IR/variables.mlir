// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Cells, symbols, arrays.

// CHECK-LABEL: pl.func @cells
// CHECK: pl.var "n" = %{{[a-z0-9#]+}} : index
// CHECK: pl.get %{{[a-z0-9#]+}} : index
// CHECK: pl.set %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : index
// CHECK: pl.var "t" = %{{[a-z0-9#]+}} : !pl.tensor<[16], f32> -> !pl.tensor<[?], f32>
// CHECK: pl.get %{{[a-z0-9#]+}} : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[16], f32>
// CHECK: pl.set %{{[a-z0-9#]+}}, %{{[a-z0-9#]+}} : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[16], f32>
pl.func @cells(%k: index, %t: !pl.tensor<[16], f32>) {
  %n = pl.var "n" = %k : index
  "test.use"(%n) : (!pl.var<index>) -> ()
  %0 = pl.get %n : index
  "test.use"(%0) : (index) -> ()
  pl.set %n, %0 : index
  %c = pl.var "t" = %t : !pl.tensor<[16], f32> -> !pl.tensor<[?], f32>
  "test.use"(%c) : (!pl.var<!pl.tensor<[?], f32>>) -> ()
  %1 = pl.get %c : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[16], f32>
  "test.use"(%1) : (!pl.tensor<[16], f32>) -> ()
  pl.set %c, %1 : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[16], f32>
  pl.return
}

// CHECK-LABEL: pl.func @symbols
// CHECK: pl.symbol @rows = %{{[a-z0-9#]+}} : index
// CHECK: pl.create : !pl.tensor<[rows, 4], f32>
pl.func @symbols(%n: index) {
  pl.symbol @rows = %n : index
  %0 = pl.create : !pl.tensor<[rows, 4], f32>
  pl.return
}

// CHECK-LABEL: pl.func @arrays
// CHECK: pl.array.create %{{[a-z0-9#]+}} : !pl.array<8xindex>
// CHECK: pl.array.get %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}] : !pl.array<8xindex>
// CHECK: pl.array.update %{{[a-z0-9#]+}}[%{{[a-z0-9#]+}}], %{{[a-z0-9#]+}} : !pl.array<8xindex>
pl.func @arrays(%v: index, %i: index) {
  %a = pl.array.create %v : !pl.array<8 x index>
  "test.use"(%a) : (!pl.array<8 x index>) -> ()
  %0 = pl.array.get %a[%i] : !pl.array<8 x index>
  "test.use"(%0) : (index) -> ()
  %b = pl.array.update %a[%i], %0 : !pl.array<8 x index>
  "test.use"(%b) : (!pl.array<8 x index>) -> ()
  pl.return
}

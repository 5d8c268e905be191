// RUN: pypto-opt --normalize-return-order %s | FileCheck %s
// The example in the pass's description.

// CHECK-LABEL: pl.func incore @kernel(
// CHECK-SAME: %[[X:.*]]: !pl.tensor<[16], f32>, out %[[A:.*]]: !pl.tensor<[16], f32>, out %[[B:.*]]: !pl.tensor<[16], i32>)
// CHECK-SAME: -> (!pl.tensor<[16], f32>, !pl.tensor<[16], i32>) attributes {pl.return_permutation = array<i64: 1, 0>} {
// CHECK-NEXT: %[[T:.*]] = tile.load %[[X]][0]
// CHECK-NEXT: %[[U:.*]] = tile.cast %[[T]]
// CHECK-NEXT: tile.store %[[U]], %[[B]][0]
// CHECK-NEXT: tile.store %[[T]], %[[A]][0]
// CHECK-NEXT: pl.return %[[A]], %[[B]] : !pl.tensor<[16], f32>, !pl.tensor<[16], i32>
// CHECK-LABEL: pl.func orchestration @main(
// CHECK-NEXT: %[[R:.*]]:2 = pl.call @kernel({{.*}} -> (!pl.tensor<[16], f32>, !pl.tensor<[16], i32>)
// CHECK-NEXT: pl.return %[[R]]#0, %[[R]]#1 : !pl.tensor<[16], f32>, !pl.tensor<[16], i32>
pl.func incore @kernel(%x: !pl.tensor<[16], f32>, out %a: !pl.tensor<[16], f32>, out %b: !pl.tensor<[16], i32>)
    -> (!pl.tensor<[16], i32>, !pl.tensor<[16], f32>) {
  %t = tile.load %x[0] : !pl.tensor<[16], f32> -> !tile.tile<[16], f32>
  %u = tile.cast %t to i32 : !tile.tile<[16], f32>
  %rb = tile.store %u, %b[0] : !tile.tile<[16], i32>, !pl.tensor<[16], i32>
  %ra = tile.store %t, %a[0] : !tile.tile<[16], f32>, !pl.tensor<[16], f32>
  pl.return %rb, %ra : !pl.tensor<[16], i32>, !pl.tensor<[16], f32>
}
pl.func orchestration @main(%x: !pl.tensor<[16], f32>, out %a: !pl.tensor<[16], f32>, out %b: !pl.tensor<[16], i32>)
    -> (!pl.tensor<[16], f32>, !pl.tensor<[16], i32>) {
  %r:2 = pl.call @kernel(%x, %a, %b) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>, !pl.tensor<[16], i32>)
      -> (!pl.tensor<[16], i32>, !pl.tensor<[16], f32>)
  pl.return %r#1, %r#0 : !pl.tensor<[16], f32>, !pl.tensor<[16], i32>
}

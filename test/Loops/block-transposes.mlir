// RUN: pypto-opt %s --block-transposes --split-input-file | FileCheck %s

// An operand that is read across its rows is copied, turned around, block by block.

// CHECK-LABEL: func @plus
// CHECK-SAME:    (%[[X:.*]]: memref<128x256xf32>, %[[Y:.*]]: memref<256x128xf32>, %[[OUT:.*]]: memref<256x128xf32>)
// CHECK:         %[[COPY:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64x64xf32>
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %c256{{.*}} step %c64
// CHECK:           scf.for %[[J:.*]] = %{{.*}} to %c128{{.*}} step %c64
// CHECK:             %[[BLOCK:.*]] = memref.subview %[[X]][%[[J]], %[[I]]] [64, 64]
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK-COUNT-16:        vector.load %[[BLOCK]]
// CHECK:                 vector.shuffle
// CHECK-NOT:             vector.transpose
// CHECK-COUNT-16:        vector.store %{{.*}}, %[[COPY]]
// CHECK:             %[[PART:.*]] = memref.subview %[[COPY]][0, 0] [64, 64] [1, 1]
// CHECK:             linalg.generic {indexing_maps = [#[[SAME:.*]], #[[SAME]], #[[SAME]]]
// CHECK-SAME:          ins(%[[PART]], %{{.*}} : {{.*}}) outs(
func.func @plus(%x: memref<128x256xf32>, %y: memref<256x128xf32>, %out: memref<256x128xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<128x256xf32>, memref<256x128xf32>) outs(%out : memref<256x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Elements of another width are copied one by one; loops that are neither rows nor columns go one by one.
// CHECK-LABEL: func @permute
// CHECK:         memref.alloca() {{.*}} : memref<64x64xi8>
// CHECK:         scf.for %{{.*}} step %c1{{[_0-9]*}} {
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               scf.for %[[COLUMN:.*]] = %c0
// CHECK:                 scf.for %[[ROW:.*]] = %c0
// CHECK:                   %[[ELEMENT:.*]] = memref.load %{{.*}}[%[[COLUMN]], %c0{{.*}}, %[[ROW]]]
// CHECK:                   memref.store %[[ELEMENT]], %{{.*}}[%[[ROW]], %[[COLUMN]]]
func.func @permute(%x: memref<50x3x90xi8>, %out: memref<3x90x50xi8>) {
  linalg.transpose ins(%x : memref<50x3x90xi8>) outs(%out : memref<3x90x50xi8>) permutation = [1, 2, 0]
  return
}

// -----

// At the ends, and where extents are known at run time only, lines and rows that are not there are not read.
// CHECK-LABEL: func @any_extents
// CHECK:         vector.create_mask
// CHECK:         vector.maskedload
func.func @any_extents(%x: memref<?x?xf32>, %out: memref<?x?xf32>) {
  linalg.transpose ins(%x : memref<?x?xf32>) outs(%out : memref<?x?xf32>) permutation = [1, 0]
  return
}

// -----

// The copy is in the frame of the thread that fills it.
// CHECK-LABEL: func @threads
// CHECK-NOT:     memref.alloca
// CHECK:         scf.parallel
// CHECK-NEXT:      memref.alloca()
func.func @threads(%x: memref<64x128xf32>, %out: memref<4x128x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %part = memref.subview %out[%i, 0, 0] [1, 128, 64] [1, 1, 1] : memref<4x128x64xf32> to memref<128x64xf32, strided<[64, 1], offset: ?>>
    linalg.transpose ins(%x : memref<64x128xf32>) outs(%part : memref<128x64xf32, strided<[64, 1], offset: ?>>) permutation = [1, 0]
  }
  return
}

// -----

// Rows along rows, one number for each row, few rows, and sums stay as they are.
// CHECK-LABEL: func @nothing_to_turn
// CHECK-NOT:     memref.alloca
func.func @nothing_to_turn(%x: memref<64x64xf32>, %scale: memref<64xf32>, %few: memref<64x4xf32>, %sum: memref<64xf32>,
                           %wide: memref<4x64xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%scale : memref<64xf32>) outs(%x : memref<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.transpose ins(%few : memref<64x4xf32>) outs(%wide : memref<4x64xf32>) permutation = [1, 0]
  linalg.reduce { arith.addf } ins(%x : memref<64x64xf32>) outs(%sum : memref<64xf32>) dimensions = [0]
  return
}

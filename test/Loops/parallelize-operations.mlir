// RUN: pypto-opt --split-input-file --parallelize-operations='part-work=1024 max-parts=4' %s | FileCheck %s
// Threads share what has enough to do; parts depend on the types only.

// CHECK-LABEL: func @rows
// CHECK-SAME: (%[[X:.*]]: memref<64x64xf32>, %[[Y:.*]]: memref<64x64xf32>)
// CHECK: scf.parallel (%[[PART:.*]]) = (%{{.*}}) to (%[[COUNT:.*]]) step
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]], %{{.*}}
// CHECK: %[[XPART:.*]] = memref.subview %[[X]][%[[FIRST]], 0] [16, 64] [1, 1]
// CHECK: %[[YPART:.*]] = memref.subview %[[Y]][%[[FIRST]], 0] [16, 64] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[XPART]] {{.*}} outs(%[[YPART]]
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: affine.apply #{{.*}}(%[[FIRST]])[%[[ROW]]]
func.func @rows(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xf32>) {
  ^bb0(%e: f32, %out: f32):
    %row = linalg.index 0 : index
    %integer = arith.index_cast %row : index to i32
    %number = arith.sitofp %integer : i32 to f32
    %0 = arith.addf %e, %number : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// CHECK-LABEL: func @too_little
// CHECK-NOT: scf.parallel
func.func @too_little(%y: memref<32x32xf32>, %c: f32) {
  linalg.fill ins(%c : f32) outs(%y : memref<32x32xf32>)
  return
}

// -----

// A sum of all is one of sums of parts, each of which starts from nothing.
// CHECK-LABEL: func @sum
// CHECK-SAME: (%[[X:.*]]: memref<4096xf32>, %[[Y:.*]]: memref<f32>)
// CHECK: %[[SUMS:.*]] = memref.alloca() {{.*}} : memref<4x16xf32>
// CHECK: %[[NOTHING:.*]] = arith.constant {{-?}}0.000000e+00 : f32
// CHECK: linalg.fill ins(%[[NOTHING]] : f32) outs(%[[SUMS]]
// CHECK: scf.parallel (%[[PART:.*]]) =
// CHECK: %[[SUM:.*]] = memref.subview %[[SUMS]][%[[PART]], 0] [1, 1] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[SUM]]
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[KNOWN:.*]] = memref.load %[[Y]][]
// CHECK: %[[NEXT:.*]] = memref.load %[[SUMS]][%[[I]], %{{.*}}]
// CHECK: %[[BOTH:.*]] = arith.addf %[[KNOWN]], %[[NEXT]]
// CHECK: memref.store %[[BOTH]], %[[Y]][]
func.func @sum(%x: memref<4096xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<4096xf32>) outs(%y : memref<f32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Its order is fixed.
// CHECK-LABEL: func @ordered_sum
// CHECK-NOT: scf.parallel
func.func @ordered_sum(%x: memref<4096xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<4096xf32>) outs(%y : memref<f32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Extents that are known at run time: the last part is shorter, and none is empty.
// CHECK-LABEL: func @dynamic
// CHECK: %[[EACH:.*]] = arith.maxsi
// CHECK: scf.parallel
// CHECK: %[[SIZE:.*]] = arith.minsi
// CHECK: memref.subview %{{.*}}[%{{.*}}, 0] [%[[SIZE]], 64] [1, 1]
func.func @dynamic(%y: memref<?x64xf32>, %c: f32) {
  linalg.fill ins(%c : f32) outs(%y : memref<?x64xf32>)
  return
}

// -----

// Sums of rows, however few: what is added up lies in a row of its own.
// CHECK-LABEL: func @few_rows
// CHECK: scf.parallel
// CHECK: memref.subview %{{.*}}[%{{.*}}, 0] [1, 4096] [1, 1]
func.func @few_rows(%x: memref<4x4096xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x4096xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Columns that are added up row after row are not cut into short pieces.
// CHECK-LABEL: func @columns
// CHECK-NOT: scf.parallel
func.func @columns(%x: memref<64x64xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<64x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// The last part has what is left.
// CHECK-LABEL: func @rest
// CHECK: scf.parallel (%[[PART:.*]]) =
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]], %[[EACH:.*]] :
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK: %[[SIZE:.*]] = arith.minsi %[[LEFT]], %[[EACH]]
// CHECK: memref.subview %{{.*}}[%[[FIRST]], 0] [%[[SIZE]], 64] [1, 1]
func.func @rest(%y: memref<71x64xf32>, %c: f32) {
  linalg.fill ins(%c : f32) outs(%y : memref<71x64xf32>)
  return
}

// -----

// Parts are whole lines of the cache where there are enough of them: of 600 elements 192, 192, 192 and 24.
// CHECK-LABEL: func @lines
// CHECK: %[[EACH:.*]] = arith.constant 192 : index
// CHECK: arith.muli %{{.*}}, %[[EACH]]
func.func @lines(%x: memref<600x16xf32>, %y: memref<600xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<600x16xf32>) outs(%y : memref<600xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A part of a diagonal is no window of the matrix.
// CHECK-LABEL: func @diagonal
// CHECK-NOT: scf.parallel
func.func @diagonal(%x: memref<8192x8192xf32>, %y: memref<8192xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : memref<8192x8192xf32>) outs(%y : memref<8192xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  }
  return
}

// -----

// Parts of three results: two that all parts combine to, and elements of their own.
// CHECK-LABEL: func @siblings
// CHECK: %[[LEAST:.*]] = memref.alloca() {{.*}} : memref<4x16xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[LEAST]]
// CHECK: %[[SUMS:.*]] = memref.alloca() {{.*}} : memref<4x16xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[SUMS]]
// CHECK: scf.parallel (%[[PART:.*]]) =
// CHECK: %[[YPART:.*]] = memref.subview %{{.*}}[%{{.*}}, 0] [16, 64] [1, 1]
// CHECK: %[[LEASTOF:.*]] = memref.subview %[[LEAST]][%[[PART]], 0] [1, 1] [1, 1]
// CHECK: %[[SUMOF:.*]] = memref.subview %[[SUMS]][%[[PART]], 0] [1, 1] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %[[LEASTOF]], %[[SUMOF]] :
// CHECK: scf.for
// CHECK-COUNT-2: memref.store
func.func @siblings(%x: memref<64x64xf32>, %y: memref<64x64xf32>, %least: memref<f32>, %sum: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<64x64xf32>) outs(%y, %least, %sum : memref<64x64xf32>, memref<f32>, memref<f32>) {
  ^bb0(%e: f32, %o: f32, %a: f32, %b: f32):
    %0 = arith.negf %e : f32
    %1 = arith.minimumf %a, %e : f32
    %2 = arith.addf %b, %e fastmath<reassoc> : f32
    linalg.yield %0, %1, %2 : f32, f32, f32
  }
  return
}

// -----

// An extent that is known to be zero, though the type does not say so: no part.
// CHECK-LABEL: func @nothing
// CHECK: %[[NONE:.*]] = arith.constant 0 : index
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%{{.*}}) step
// CHECK: linalg.fill
func.func @nothing(%x: memref<1x1024xf32>, %c: f32) {
  %none = arith.constant 0 : index
  %all = arith.constant 1024 : index
  %rows = memref.subview %x[0, 0] [%none, %all] [1, 1] : memref<1x1024xf32> to memref<?x?xf32, strided<[1024, 1]>>
  linalg.fill ins(%c : f32) outs(%rows : memref<?x?xf32, strided<[1024, 1]>>)
  return
}

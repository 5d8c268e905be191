// RUN: pypto-opt --split-input-file --parallelize-operations %s | FileCheck %s
// Threads share one long scan: parts of a block are combined, then scanned from what is in front of them.

// Blocks of 8 parts of 16,384 elements, and what is left.
// CHECK-LABEL: func @long
// CHECK-SAME: (%[[X:.*]]: memref<300000xf32>, %[[SUM:.*]]: memref<f32>, %[[Y:.*]]: memref<300000xf32>)
// CHECK: %[[PARTS:.*]] = memref.alloca() {{.*}} : memref<8x16xf32>
// CHECK: %[[WHOLE:.*]] = arith.constant 262144 : index
// CHECK: scf.for %[[BLOCK:.*]] = %{{.*}} to %[[WHOLE]] step
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[PARTS]]
// CHECK: scf.parallel (%[[PART:.*]]) =
// CHECK: %[[OFFSET:.*]] = arith.muli %[[PART]], %{{.*}}
// CHECK: %[[FIRST:.*]] = arith.addi %[[BLOCK]], %[[OFFSET]]
// CHECK: %[[OWN:.*]] = memref.subview %[[PARTS]][%[[PART]], 0] [1, 1] [1, 1]
// CHECK: %[[XPART:.*]] = memref.subview %[[X]][%[[FIRST]]] [16384] [1]
// CHECK: linalg.generic {{.*}} ins(%[[XPART]] : {{.*}}) outs(%[[OWN]] : memref<f32, {{[^)]*}}) {
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[BEFORE:.*]] = memref.load %[[SUM]][]
// CHECK: %[[COMBINED:.*]] = memref.load %[[PARTS]][%[[I]],
// CHECK: memref.store %[[BEFORE]], %[[PARTS]][%[[I]],
// CHECK: %[[AFTER:.*]] = arith.addf %[[BEFORE]], %[[COMBINED]]
// CHECK: memref.store %[[AFTER]], %[[SUM]][]
// CHECK: scf.parallel
// CHECK: %[[START:.*]] = memref.subview %[[PARTS]]
// CHECK: %[[YPART:.*]] = memref.subview %[[Y]]
// CHECK: linalg.generic {{.*}} outs(%[[START]], %[[YPART]] :
// CHECK: arith.addf
// CHECK: linalg.yield %[[EACH:.*]], %[[EACH]]
// CHECK: memref.subview %[[Y]][%{{.*}}] [37856] [1]
// CHECK: linalg.generic {{.*}} outs(%[[SUM]],
func.func @long(%x: memref<300000xf32>, %sum: memref<f32>, %y: memref<300000xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<300000xf32>) outs(%sum, %y : memref<f32>, memref<300000xf32>) {
  ^bb0(%e: f32, %s: f32, %out: f32):
    %0 = arith.addf %s, %e fastmath<reassoc> : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}

// -----

// Rows apart.
// CHECK-LABEL: func @rows
// CHECK: scf.parallel
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @rows(%x: memref<2x300000xf32>, %sum: memref<2xf32>, %y: memref<2x300000xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                                   affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<2x300000xf32>) outs(%sum, %y : memref<2xf32>, memref<2x300000xf32>) {
  ^bb0(%e: f32, %s: f32, %out: f32):
    %0 = arith.addf %s, %e fastmath<reassoc> : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}

// -----

// Its order is fixed.
// CHECK-LABEL: func @ordered
// CHECK-NOT: scf.parallel
func.func @ordered(%x: memref<300000xf32>, %sum: memref<f32>, %y: memref<300000xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<300000xf32>) outs(%sum, %y : memref<f32>, memref<300000xf32>) {
  ^bb0(%e: f32, %s: f32, %out: f32):
    %0 = arith.addf %s, %e : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}

// -----

// Too short.
// CHECK-LABEL: func @short
// CHECK-NOT: scf.parallel
func.func @short(%x: memref<120000xi64>, %sum: memref<i64>, %y: memref<120000xi64>) {
  %c0 = arith.constant 0 : i64
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<120000xi64>) outs(%sum, %y : memref<i64>, memref<120000xi64>) {
  ^bb0(%e: i64, %s: i64, %out: i64):
    %0 = arith.addi %s, %e : i64
    linalg.yield %0, %0 : i64, i64
  }
  return
}

// -----

// Without an input nothing but the result says how many iterations there are: a block that is combined only has none.
// CHECK-LABEL: func @constant
// CHECK-NOT: scf.parallel
// CHECK: linalg.generic
func.func @constant(%sum: memref<i16>, %y: memref<600001xi16>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["reduction"]}
      outs(%sum, %y : memref<i16>, memref<600001xi16>) {
  ^bb0(%s: i16, %out: i16):
    %two = arith.constant 2 : i16
    %0 = arith.addi %s, %two : i16
    linalg.yield %0, %0 : i16, i16
  }
  return
}

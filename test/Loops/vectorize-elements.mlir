// RUN: pypto-opt --split-input-file --vectorize-elements='vector-bits=128' %s | FileCheck %s
// RUN: pypto-opt --split-input-file --vectorize-elements='vector-bits=128 stream-bytes=1024' %s | FileCheck %s --check-prefix=STREAM
// Loops over vectors, what is left under a mask, sums in lanes, stores past the caches.

#same = affine_map<(d0) -> (d0)>

// Four vectors of a short body in a step; 18 = 16 + 2.
// CHECK-LABEL: func @elementwise
// CHECK-SAME: (%[[X:.*]]: memref<18xf32>, %[[Y:.*]]: memref<18xf32>, %[[A:.*]]: f32)
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[WHOLE:.*]] step %[[STEP:.*]] {
// CHECK: %[[ELEMENTS:.*]] = vector.load %[[X]][%[[I]]]
// CHECK: %[[FACTOR:.*]] = vector.broadcast %[[A]] : f32 to vector<4xf32>
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[ELEMENTS]], %[[FACTOR]] : vector<4xf32>
// CHECK: vector.store %[[PRODUCT]], %[[Y]][%[[I]]]
// CHECK-COUNT-3: vector.store
// CHECK: scf.for %[[J:.*]] = %[[WHOLE]] to %[[END:.*]] step
// CHECK: %[[LEFT:.*]] = arith.subi %[[END]], %[[J]]
// CHECK: %[[MASK:.*]] = vector.create_mask %[[LEFT]] : vector<4xi1>
// CHECK: vector.maskedload %[[X]][%[[J]]], %[[MASK]]
// CHECK: vector.maskedstore %[[Y]][%[[J]]], %[[MASK]]
func.func @elementwise(%x: memref<18xf32>, %y: memref<18xf32>, %a: f32) {
  linalg.generic {indexing_maps = [#same, affine_map<(d0) -> ()>, #same], iterator_types = ["parallel"]}
      ins(%x, %a : memref<18xf32>, f32) outs(%y : memref<18xf32>) {
  ^bb0(%e: f32, %factor: f32, %out: f32):
    %0 = arith.mulf %e, %factor : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// An accumulator for each lane; halves are combined with halves.
// CHECK-LABEL: func @row_sums
// CHECK-SAME: (%[[X:.*]]: memref<3x6xf32>, %[[Y:.*]]: memref<3xf32>)
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[WHOLE:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (vector<4xf32>)
// CHECK: %[[ELEMENTS:.*]] = vector.load %[[X]][%[[ROW]], %[[I]]]
// CHECK: arith.addf %[[SUM]], %[[ELEMENTS]] fastmath<reassoc>
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[WHOLE]])
// CHECK: %[[REST:.*]] = vector.maskedload
// CHECK: %[[TERM:.*]] = arith.select %{{.*}}, %[[REST]], %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK: arith.addf %[[SUM]], %[[TERM]]
// CHECK: vector.shuffle %[[ALL]], %[[ALL]] [0, 1]
// CHECK: vector.shuffle %[[ALL]], %[[ALL]] [2, 3]
// CHECK: %[[LAST:.*]] = vector.extract
// CHECK: %[[KNOWN:.*]] = memref.load %[[Y]][%[[ROW]]]
// CHECK: %[[RESULT:.*]] = arith.addf %[[KNOWN]], %[[LAST]]
// CHECK: memref.store %[[RESULT]], %[[Y]][%[[ROW]]]
func.func @row_sums(%x: memref<3x6xf32>, %y: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3x6xf32>) outs(%y : memref<3xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A sum whose order is fixed is not split into lanes.
// CHECK-LABEL: func @ordered_sum
// CHECK: linalg.generic
// CHECK-NOT: vector
func.func @ordered_sum(%x: memref<64xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<64xf32>) outs(%y : memref<f32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Columns side by side, each in its order.
// CHECK-LABEL: func @column_sums
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: vector.load %{{.*}}[%[[COLUMN]]]
// CHECK: vector.load %{{.*}}[%[[ROW]], %[[COLUMN]]]
// CHECK: arith.addf
// CHECK: vector.store
func.func @column_sums(%x: memref<3x4xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<3x4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Rows at computed places; what is the same for a row is computed once.
// CHECK-LABEL: func @gather
// CHECK-SAME: (%[[NUMBERS:.*]]: memref<5xi64>, %[[TABLE:.*]]: memref<9x8xf32>
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[NUMBER:.*]] = memref.load %[[NUMBERS]][%[[ROW]]]
// CHECK: %[[PLACE:.*]] = arith.index_cast %[[NUMBER]]
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: vector.load %[[TABLE]][%[[PLACE]], %[[COLUMN]]]
func.func @gather(%numbers: memref<5xi64>, %table: memref<9x8xf32>, %y: memref<5x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%numbers : memref<5xi64>) outs(%y : memref<5x8xf32>) {
  ^bb0(%number: i64, %out: f32):
    %column = linalg.index 1 : index
    %place = arith.index_cast %number : i64 to index
    %0 = memref.load %table[%place, %column] : memref<9x8xf32>
    linalg.yield %0 : f32
  }
  return
}

// -----

// No loop goes along consecutive elements of both.
// CHECK-LABEL: func @transposed
// CHECK: linalg.generic
func.func @transposed(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  }
  return
}

// -----

// A large parameter is written past the caches, a small one is not.
// CHECK-LABEL: func @large
// CHECK-NOT: nontemporal
// STREAM-LABEL: func @large
// STREAM: vector.store %{{.*}} {alignment = 16 : i64, nontemporal = true} : memref<256xf32>, vector<4xf32>
// STREAM: llvm.fence seq_cst
// STREAM-NOT: nontemporal
// STREAM: return
func.func @large(%x: memref<256xf32>, %y: memref<256xf32> {llvm.align = 64 : i64},
                 %z: memref<128xf32> {llvm.align = 64 : i64}) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : memref<256xf32>) outs(%y : memref<256xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  }
  %c0 = arith.constant 0.0 : f32
  linalg.fill ins(%c0 : f32) outs(%z : memref<128xf32>)
  return
}

// -----

// Rows of 6 elements do not begin at multiples of a vector.
// STREAM-LABEL: func @not_aligned
// STREAM-NOT: nontemporal
func.func @not_aligned(%x: memref<100x6xf32>, %y: memref<100x6xf32> {llvm.align = 64 : i64}) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<100x6xf32>) outs(%y : memref<100x6xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  }
  return
}

// -----

// Eight rows at once: what is added up stays in registers from one to the next, in the order of the rows.
// CHECK-LABEL: func @rows_side_by_side
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %[[WHOLE:.*]] step %{{.*}} {
// CHECK: %[[SUM:.*]] = vector.load %arg1[
// CHECK: %[[FIRST:.*]] = vector.load %arg0[%[[ROW]],
// CHECK: %[[SUM1:.*]] = arith.addf %[[SUM]], %[[FIRST]]
// CHECK: %[[SUM2:.*]] = arith.addf %[[SUM1]]
// CHECK: %[[SUM3:.*]] = arith.addf %[[SUM2]]
// CHECK-COUNT-4: arith.addf
// CHECK: %[[SUM8:.*]] = arith.addf
// CHECK-NEXT: vector.store %[[SUM8]], %arg1[
// CHECK: scf.for %{{.*}} = %[[WHOLE]] to
func.func @rows_side_by_side(%x: memref<10x4xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<10x4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// The greatest element and its number: lanes start from what is known, and of equal ones the first counts.
// CHECK-LABEL: func @selection
// CHECK: %[[BEST:.*]] = memref.load %arg1[]
// CHECK: vector.broadcast %[[BEST]]
// CHECK: %[[NUMBER:.*]] = memref.load %arg2[]
// CHECK: vector.broadcast %[[NUMBER]]
// CHECK: scf.for
// CHECK: arith.cmpf ogt
// CHECK: arith.select
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK: memref.store %{{.*}}, %arg1[]
// CHECK: memref.store %{{.*}}, %arg2[]
func.func @selection(%x: memref<64xf32>, %best: memref<f32>, %number: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<64xf32>) outs(%best, %number : memref<f32>, memref<i32>) {
  ^bb0(%e: f32, %b: f32, %n: i32):
    %i = linalg.index 0 : index
    %own = arith.index_cast %i : index to i32
    %better = arith.cmpf ogt, %e, %b : f32
    %0 = arith.select %better, %e, %b : f32
    %1 = arith.select %better, %own, %n : i32
    linalg.yield %0, %1 : f32, i32
  }
  return
}

// -----

// A long body on a row of a parameter: the next row is on its way meanwhile.
// CHECK-LABEL: func @next_row
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %[[END:.*]] step
// CHECK: %[[LAST:.*]] = arith.subi %[[END]],
// CHECK: %[[AFTER:.*]] = arith.addi %[[ROW]],
// CHECK: %[[NEXT:.*]] = arith.minsi %[[AFTER]], %[[LAST]]
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: memref.prefetch %arg0[%[[NEXT]], %[[COLUMN]]], read
func.func @next_row(%x: memref<8x16xf32>, %y: memref<1x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %row = memref.subview %x[%i, 0] [1, 16] [1, 1] : memref<8x16xf32> to memref<1x16xf32, strided<[16, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                    iterator_types = ["parallel", "parallel"]}
        ins(%row : memref<1x16xf32, strided<[16, 1], offset: ?>>) outs(%y : memref<1x16xf32>) {
    ^bb0(%e: f32, %out: f32):
      %0 = math.exp %e : f32
      linalg.yield %0 : f32
    }
  }
  return
}

// -----

// A lane that is not there divides by the number, too; by what lanes would have to read nothing is divided at once.
// CHECK-LABEL: func @divide
// CHECK:         arith.divsi %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK:         linalg.generic
func.func @divide(%x: memref<64xi32>, %y: memref<64xi32>, %out: memref<64xi32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<64xi32>) outs(%out : memref<64xi32>) {
  ^bb0(%a: i32, %o: i32):
    %three = arith.constant 3 : i32
    %s = arith.divsi %a, %three : i32
    linalg.yield %s : i32
  }
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y : memref<64xi32>, memref<64xi32>) outs(%out : memref<64xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %s = arith.divsi %a, %b : i32
    linalg.yield %s : i32
  }
  return
}

// -----

// Elements with gaps between them are no vector.
// CHECK-LABEL: func @gaps
// CHECK-NOT: vector.
// CHECK: linalg.generic
func.func @gaps(%x: memref<64x64xf32, strided<[128, 2]>>, %y: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x64xf32, strided<[128, 2]>>) outs(%y : memref<64x64xf32>) {
  ^bb0(%e: f32, %out: f32):
    %0 = arith.addf %e, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What adds the greatest elements up sees each of them in its turn: no lanes.
// CHECK-LABEL: func @watched_selection
// CHECK-NOT: vector.
// CHECK: linalg.generic
func.func @watched_selection(%x: memref<64xf32>, %best: memref<f32>, %number: memref<i32>, %sum: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<64xf32>) outs(%best, %number, %sum : memref<f32>, memref<i32>, memref<f32>) {
  ^bb0(%e: f32, %b: f32, %n: i32, %s: f32):
    %i = linalg.index 0 : index
    %own = arith.index_cast %i : index to i32
    %better = arith.cmpf ogt, %e, %b : f32
    %0 = arith.select %better, %e, %b : f32
    %1 = arith.select %better, %own, %n : i32
    %2 = arith.addf %s, %0 fastmath<reassoc> : f32
    linalg.yield %0, %1, %2 : f32, i32, f32
  }
  return
}

// -----

// A result that begins in the middle of a vector is not stored past the caches.
// STREAM-LABEL: func @moved
// STREAM: vector.store
// STREAM-NOT: nontemporal
func.func @moved(%x: memref<64x1024xf32> {llvm.align = 64 : i64}, %out: memref<64x1040xf32> {llvm.align = 64 : i64}) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j + 4)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x1024xf32>) outs(%out : memref<64x1040xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// Each of two results that are combined has accumulators of its own; one load has the elements of all three.
// CHECK-LABEL: func @siblings
// CHECK: %[[ALL:.*]]:8 = scf.for %[[I:.*]] = {{.*}} iter_args(%[[LEAST:[a-z0-9]+]] = %{{[a-z0-9_]+}}, %[[SUM:[a-z0-9]+]] = 
// CHECK: %[[ELEMENTS:.*]] = vector.load
// CHECK: %[[NEGATIVE:.*]] = arith.negf %[[ELEMENTS]]
// CHECK: arith.minimumf %[[LEAST]], %[[ELEMENTS]]
// CHECK: arith.addf %[[SUM]], %[[ELEMENTS]]
// CHECK: vector.store %[[NEGATIVE]]
// CHECK-COUNT-3: vector.load
// CHECK: scf.yield
// CHECK: arith.minimumf %[[ALL]]#0, %[[ALL]]#4
// CHECK: arith.addf %[[ALL]]#1, %[[ALL]]#5
func.func @siblings(%x: memref<64xf32>, %y: memref<64xf32>, %least: memref<f32>, %sum: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<64xf32>) outs(%y, %least, %sum : memref<64xf32>, memref<f32>, memref<f32>) {
  ^bb0(%e: f32, %o: f32, %a: f32, %b: f32):
    %0 = arith.negf %e : f32
    %1 = arith.minimumf %a, %e : f32
    %2 = arith.addf %b, %e fastmath<reassoc> : f32
    linalg.yield %0, %1, %2 : f32, f32, f32
  }
  return
}

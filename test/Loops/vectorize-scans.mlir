// RUN: pypto-opt --split-input-file --vectorize-elements='vector-bits=128' %s | FileCheck %s
// RUN: pypto-opt --split-input-file --vectorize-elements='vector-bits=128 stream-bytes=256' %s | FileCheck %s --check-prefix=STREAM
// Scans: reductions that also yield what they have at each iteration.

// Along the vectors: pairs of lanes, pairs of pairs, then what is in front of the vector, which the next one gets too.
// CHECK-LABEL: func @along_rows
// CHECK-SAME: (%[[X:.*]]: memref<3x18xf32>, %[[SUMS:.*]]: memref<3xf32>, %[[Y:.*]]: memref<3x18xf32>)
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[KNOWN:.*]] = memref.load %[[SUMS]][%[[ROW]]]
// CHECK: %[[START:.*]] = vector.broadcast %[[KNOWN]]
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[BEFORE:.*]] = %[[START]]) -> (vector<4xf32>)
// CHECK: %[[TERM:.*]] = vector.load %[[X]][%[[ROW]], %[[I]]]
// CHECK: %[[FIRSTS:.*]] = vector.shuffle %[[TERM]], %[[TERM]] [0, 0, 2, 2]
// CHECK: %[[PAIRS:.*]] = arith.addf %[[FIRSTS]], %[[TERM]]
// CHECK: %[[SECOND:.*]] = arith.constant dense<[false, true, false, true]>
// CHECK: %[[INPAIRS:.*]] = arith.select %[[SECOND]], %[[PAIRS]], %[[TERM]]
// CHECK: %[[SECONDS:.*]] = vector.shuffle %[[INPAIRS]], %[[INPAIRS]] [0, 1, 1, 1]
// CHECK: %[[FOURS:.*]] = arith.addf %[[SECONDS]], %[[INPAIRS]]
// CHECK: %[[UPPER:.*]] = arith.constant dense<[false, false, true, true]>
// CHECK: %[[INFOURS:.*]] = arith.select %[[UPPER]], %[[FOURS]], %[[INPAIRS]]
// CHECK: %[[LAST:.*]] = vector.shuffle %[[INFOURS]], %[[INFOURS]] [3, 3, 3, 3]
// CHECK: %[[EACH:.*]] = arith.addf %[[BEFORE]], %[[INFOURS]] :
// CHECK: %[[AFTER:.*]] = arith.addf %[[BEFORE]], %[[LAST]] :
// CHECK: vector.store %[[EACH]], %[[Y]][%[[ROW]], %[[I]]]
// CHECK: arith.addf %[[AFTER]],
// Lanes that are not there add nothing.
// CHECK: scf.for
// CHECK: %[[REST:.*]] = vector.maskedload
// CHECK: arith.select %{{.*}}, %[[REST]], %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK: %[[TOTAL:.*]] = vector.extract
// CHECK: memref.store %[[TOTAL]], %[[SUMS]][%[[ROW]]]
func.func @along_rows(%x: memref<3x18xf32>, %sums: memref<3xf32>, %y: memref<3x18xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                                   affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3x18xf32>) outs(%sums, %y : memref<3xf32>, memref<3x18xf32>) {
  ^bb0(%e: f32, %sum: f32, %out: f32):
    %0 = arith.addf %sum, %e fastmath<reassoc> : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}

// -----

// Its order is fixed.
// CHECK-LABEL: func @ordered
// CHECK: linalg.generic
// CHECK-NOT: vector
func.func @ordered(%x: memref<64xf32>, %sums: memref<f32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<64xf32>) outs(%sums, %y : memref<f32>, memref<64xf32>) {
  ^bb0(%e: f32, %sum: f32, %out: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}

// -----

// Down columns: eight rows side by side, each stored, past the caches if there are many; sums stay in registers.
// CHECK-LABEL: func @down_columns
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %[[WHOLE:.*]] step
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = vector.load %[[SUMS:arg1]][
// CHECK: %[[FIRST:.*]] = vector.load %arg0[%[[ROW]],
// CHECK: %[[SUM1:.*]] = arith.addf %[[SUM]], %[[FIRST]]
// CHECK: %[[SUM2:.*]] = arith.addf %[[SUM1]],
// CHECK-COUNT-5: arith.addf
// CHECK: %[[SUM8:.*]] = arith.addf
// CHECK: vector.store %[[SUM1]], %arg2[%[[ROW]],
// CHECK: vector.store %[[SUM2]], %arg2[
// CHECK-COUNT-5: vector.store %{{.*}}, %arg2[
// CHECK: vector.store %[[SUM8]], %arg2[
// CHECK: vector.store %[[SUM8]], %arg1[
// CHECK: scf.for %{{.*}} = %[[WHOLE]] to
// STREAM-LABEL: func @down_columns
// STREAM: vector.store %{{.*}}, %arg2[{{.*}} nontemporal = true
// STREAM: vector.store %{{.*}}, %arg1[{{[^{]*}} : memref<8xf32>
// STREAM: llvm.fence
func.func @down_columns(%x: memref<10x8xf32>, %sums: memref<8xf32>, %y: memref<10x8xf32> {llvm.align = 64 : i64}) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
                                   affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<10x8xf32>) outs(%sums, %y : memref<8xf32>, memref<10x8xf32>) {
  ^bb0(%e: f32, %sum: f32, %out: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}

// -----

// What follows from each sum is computed from the vector of them.
// CHECK-LABEL: func @used
// CHECK: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %
// CHECK: %[[EACH:.*]] = arith.maximumf %[[BEFORE]], %{{.*}} : vector<4xf32>
// CHECK: %[[AFTER:.*]] = arith.maximumf
// CHECK: %[[ROOT:.*]] = math.sqrt %[[EACH]] : vector<4xf32>
// CHECK: vector.store %[[ROOT]], %arg2
func.func @used(%x: memref<4xf32>, %best: memref<f32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<4xf32>) outs(%best, %y : memref<f32>, memref<4xf32>) {
  ^bb0(%e: f32, %b: f32, %out: f32):
    %0 = arith.maximumf %b, %e : f32
    %1 = math.sqrt %0 : f32
    linalg.yield %0, %1 : f32, f32
  }
  return
}

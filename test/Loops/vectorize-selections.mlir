// RUN: pypto-opt --split-input-file --vectorize-elements='vector-bits=128' %s | FileCheck %s
// The best element and its number in long rows: extremes of blocks of 16 vectors first, then where it is in its block.

// CHECK-LABEL: func @first_greatest
// CHECK-SAME: (%[[X:.*]]: memref<3x2048xf32>, %[[BEST:.*]]: memref<3xf32>, %[[NUMBERS:.*]]: memref<3xi64>)
// CHECK: scf.for %[[ROW:.*]] =
// The next row is on its way.
// CHECK: %[[NEXT:.*]] = arith.minsi
// CHECK: %[[KNOWN:.*]] = memref.load %[[BEST]][%[[ROW]]]
// CHECK: %[[NUMBER:.*]] = memref.load %[[NUMBERS]][%[[ROW]]]
// CHECK: %[[LANES:.*]] = vector.broadcast %[[KNOWN]]
// CHECK: %[[BLOCKS:.*]]:2 = scf.for %[[BLOCK:.*]] = {{.*}} iter_args(%[[SOFAR:.*]] = %[[LANES]], %[[AT:.*]] = %{{.*}}) -> (vector<4xf32>, vector<4xi32>)
// CHECK: %[[BEGIN:.*]] = arith.muli %[[BLOCK]],
// CHECK: memref.prefetch %[[X]][%[[NEXT]], %{{.*}}], read
// CHECK: vector.load %[[X]][%[[ROW]], %
// CHECK-COUNT-15: vector.load %[[X]]
// CHECK: %[[GREATER:.*]] = arith.cmpf ugt, %[[EXTREME:.*]], %[[SOFAR]]
// CHECK: %[[ISNUMBER:.*]] = arith.cmpf ord, %[[SOFAR]], %[[SOFAR]]
// CHECK: %[[BETTER:.*]] = arith.andi %[[GREATER]], %[[ISNUMBER]]
// CHECK: %[[OWN:.*]] = vector.broadcast %{{.*}} : i32 to vector<4xi32>
// CHECK: arith.select %[[BETTER]], %[[EXTREME]], %[[SOFAR]]
// CHECK: arith.select %[[BETTER]], %[[OWN]], %[[AT]]
// The best of the lanes, the first block that has it, and the first place there.
// CHECK: vector.shuffle %[[BLOCKS]]#0, %[[BLOCKS]]#0 [0, 1]
// CHECK: %[[FIRST:.*]] = vector.reduction <minsi>
// CHECK: %[[FOUND:.*]] = arith.cmpi sge, %[[FIRST]], %{{.*}}
// CHECK: scf.if %[[FOUND]] -> (f32, i64)
// From the last vector of the block to the first.
// CHECK: %[[LAST:.*]] = arith.constant 60 : index
// CHECK-NEXT: %[[INDEX:.*]] = arith.addi %{{.*}}, %[[LAST]]
// CHECK-NEXT: vector.load %[[X]][%[[ROW]], %[[INDEX]]]
// CHECK-COUNT-15: vector.load %[[X]]
// CHECK: vector.reduction <minsi>
// CHECK: arith.index_cast %{{.*}} : index to i64
// CHECK: } else {
// CHECK: scf.yield %[[KNOWN]], %[[NUMBER]]
// CHECK: memref.store %{{.*}}, %[[BEST]][%[[ROW]]]
// CHECK: memref.store %{{.*}}, %[[NUMBERS]][%[[ROW]]]
func.func @first_greatest(%x: memref<3x2048xf32>, %best: memref<3xf32>, %numbers: memref<3xi64>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3x2048xf32>) outs(%best, %numbers : memref<3xf32>, memref<3xi64>) {
  ^bb0(%e: f32, %b: f32, %n: i64):
    %i = linalg.index 1 : index
    %own = arith.index_cast %i : index to i64
    %greater = arith.cmpf ugt, %e, %b : f32
    %number = arith.cmpf ord, %b, %b : f32
    %better = arith.andi %greater, %number : i1
    %0 = arith.select %better, %e, %b : f32
    %1 = arith.select %better, %own, %n : i64
    linalg.yield %0, %1 : f32, i64
  }
  return
}

// -----

// The last block is shorter: its lanes that are not there are as bad as can be.
// CHECK-LABEL: func @rest
// CHECK: %[[WORST:.*]] = arith.constant dense<2147483647> : vector<4xi32>
// CHECK: scf.for {{.*}} iter_args(%[[SOFAR:.*]] = %[[WORST]]) -> (vector<4xi32>)
// CHECK: %[[MASK:.*]] = vector.create_mask
// CHECK: vector.maskedload
// CHECK: arith.select %[[MASK]]
// CHECK: arith.minsi %[[SOFAR]]
// CHECK: scf.if
// CHECK: vector.create_mask
func.func @rest(%x: memref<?xi32>, %best: memref<i32>, %number: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<?xi32>) outs(%best, %number : memref<i32>, memref<i32>) {
  ^bb0(%e: i32, %b: i32, %n: i32):
    %i = linalg.index 0 : index
    %own = arith.index_cast %i : index to i32
    %better = arith.cmpi slt, %e, %b : i32
    %0 = arith.select %better, %e, %b : i32
    %1 = arith.select %better, %own, %n : i32
    linalg.yield %0, %1 : i32, i32
  }
  return
}

// -----

// What never chooses a NaN is no maximum: lane by lane.
// CHECK-LABEL: func @not_extreme
// CHECK-NOT: vector.reduction
// CHECK: arith.cmpf ogt
// CHECK: return
func.func @not_extreme(%x: memref<2048xf32>, %best: memref<f32>, %number: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<2048xf32>) outs(%best, %number : memref<f32>, memref<i32>) {
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

// A number that is read in memory follows from no index.
// CHECK-LABEL: func @other_numbers
// CHECK-NOT: vector.reduction
// CHECK: return
func.func @other_numbers(%x: memref<2048xi32>, %y: memref<2048xi32>, %best: memref<i32>, %number: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>],
                  iterator_types = ["reduction"]}
      ins(%x, %y : memref<2048xi32>, memref<2048xi32>) outs(%best, %number : memref<i32>, memref<i32>) {
  ^bb0(%e: i32, %own: i32, %b: i32, %n: i32):
    %better = arith.cmpi sgt, %e, %b : i32
    %0 = arith.select %better, %e, %b : i32
    %1 = arith.select %better, %own, %n : i32
    linalg.yield %0, %1 : i32, i32
  }
  return
}

// -----

// Two vectors at once for each of four accumulators of a maximum.
// CHECK-LABEL: func @maximum
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[ONE:.*]] = arith.maximumf %[[A]], %{{.*}} : vector<4xf32>
// CHECK-COUNT-3: arith.maximumf
// CHECK: %[[TWO:.*]] = arith.maximumf %[[ONE]],
// CHECK-COUNT-3: arith.maximumf
// CHECK: scf.yield %[[TWO]],
func.func @maximum(%x: memref<64xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<64xf32>) outs(%y : memref<f32>) {
  ^bb0(%e: f32, %m: f32):
    %0 = arith.maximumf %m, %e : f32
    linalg.yield %0 : f32
  }
  return
}

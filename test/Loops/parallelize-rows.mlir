// RUN: pypto-opt --split-input-file --parallelize-rows='part-work=64 max-parts=4' %s | FileCheck %s
// Threads share marked loops over rows.

// CHECK-LABEL: func @rows
// CHECK: scf.parallel (%[[PART:.*]]) =
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]]
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]]
// CHECK: scf.for %[[ROW:.*]] = %[[FIRST]] to %[[END]]
// CHECK: memref.subview %{{.*}}[%[[ROW]], 0] [1, 32] [1, 1]
// CHECK-NOT: pypto.rows
func.func @rows(%y: memref<16x32xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %row = memref.subview %y[%i, 0] [1, 32] [1, 1] : memref<16x32xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%row : memref<1x32xf32, strided<[32, 1], offset: ?>>)
  } {pypto.rows}
  return
}

// -----

// Nothing says that its iterations do not depend on each other.
// CHECK-LABEL: func @unmarked
// CHECK-NOT: scf.parallel
func.func @unmarked(%y: memref<16x32xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    linalg.fill ins(%c : f32) outs(%y : memref<16x32xf32>)
  }
  return
}

// -----

// CHECK-LABEL: func @too_little
// CHECK-NOT: scf.parallel
// CHECK-NOT: pypto.rows
func.func @too_little(%y: memref<2x32xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %row = memref.subview %y[%i, 0] [1, 32] [1, 1] : memref<2x32xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%row : memref<1x32xf32, strided<[32, 1], offset: ?>>)
  } {pypto.rows}
  return
}

// -----

// A loop that hands something from one iteration to the next.
// CHECK-LABEL: func @carries
// CHECK-NOT: scf.parallel
func.func @carries(%y: memref<16x32xf32>, %c: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %last = scf.for %i = %c0 to %c16 step %c1 iter_args(%v = %c) -> (f32) {
    %row = memref.subview %y[%i, 0] [1, 32] [1, 1] : memref<16x32xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
    linalg.fill ins(%v : f32) outs(%row : memref<1x32xf32, strided<[32, 1], offset: ?>>)
    %next = arith.addf %v, %c : f32
    scf.yield %next : f32
  } {pypto.rows}
  return %last : f32
}

// -----

// What a row does in a loop counts as often as that runs: 2 rows of 32 times 4 elements.
// CHECK-LABEL: func @inner
// CHECK: scf.parallel
func.func @inner(%y: memref<2x128xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c128 step %c4 {
      %part = memref.subview %y[%i, %j] [1, 4] [1, 1] : memref<2x128xf32> to memref<1x4xf32, strided<[128, 1], offset: ?>>
      linalg.fill ins(%c : f32) outs(%part : memref<1x4xf32, strided<[128, 1], offset: ?>>)
    }
  } {pypto.rows}
  return
}

// -----

// Two heads are too few for four parts: each is shared in parts of its blocks, of which the last one has one block less.
// CHECK-LABEL: func @heads
// CHECK: scf.parallel (%[[PART:.*]]) = (%{{.*}}) to (%c4{{.*}})
// CHECK: %[[HEAD:.*]] = arith.divui %[[PART]], %c2{{.*}}
// CHECK: %[[REST:.*]] = arith.remui %[[PART]], %c2{{.*}}
// CHECK: %[[FIRST:.*]] = arith.muli %[[REST]]
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK: %[[SIZE:.*]] = arith.minsi %{{.*}}, %[[LEFT]]
// CHECK: arith.addi %[[FIRST]], %[[SIZE]]
// CHECK: scf.for %{{.*}} = %[[HEAD]] to
// CHECK: scf.for
// CHECK-NOT: pypto.rows
func.func @heads(%y: memref<2x20x32xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  scf.for %h = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c20 step %c4 {
      %rows = memref.subview %y[%h, %i, 0] [1, 4, 32] [1, 1, 1] : memref<2x20x32xf32> to memref<1x4x32xf32, strided<[640, 32, 1], offset: ?>>
      linalg.fill ins(%c : f32) outs(%rows : memref<1x4x32xf32, strided<[640, 32, 1], offset: ?>>)
    } {pypto.rows}
  } {pypto.rows}
  return
}

// -----

// Steps of a loop over blocks are counted.
// CHECK-LABEL: func @blocks
// CHECK: scf.parallel (%[[PART:.*]]) =
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]]
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]]
// CHECK: %[[UPPER:.*]] = arith.muli %[[END]], %[[STEP:.*]] : index
// CHECK: %[[LOWER:.*]] = arith.muli %[[FIRST]], %[[STEP]] : index
// CHECK: scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %[[STEP]]
func.func @blocks(%y: memref<16x32xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c4 {
    %rows = memref.subview %y[%i, 0] [4, 32] [1, 1] : memref<16x32xf32> to memref<4x32xf32, strided<[32, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%rows : memref<4x32xf32, strided<[32, 1], offset: ?>>)
  } {pypto.rows}
  return
}

// -----

// A buffer that all iterations write to is not for several threads.
// CHECK-LABEL: func @shared_buffer
// CHECK-NOT: scf.parallel
// CHECK: scf.for
func.func @shared_buffer(%y: memref<16x32xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %shared = memref.alloc() : memref<1x32xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    linalg.fill ins(%c : f32) outs(%shared : memref<1x32xf32>)
    %row = memref.subview %y[%i, 0] [1, 32] [1, 1] : memref<16x32xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
    memref.copy %shared, %row : memref<1x32xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
  } {pypto.rows}
  memref.dealloc %shared : memref<1x32xf32>
  return
}

// -----

// One of its own in each is.
// CHECK-LABEL: func @own_buffer
// CHECK: scf.parallel
func.func @own_buffer(%y: memref<16x32xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %own = memref.alloc() : memref<1x32xf32>
    linalg.fill ins(%c : f32) outs(%own : memref<1x32xf32>)
    %row = memref.subview %y[%i, 0] [1, 32] [1, 1] : memref<16x32xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
    memref.copy %own, %row : memref<1x32xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
    memref.dealloc %own : memref<1x32xf32>
  } {pypto.rows}
  return
}

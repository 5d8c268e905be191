// RUN: pypto-opt %s --lower-matmul=bf16-dot --split-input-file | FileCheck %s
// RUN: pypto-opt %s --lower-matmul --split-input-file | FileCheck %s --check-prefix=WIDE

// Where the target adds products of pairs, copies of both factors have pairs along the sum as the bits of one number.

// An odd sum: the last pair is half of one.
// CHECK-LABEL: func @pairs
// CHECK:         memref.alloc() {{.*}} : memref<{{[0-9]+}}xi32>
// CHECK:         scf.for
// CHECK:           %[[EVEN:.*]] = arith.extui %{{.*}} : vector<16xi16> to vector<16xi32>
// CHECK:           %[[ODD:.*]] = arith.extui %{{.*}} : vector<16xi16> to vector<16xi32>
// CHECK:           %[[HIGH:.*]] = arith.shli %[[ODD]], %{{.*}} : vector<16xi32>
// CHECK:           %[[PAIRS:.*]] = arith.ori %[[EVEN]], %[[HIGH]] : vector<16xi32>
// CHECK:           vector.store %[[PAIRS]], %{{.*}} : memref<?xi32>, vector<16xi32>
// CHECK:         {{^ *}$}}
// CHECK:         %[[LAST:.*]] = arith.extui %{{.*}} : vector<16xi16> to vector<16xi32>
// CHECK:         vector.store %[[LAST]], %{{.*}} : memref<?xi32>, vector<16xi32>
// CHECK:         %[[ROWS:.*]] = vector.bitcast %{{.*}} : vector<32xbf16> to vector<16xi32>
// CHECK:         vector.store %[[ROWS]]
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c151{{.*}} iter_args
// CHECK:           %[[B:.*]] = vector.load %{{.*}} : memref<?xi32>, vector<16xi32>
// CHECK:           %[[A:.*]] = vector.broadcast %{{.*}} : i32 to vector<16xi32>
// CHECK:           %[[LEFT:.*]] = vector.bitcast %[[A]] : vector<16xi32> to vector<32xbf16>
// CHECK:           %[[RIGHT:.*]] = vector.bitcast %[[B]] : vector<16xi32> to vector<32xbf16>
// CHECK:           llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %[[LEFT]], %[[RIGHT]]) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK-NOT:     vector.fma
// WIDE-LABEL: func @pairs
// WIDE-NOT:      dpbf16ps
// WIDE:          vector.fma
func.func @pairs(%a: memref<256x301xbf16>, %b: memref<301x256xbf16>, %c: memref<256x256xf32>) {
  linalg.matmul ins(%a, %b : memref<256x301xbf16>, memref<301x256xbf16>) outs(%c : memref<256x256xf32>)
  return
}

// -----

// One row is read once, so that no copy pays; nor is there a sum of f16 numbers in pairs.
// CHECK-LABEL: func @not_in_pairs
// CHECK-NOT:     dpbf16ps
func.func @not_in_pairs(%a: memref<1x256xbf16>, %b: memref<256x256xbf16>, %c: memref<1x256xf32>,
                        %d: memref<256x256xf16>, %e: memref<256x256xf32>) {
  linalg.matmul ins(%a, %b : memref<1x256xbf16>, memref<256x256xbf16>) outs(%c : memref<1x256xf32>)
  linalg.matmul ins(%d, %d : memref<256x256xf16>, memref<256x256xf16>) outs(%e : memref<256x256xf32>)
  return
}

// -----

// The schedule says no.
// CHECK-LABEL: func @switched_off
// CHECK-NOT:     dpbf16ps
// CHECK:         vector.fma
func.func @switched_off(%a: memref<256x256xbf16>, %b: memref<256x256xbf16>, %c: memref<256x256xf32>)
    attributes {pypto.schedule = {bf16_dot = false}} {
  linalg.matmul ins(%a, %b : memref<256x256xbf16>, memref<256x256xbf16>) outs(%c : memref<256x256xf32>)
  return
}

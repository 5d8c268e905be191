// RUN: pypto-opt %s --lower-matmul=amx --split-input-file | FileCheck %s

// Where the target multiplies tiles, a block of 32 rows of 32 columns is four of them.

// 301 numbers are 151 pairs; what is missing in the tenth tile is zero.
// CHECK-LABEL: func @tiles
// CHECK:         %[[SUMS:.*]] = memref.alloc() {{.*}} : memref<1024xf32>
// CHECK:         %[[ROWS:.*]] = arith.constant 16 : i16
// CHECK:         %[[BYTES:.*]] = arith.constant 64 : i16
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilezero.internal"
// CHECK:         scf.for {{.*}} to %c151{{.*}} step %c16{{.*}} iter_args({{.*}}) -> (!llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx)
// CHECK-COUNT-4:   llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// CHECK-COUNT-4:   llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"
// CHECK:         scf.yield
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64.internal"
// CHECK:         scf.for
// CHECK:           %[[SUM:.*]] = vector.load
// CHECK:           vector.load
// CHECK:           %[[OLD:.*]] = vector.load
// CHECK:           arith.addf %[[OLD]], %[[SUM]] : vector<16xf32>
// CHECK:         memref.dealloc
func.func @tiles(%a: memref<256x301xbf16>, %b: memref<301x256xbf16>, %c: memref<256x256xf32>) {
  linalg.matmul ins(%a, %b : memref<256x301xbf16>, memref<301x256xbf16>) outs(%c : memref<256x256xf32>)
  return
}

// -----

// Nothing to win for few rows; no tiles of f16 numbers; the schedule says no.
// CHECK-LABEL: func @no_tiles
// CHECK-NOT:     llvm.call_intrinsic
func.func @no_tiles(%a: memref<31x256xbf16>, %b: memref<256x256xbf16>, %c: memref<31x256xf32>,
                    %d: memref<256x256xf16>, %e: memref<256x256xf32>) {
  linalg.matmul ins(%a, %b : memref<31x256xbf16>, memref<256x256xbf16>) outs(%c : memref<31x256xf32>)
  linalg.matmul ins(%d, %d : memref<256x256xf16>, memref<256x256xf16>) outs(%e : memref<256x256xf32>)
  linalg.matmul {pypto.schedule = {amx = false}} ins(%b, %b : memref<256x256xbf16>, memref<256x256xbf16>) outs(%e : memref<256x256xf32>)
  return
}

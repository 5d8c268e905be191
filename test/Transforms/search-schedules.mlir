// RUN: pypto-opt %s --search-schedules="beam=1 seconds=0" | FileCheck %s
// RUN: pypto-opt %s --search-schedules="beam=0" | FileCheck %s --check-prefix=NONE
// RUN: rm -rf %t && mkdir %t
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-opt %s --search-schedules="beam=1 seconds=0 progress=true" 2>%t/log >%t/first.mlir
// RUN: FileCheck %s --check-prefix=PROGRESS --input-file=%t/log
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-opt %s --search-schedules="beam=1 seconds=0 progress=true" 2>%t/quiet >%t/second.mlir
// RUN: diff %t/first.mlir %t/second.mlir && test ! -s %t/quiet
// RUN: truncate -s 50 %t/store/*.schedule
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-opt %s --search-schedules="beam=1 seconds=0 progress=true" 2>&1 | FileCheck %s --check-prefix=PROGRESS
// RUN: env PYPTO_KERNEL_CACHE=%t/log pypto-opt %s --search-schedules="beam=1 seconds=0" | FileCheck %s

// What is faster here depends on the machine: a search says all of a schedule. What it found is found again; what is
// damaged, or cannot be written, does no harm.

// PROGRESS: search: round 1 [....................] 0 of {{[0-9]+}}
// PROGRESS: search: round 1 [####################]

// CHECK-LABEL: func @product
// CHECK:         linalg.matmul
// CHECK-SAME:      pypto.schedule = {{[{]}}{{.*}}k_block = {{.*}}vectors = {{[0-9]+}} : i64}
// NONE-LABEL:  func @product
// NONE-NOT:      pypto.schedule
func.func @product(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<16x16xf32>)
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  return
}

// Nobody knows what to measure.
// CHECK-LABEL: func @unknown_extents
// CHECK:         linalg.matmul ins
func.func @unknown_extents(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// The product is measured with what follows it; a number of the run counts as one.
// CHECK-LABEL: func @epilogue
// CHECK:         linalg.matmul
// CHECK-SAME:      pypto.schedule = {amx = false, bf16_dot = false, k_block
func.func @epilogue(%a: memref<8x16xf32>, %b: memref<16x16xf32>, %scale: f32, %d: memref<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8x16xf32>)
  linalg.matmul ins(%a, %b : memref<8x16xf32>, memref<16x16xf32>) outs(%c : memref<8x16xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<8x16xf32>) outs(%d : memref<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.mulf %x, %scale : f32
    linalg.yield %s : f32
  }
  memref.dealloc %c : memref<8x16xf32>
  return
}

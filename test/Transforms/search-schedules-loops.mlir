// RUN: pypto-opt %s --search-schedules="beam=1 seconds=0" | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-opt %s --search-schedules="beam=1 seconds=0 progress=true" 2>%t/log >%t/first.mlir
// RUN: FileCheck %s --check-prefix=PROGRESS --input-file=%t/log
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-opt %s --search-schedules="beam=1 seconds=0 progress=true" 2>%t/quiet >%t/second.mlir
// RUN: diff %t/first.mlir %t/second.mlir && test ! -s %t/quiet
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-opt %t/first.mlir --search-schedules="beam=1 seconds=0 progress=true" 2>&1 | FileCheck %s --check-prefix=PROGRESS

// Operations that become loops are searched, and loops over rows together with the operations in them. What was found is
// found again. What is fastest depends on the machine; vectors of 128 bits are not.

// PROGRESS: search: round 1 [....................] 0 of {{[0-9]+}}
// PROGRESS: search: round 1 [####################]

// CHECK-LABEL: func @bad_start
// CHECK:         linalg.exp
// CHECK-SAME:      pypto.schedule = {parts = {{[0-9]+}} : i64, prefetch = {{.*}}, unroll = {{.*}}, vector_bits = {{256|512}} : i64}
func.func @bad_start(%x: memref<64x512xf32>, %y: memref<64x512xf32>) {
  linalg.exp {pypto.schedule = {vector_bits = 128, unroll = 16}} ins(%x : memref<64x512xf32>) outs(%y : memref<64x512xf32>)
  return
}

// CHECK-LABEL: func @rows
// CHECK:         linalg.exp
// CHECK-SAME:      pypto.schedule = {prefetch = {{.*}}, stream = {{.*}}, unroll = {{.*}}, vector_bits
// CHECK:         } {pypto.rows, pypto.schedule = {parts = {{[0-9]+}} : i64}}
func.func @rows(%y: memref<64x512xf32> {llvm.align = 64 : i64}, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %row = memref.subview %y[%i, 0] [1, 512] [1, 1] : memref<64x512xf32> to memref<1x512xf32, strided<[512, 1], offset: ?>>
    linalg.exp ins(%row : memref<1x512xf32, strided<[512, 1], offset: ?>>) outs(%row : memref<1x512xf32, strided<[512, 1], offset: ?>>)
  } {pypto.rows}
  return
}

// What is short gets what the heuristics say.
// CHECK-LABEL: func @short
// CHECK:         linalg.negf
// CHECK-SAME:      pypto.schedule = {unroll = 1 : i64, vector_bits = {{.*}} : i64}
func.func @short(%x: memref<16xf32>, %y: memref<16xf32>) {
  linalg.negf ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// Nobody knows what to measure; numbers that a search makes up are no places in a buffer; loops of the program stay.
// CHECK-LABEL: func @left
// CHECK-NOT:     pypto.schedule
// CHECK:         return
func.func @left(%x: memref<?xf32>, %table: memref<512xf32>, %places: memref<65536xi32>, %y: memref<65536xf32>, %n: index) {
  linalg.negf ins(%x : memref<?xf32>) outs(%x : memref<?xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%places : memref<65536xi32>) outs(%y : memref<65536xf32>) {
  ^bb0(%place: i32, %out: f32):
    %i = arith.index_cast %place : i32 to index
    %0 = memref.load %table[%i] : memref<512xf32>
    linalg.yield %0 : f32
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%y : memref<65536xf32>) outs(%y : memref<65536xf32>)
  }
  return
}

// A product and what follows it are one search.
// CHECK-LABEL: func @epilogue
// CHECK:         linalg.fill ins
// CHECK:         linalg.matmul
// CHECK-SAME:      pypto.schedule
// CHECK:         linalg.generic
// CHECK-NOT:       pypto.schedule
// CHECK:         return
func.func @epilogue(%a: memref<8x16xf32> {llvm.noalias}, %b: memref<16x16xf32> {llvm.noalias}, %d: memref<8x16xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8x16xf32>)
  linalg.matmul ins(%a, %b : memref<8x16xf32>, memref<16x16xf32>) outs(%c : memref<8x16xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<8x16xf32>) outs(%d : memref<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  }
  memref.dealloc %c : memref<8x16xf32>
  return
}

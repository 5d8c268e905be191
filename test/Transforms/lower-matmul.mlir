// RUN: pypto-opt %s --lower-matmul --split-input-file | FileCheck %s

// Products become kernels that keep a block of the output in registers; what surrounds a product goes along.

// Small factors with contiguous rows are read in place: 16 rows are two kernels of 8, of one vector each.
// CHECK-LABEL: func @small_in_place
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     linalg
// CHECK:         scf.for %[[STEP:.*]] = %{{.*}} to %c8{{.*}} iter_args(%{{.*}}) -> (vector<16xf32>, {{.*}}
// CHECK:           %[[B:.*]] = vector.load %{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK:           %[[A:.*]] = vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK:           vector.fma %[[A]], %[[B]], %{{.*}} : vector<16xf32>
// CHECK-NOT:     vector.load
// CHECK:         vector.store
// CHECK-NOT:     linalg
func.func @small_in_place(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<16x16xf32>)
  linalg.matmul ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>)
  return
}

// -----

// What sums of floats begin with is minus zero; the sign of a sum that is zero is open.
// CHECK-LABEL: func @minus_zero
// CHECK-NOT:     linalg.fill
// CHECK:         return
func.func @minus_zero(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>) {
  %zero = arith.constant -0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<16x16xf32>)
  linalg.matmul ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>)
  return
}

// -----

// Without a fill the output is read and added to.
// CHECK-LABEL: func @accumulate
// CHECK:         %[[SUM:.*]]:2 = scf.for
// CHECK:           scf.yield
// CHECK:         %[[OLD:.*]] = vector.load %[[C:.*]][%[[PLACE:.*]]]
// CHECK:         %[[NEW:.*]] = arith.addf %[[OLD]], %[[SUM]]#0 : vector<16xf32>
// CHECK:         vector.store %[[NEW]], %[[C]]
func.func @accumulate(%a: memref<2x8xf32>, %b: memref<8x16xf32>, %c: memref<2x16xf32>) {
  linalg.matmul ins(%a, %b : memref<2x8xf32>, memref<8x16xf32>) outs(%c : memref<2x16xf32>)
  return
}

// -----

// One row: eight rows of the right factor are read at the same time, in the order of memory.
// CHECK-LABEL: func @one_row
// CHECK:         vector.broadcast
// CHECK:         scf.for
// CHECK:           %[[SUM:.*]] = vector.load %[[OUT:.*]][
// CHECK-COUNT-8:   vector.fma
// CHECK:           vector.store %{{.*}}, %[[OUT]]
func.func @one_row(%a: memref<1x64xf32>, %b: memref<64x64xf32>, %c: memref<1x64xf32>) {
  linalg.matmul ins(%a, %b : memref<1x64xf32>, memref<64x64xf32>) outs(%c : memref<1x64xf32>)
  return
}

// -----

// One column: rows of the left factor times a vector, lane by lane.
// CHECK-LABEL: func @one_column
// CHECK:         scf.for
// CHECK-COUNT-8:   vector.fma
// CHECK:         vector.reduction <add>
func.func @one_column(%a: memref<64x64xf32>, %b: memref<64xf32>, %c: memref<64xf32>) {
  linalg.matvec ins(%a, %b : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  return
}

// -----

// The end of a row that is no multiple of a vector is under a mask.
// CHECK-LABEL: func @masked_end
// CHECK:         vector.maskedload
// CHECK:         vector.fma
// CHECK:         vector.maskedstore
func.func @masked_end(%a: memref<2x8xf32>, %b: memref<8x9xf32>, %c: memref<2x9xf32>) {
  linalg.matmul ins(%a, %b : memref<2x8xf32>, memref<8x9xf32>) outs(%c : memref<2x9xf32>)
  return
}

// -----

// Columns of the right factor are copied to rows, by all threads; then parts that share the copy run at the same time.
// CHECK-LABEL: func @packed_parts
// CHECK:         memref.alloc
// CHECK:         scf.parallel
// CHECK:           vector.shuffle
// CHECK:           vector.store
// CHECK:         scf.parallel
// CHECK:           vector.fma
// CHECK:         memref.dealloc
// CHECK-NOT:     linalg
func.func @packed_parts(%a: memref<512x256xf32>, %b: memref<512x256xf32>, %c: memref<512x512xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<512x256xf32>, memref<512x256xf32>) outs(%c : memref<512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %s, %p : f32
    linalg.yield %q : f32
  }
  return
}

// -----

// An elementwise operation on the output runs on each finished block, and the product writes to where it writes.
// CHECK-LABEL: func @epilogue
// CHECK-SAME:      %{{.*}}: memref<16x8xf32>, %{{.*}}: memref<8x16xf32>, %[[BIAS:.*]]: memref<16xf32>
// CHECK-NOT:     linalg
// CHECK:         vector.fma
// CHECK:         vector.store %{{.*}}, %[[D:[a-z0-9_]+]]
// CHECK:         %[[PRODUCT:.*]] = vector.load %[[D]]
// CHECK:         %[[ROW:.*]] = vector.load
// CHECK:         %[[SUM:.*]] = arith.addf %[[PRODUCT]], %[[ROW]] : vector<16xf32>
// CHECK:         vector.store %[[SUM]]
// CHECK-NOT:     linalg
func.func @epilogue(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %bias: memref<16xf32>) -> memref<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<16x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<16x16xf32>)
  linalg.matmul ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>)
  %d = memref.alloc() : memref<16x16xf32>
  linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : memref<16x16xf32>, memref<16xf32>) outs(%d : memref<16x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  memref.dealloc %c : memref<16x16xf32>
  return %d : memref<16x16xf32>
}

// -----

// The result may be the right factor: its elements are needed until the product is done.
// CHECK-LABEL: func @epilogue_into_factor
// CHECK:         vector.fma
// CHECK:         linalg.generic
func.func @epilogue_into_factor(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<16x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<16x16xf32>)
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<16x16xf32>) outs(%b : memref<16x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  }
  memref.dealloc %c : memref<16x16xf32>
  return
}

// -----

// Sums of maxima are no products.
// CHECK-LABEL: func @no_product
// CHECK:         linalg.generic
func.func @no_product(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.maximumf %x, %y : f32
    %q = arith.addf %s, %p : f32
    linalg.yield %q : f32
  }
  return
}

// -----

// An output goes past the caches if it is aligned and is written once; the part ends when all of it is seen.
// CHECK-LABEL: func @streamed
// CHECK:         vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:         llvm.fence seq_cst
func.func @streamed(%a: memref<6x8xf32>, %b: memref<8x64xf32>, %c: memref<6x64xf32> {llvm.align = 64 : i64}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<6x64xf32>)
  linalg.matmul {pypto.schedule = {stream = true}}
      ins(%a, %b : memref<6x8xf32>, memref<8x64xf32>) outs(%c : memref<6x64xf32>)
  return
}

// -----

// CHECK-LABEL: func @not_aligned
// CHECK-NOT:     nontemporal
// CHECK-NOT:     llvm.fence
func.func @not_aligned(%a: memref<6x8xf32>, %b: memref<8x60xf32>, %c: memref<6x60xf32> {llvm.align = 64 : i64}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<6x60xf32>)
  linalg.matmul {pypto.schedule = {stream = true}}
      ins(%a, %b : memref<6x8xf32>, memref<8x60xf32>) outs(%c : memref<6x60xf32>)
  return
}

// -----

// Steps of the sum are unrolled, the rest follows; the output is asked for first.
// CHECK-LABEL: func @unrolled
// CHECK:         memref.prefetch %{{.*}}, write, locality<3>, data
// CHECK:         %[[SUM:.*]] = scf.for %{{.*}} = %{{.*}} to %c6{{.*}} step %c3
// CHECK-COUNT-3:   vector.fma
// CHECK-NOT:       vector.fma
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[SUM]])
// CHECK:           vector.fma
func.func @unrolled(%a: memref<2x8xf32>, %b: memref<8x16xf32>, %c: memref<2x16xf32>) {
  linalg.matmul {pypto.schedule = {unroll = 3, rows = 1, vectors = 1, prefetch = true}}
      ins(%a, %b : memref<2x8xf32>, memref<8x16xf32>) outs(%c : memref<2x16xf32>)
  return
}

// -----

// Rows that end one number later each: kernels go to where their first row ends, then select to where the last one does.
// CHECK-LABEL: func @triangle
// CHECK:         %[[END:.*]] = arith.minsi
// CHECK:         %[[WHOLE:.*]] = arith.maxsi %[[END]]
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[WHOLE]]
// CHECK-NOT:       arith.select
// CHECK:           scf.yield
// CHECK:         scf.for %[[STEP:.*]] = %[[WHOLE]] to
// CHECK:           %[[TAKES_PART:.*]] = arith.cmpi slt, %[[STEP]]
// CHECK:           %[[NEW:.*]] = vector.fma %{{.*}}, %{{.*}}, %[[OLD:.*]] :
// CHECK:           arith.select %[[TAKES_PART]], %[[NEW]], %[[OLD]]
func.func @triangle(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %i = linalg.index 0 : index
    %k = linalg.index 2 : index
    %inside = arith.cmpi sle, %k, %i : index
    %p = arith.mulf %x, %y : f32
    %t = arith.select %inside, %p, %zero : f32
    %q = arith.addf %s, %t : f32
    linalg.yield %q : f32
  }
  return
}

// -----

// Rows that begin later are no such product: plain loops serve them.
// CHECK-LABEL: func @upper_triangle
// CHECK:         linalg.generic
func.func @upper_triangle(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %i = linalg.index 0 : index
    %k = linalg.index 2 : index
    %inside = arith.cmpi sge, %k, %i : index
    %p = arith.mulf %x, %y : f32
    %t = arith.select %inside, %p, %zero : f32
    %q = arith.addf %s, %t : f32
    linalg.yield %q : f32
  }
  return
}

// -----

// Columns of the right factor that follow memory are turned round in registers, 16 of them at a time.
// CHECK-LABEL: func @turned_round
// CHECK-COUNT-16: vector.load
// CHECK-COUNT-64: vector.shuffle
// CHECK-NOT:      vector.shuffle
// CHECK-COUNT-16: vector.store
func.func @turned_round(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %s, %p : f32
    linalg.yield %q : f32
  }
  return
}

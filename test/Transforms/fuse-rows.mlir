// RUN: pypto-opt %s --fuse-rows --split-input-file | FileCheck %s
// Operations that hand rows to each other become one loop over the rows.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: func.func @normalize
// CHECK-SAME: (%[[X:.*]]: tensor<64x128xf32>, %[[Y:.*]]: memref<64x128xf32>)
func.func @normalize(%x: tensor<64x128xf32>, %y: memref<64x128xf32>) {
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
  // CHECK-DAG: %[[XROW:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [1, 128] [1, 1]
  // CHECK-DAG: %[[FILLED:.*]] = linalg.fill {{.*}} -> tensor<1x1xf32>
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[XROW]] : tensor<1x128xf32>) outs(%[[FILLED]] : tensor<1x1xf32>)
  // CHECK: %[[YROW:.*]] = memref.subview %[[Y]][%[[I]], 0] [1, 128] [1, 1]
  // CHECK: %[[INIT:.*]] = bufferization.to_tensor %[[YROW]] restrict writable
  // CHECK: %[[RESULT:.*]] = linalg.generic {{.*}} outs(%[[INIT]] : tensor<1x128xf32>)
  // CHECK: bufferization.materialize_in_destination %[[RESULT]] in writable %[[YROW]]
  // CHECK-NOT: linalg.generic
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x1xf32>) -> tensor<64x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<64x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64x1xf32>
  %f = tensor.empty() : tensor<64x128xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x128xf32>, tensor<64x1xf32>) outs(%f : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<64x128xf32>, memref<64x128xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// What is used elsewhere is carried by the loop; extents that are not constant are those of the operands.
// CHECK-LABEL: func.func @results
func.func @results(%x: tensor<?x?xf32>, %init: tensor<?x1xf32>, %f: tensor<?x?xf32>) -> (tensor<?x1xf32>, tensor<?x?xf32>) {
  // CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[SUMS:.*]] = %{{.*}}, %[[WHOLE:.*]] = %{{.*}}) -> (tensor<?x1xf32>, tensor<?x?xf32>)
  // CHECK: linalg.index 1
  // CHECK: tensor.insert_slice %{{.*}} into %[[SUMS]]
  // CHECK: tensor.insert_slice %{{.*}} into %[[WHOLE]]
  // CHECK: return %[[LOOP]]#0, %[[LOOP]]#1
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%init : tensor<?x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i32
    %g = arith.sitofp %c : i32 to f32
    %m = arith.mulf %a, %g : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x1xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<?x?xf32>, tensor<?x1xf32>) outs(%f : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %sum, %0 : tensor<?x1xf32>, tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// The destination may be what is read in place: rows of it are not written before all is read.
// CHECK-LABEL: func.func @may_alias
func.func @may_alias(%in: memref<64x128xf32>, %y: memref<64x128xf32>, %init: tensor<64x1xf32>) {
  // CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args
  // CHECK-NOT: materialize_in_destination
  // CHECK: scf.yield
  // CHECK: bufferization.materialize_in_destination %[[LOOP]]
  %x = bufferization.to_tensor %in restrict : memref<64x128xf32> to tensor<64x128xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<64x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64x1xf32>
  %f = tensor.empty() : tensor<64x128xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x128xf32>, tensor<64x1xf32>) outs(%f : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<64x128xf32>, memref<64x128xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (0, d1)>

// A sum along columns needs all rows first.
// CHECK-LABEL: func.func @columns
func.func @columns(%x: tensor<64x128xf32>, %init: tensor<1x128xf32>, %f: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK-NOT: scf.for
  %sum = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<1x128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<1x128xf32>
  %0 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x128xf32>, tensor<1x128xf32>) outs(%f : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// A row of the second reads a column of the first.
// CHECK-LABEL: func.func @transposed
func.func @transposed(%x: tensor<64x64xf32>, %f: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK-NOT: scf.for
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %1 = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// Something between the two needs the whole first result.
// CHECK-LABEL: func.func @reader_between
func.func @reader_between(%x: tensor<64x128xf32>, %init: tensor<64x1xf32>, %f: tensor<64x128xf32>, %i: index) -> tensor<64x128xf32> {
  // CHECK-NOT: scf.for
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<64x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64x1xf32>
  %v = tensor.extract %sum[%i, %i] : tensor<64x1xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x128xf32>, tensor<64x1xf32>) outs(%f : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    %t = arith.mulf %s, %v : f32
    linalg.yield %t : f32
  } -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// Rows without elements: no slice may begin in one.
// CHECK-LABEL: func.func @empty_rows
// CHECK: scf.for
// CHECK: tensor.empty() : tensor<1x0xf32>
// CHECK: bufferization.materialize_in_destination
func.func @empty_rows(%x: tensor<?x0xf32>, %y: memref<?x0xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x1xf32>) -> tensor<?x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x0xf32>) outs(%init : tensor<?x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x1xf32>
  %f = tensor.empty(%n) : tensor<?x0xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<?x0xf32>, tensor<?x1xf32>) outs(%f : tensor<?x0xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x0xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<?x0xf32>, memref<?x0xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// A gather reads other rows than its own, in its body: all of them are made before.
// CHECK-LABEL: func.func @gathered_rows
// CHECK: %[[ROWS:.*]]:2 = scf.for
// CHECK: linalg.generic
// CHECK: tensor.extract %[[ROWS]]#{{[01]}}[
func.func @gathered_rows(%x: tensor<4x8xi32>, %init: tensor<4x1xi32>) -> tensor<4x8xi32> {
  %e = tensor.empty() : tensor<4x8xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%a: i32, %o: i32):
    %m = arith.addi %a, %a : i32
    linalg.yield %m : i32
  } -> tensor<4x8xi32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xi32>) outs(%init : tensor<4x1xi32>) {
  ^bb0(%a: i32, %acc: i32):
    %s = arith.maxsi %acc, %a : i32
    linalg.yield %s : i32
  } -> tensor<4x1xi32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %max : tensor<4x8xi32>, tensor<4x1xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %i = linalg.index 1 : index
    %d = arith.subi %b, %a : i32
    %j = arith.index_cast %d : i32 to index
    %v = tensor.extract %0[%j, %i] : tensor<4x8xi32>
    linalg.yield %v : i32
  } -> tensor<4x8xi32>
  return %1 : tensor<4x8xi32>
}

// -----

// A number for each row, computed from one: the row waits for it in the cache.
// CHECK-LABEL: func @row_numbers
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<1x32xf32>)
// CHECK: %[[SCALE:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<1xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[SCALE]] : tensor<1x32xf32>, tensor<1xf32>)
// CHECK: pypto.rows
func.func @row_numbers(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x32xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %scale = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%sum : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.divf %one, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %g = tensor.empty() : tensor<8x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %scale : tensor<8x32xf32>, tensor<8xf32>) outs(%g : tensor<8x32xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

// Elements of a matrix product are no numbers of rows.
// CHECK-LABEL: func @product
// CHECK-NOT: scf.for
func.func @product(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %init: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                                        affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %2 = math.exp %x : f32
    linalg.yield %2 : f32
  } -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// Two results that may go to the same memory are stored one behind the other as wholes.
// CHECK-LABEL: func.func @two_stores
// CHECK-SAME: %[[P:[a-z0-9]*]]: memref<64x128xf32>, %[[Q:[a-z0-9]*]]: memref<64x128xf32>)
func.func @two_stores(%x: tensor<64x128xf32>, %p: memref<64x128xf32>, %q: memref<64x128xf32>) {
  // CHECK: scf.for
  // CHECK: memref.subview %[[P]]
  // CHECK-NOT: memref.subview %[[Q]]
  // CHECK: pypto.rows
  // CHECK: bufferization.materialize_in_destination %{{.*}} in writable %[[Q]]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x1xf32>) -> tensor<64x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<64x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64x1xf32>
  %f = tensor.empty() : tensor<64x128xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x128xf32>, tensor<64x1xf32>) outs(%f : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %sum : tensor<64x128xf32>, tensor<64x1xf32>) outs(%f : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  bufferization.materialize_in_destination %0 in writable %p : (tensor<64x128xf32>, memref<64x128xf32>) -> ()
  bufferization.materialize_in_destination %1 in writable %q : (tensor<64x128xf32>, memref<64x128xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// A store stays in front of what reads that memory, so that what comes behind is a loop of its own.
// CHECK-LABEL: func.func @read_of_store
// CHECK-SAME: (%{{[a-z0-9]*}}: tensor<64x128xf32>, %[[Y:[a-z0-9]*]]: memref<64x128xf32>
func.func @read_of_store(%x: tensor<64x128xf32>, %y: memref<64x128xf32>, %z: memref<64x128xf32> {llvm.noalias}) {
  // CHECK: pypto.rows
  // CHECK: memref.load %[[Y]]
  // CHECK: linalg.generic
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x1xf32>) -> tensor<64x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<64x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64x1xf32>
  %f = tensor.empty() : tensor<64x128xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x128xf32>, tensor<64x1xf32>) outs(%f : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<64x128xf32>, memref<64x128xf32>) -> ()
  %v = memref.load %y[%c0, %c0] : memref<64x128xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %sum : tensor<64x128xf32>, tensor<64x1xf32>) outs(%f : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %v : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  bufferization.materialize_in_destination %1 in writable %z : (tensor<64x128xf32>, memref<64x128xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// Rows and columns of one result: it has to be there as a whole.
// CHECK-LABEL: func.func @rows_and_columns
// CHECK-NOT: scf.for
func.func @rows_and_columns(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<64x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #swap, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// The number of a row is that of the loop.
// CHECK-LABEL: func.func @row_index
func.func @row_index(%x: tensor<64x128xi32>, %y: memref<64x128xi32>) {
  // CHECK: scf.for %[[I:.*]] =
  // CHECK: %[[OWN:.*]] = linalg.index 0
  // CHECK: %[[ROW:.*]] = affine.apply #{{.*}}(%[[I]])[%[[OWN]]]
  // CHECK: arith.index_cast %[[ROW]]
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x1xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<64x1xi32>) -> tensor<64x1xi32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xi32>) outs(%init : tensor<64x1xi32>) {
  ^bb0(%a: i32, %acc: i32):
    %s = arith.addi %acc, %a : i32
    linalg.yield %s : i32
  } -> tensor<64x1xi32>
  %f = tensor.empty() : tensor<64x128xi32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x128xi32>, tensor<64x1xi32>) outs(%f : tensor<64x128xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %s = arith.muli %b, %n : i32
    linalg.yield %s : i32
  } -> tensor<64x128xi32>
  bufferization.materialize_in_destination %0 in writable %y : (tensor<64x128xi32>, memref<64x128xi32>) -> ()
  return
}

// -----

// A number for each row is stored where it is computed, too: the loop carries nothing.
// CHECK-LABEL: func.func @row_numbers
// CHECK-SAME: (%{{.*}}: tensor<64x128xf32>, %[[MEANS:.*]]: memref<64xf32> {{.*}}, %[[SQUARES:.*]]: memref<64xf32>
// CHECK: scf.for %[[I:.*]] = %{{[a-z0-9_]+}} to %{{[a-z0-9_]+}} step %{{[a-z0-9_]+}} {
// CHECK: %[[MEAN:.*]] = memref.subview %[[MEANS]][%[[I]]] [1] [1]
// CHECK: bufferization.materialize_in_destination %{{.*}} in writable %[[MEAN]]
// CHECK: %[[SQUARE:.*]] = memref.subview %[[SQUARES]][%[[I]]] [1] [1]
// CHECK: bufferization.materialize_in_destination %{{.*}} in writable %[[SQUARE]]
// CHECK-NOT: tensor.insert_slice
func.func @row_numbers(%x: tensor<64x128xf32>, %means: memref<64xf32> {llvm.noalias}, %squares: memref<64xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 128.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %mean = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%sum : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.divf %a, %n : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %square = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%mean : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %mean in writable %means : (tensor<64xf32>, memref<64xf32>) -> ()
  bufferization.materialize_in_destination %square in writable %squares : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

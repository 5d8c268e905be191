// RUN: pypto-opt %s --fuse-elementwise --split-input-file | FileCheck %s
// RUN: pypto-opt %s --fuse-rows --split-input-file | FileCheck %s --check-prefix=ROWS
// RUN: pypto-opt %s --fuse-siblings --split-input-file | FileCheck %s --check-prefix=SIBLINGS

// Schedules of operations that become one, or get one loop over their rows.

// What the consumer says comes before what the producer says.
// CHECK-LABEL: func @chain
// CHECK:         linalg.generic
// CHECK-SAME:      pypto.schedule = {parts = 3 : i64, unroll = 2 : i64}
// CHECK:           math.exp
// CHECK:           arith.negf
func.func @chain(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) attrs = {pypto.schedule = {unroll = 4, parts = 3}} {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) attrs = {pypto.schedule = {unroll = 2}} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// The loop takes parts of its last operation that says how many; operations take the rest along.
// ROWS-LABEL: func @rows
// ROWS:         scf.for
// ROWS:           linalg.generic
// ROWS-SAME:        pypto.schedule = {parts = 3 : i64, unroll = 4 : i64}
// ROWS:           linalg.generic
// ROWS-NOT:         pypto.schedule
// ROWS:         } {pypto.rows, pypto.schedule = {parts = 3 : i64}}
func.func @rows(%x: tensor<64x128xf32>, %y: memref<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%init : tensor<64xf32>) attrs = {pypto.schedule = {parts = 3, unroll = 4}} {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %f = tensor.empty() : tensor<64x128xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<64x128xf32>, tensor<64xf32>) outs(%f : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<64x128xf32>
  bufferization.materialize_in_destination %0 in restrict writable %y : (tensor<64x128xf32>, memref<64x128xf32>) -> ()
  return
}

// -----

// An operation that may not share a loop has one of its own.
// ROWS-LABEL: func @no_rows
// ROWS-NOT:     scf.for
// ROWS:         return
func.func @no_rows(%x: tensor<64x128xf32>, %y: memref<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%init : tensor<64xf32>) attrs = {pypto.schedule = {fuse_rows = false}} {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %f = tensor.empty() : tensor<64x128xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<64x128xf32>, tensor<64xf32>) outs(%f : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<64x128xf32>
  bufferization.materialize_in_destination %0 in restrict writable %y : (tensor<64x128xf32>, memref<64x128xf32>) -> ()
  return
}

// -----

// SIBLINGS-LABEL: func @siblings
// SIBLINGS:         linalg.generic
// SIBLINGS-SAME:      pypto.schedule = {parts = 3 : i64, unroll = 8 : i64}
// SIBLINGS-NOT:     linalg.generic
// SIBLINGS:         return
func.func @siblings(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%init : tensor<64xf32>) attrs = {pypto.schedule = {unroll = 4, parts = 3}} {
  ^bb0(%a: f32, %acc: f32):
    %m = arith.maximumf %acc, %a : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %none = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%none : tensor<64xf32>) attrs = {pypto.schedule = {unroll = 8}} {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %1, %0 : tensor<64xf32>, tensor<64xf32>
}

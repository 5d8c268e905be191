// RUN: pypto-opt --split-input-file --bound-reductions --canonicalize %s | FileCheck %s
// Reductions end where terms change nothing any more, and so does what makes the terms.

#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Columns up to the last row of the block: its first one, 7 more, and the three that each row has in advance.
// CHECK: affine_map<(d0) -> (d0 + 11)>
// CHECK-LABEL: func @triangle
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<8x64xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK: %[[LAST:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK: %[[MOST:.*]] = arith.minsi %[[LAST]], %{{.*}} : index
// CHECK: %[[N:.*]] = arith.maxsi %[[MOST]], %{{.*}} : index
// CHECK: %[[COLUMNS:.*]] = tensor.extract_slice %[[X]][0, 0] [8, %[[N]]] [1, 1]
// CHECK: %[[MASKED:.*]] = linalg.generic {{.*}} ins(%[[COLUMNS]] : tensor<8x?xf32>)
// CHECK: -> tensor<8x?xf32>
// CHECK: linalg.generic {{.*}} ins(%[[MASKED]] : tensor<8x?xf32>) outs(%{{.*}} : tensor<8xf32>)
func.func @triangle(%x: tensor<8x64xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c3 = arith.constant 3 : i64
  %least = arith.constant 0xFF800000 : f32
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%o0 = %o) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8x64xf32>
    %masked = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %0 = linalg.index 0 : index
      %row = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%0]
      %1 = arith.index_cast %row : index to i64
      %last = arith.addi %1, %c3 : i64
      %2 = linalg.index 1 : index
      %column = arith.index_cast %2 : index to i64
      %seen = arith.cmpi sle, %column, %last : i64
      %3 = arith.select %seen, %a, %least : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %max = linalg.generic {indexing_maps = [#same, #row], iterator_types = ["parallel", "reduction"]}
        ins(%masked : tensor<8x64xf32>) outs(%o0 : tensor<8xf32>) {
    ^bb0(%a: f32, %best: f32):
      %0 = arith.maximumf %best, %a : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    scf.yield %max : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Minus infinity is not neutral where terms are added.
// CHECK-LABEL: func @other_value
// CHECK-NOT: tensor.extract_slice
func.func @other_value(%x: tensor<8x64xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %least = arith.constant 0xFF800000 : f32
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%o0 = %o) -> (tensor<8xf32>) {
    %sum = linalg.generic {indexing_maps = [#same, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x64xf32>) outs(%o0 : tensor<8xf32>) {
    ^bb0(%a: f32, %s: f32):
      %column = linalg.index 1 : index
      %seen = arith.cmpi slt, %column, %i : index
      %0 = arith.select %seen, %a, %least : f32
      %1 = arith.addf %s, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    scf.yield %sum : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The exponential of what is masked may be NaN: all columns are summed up, so all of them are computed.
// CHECK-LABEL: func @mask_of_the_user
// CHECK-NOT: tensor.extract_slice
func.func @mask_of_the_user(%x: tensor<8x64xf32>, %o: tensor<8xf32>, %p: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %least = arith.constant 0xFF800000 : f32
  %r:2 = scf.for %i = %c0 to %c64 step %c8 iter_args(%o0 = %o, %p0 = %p) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8x64xf32>
    %masked = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %column = linalg.index 1 : index
      %seen = arith.cmpi sle, %column, %i : index
      %3 = arith.select %seen, %a, %least : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %max = linalg.generic {indexing_maps = [#same, #row], iterator_types = ["parallel", "reduction"]}
        ins(%masked : tensor<8x64xf32>) outs(%o0 : tensor<8xf32>) {
    ^bb0(%a: f32, %best: f32):
      %0 = arith.maximumf %best, %a : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    %sum = linalg.generic {indexing_maps = [#same, #row, #row], iterator_types = ["parallel", "reduction"]}
        ins(%masked, %max : tensor<8x64xf32>, tensor<8xf32>) outs(%p0 : tensor<8xf32>) {
    ^bb0(%a: f32, %m: f32, %s: f32):
      %0 = arith.subf %a, %m : f32
      %1 = math.exp %0 : f32
      %2 = arith.addf %s, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<8xf32>
    scf.yield %max, %sum : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

#same = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A band ends where the first of its conditions does; numbers from a limit on are no such reduction.
// CHECK: #[[FIVE:.*]] = affine_map<(d0) -> (d0 + 5)>
// CHECK-LABEL: func @band
// CHECK: affine.apply #[[FIVE]]
// CHECK: tensor.extract_slice
// CHECK: ins(%{{.*}} : tensor<8x?xi32>)
func.func @band(%x: tensor<8x64xi32>, %o: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%o0 = %o) -> (tensor<8xi32>) {
    %sum = linalg.generic {indexing_maps = [#same, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x64xi32>) outs(%o0 : tensor<8xi32>) {
    ^bb0(%a: i32, %s: i32):
      %column = linalg.index 1 : index
      %end = affine.apply affine_map<(d0) -> (d0 + 5)>(%i)
      %before = arith.cmpi sgt, %end, %column : index
      %behind = arith.cmpi sge, %column, %c5 : index
      %inside = arith.andi %before, %behind : i1
      %0 = arith.select %inside, %a, %zero : i32
      %1 = arith.addi %s, %0 : i32
      linalg.yield %1 : i32
    } -> tensor<8xi32>
    scf.yield %sum : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}

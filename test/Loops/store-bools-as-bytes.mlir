// RUN: pypto-opt %s --store-bools-as-bytes --split-input-file | FileCheck %s

// Bools in buffers are bytes, those in registers bits.

// CHECK-LABEL: func @choose
// CHECK-SAME:    (%{{.*}}: memref<64xi8>, %{{.*}}: memref<64xf32>, %{{.*}}: memref<64xi8>)
// CHECK:         ^bb0(%[[IN:.*]]: i8, %[[X:.*]]: f32, %{{.*}}: i8):
// CHECK:           %[[BOOL:.*]] = arith.cmpi ne, %[[IN]], %c0_i8 : i8
// CHECK:           %[[LESS:.*]] = arith.cmpf olt
// CHECK:           %[[BOTH:.*]] = arith.andi %[[BOOL]], %[[LESS]] : i1
// CHECK:           %[[BYTE:.*]] = arith.extui %[[BOTH]] : i1 to i8
// CHECK:           linalg.yield %[[BYTE]] : i8
func.func @choose(%m: memref<64xi1>, %x: memref<64xf32>, %out: memref<64xi1>) {
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%m, %x : memref<64xi1>, memref<64xf32>) outs(%out : memref<64xi1>) {
  ^bb0(%a: i1, %b: f32, %o: i1):
    %zero = arith.constant 0.0 : f32
    %less = arith.cmpf olt, %b, %zero : f32
    %both = arith.andi %a, %less : i1
    linalg.yield %both : i1
  }
  return
}

// -----

// A reduction combines bytes.
// CHECK-LABEL: func @any
// CHECK:         linalg.generic
// CHECK:           extui %{{.*}} : i1 to i8
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[IN:.*]]: i8, %[[OUT:.*]]: i8):
// CHECK:           %[[BOOL:.*]] = arith.cmpi ne, %[[IN]],
// CHECK-NOT:       cmpi
// CHECK:           %[[BYTE:.*]] = arith.extui %[[BOOL]] : i1 to i8
// CHECK-NEXT:      %[[OR:.*]] = arith.ori %[[OUT]], %[[BYTE]] : i8
// CHECK-NEXT:      linalg.yield %[[OR]] : i8
// CHECK:           arith.maxui %{{.*}}, %{{.*}} : i8
func.func @any(%m: memref<8x64xi1>, %out: memref<8xi1>) {
  %false = arith.constant false
  linalg.fill ins(%false : i1) outs(%out : memref<8xi1>)
  linalg.reduce { arith.ori } ins(%m : memref<8x64xi1>) outs(%out : memref<8xi1>) dimensions = [1]
  linalg.reduce { arith.maxui } ins(%m : memref<8x64xi1>) outs(%out : memref<8xi1>) dimensions = [1]
  return
}

// -----

// CHECK:       memref.global "private" constant @mask : memref<4xi8> = dense<[1, 0, 0, 1]>
memref.global "private" constant @mask : memref<4xi1> = dense<[true, false, false, true]>
// CHECK-LABEL: func @elements
// CHECK:         %[[LOADED:.*]] = memref.load %{{.*}} : memref<4xi8>
// CHECK:         %[[BOOL:.*]] = arith.cmpi ne, %[[LOADED]],
// CHECK:         %[[BYTE:.*]] = arith.extui %[[BOOL]] : i1 to i8
// CHECK:         memref.store %[[BYTE]], %{{.*}} : memref<4xi8>
// CHECK:         memref.copy %{{.*}}, %{{.*}} : memref<4xi8> to memref<4xi8>
func.func @elements(%i: index, %out: memref<4xi1>, %other: memref<4xi1>) {
  %mask = memref.get_global @mask : memref<4xi1>
  %bit = memref.load %mask[%i] : memref<4xi1>
  memref.store %bit, %out[%i] : memref<4xi1>
  memref.copy %out, %other : memref<4xi1> to memref<4xi1>
  return
}

// -----

// Bools that are no elements of buffers, and what has none of them, stay.
// CHECK-LABEL: func @others(%{{.*}}: i1, %{{.*}}: memref<4xi8>, %{{.*}}: tensor<4xi1>)
func.func @others(%a: i1, %b: memref<4xi8>, %c: tensor<4xi1>) {
  return
}

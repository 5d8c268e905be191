// RUN: pypto-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// Identities of operations on tiles, which are values, and the ones that do not hold.

// CHECK-LABEL: pl.func inline @neutral_scalars
// CHECK-SAME: %[[T:.*]]: !tile.tile
// CHECK-NEXT: "test.use"(%[[T]], %[[T]], %[[T]], %[[T]], %[[T]], %[[T]], %[[T]], %[[T]], %[[T]])
pl.func inline @neutral_scalars(%t: !tile.tile<[4, 8], i32, valid = [?, 8]>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ones = arith.constant -1 : i32
  %0 = tile.add %t, %c0 : !tile.tile<[4, 8], i32, valid = [?, 8]>, i32
  %1 = tile.sub %t, %c0 : !tile.tile<[4, 8], i32, valid = [?, 8]>, i32
  %2 = tile.mul %t, %c1 : !tile.tile<[4, 8], i32, valid = [?, 8]>, i32
  %3 = tile.div %t, %c1 : !tile.tile<[4, 8], i32, valid = [?, 8]>, i32
  %4 = tile.and %t, %ones : !tile.tile<[4, 8], i32, valid = [?, 8]>, i32
  %5 = tile.or %t, %c0 : !tile.tile<[4, 8], i32, valid = [?, 8]>, i32
  %6 = tile.xor %t, %c0 : !tile.tile<[4, 8], i32, valid = [?, 8]>, i32
  %7 = tile.shl %t, %c0 : !tile.tile<[4, 8], i32, valid = [?, 8]>, i32
  %8 = tile.shr %t, %c0 : !tile.tile<[4, 8], i32, valid = [?, 8]>, i32
  "test.use"(%0, %1, %2, %3, %4, %5, %6, %7, %8) : (!tile.tile<[4, 8], i32, valid = [?, 8]>,
    !tile.tile<[4, 8], i32, valid = [?, 8]>, !tile.tile<[4, 8], i32, valid = [?, 8]>, !tile.tile<[4, 8], i32, valid = [?, 8]>,
    !tile.tile<[4, 8], i32, valid = [?, 8]>, !tile.tile<[4, 8], i32, valid = [?, 8]>, !tile.tile<[4, 8], i32, valid = [?, 8]>,
    !tile.tile<[4, 8], i32, valid = [?, 8]>, !tile.tile<[4, 8], i32, valid = [?, 8]>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @product_of_floats_with_one
// CHECK-SAME: %[[T:.*]]: !tile.tile
// CHECK-NEXT: "test.use"(%[[T]], %[[T]])
pl.func inline @product_of_floats_with_one(%t: !tile.tile<[4], f32>) {
  %c1 = arith.constant 1.0 : f32
  %0 = tile.mul %t, %c1 : !tile.tile<[4], f32>, f32
  %1 = tile.div %t, %c1 : !tile.tile<[4], f32>, f32
  "test.use"(%0, %1) : (!tile.tile<[4], f32>, !tile.tile<[4], f32>) -> ()
  pl.return
}

// `-0 + 0` is `0`, and NaN times zero is NaN.
// CHECK-LABEL: pl.func inline @no_identities_of_floats
// CHECK: tile.add
// CHECK: tile.sub
// CHECK: tile.mul
// CHECK: tile.sub
pl.func inline @no_identities_of_floats(%t: !tile.tile<[4], f32>) {
  %c0 = arith.constant 0.0 : f32
  %0 = tile.add %t, %c0 : !tile.tile<[4], f32>, f32
  %1 = tile.sub %t, %c0 : !tile.tile<[4], f32>, f32
  %2 = tile.mul %t, %c0 : !tile.tile<[4], f32>, f32
  %3 = tile.sub %t, %t : !tile.tile<[4], f32>
  "test.use"(%0, %1, %2, %3) : (!tile.tile<[4], f32>, !tile.tile<[4], f32>, !tile.tile<[4], f32>, !tile.tile<[4], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @neutral_tiles
// CHECK-SAME: %[[T:.*]]: !tile.tile
// CHECK: "test.use"(%[[T]], %[[T]], %[[T]])
pl.func inline @neutral_tiles(%t: !tile.tile<[4, 8], i32>) {
  %c0 = arith.constant 0 : i32
  %zero = tile.full %c0 : i32, !tile.tile<[4, 8], i32>
  %row = tile.full %c0 : i32, !tile.tile<[1, 8], i32>
  %0 = tile.add %t, %zero : !tile.tile<[4, 8], i32>
  %1 = tile.add %zero, %t : !tile.tile<[4, 8], i32>
  %2 = tile.or %t, %row : !tile.tile<[4, 8], i32>, !tile.tile<[1, 8], i32>
  "test.use"(%0, %1, %2) : (!tile.tile<[4, 8], i32>, !tile.tile<[4, 8], i32>, !tile.tile<[4, 8], i32>) -> ()
  pl.return
}

// The result is larger, is in another place, or is valid elsewhere.
// CHECK-LABEL: pl.func inline @neutral_tiles_of_other_types
// CHECK: tile.add
// CHECK: tile.add
// CHECK: tile.add
// CHECK: tile.sub
pl.func inline @neutral_tiles_of_other_types(%t: !tile.tile<[1, 8], i32>, %u: !tile.tile<[4, 8], i32, valid = [?, 8]>, %n: index) {
  %c0 = arith.constant 0 : i32
  %zero = tile.full %c0 : i32, !tile.tile<[4, 8], i32>
  %vec = tile.full %c0 : i32, !tile.tile<[1, 8], i32, vec>
  %part = tile.full %c0 valid(%n) : i32, !tile.tile<[4, 8], i32, valid = [?, 8]>
  %0 = tile.add %t, %zero : !tile.tile<[1, 8], i32>, !tile.tile<[4, 8], i32>
  %1 = tile.add %t, %vec : !tile.tile<[1, 8], i32>, !tile.tile<[1, 8], i32, vec>
  %2 = tile.add %u, %part : !tile.tile<[4, 8], i32, valid = [?, 8]>
  %3 = tile.sub %zero, %t : !tile.tile<[4, 8], i32>, !tile.tile<[1, 8], i32>
  "test.use"(%0, %1, %2, %3) : (!tile.tile<[4, 8], i32>, !tile.tile<[1, 8], i32, vec>,
    !tile.tile<[4, 8], i32, valid = [?, 8]>, !tile.tile<[4, 8], i32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @equal_operands
// CHECK-SAME: %[[F:.*]]: !tile.tile<[4], f32>, %[[I:.*]]: !tile.tile<[4], i32>
// CHECK-NEXT: "test.use"(%[[F]], %[[F]], %[[I]], %[[I]])
pl.func inline @equal_operands(%f: !tile.tile<[4], f32>, %i: !tile.tile<[4], i32>) {
  %0 = tile.maximum %f, %f : !tile.tile<[4], f32>
  %1 = tile.minimum %f, %f : !tile.tile<[4], f32>
  %2 = tile.and %i, %i : !tile.tile<[4], i32>
  %3 = tile.or %i, %i : !tile.tile<[4], i32>
  "test.use"(%0, %1, %2, %3) : (!tile.tile<[4], f32>, !tile.tile<[4], f32>, !tile.tile<[4], i32>, !tile.tile<[4], i32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @reshapes
// CHECK-SAME: %[[T:.*]]: !tile.tile<[4, 8], f32>
// CHECK-NEXT: %[[R:.*]] = tile.reshape %[[T]] : !tile.tile<[4, 8], f32> -> !tile.tile<[2, 16], f32>
// CHECK-NEXT: "test.use"(%[[T]], %[[T]], %[[R]])
pl.func inline @reshapes(%t: !tile.tile<[4, 8], f32>) {
  %0 = tile.reshape %t : !tile.tile<[4, 8], f32> -> !tile.tile<[4, 8], f32>
  %1 = tile.reshape %t : !tile.tile<[4, 8], f32> -> !tile.tile<[32], f32>
  %2 = tile.reshape %1 : !tile.tile<[32], f32> -> !tile.tile<[4, 8], f32>
  %3 = tile.reshape %1 : !tile.tile<[32], f32> -> !tile.tile<[2, 16], f32>
  "test.use"(%0, %2, %3) : (!tile.tile<[4, 8], f32>, !tile.tile<[4, 8], f32>, !tile.tile<[2, 16], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @transposes
// CHECK-SAME: %[[T:.*]]: !tile.tile<[4, 8, 8], f32>
// CHECK-NEXT: %[[ONCE:.*]] = tile.transpose %[[T]], 0, 1
// CHECK-NEXT: %[[OTHER:.*]] = tile.transpose %[[ONCE]], 1, 2
// CHECK-NEXT: "test.use"(%[[T]], %[[T]], %[[OTHER]])
pl.func inline @transposes(%t: !tile.tile<[4, 8, 8], f32>) {
  %0 = tile.transpose %t, 1, 1 : !tile.tile<[4, 8, 8], f32>
  %1 = tile.transpose %t, 0, 1 : !tile.tile<[4, 8, 8], f32>
  %2 = tile.transpose %1, 1, 0 : !tile.tile<[8, 4, 8], f32>
  %3 = tile.transpose %1, 1, 2 : !tile.tile<[8, 4, 8], f32>
  "test.use"(%0, %2, %3) : (!tile.tile<[4, 8, 8], f32>, !tile.tile<[4, 8, 8], f32>, !tile.tile<[8, 8, 4], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @retyping
// CHECK-SAME: %[[T:.*]]: !tile.tile<[8], f32>, %[[U:.*]]: !tile.tile<[8], f32, valid = [?]>
// CHECK-NEXT: %[[V:.*]] = tile.set_validshape %[[U]]
// CHECK-NEXT: "test.use"(%[[T]], %[[T]], %[[T]], %[[V]], %[[T]], %[[T]])
pl.func inline @retyping(%t: !tile.tile<[8], f32>, %u: !tile.tile<[8], f32, valid = [?]>, %n: index) {
  %0 = tile.cast_valid %t : !tile.tile<[8], f32> -> !tile.tile<[8], f32>
  %1 = tile.cast_valid %t : !tile.tile<[8], f32> -> !tile.tile<[8], f32, valid = [?]>
  %2 = tile.cast_valid %1 : !tile.tile<[8], f32, valid = [?]> -> !tile.tile<[8], f32>
  %3 = tile.set_validshape %t[8] : !tile.tile<[8], f32> -> !tile.tile<[8], f32>
  %4 = tile.set_validshape %u[%n] : !tile.tile<[8], f32, valid = [?]> -> !tile.tile<[8], f32, valid = [?]>
  %5 = tile.cast %t to f32 : !tile.tile<[8], f32>
  %6 = tile.fillpad zero %t : !tile.tile<[8], f32>
  "test.use"(%0, %2, %3, %4, %5, %6) : (!tile.tile<[8], f32>, !tile.tile<[8], f32>, !tile.tile<[8], f32>,
    !tile.tile<[8], f32, valid = [?]>, !tile.tile<[8], f32>, !tile.tile<[8], f32>) -> ()
  pl.return
}

// CHECK-LABEL: pl.func inline @fillpad_of_a_part
// CHECK: tile.fillpad
pl.func inline @fillpad_of_a_part(%t: !tile.tile<[8], f32, valid = [?]>) {
  %0 = tile.fillpad zero %t : !tile.tile<[8], f32, valid = [?]>
  "test.use"(%0) : (!tile.tile<[8], f32>) -> ()
  pl.return
}

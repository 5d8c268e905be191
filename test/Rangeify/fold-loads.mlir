// RUN: pypto-opt --fold-loads --split-input-file %s | FileCheck %s

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// An integer that is added in each of 5 iterations is multiplied; a float is not.

// CHECK-LABEL: func.func @repeated
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel"]
// CHECK: %[[X:.*]] = tensor.extract
// CHECK: %[[N:.*]] = arith.constant 5 : i32
// CHECK: arith.muli %[[X]], %[[N]]
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
func.func @repeated(%x: tensor<4xi32>, %y: tensor<4xf32>, %i0: tensor<4xi32>, %f0: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %shape = tensor.empty() : tensor<5xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5xi8>) outs(%i0 : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %a = tensor.extract %x[%i] : tensor<4xi32>
    %sum = arith.addi %out, %a : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  %1 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5xi8>) outs(%f0 : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %i = linalg.index 0 : index
    %a = tensor.extract %y[%i] : tensor<4xf32>
    %sum = arith.addf %out, %a : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xi32>, tensor<4xf32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// The one row that a mask of one element chooses is read.

// CHECK-LABEL: func.func @one_hot
// CHECK-SAME: (%[[TABLE:.*]]: tensor<5xf32>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel"]
// CHECK: %[[CHOSEN:.*]] = arith.index_cast
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[END:.*]] = arith.constant 5 : index
// CHECK-DAG: %[[BEGINS:.*]] = arith.cmpi sge, %[[CHOSEN]], %[[ZERO]]
// CHECK-DAG: %[[ENDS:.*]] = arith.cmpi slt, %[[CHOSEN]], %[[END]]
// CHECK: %[[THERE:.*]] = arith.andi %[[BEGINS]], %[[ENDS]]
// CHECK: scf.if %[[THERE]]
// CHECK-NEXT: tensor.extract %[[TABLE]][%[[CHOSEN]]]
// CHECK: arith.addf
func.func @one_hot(%table: tensor<5xf32>, %indices: tensor<4xi64>, %f0: tensor<4xf32>) -> tensor<4xf32> {
  %shape = tensor.empty() : tensor<5xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5xi8>) outs(%f0 : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zero = arith.constant 0.0 : f32
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %number = arith.index_cast %r : index to i64
    %chosen = tensor.extract %indices[%i] : tensor<4xi64>
    %isChosen = arith.cmpi eq, %number, %chosen : i64
    %a = tensor.extract %table[%r] : tensor<5xf32>
    %masked = arith.select %isChosen, %a, %zero : f32
    %sum = arith.addf %out, %masked : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// Ones below the diagonal add up to the row: how an arange is made of a triangle.

// CHECK-LABEL: func.func @triangle
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel"]
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.minsi %[[I]]
// CHECK: arith.maxsi
// CHECK: %[[COUNT:.*]] = arith.index_cast
// CHECK: arith.addi %{{.*}}, %[[COUNT]]
func.func @triangle(%i0: tensor<4xi32>) -> tensor<4xi32> {
  %shape = tensor.empty() : tensor<4xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<4xi8>) outs(%i0 : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %isBelow = arith.cmpi sle, %r, %i : index
    %one = arith.extui %isBelow : i1 to i32
    %sum = arith.addi %out, %one : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// Powers, and an exclusive or of an odd and an even number of the same.

// CHECK-LABEL: func.func @power(
// CHECK: %[[X:.*]] = tensor.extract
// CHECK: %[[SQUARE:.*]] = arith.muli %[[X]], %[[X]]
// CHECK: %[[FOURTH:.*]] = arith.muli %[[SQUARE]], %[[SQUARE]]
// CHECK: %[[FIFTH:.*]] = arith.muli %[[X]], %[[FOURTH]]
// CHECK: arith.muli %{{.*}}, %[[FIFTH]]
func.func @power(%init: tensor<4xi32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %shape = tensor.empty() : tensor<5xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5xi8>) outs(%init : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %e = tensor.extract %x[%i] : tensor<4xi32>
    %sum = arith.muli %out, %e : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @parity(
// CHECK: iterator_types = ["parallel"]
// CHECK: %[[NONE:.*]] = arith.constant 0 : i32
// CHECK: arith.xori %{{.*}}, %[[NONE]]
func.func @parity(%init: tensor<4xi32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %shape = tensor.empty() : tensor<6xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<6xi8>) outs(%init : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %e = tensor.extract %x[%i] : tensor<4xi32>
    %sum = arith.xori %out, %e : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// A sum of an arithmetic progression: 3 * (0 + … + 9) + 10 * i.

// CHECK-LABEL: func.func @progression(
// CHECK: iterator_types = ["parallel"]
// CHECK: %[[SUMS:.*]] = arith.muli %[[I:.*]], %c10
// CHECK: arith.addi %[[SUMS]], %c135
// CHECK: arith.index_cast
func.func @progression(%init: tensor<4xi32>) -> tensor<4xi32> {
  %shape = tensor.empty() : tensor<10xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<10xi8>) outs(%init : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %line = affine.apply affine_map<(d0, d1) -> (3 * d0 + d1)>(%r, %i)
    %e = arith.index_cast %line : index to i32
    %sum = arith.addi %out, %e : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// A band: the iterations between two limits are counted, and a number is added in each of them.

// CHECK-LABEL: func.func @band(
// CHECK: iterator_types = ["parallel"]
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: arith.subi
// CHECK: arith.muli
func.func @band(%init: tensor<4xi32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %shape = tensor.empty() : tensor<9xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<9xi8>) outs(%init : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %x0 = tensor.extract %x[%i] : tensor<4xi32>
    %zero = arith.constant 0 : i32
    %low = affine.apply affine_map<(d0) -> (d0 - 2)>(%i)
    %high = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %isAbove = arith.cmpi sge, %r, %low : index
    %isBelow = arith.cmpi slt, %r, %high : index
    %isInside = arith.andi %isAbove, %isBelow : i1
    %e = arith.select %isInside, %x0, %zero : i32
    %sum = arith.addi %out, %e : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// The place where a line crosses another is a division: 2 * r < i + 3.

// CHECK-LABEL: func.func @crossing(
// CHECK: iterator_types = ["parallel"]
// CHECK: arith.ceildivsi
func.func @crossing(%init: tensor<4xi32>) -> tensor<4xi32> {
  %shape = tensor.empty() : tensor<9xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<9xi8>) outs(%init : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %twice = affine.apply affine_map<(d0) -> (2 * d0)>(%r)
    %limit = affine.apply affine_map<(d0) -> (d0 + 3)>(%i)
    %isBelow = arith.cmpi slt, %twice, %limit : index
    %e = arith.extui %isBelow : i1 to i32
    %sum = arith.addi %out, %e : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// With the arms exchanged, and with a factor that is one or zero.

// CHECK-LABEL: func.func @exchanged(
// CHECK: iterator_types = ["parallel"]
// CHECK: scf.if
func.func @exchanged(%init: tensor<4xf32>, %table: tensor<5xf32>, %chosen: tensor<4xi32>) -> tensor<4xf32> {
  %shape = tensor.empty() : tensor<5xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5xi8>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %zero = arith.constant 0.0 : f32
    %c = tensor.extract %chosen[%i] : tensor<4xi32>
    %n = arith.index_cast %r : index to i32
    %isOther = arith.cmpi ne, %n, %c : i32
    %a = tensor.extract %table[%r] : tensor<5xf32>
    %e = arith.select %isOther, %zero, %a : f32
    %sum = arith.addf %out, %e : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @masked(
// CHECK: iterator_types = ["parallel"]
// CHECK-NOT: linalg.index 1
// CHECK: return
func.func @masked(%init: tensor<4xi32>) -> tensor<4xi32> {
  %shape = tensor.empty() : tensor<5xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5xi8>) outs(%init : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %isBelow = arith.cmpi sle, %r, %i : index
    %mask = arith.extui %isBelow : i1 to i32
    %number = arith.index_cast %r : index to i32
    %e = arith.muli %number, %mask : i32
    %sum = arith.addi %out, %e : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// A number that is too small for the loop comes around again: no interval. Nor is there a product in place of a sum of floats.

// CHECK-LABEL: func.func @comes_around(
// CHECK: iterator_types = ["parallel", "reduction"]
func.func @comes_around(%init: tensor<4xi32>) -> tensor<4xi32> {
  %shape = tensor.empty() : tensor<200xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<200xi8>) outs(%init : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %n = arith.index_cast %r : index to i8
    %three = arith.constant 3 : i8
    %isBelow = arith.cmpi slt, %n, %three : i8
    %e = arith.extui %isBelow : i1 to i32
    %sum = arith.addi %out, %e : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @float_band(
// CHECK: iterator_types = ["parallel", "reduction"]
func.func @float_band(%init: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %shape = tensor.empty() : tensor<9xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<9xi8>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %x0 = tensor.extract %x[%i] : tensor<4xf32>
    %zero = arith.constant 0.0 : f32
    %isBelow = arith.cmpi slt, %r, %i : index
    %e = arith.select %isBelow, %x0, %zero : f32
    %sum = arith.addf %out, %e : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// One loop of two goes; the other is summed over as before.

// CHECK-LABEL: func.func @one_of_two(
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction"]
// CHECK-SAME: ins(%{{.*}} : tensor<6xi8>)
// CHECK: %[[X:.*]] = tensor.extract
// CHECK: arith.muli %[[X]]
func.func @one_of_two(%x: tensor<6xi32>, %init: tensor<i32>) -> tensor<i32> {
  %shape = tensor.empty() : tensor<6x5xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>],
      iterator_types = ["reduction", "reduction"]} ins(%shape : tensor<6x5xi8>) outs(%init : tensor<i32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %a = tensor.extract %x[%i] : tensor<6xi32>
    %sum = arith.addi %out, %a : i32
    linalg.yield %sum : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// An exclusive or of an odd number of the same is the same; a product of nothing stays what it starts from.

// CHECK-LABEL: func.func @odd_parity(
// CHECK: iterator_types = ["parallel"]
// CHECK: %[[X:.*]] = tensor.extract
// CHECK-NOT: arith.constant
// CHECK: arith.xori %{{.*}}, %[[X]]
func.func @odd_parity(%init: tensor<4xi32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %shape = tensor.empty() : tensor<7xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<7xi8>) outs(%init : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %e = tensor.extract %x[%i] : tensor<4xi32>
    %sum = arith.xori %out, %e : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @nothing(
// CHECK: iterator_types = ["parallel", "reduction"]
func.func @nothing(%init: tensor<4xi32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %shape = tensor.empty() : tensor<0xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<0xi8>) outs(%init : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %i = linalg.index 0 : index
    %e = tensor.extract %x[%i] : tensor<4xi32>
    %max = arith.maxsi %out, %e : i32
    linalg.yield %max : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0)>

// What is compared with the loop depends on it, so that several iterations may count.

// CHECK-LABEL: func.func @several(
// CHECK: iterator_types = ["parallel", "reduction"]
func.func @several(%table: tensor<5xf32>, %indices: tensor<5xindex>, %f0: tensor<4xf32>) -> tensor<4xf32> {
  %shape = tensor.empty() : tensor<5xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5xi8>) outs(%f0 : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zero = arith.constant 0.0 : f32
    %r = linalg.index 1 : index
    %chosen = tensor.extract %indices[%r] : tensor<5xindex>
    %isChosen = arith.cmpi eq, %r, %chosen : index
    %a = tensor.extract %table[%r] : tensor<5xf32>
    %masked = arith.select %isChosen, %a, %zero : f32
    %sum = arith.addf %out, %masked : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Adding minus zero keeps a minus zero, which adding zero does not.

// CHECK-LABEL: func.func @minus_zero(
// CHECK: iterator_types = ["parallel", "reduction"]
func.func @minus_zero(%table: tensor<5xf32>, %indices: tensor<4xindex>, %f0: tensor<4xf32>) -> tensor<4xf32> {
  %shape = tensor.empty() : tensor<5xi8>
  %0 = linalg.generic {indexing_maps = [#rows, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%shape : tensor<5xi8>) outs(%f0 : tensor<4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zero = arith.constant -0.0 : f32
    %i = linalg.index 0 : index
    %r = linalg.index 1 : index
    %chosen = tensor.extract %indices[%i] : tensor<4xindex>
    %isChosen = arith.cmpi eq, %r, %chosen : index
    %a = tensor.extract %table[%r] : tensor<5xf32>
    %masked = arith.select %isChosen, %a, %zero : f32
    %sum = arith.addf %out, %masked : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RUN: pypto-opt --convert-to-ssa %s | FileCheck %s
// A variable may be bound and read under types that are compatible with its own: a value keeps the type that it
// has, a loop that of the initial value, a branch what both sides agree on; casts make up the difference.

// CHECK-LABEL: pl.func @narrowed
// CHECK-SAME: %[[X:.*]]: !pl.tensor<[4], f32>
// CHECK-NEXT: pl.return %[[X]]
pl.func @narrowed(%x: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  %t = pl.var "t" : !pl.tensor<[?], f32>
  pl.set %t, %x : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[4], f32>
  %0 = pl.get %t : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[4], f32>
  pl.return %0 : !pl.tensor<[4], f32>
}

// CHECK-LABEL: pl.func @read_under_another_type
// CHECK-SAME: %[[X:.*]]: !pl.tensor<[4], f32>
// CHECK-NEXT: %[[CAST:.*]] = pl.cast_shape %[[X]] : !pl.tensor<[4], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: pl.return %[[CAST]]
pl.func @read_under_another_type(%x: !pl.tensor<[4], f32>) -> !pl.tensor<[?], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[4], f32> -> !pl.tensor<[?], f32>
  %0 = pl.get %t : !pl.tensor<[?], f32>
  pl.return %0 : !pl.tensor<[?], f32>
}

// CHECK-LABEL: pl.func @branches_that_differ
// CHECK-SAME: %{{.*}}: i1, %[[X:.*]]: !pl.tensor<[4, 8], f32>, %[[Y:.*]]: !pl.tensor<[6, 8], f32>
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (!pl.tensor<[?, 8], f32>) {
// CHECK-NEXT: %[[LEFT:.*]] = pl.cast_shape %[[X]] : !pl.tensor<[4, 8], f32> -> !pl.tensor<[?, 8], f32>
// CHECK-NEXT: scf.yield %[[LEFT]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[RIGHT:.*]] = pl.cast_shape %[[Y]] : !pl.tensor<[6, 8], f32> -> !pl.tensor<[?, 8], f32>
// CHECK-NEXT: scf.yield %[[RIGHT]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[CAST:.*]] = pl.cast_shape %[[R]] : !pl.tensor<[?, 8], f32> -> !pl.tensor<[?, ?], f32>
// CHECK-NEXT: pl.return %[[CAST]]
pl.func @branches_that_differ(%c: i1, %x: !pl.tensor<[4, 8], f32>, %y: !pl.tensor<[6, 8], f32>) -> !pl.tensor<[?, ?], f32> {
  %t = pl.var "t" : !pl.tensor<[?, ?], f32>
  scf.if %c {
    pl.set %t, %x : !pl.var<!pl.tensor<[?, ?], f32>> -> !pl.tensor<[4, 8], f32>
  } else {
    pl.set %t, %y : !pl.var<!pl.tensor<[?, ?], f32>> -> !pl.tensor<[6, 8], f32>
  }
  %0 = pl.get %t : !pl.tensor<[?, ?], f32>
  pl.return %0 : !pl.tensor<[?, ?], f32>
}

// The same valid shape on both sides survives.
// CHECK-LABEL: pl.func @branches_that_agree
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (!pl.tensor<[4], f32, valid = [N]>) {
// CHECK-NOT: pl.cast_shape
// CHECK: pl.return %[[R]]
pl.func @branches_that_agree(%c: i1, %x: !pl.tensor<[4], f32, valid = [N]>, %y: !pl.tensor<[4], f32, valid = [N]>)
    -> !pl.tensor<[4], f32, valid = [N]> {
  %t = pl.var "t" : !pl.tensor<[4], f32>
  scf.if %c {
    pl.set %t, %x : !pl.var<!pl.tensor<[4], f32>> -> !pl.tensor<[4], f32, valid = [N]>
  } else {
    pl.set %t, %y : !pl.var<!pl.tensor<[4], f32>> -> !pl.tensor<[4], f32, valid = [N]>
  }
  %0 = pl.get %t : !pl.var<!pl.tensor<[4], f32>> -> !pl.tensor<[4], f32, valid = [N]>
  pl.return %0 : !pl.tensor<[4], f32, valid = [N]>
}

// CHECK-LABEL: pl.func inline @tile_branches
// CHECK-SAME: %{{.*}}: i1, %[[X:.*]]: !tile.tile<[16], f32>, %[[Y:.*]]: !tile.tile<[16], f32, valid = [?]>
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (!tile.tile<[16], f32, valid = [?]>) {
// CHECK-NEXT: %[[CAST:.*]] = tile.cast_valid %[[X]] : !tile.tile<[16], f32> -> !tile.tile<[16], f32, valid = [?]>
// CHECK-NEXT: scf.yield %[[CAST]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[Y]]
pl.func inline @tile_branches(%c: i1, %x: !tile.tile<[16], f32>, %y: !tile.tile<[16], f32, valid = [?]>)
    -> !tile.tile<[16], f32, valid = [?]> {
  %t = pl.var "t" = %y : !tile.tile<[16], f32, valid = [?]>
  scf.if %c {
    pl.set %t, %x : !pl.var<!tile.tile<[16], f32, valid = [?]>> -> !tile.tile<[16], f32>
  }
  %0 = pl.get %t : !tile.tile<[16], f32, valid = [?]>
  pl.return %0 : !tile.tile<[16], f32, valid = [?]>
}

// Two memory spaces: the variable's own type says neither.
// CHECK-LABEL: pl.func inline @tile_spaces
// CHECK: scf.if %{{.*}} -> (!tile.tile<[16], f32>) {
// CHECK-NEXT: tile.cast_valid %{{.*}} : !tile.tile<[16], f32, vec> -> !tile.tile<[16], f32>
// CHECK: } else {
// CHECK-NEXT: tile.cast_valid %{{.*}} : !tile.tile<[16], f32, acc> -> !tile.tile<[16], f32>
pl.func inline @tile_spaces(%c: i1, %x: !tile.tile<[16], f32, vec>, %y: !tile.tile<[16], f32, acc>) -> !tile.tile<[16], f32> {
  %t = pl.var "t" = %y : !tile.tile<[16], f32, acc> -> !tile.tile<[16], f32>
  scf.if %c {
    pl.set %t, %x : !pl.var<!tile.tile<[16], f32>> -> !tile.tile<[16], f32, vec>
  }
  %0 = pl.get %t : !tile.tile<[16], f32>
  pl.return %0 : !tile.tile<[16], f32>
}

// CHECK-LABEL: pl.func @loop_takes_initial_type
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}) -> (!pl.tensor<[4], f32>) {
// CHECK-NEXT: %[[WIDE:.*]] = pl.cast_shape %[[T]] : !pl.tensor<[4], f32> -> !pl.tensor<[?], f32>
// CHECK-NEXT: %[[SUM:.*]] = pl.add %[[WIDE]], %[[WIDE]]
// CHECK-NEXT: %[[NARROW:.*]] = pl.cast_shape %[[SUM]] : !pl.tensor<[?], f32> -> !pl.tensor<[4], f32>
// CHECK-NEXT: scf.yield %[[NARROW]]
pl.func @loop_takes_initial_type(%k: index, %x: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[4], f32> -> !pl.tensor<[?], f32>
  scf.for %i = %k to %k step %k {
    %0 = pl.get %t : !pl.tensor<[?], f32>
    %1 = pl.add %0, %0 : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
    pl.set %t, %1 : !pl.tensor<[?], f32>
  }
  %2 = pl.get %t : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[4], f32>
  pl.return %2 : !pl.tensor<[4], f32>
}

// A cast that only changes the type back is none.
// CHECK-LABEL: pl.func @no_round_trip
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK-NEXT: %[[WRITTEN:.*]] = pl.write %{{.*}}, %[[T]]
// CHECK-NEXT: pl.cast_shape %[[WRITTEN]]
// CHECK-NEXT: scf.yield %[[WRITTEN]]
pl.func @no_round_trip(%k: index, %x: !pl.tensor<[4], f32>, %f: f32) -> !pl.tensor<[4], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[4], f32>
  scf.for %i = %k to %k step %k {
    %0 = pl.get %t : !pl.tensor<[4], f32>
    %1 = pl.write %f, %0[%i] : !pl.tensor<[4], f32>
    %2 = pl.cast_shape %1 : !pl.tensor<[4], f32> -> !pl.tensor<[?], f32>
    pl.set %t, %2 : !pl.var<!pl.tensor<[4], f32>> -> !pl.tensor<[?], f32>
  }
  %3 = pl.get %t : !pl.tensor<[4], f32>
  pl.return %3 : !pl.tensor<[4], f32>
}

// CHECK-LABEL: pl.func @while_types
// CHECK: %[[R:.*]] = scf.while (%[[BEFORE:.*]] = %{{.*}}) : (!pl.tensor<[4], f32>) -> !pl.tensor<[?], f32> {
// CHECK: %[[SUM:.*]] = pl.add
// CHECK: scf.condition(%{{.*}}) %[[SUM]] : !pl.tensor<[?], f32>
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[AFTER:.*]]: !pl.tensor<[?], f32>):
// CHECK-NEXT: %[[CAST:.*]] = pl.cast_shape %[[AFTER]] : !pl.tensor<[?], f32> -> !pl.tensor<[4], f32>
// CHECK-NEXT: scf.yield %[[CAST]]
// CHECK: pl.return %[[R]]
pl.func @while_types(%c: i1, %x: !pl.tensor<[4], f32>) -> !pl.tensor<[?], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[4], f32> -> !pl.tensor<[?], f32>
  scf.while : () -> () {
    %0 = pl.get %t : !pl.tensor<[?], f32>
    %1 = pl.add %0, %0 : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
    pl.set %t, %1 : !pl.tensor<[?], f32>
    scf.condition(%c)
  } do {
    scf.yield
  }
  %2 = pl.get %t : !pl.tensor<[?], f32>
  pl.return %2 : !pl.tensor<[?], f32>
}

//===- Names of extents that end with their block ---------------------------------------------------===//

// CHECK-LABEL: pl.func @symbol_of_a_scope
// CHECK: %[[R:.*]] = pl.at core_group -> !pl.tensor<[?, N], f32> {
// CHECK: %[[CAST:.*]] = pl.cast_shape %{{.*}} : !pl.tensor<[rows, N], f32> -> !pl.tensor<[?, N], f32>
// CHECK-NEXT: pl.yield %[[CAST]]
// CHECK: pl.return %[[R]]
pl.func @symbol_of_a_scope(%k: index, %x: !pl.tensor<[?, N], f32>) -> !pl.tensor<[?, N], f32> {
  %t = pl.var "t" : !pl.tensor<[?, N], f32>
  pl.at core_group {
    pl.symbol @rows = %k : index
    %0 = pl.create : !pl.tensor<[rows, N], f32>
    pl.set %t, %0 : !pl.var<!pl.tensor<[?, N], f32>> -> !pl.tensor<[rows, N], f32>
  }
  %1 = pl.get %t : !pl.tensor<[?, N], f32>
  pl.return %1 : !pl.tensor<[?, N], f32>
}

// An expression over such a name, in the valid shape; the name of the enclosing block stays.
// CHECK-LABEL: pl.func @symbol_in_valid_shape
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (!pl.tensor<[64, outer], f32, valid = [?, outer]>) {
pl.func @symbol_in_valid_shape(%k: index, %c: i1, %x: !pl.tensor<[64, ?], f32>) -> !pl.tensor<[64, ?], f32> {
  pl.symbol @outer = %k : index
  %t = pl.var "t" : !pl.tensor<[64, ?], f32>
  scf.if %c {
    pl.symbol @rows = %k : index
    %0 = pl.cast_shape %x : !pl.tensor<[64, ?], f32> -> !pl.tensor<[64, outer], f32, valid = [rows * 2 + 1, outer]>
    pl.set %t, %0 : !pl.var<!pl.tensor<[64, ?], f32>> -> !pl.tensor<[64, outer], f32, valid = [rows * 2 + 1, outer]>
  } else {
    pl.symbol @rows = %k : index
    %0 = pl.cast_shape %x : !pl.tensor<[64, ?], f32> -> !pl.tensor<[64, outer], f32, valid = [rows * 2 + 1, outer]>
    pl.set %t, %0 : !pl.var<!pl.tensor<[64, ?], f32>> -> !pl.tensor<[64, outer], f32, valid = [rows * 2 + 1, outer]>
  }
  %1 = pl.get %t : !pl.tensor<[64, ?], f32>
  pl.return %1 : !pl.tensor<[64, ?], f32>
}

// CHECK-LABEL: pl.func @symbol_of_a_while_loop
// CHECK: scf.while : () -> !pl.tensor<[?], f32> {
// CHECK: ^bb0(%{{.*}}: !pl.tensor<[?], f32>):
pl.func @symbol_of_a_while_loop(%k: index, %c: i1, %x: !pl.tensor<[?], f32>) -> !pl.tensor<[?], f32> {
  %t = pl.var "t" : !pl.tensor<[?], f32>
  scf.while : () -> () {
    pl.symbol @rows = %k : index
    %0 = pl.create : !pl.tensor<[rows], f32>
    pl.set %t, %0 : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[rows], f32>
    scf.condition(%c)
  } do {
    scf.yield
  }
  %1 = pl.get %t : !pl.tensor<[?], f32>
  pl.return %1 : !pl.tensor<[?], f32>
}

// CHECK-LABEL: pl.func @symbol_of_a_loop
// CHECK: scf.for {{.*}} -> (!pl.tensor<[?], f32>) {
// CHECK: %[[CAST:.*]] = pl.cast_shape %{{.*}} : !pl.tensor<[rows], f32> -> !pl.tensor<[?], f32>
// CHECK: scf.yield %[[CAST]]
pl.func @symbol_of_a_loop(%k: index, %x: !pl.tensor<[?], f32>) -> !pl.tensor<[?], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[?], f32>
  scf.for %i = %k to %k step %k {
    pl.symbol @rows = %i : index
    %0 = pl.get %t : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[rows], f32>
    %1 = pl.add %0, %0 : !pl.tensor<[rows], f32>, !pl.tensor<[rows], f32>
    pl.set %t, %1 : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[rows], f32>
  }
  %2 = pl.get %t : !pl.tensor<[?], f32>
  pl.return %2 : !pl.tensor<[?], f32>
}

// RUN: pypto-opt --convert-to-ssa --allow-unregistered-dialect %s | FileCheck %s
// RUN: pypto-opt --convert-to-ssa --allow-unregistered-dialect --mlir-use-nameloc-as-prefix %s | FileCheck %s --check-prefix=NAMES
// A variable that a loop binds is carried by the loop if the next iteration or what comes after may read it.

// The example of the pass's documentation.
// CHECK-LABEL: pl.func @sum
// CHECK-SAME: %[[N:.*]]: index
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[S:.*]] = scf.for %[[I:.*]] = %[[C0]] to %[[N]] step %[[C1]] iter_args(%[[S0:.*]] = %[[C0]]) -> (index) {
// CHECK-NEXT: %[[S1:.*]] = arith.addi %[[S0]], %[[I]] : index
// CHECK-NEXT: scf.yield %[[S1]] : index
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %[[S]] : index
pl.func @sum(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = pl.var "s" = %c0 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = pl.get %s : index
    %1 = arith.addi %0, %i : index
    pl.set %s, %1 : index
  }
  %2 = pl.get %s : index
  pl.return %2 : index
}

// CHECK-LABEL: pl.func @accumulate
// CHECK-SAME: %[[K:.*]]: index, %[[A:.*]]: index
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[K]] step %{{.*}} iter_args(%[[CARRIED:.*]] = %[[A]]) -> (index) {
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[CARRIED]], %[[I]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK-NEXT: } {pl.loop = #pl.loop<unroll>}
// CHECK-NEXT: pl.return %[[SUM]]
// NAMES-LABEL: pl.func @accumulate
// NAMES: %sum = scf.for {{.*}} iter_args(%sum_0 =
pl.func @accumulate(%k: index, %a: index) -> index {
  %sum = pl.var "sum" = %a : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %0 = pl.get %sum : index
    %1 = arith.addi %0, %i : index
    pl.set %sum, %1 : index
  } {pl.loop = #pl.loop<unroll>}
  %2 = pl.get %sum : index
  pl.return %2 : index
}

// Read by the next iteration only.
// CHECK-LABEL: pl.func @previous
// CHECK-SAME: %[[K:.*]]: index
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[LAST:.*]] = %[[K]]) -> (index) {
// CHECK-NEXT: "test.use"(%[[LAST]])
// CHECK-NEXT: scf.yield %[[I]]
pl.func @previous(%k: index) {
  %last = pl.var "last" = %k : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %0 = pl.get %last : index
    "test.use"(%0) : (index) -> ()
    pl.set %last, %i : index
  }
  pl.return
}

// Read after the loop only.
// CHECK-LABEL: pl.func @last
// CHECK-SAME: %[[K:.*]]: index
// CHECK: %[[LAST:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %[[K]]) -> (index) {
// CHECK-NEXT: scf.yield %[[I]]
// CHECK: pl.return %[[LAST]]
pl.func @last(%k: index) -> index {
  %last = pl.var "last" = %k : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    pl.set %last, %i : index
  }
  %0 = pl.get %last : index
  pl.return %0 : index
}

// Bound before it is read in each iteration, and not read afterwards: not carried, though it is declared outside.
// CHECK-LABEL: pl.func @temporary
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{[^ ]*}} {
// CHECK-NEXT: "test.use"(%[[I]])
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
pl.func @temporary(%k: index) {
  %t = pl.var "t" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    pl.set %t, %i : index
    %0 = pl.get %t : index
    "test.use"(%0) : (index) -> ()
  }
  pl.return
}

// A variable that the loop reads only is the value from before.
// CHECK-LABEL: pl.func @read_only
// CHECK-SAME: %[[K:.*]]: index
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^ ]*}} {
// CHECK-NEXT: "test.use"(%[[K]])
pl.func @read_only(%k: index) {
  %n = pl.var "n" = %k : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %0 = pl.get %n : index
    "test.use"(%0) : (index) -> ()
  }
  pl.return
}

// A variable that the body declares is another one in each iteration.
// CHECK-LABEL: pl.func @declared_in_body
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{[^ ]*}} {
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[I]], %[[I]]
// CHECK-NEXT: "test.use"(%[[NEXT]])
pl.func @declared_in_body(%k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %n = pl.var "n" = %i : index
    %0 = pl.get %n : index
    %1 = arith.addi %0, %i : index
    pl.set %n, %1 : index
    %2 = pl.get %n : index
    "test.use"(%2) : (index) -> ()
  }
  pl.return
}

// What the loop carries already comes first.
// CHECK-LABEL: pl.func @carried_before
// CHECK-SAME: %[[K:.*]]: index, %[[A:.*]]: index
// CHECK: %[[R:.*]]:2 = scf.for %[[I:.*]] = {{.*}} iter_args(%[[OWN:.*]] = %[[K]], %[[N:.*]] = %[[A]]) -> (index, index) {
// CHECK-NEXT: scf.yield %[[N]], %[[OWN]]
// CHECK: pl.return %[[R]]#0, %[[R]]#1
pl.func @carried_before(%k: index, %a: index) -> (index, index) {
  %n = pl.var "n" = %a : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%own = %k) -> (index) {
    %0 = pl.get %n : index
    pl.set %n, %own : index
    scf.yield %0 : index
  }
  %1 = pl.get %n : index
  pl.return %r, %1 : index, index
}

// Two variables that exchange their values in each iteration.
// CHECK-LABEL: pl.func @exchange
// CHECK-SAME: %[[K:.*]]: index, %[[A:.*]]: index, %[[B:.*]]: index
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %[[A]], %[[Y:.*]] = %[[B]]) -> (index, index) {
// CHECK-NEXT: scf.yield %[[Y]], %[[X]]
// CHECK: pl.return %[[R]]#0, %[[R]]#1
pl.func @exchange(%k: index, %a: index, %b: index) -> (index, index) {
  %x = pl.var "x" = %a : index
  %y = pl.var "y" = %b : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %0 = pl.get %x : index
    %1 = pl.get %y : index
    pl.set %x, %1 : index
    pl.set %y, %0 : index
  }
  %2 = pl.get %x : index
  %3 = pl.get %y : index
  pl.return %2, %3 : index, index
}

// Bound by the inner loop: both loops carry it.
// CHECK-LABEL: pl.func @nested
// CHECK-SAME: %[[K:.*]]: index
// CHECK: %[[OUTER:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[N:.*]] = %[[K]]) -> (index) {
// CHECK-NEXT: %[[INNER:.*]] = scf.for %[[J:.*]] = {{.*}} iter_args(%[[M:.*]] = %[[N]]) -> (index) {
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[M]], %[[J]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[INNER]]
// CHECK: pl.return %[[OUTER]]
pl.func @nested(%k: index) -> index {
  %n = pl.var "n" = %k : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    scf.for %j = %c0 to %k step %c1 {
      %0 = pl.get %n : index
      %1 = arith.addi %0, %j : index
      pl.set %n, %1 : index
    }
  }
  %2 = pl.get %n : index
  pl.return %2 : index
}

// The outer loop starts the variable anew: only the inner one carries it.
// CHECK-LABEL: pl.func @inner_only
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{[^ ]*}} {
// CHECK-NEXT: %[[N:.*]] = scf.for %[[J:.*]] = {{.*}} iter_args(%[[M:.*]] = %[[I]]) -> (index) {
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[M]], %[[J]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK-NEXT: }
// CHECK-NEXT: "test.use"(%[[N]])
// CHECK-NEXT: }
pl.func @inner_only(%k: index) {
  %n = pl.var "n" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    pl.set %n, %i : index
    scf.for %j = %c0 to %k step %c1 {
      %0 = pl.get %n : index
      %1 = arith.addi %0, %j : index
      pl.set %n, %1 : index
    }
    %2 = pl.get %n : index
    "test.use"(%2) : (index) -> ()
  }
  pl.return
}

// Bound in one branch of the body.
// CHECK-LABEL: pl.func @conditional
// CHECK-SAME: %[[K:.*]]: index, %[[C:.*]]: i1
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[N:.*]] = %[[K]]) -> (index) {
// CHECK-NEXT: %[[MERGED:.*]] = scf.if %[[C]] -> (index) {
// CHECK-NEXT: scf.yield %[[I]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[N]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MERGED]]
pl.func @conditional(%k: index, %c: i1) -> index {
  %n = pl.var "n" = %k : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    scf.if %c {
      pl.set %n, %i : index
    }
  }
  %2 = pl.get %n : index
  pl.return %2 : index
}

// The kinds of comparison and step are the loop's own.
// CHECK-LABEL: pl.func @unsigned_loop
// CHECK: scf.for unsigned %{{.*}} iter_args
pl.func @unsigned_loop(%k: index) -> index {
  %n = pl.var "n" = %k : index
  scf.for unsigned %i = %k to %k step %k {
    pl.set %n, %i : index
  }
  %0 = pl.get %n : index
  pl.return %0 : index
}

//===- While loops ------------------------------------------------------------------------------===//

// CHECK-LABEL: pl.func @count
// CHECK-SAME: %[[K:.*]]: index
// CHECK: %[[N:.*]] = scf.while (%[[BEFORE:.*]] = %{{.*}}) : (index) -> index {
// CHECK-NEXT: %[[C:.*]] = arith.cmpi slt, %[[BEFORE]], %[[K]]
// CHECK-NEXT: scf.condition(%[[C]]) %[[BEFORE]] : index
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[AFTER:.*]]: index):
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[AFTER]], %{{.*}}
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %[[N]]
// NAMES-LABEL: pl.func @count
// NAMES: %n = scf.while (%n_0 =
// NAMES: ^bb0(%n_0: index)
pl.func @count(%k: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pl.var "n" = %c0 : index
  scf.while : () -> () {
    %0 = pl.get %n : index
    %c = arith.cmpi slt, %0, %k : index
    scf.condition(%c)
  } do {
    %0 = pl.get %n : index
    %1 = arith.addi %0, %c1 : index
    pl.set %n, %1 : index
    scf.yield
  }
  %2 = pl.get %n : index
  pl.return %2 : index
}

// `before` runs at least once: what it binds needs no value from outside, and is there after the loop.
// CHECK-LABEL: pl.func @bound_before
// CHECK: %[[N:.*]] = scf.while : () -> index {
// CHECK-NEXT: %[[PRODUCED:.*]]:2 = "test.produce"()
// CHECK-NEXT: scf.condition(%[[PRODUCED]]#1) %[[PRODUCED]]#0 : index
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%{{.*}}: index):
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %[[N]]
pl.func @bound_before() -> index {
  %n = pl.var "n" : index
  scf.while : () -> () {
    %v, %c = "test.produce"() : () -> (index, i1)
    pl.set %n, %v : index
    scf.condition(%c)
  } do {
    scf.yield
  }
  %0 = pl.get %n : index
  pl.return %0 : index
}

// `after` binds the variable before anything reads it there: it needs no argument, but the next `before` does.
// CHECK-LABEL: pl.func @entry_only
// CHECK-SAME: %[[A:.*]]: index
// CHECK: scf.while (%[[N:.*]] = %[[A]]) : (index) -> () {
// CHECK-NEXT: %[[C:.*]] = "test.condition"(%[[N]])
// CHECK-NEXT: scf.condition(%[[C]])
// CHECK-NEXT: } do {
// CHECK-NEXT: %[[V:.*]] = "test.produce"()
// CHECK-NEXT: scf.yield %[[V]] : index
pl.func @entry_only(%a: index) {
  %n = pl.var "n" = %a : index
  scf.while : () -> () {
    %0 = pl.get %n : index
    %c = "test.condition"(%0) : (index) -> i1
    scf.condition(%c)
  } do {
    %v = "test.produce"() : () -> index
    pl.set %n, %v : index
    scf.yield
  }
  pl.return
}

// Bound by `before`, read by `after` only.
// CHECK-LABEL: pl.func @handed_over
// CHECK: scf.while : () -> index {
// CHECK-NEXT: %[[PRODUCED:.*]]:2 = "test.produce"()
// CHECK-NEXT: scf.condition(%[[PRODUCED]]#1) %[[PRODUCED]]#0 : index
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[N:.*]]: index):
// CHECK-NEXT: "test.use"(%[[N]])
// CHECK-NEXT: scf.yield
pl.func @handed_over() {
  %n = pl.var "n" : index
  scf.while : () -> () {
    %v, %c = "test.produce"() : () -> (index, i1)
    pl.set %n, %v : index
    scf.condition(%c)
  } do {
    %0 = pl.get %n : index
    "test.use"(%0) : (index) -> ()
    scf.yield
  }
  pl.return
}

// Bound by both regions, with values of the loop's own around them.
// CHECK-LABEL: pl.func @both_regions
// CHECK-SAME: %[[A:.*]]: index, %[[F:.*]]: f32
// CHECK: %[[R:.*]]:2 = scf.while (%[[OWN:.*]] = %[[F]], %[[N:.*]] = %[[A]]) : (f32, index) -> (i32, index) {
// CHECK-NEXT: %[[PRODUCED:.*]]:2 = "test.before"(%[[OWN]], %[[N]])
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[N]], %[[A]]
// CHECK-NEXT: scf.condition(%[[PRODUCED]]#1) %[[PRODUCED]]#0, %[[SUM]] : i32, index
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[J:.*]]: i32, %[[M:.*]]: index):
// CHECK-NEXT: %[[G:.*]] = "test.after"(%[[J]])
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[M]], %[[A]]
// CHECK-NEXT: scf.yield %[[G]], %[[PRODUCT]] : f32, index
// CHECK: pl.return %[[R]]#0, %[[R]]#1
pl.func @both_regions(%a: index, %f: f32) -> (i32, index) {
  %n = pl.var "n" = %a : index
  %r = scf.while (%own = %f) : (f32) -> i32 {
    %0 = pl.get %n : index
    %i, %c = "test.before"(%own, %0) : (f32, index) -> (i32, i1)
    %1 = arith.addi %0, %a : index
    pl.set %n, %1 : index
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%j: i32):
    %g = "test.after"(%j) : (i32) -> f32
    %0 = pl.get %n : index
    %1 = arith.muli %0, %a : index
    pl.set %n, %1 : index
    scf.yield %g : f32
  }
  %2 = pl.get %n : index
  pl.return %r, %2 : i32, index
}

// A loop in a loop's `before`.
// CHECK-LABEL: pl.func @loop_in_before
// CHECK-SAME: %[[K:.*]]: index
// CHECK: scf.while (%[[N:.*]] = %[[K]]) : (index) -> index {
// CHECK-NEXT: %[[INNER:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[M:.*]] = %[[N]]) -> (index) {
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[M]], %[[I]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[C:.*]] = "test.condition"(%[[INNER]])
// CHECK-NEXT: scf.condition(%[[C]]) %[[INNER]] : index
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[AFTER:.*]]: index):
// CHECK-NEXT: scf.yield %[[AFTER]]
pl.func @loop_in_before(%k: index) {
  %n = pl.var "n" = %k : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.while : () -> () {
    scf.for %i = %c0 to %k step %c1 {
      %0 = pl.get %n : index
      %1 = arith.addi %0, %i : index
      pl.set %n, %1 : index
    }
    %2 = pl.get %n : index
    %c = "test.condition"(%2) : (index) -> i1
    scf.condition(%c)
  } do {
    scf.yield
  }
  pl.return
}

// RUN: pypto-opt --convert-to-ssa --allow-unregistered-dialect %s | FileCheck %s
// RUN: pypto-opt --convert-to-ssa --allow-unregistered-dialect --mlir-use-nameloc-as-prefix %s | FileCheck %s --check-prefix=NAMES
// A variable that a branch binds is a result of the branch if it is read afterwards.

// CHECK-LABEL: pl.func @else_is_made
// CHECK-SAME: %[[C:.*]]: i1, %[[A:.*]]: index, %[[B:.*]]: index
// CHECK-NEXT: %[[N:.*]] = scf.if %[[C]] -> (index) {
// CHECK-NEXT: scf.yield %[[B]] : index
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A]] : index
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %[[N]]
// NAMES-LABEL: pl.func @else_is_made
// NAMES: %n = scf.if
pl.func @else_is_made(%c: i1, %a: index, %b: index) -> index {
  %n = pl.var "n" = %a : index
  scf.if %c {
    pl.set %n, %b : index
  }
  %0 = pl.get %n : index
  pl.return %0 : index
}

// Bound by both branches, not before.
// CHECK-LABEL: pl.func @both_branches
// CHECK-SAME: %[[C:.*]]: i1, %[[A:.*]]: index, %[[B:.*]]: index
// CHECK-NEXT: %[[N:.*]] = scf.if %[[C]] -> (index) {
// CHECK-NEXT: scf.yield %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[B]]
// CHECK: pl.return %[[N]]
pl.func @both_branches(%c: i1, %a: index, %b: index) -> index {
  %n = pl.var "n" : index
  scf.if %c {
    pl.set %n, %a : index
  } else {
    pl.set %n, %b : index
  }
  %0 = pl.get %n : index
  pl.return %0 : index
}

// Only `y` is read afterwards: `x` is bound again first.
// CHECK-LABEL: pl.func @only_what_is_read
// CHECK-SAME: %[[C:.*]]: i1, %[[A:.*]]: index, %[[B:.*]]: index
// CHECK-NEXT: %[[Y:.*]] = scf.if %[[C]] -> (index) {
// CHECK-NEXT: scf.yield %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[B]]
// CHECK: pl.return %[[A]], %[[Y]]
pl.func @only_what_is_read(%c: i1, %a: index, %b: index) -> (index, index) {
  %x = pl.var "x" = %a : index
  %y = pl.var "y" = %b : index
  scf.if %c {
    pl.set %x, %b : index
    pl.set %y, %a : index
  }
  pl.set %x, %a : index
  %0 = pl.get %x : index
  %1 = pl.get %y : index
  pl.return %0, %1 : index, index
}

// Nothing is read afterwards: the branch keeps its form.
// CHECK-LABEL: pl.func @nothing_read
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
pl.func @nothing_read(%c: i1, %a: index) {
  %n = pl.var "n" : index
  scf.if %c {
    pl.set %n, %a : index
  }
  pl.return
}

// Results that are there already come first.
// CHECK-LABEL: pl.func @results_before
// CHECK-SAME: %[[C:.*]]: i1, %[[A:.*]]: index, %[[B:.*]]: index
// CHECK-NEXT: %[[R:.*]]:3 = scf.if %[[C]] -> (index, index, index) {
// CHECK-NEXT: scf.yield %[[A]], %[[A]], %[[B]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[B]], %[[B]], %[[A]]
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %[[R]]#0, %[[R]]#2, %[[R]]#1
pl.func @results_before(%c: i1, %a: index, %b: index) -> (index, index, index) {
  %x = pl.var "x" = %b : index
  %y = pl.var "y" = %a : index
  %r = scf.if %c -> (index) {
    pl.set %x, %a : index
    pl.set %y, %b : index
    scf.yield %a : index
  } else {
    scf.yield %b : index
  }
  %0 = pl.get %x : index
  %1 = pl.get %y : index
  pl.return %r, %1, %0 : index, index, index
}

// A branch sees what was bound before it, and not what the other one binds.
// CHECK-LABEL: pl.func @branches_are_apart
// CHECK-SAME: %[[C:.*]]: i1, %[[A:.*]]: index, %[[B:.*]]: index
// CHECK-NEXT: scf.if %[[C]] -> (index) {
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[A]], %[[B]]
// CHECK-NEXT: scf.yield %[[SUM]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[A]], %[[B]]
// CHECK-NEXT: scf.yield %[[PRODUCT]]
pl.func @branches_are_apart(%c: i1, %a: index, %b: index) -> index {
  %n = pl.var "n" = %a : index
  scf.if %c {
    %0 = pl.get %n : index
    %1 = arith.addi %0, %b : index
    pl.set %n, %1 : index
  } else {
    %0 = pl.get %n : index
    %1 = arith.muli %0, %b : index
    pl.set %n, %1 : index
  }
  %2 = pl.get %n : index
  pl.return %2 : index
}

// CHECK-LABEL: pl.func @nested
// CHECK-SAME: %[[C:.*]]: i1, %[[D:.*]]: i1, %[[A:.*]]: index, %[[B:.*]]: index
// CHECK-NEXT: %[[OUTER:.*]] = scf.if %[[C]] -> (index) {
// CHECK-NEXT: %[[INNER:.*]] = scf.if %[[D]] -> (index) {
// CHECK-NEXT: scf.yield %[[B]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[INNER]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A]]
// CHECK-NEXT: }
// CHECK-NEXT: pl.return %[[OUTER]]
pl.func @nested(%c: i1, %d: i1, %a: index, %b: index) -> index {
  %n = pl.var "n" = %a : index
  scf.if %c {
    scf.if %d {
      pl.set %n, %b : index
    }
  }
  %0 = pl.get %n : index
  pl.return %0 : index
}

// A variable of a branch's own ends with the branch.
// CHECK-LABEL: pl.func @local_variable
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: "test.use"(%{{.*}}) : (index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
pl.func @local_variable(%c: i1, %a: index) {
  scf.if %c {
    %n = pl.var "n" : index
    pl.set %n, %a : index
    %0 = pl.get %n : index
    "test.use"(%0) : (index) -> ()
  }
  pl.return
}

// CHECK-LABEL: pl.func @index_switch
// CHECK-SAME: %[[A:.*]]: index, %[[B:.*]]: index
// CHECK-NEXT: %[[N:.*]] = scf.index_switch %[[A]] -> index
// CHECK-NEXT: case 4 {
// CHECK-NEXT: scf.yield %[[A]]
// CHECK: case 7 {
// CHECK-NEXT: scf.yield %[[B]]
// CHECK: default {
// CHECK-NEXT: scf.yield %[[A]]
// CHECK: pl.return %[[N]]
pl.func @index_switch(%a: index, %b: index) -> index {
  %n = pl.var "n" = %a : index
  scf.index_switch %a
  case 4 {
    scf.yield
  }
  case 7 {
    pl.set %n, %b : index
    scf.yield
  }
  default {
    scf.yield
  }
  %0 = pl.get %n : index
  pl.return %0 : index
}

// RUN: pypto-opt --test-storage-roots --allow-unregistered-dialect %s -o /dev/null | FileCheck %s
// For each parameter and each named value: its roots, and what it never aliases.

!tensor = !pl.tensor<[16], f32>

// Parameters may be one storage; an allocation is neither of them, and two allocations are two.
// CHECK-LABEL: @parameters_and_allocations
// CHECK-NEXT: arg0: arg0; never fresh other{{$}}
// CHECK-NEXT: arg1: arg1; never fresh other{{$}}
// CHECK-NEXT: fresh: fresh; never arg0 arg1 other{{$}}
// CHECK-NEXT: other: other; never arg0 arg1 fresh{{$}}
pl.func @parameters_and_allocations(%x: !tensor, out %y: !tensor) {
  %0 = pl.create {test.name = "fresh"} : !tensor
  %1 = pl.add %x, %y {test.name = "other"} : !tensor, !tensor
  pl.return
}

// CHECK-LABEL: @noalias
// CHECK-NEXT: arg0: arg0; never arg1{{$}}
// CHECK-NEXT: arg1: arg1; never arg0{{$}}
pl.func @noalias(%x: !tensor, out %y: !tensor) attributes {pl.noalias} {
  pl.return
}

// Aliases and views lead to their source.
// CHECK-LABEL: @aliases_and_views
// CHECK: write: arg0; never arg1{{$}}
// CHECK-NEXT: view: arg0; never arg1{{$}}
// CHECK-NEXT: shape: arg0; never arg1{{$}}
pl.func @aliases_and_views(out %x: !tensor, %y: !tensor) attributes {pl.noalias} {
  %0 = pl.assemble %y, %x[0] {test.name = "write"} : !tensor, !tensor
  %1 = pl.slice %0[4] {test.name = "view"} : !tensor -> !pl.tensor<[4], f32>
  %2 = pl.reshape %1 {test.name = "shape"} : !pl.tensor<[4], f32> -> !pl.tensor<[2, 2], f32>
  pl.return
}

// CHECK-LABEL: @branches
// CHECK: fresh: fresh; never arg1 arg2 select{{$}}
// CHECK-NEXT: merge: arg1 fresh; never{{$}}
// CHECK-NEXT: select: arg1 arg2; never fresh{{$}}
pl.func @branches(%c: i1, %x: !tensor, %y: !tensor) {
  %0 = pl.create {test.name = "fresh"} : !tensor
  %1 = scf.if %c -> !tensor {
    scf.yield %x : !tensor
  } else {
    scf.yield %0 : !tensor
  } {test.name = "merge"}
  %2 = arith.select %c, %x, %y {test.name = "select"} : !tensor
  pl.return
}

// One `pl.create` in a loop is several storages: what is carried and what is made now may be one or two.
// CHECK-LABEL: @loop
// CHECK: carried: arg1 inside (several); never{{$}}
// CHECK-NEXT: inside: inside (several); never arg1{{$}}
pl.func @loop(%n: index, %x: !tensor) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (!tensor) {
    %0 = pl.cast_shape %t {test.name = "carried"} : !tensor -> !tensor
    %1 = pl.create {test.name = "inside"} : !tensor
    scf.yield %1 : !tensor
  }
  pl.return
}

// And so is one in a launch.
// CHECK-LABEL: @launch
// CHECK: inside: inside (several); never{{$}}
pl.func @launch(%n: index) {
  pl.spmd (%i) in (%n) {
    %0 = pl.create {test.name = "inside"} : !tensor
  }
  pl.return
}

// Variables in program order.
// CHECK-LABEL: @variables
// CHECK: before: arg1; never{{$}}
// CHECK-NEXT: after: arg1 arg2; never{{$}}
pl.func @variables(%c: i1, %x: !tensor, %y: !tensor) {
  %v = pl.var "v" = %x : !tensor
  %0 = pl.get %v {test.name = "before"} : !tensor
  scf.if %c {
    pl.set %v, %y : !tensor
  }
  %1 = pl.get %v {test.name = "after"} : !tensor
  pl.return
}

// Calls: parameters, views of them, merges, what the callee allocates, once and shared.
pl.func @callee(%c: i1, %x: !tensor, %y: !tensor) -> (!tensor, !tensor, !tensor, !tensor, !tensor) {
  %0 = pl.slice %x[0] : !tensor -> !tensor
  %1 = arith.select %c, %x, %y : !tensor
  %2 = pl.create : !tensor
  %3 = pl.create : !tensor
  pl.return %0, %1, %2, %2, %3 : !tensor, !tensor, !tensor, !tensor, !tensor
}
// CHECK-LABEL: @calls
// CHECK: r#0: arg1; never fresh r#2 r#3 r#4{{$}}
// CHECK-NEXT: r#1: arg1 fresh; never r#2 r#3 r#4{{$}}
// CHECK-NEXT: r#2: r#2; never arg1 fresh r#0 r#1 r#4{{$}}
// CHECK-NEXT: r#3: r#2; never arg1 fresh r#0 r#1 r#4{{$}}
// CHECK-NEXT: r#4: r#4; never arg1 fresh r#0 r#1 r#2 r#3{{$}}
pl.func @calls(%c: i1, %x: !tensor) {
  %0 = pl.create {test.name = "fresh"} : !tensor
  %1:5 = pl.call @callee(%c, %x, %0) {test.name = "r"}
    : (i1, !tensor, !tensor) -> (!tensor, !tensor, !tensor, !tensor, !tensor)
  pl.return
}

// A result that may be one of two allocations, which other results are, is not known: they may be it.
pl.func @shares(%c: i1) -> (!tensor, !tensor, !tensor) {
  %0 = pl.create : !tensor
  %1 = pl.create : !tensor
  %2 = arith.select %c, %0, %1 : !tensor
  pl.return %0, %1, %2 : !tensor, !tensor, !tensor
}
// CHECK-LABEL: @shared_allocations
// CHECK: r#0: r#0; never r#1{{$}}
// CHECK-NEXT: r#1: r#1; never r#0{{$}}
// CHECK-NEXT: r#2: unknown; never{{$}}
pl.func @shared_allocations(%c: i1) {
  %0:3 = pl.call @shares(%c) {test.name = "r"} : (i1) -> (!tensor, !tensor, !tensor)
  pl.return
}

// More roots than are kept are any.
// CHECK-LABEL: @many_roots
// CHECK: some: a b; never{{$}}
// CHECK-NEXT: all: unknown; never{{$}}
pl.func @many_roots(%c: i1) {
  %a = pl.create {test.name = "a"} : !tensor
  %b = pl.create {test.name = "b"} : !tensor
  %0 = arith.select %c, %a, %b {test.name = "some"} : !tensor
  %f1 = pl.create : !tensor
  %1 = arith.select %c, %0, %f1 : !tensor
  %f2 = pl.create : !tensor
  %2 = arith.select %c, %1, %f2 : !tensor
  %f3 = pl.create : !tensor
  %3 = arith.select %c, %2, %f3 : !tensor
  %f4 = pl.create : !tensor
  %4 = arith.select %c, %3, %f4 : !tensor
  %f5 = pl.create : !tensor
  %5 = arith.select %c, %4, %f5 : !tensor
  %f6 = pl.create : !tensor
  %6 = arith.select %c, %5, %f6 : !tensor
  %f7 = pl.create : !tensor
  %7 = arith.select %c, %6, %f7 : !tensor
  %f8 = pl.create : !tensor
  %8 = arith.select %c, %7, %f8 : !tensor
  %f9 = pl.create : !tensor
  %9 = arith.select %c, %8, %f9 : !tensor
  %f10 = pl.create : !tensor
  %10 = arith.select %c, %9, %f10 : !tensor
  %f11 = pl.create : !tensor
  %11 = arith.select %c, %10, %f11 : !tensor
  %f12 = pl.create : !tensor
  %12 = arith.select %c, %11, %f12 : !tensor
  %f13 = pl.create : !tensor
  %13 = arith.select %c, %12, %f13 : !tensor
  %f14 = pl.create : !tensor
  %14 = arith.select %c, %13, %f14 : !tensor
  %f15 = pl.create : !tensor
  %15 = arith.select %c, %14, %f15 : !tensor
  %f16 = pl.create : !tensor
  %16 = arith.select %c, %15, %f16 {test.name = "all"} : !tensor
  pl.return
}

// CHECK-LABEL: @submits
// CHECK: r#0: arg1; never r#2 r#3 r#4{{$}}
pl.func @submits(%c: i1, %x: !tensor) {
  %1:6 = orchestration.submit @callee(%c, %x, %x) {test.name = "r"}
    : (i1, !tensor, !tensor) -> (!tensor, !tensor, !tensor, !tensor, !tensor, !orchestration.task)
  pl.return
}

// What is not known is not what no unknown operation has seen; what one has seen it may be.
pl.func private @by_hand(!tensor) -> !tensor
// CHECK-LABEL: @escapes
// CHECK: seen: seen; never arg0 hidden{{$}}
// CHECK-NEXT: hidden: hidden; never arg0 seen r u{{$}}
// CHECK-NEXT: r: unknown; never hidden{{$}}
// CHECK-NEXT: u: unknown; never hidden{{$}}
pl.func @escapes(%x: !tensor) {
  %0 = pl.create {test.name = "seen"} : !tensor
  %1 = pl.create {test.name = "hidden"} : !tensor
  %2 = pl.call @by_hand(%0) {test.name = "r"} : (!tensor) -> !tensor
  %3 = "foreign.op"(%2) {test.name = "u"} : (!tensor) -> !tensor
  pl.return
}

// Through a view, a variable and an operation with a region as well.
// CHECK-LABEL: @escapes_by_detours
// CHECK: viewed: viewed; never set yielded{{$}}
// CHECK-NEXT: set: set; never viewed yielded{{$}}
// CHECK-NEXT: yielded: yielded; never viewed set{{$}}
// CHECK-NEXT: u: unknown; never{{$}}
// CHECK-NEXT: get: unknown; never{{$}}
pl.func @escapes_by_detours() {
  %0 = pl.create {test.name = "viewed"} : !tensor
  %1 = pl.create {test.name = "set"} : !tensor
  %2 = pl.create {test.name = "yielded"} : !tensor
  %v = pl.var "v" = %1 : !tensor
  %s = pl.slice %0[0] : !tensor -> !tensor
  %3 = "foreign.op"(%s) ({
    pl.set %v, %1 : !tensor
    "foreign.yield"(%2) : (!tensor) -> ()
  }) {test.name = "u"} : (!tensor) -> !tensor
  %4 = pl.get %v {test.name = "get"} : !tensor
  pl.return
}

// Blocks in another order than they run in.
// CHECK-LABEL: @unstructured
// CHECK: alias: unknown; never{{$}}
// CHECK-NEXT: made: made; never{{$}}
pl.func @unstructured() {
  scf.execute_region {
    cf.br ^first
  ^second:
    %1 = pl.cast_shape %0 {test.name = "alias"} : !tensor -> !tensor
    scf.yield
  ^first:
    %0 = pl.create {test.name = "made"} : !tensor
    cf.br ^second
  }
  pl.return
}

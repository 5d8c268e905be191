// RUN: pypto-opt %s --outline-scopes --split-input-file | FileCheck %s
// RUN: pypto-opt %s --outline-scopes --outline-scopes --split-input-file | FileCheck %s

// Scopes of cores in host functions become kernels that are called where they stood.

!t = !pl.tensor<[16], f32>
!tile = !tile.tile<[16], f32>
// What is written is inout; what is yielded is the tensor around; constants are copied.
// CHECK-LABEL: pl.func private incore @writes_incore_0(
// CHECK-SAME: %[[X:[a-z0-9]*]]: !pl.tensor<[16], f32>, inout %[[Y:[a-z0-9]*]]: !pl.tensor<[16], f32>)
// CHECK-SAME: {
// CHECK: arith.constant 2.0
// CHECK: tile.load %[[X]][0]
// CHECK: tile.store %{{.*}}, %[[Y]][0]
// CHECK: pl.return{{$}}
// CHECK-LABEL: pl.func @writes(
// CHECK-SAME: %[[X:[a-z0-9]*]]: !pl.tensor<[16], f32>, out %[[Y:[a-z0-9]*]]: !pl.tensor<[16], f32>)
// CHECK: pl.call @writes_incore_0(%[[X]], %[[Y]]) {pl.outlined = "pl.at"} : {{.*}} -> ()
// CHECK: pl.return %[[Y]]
pl.func @writes(%x: !t, out %y: !t) -> !t {
  %two = arith.constant 2.0 : f32
  %r = pl.at core_group -> !t {
    %0 = tile.load %x[0] : !t -> !tile
    %1 = tile.mul %0, %two : !tile, f32
    %2 = tile.store %1, %y[0] : !tile, !t
    pl.yield %2 : !t
  }
  pl.return %r : !t
}

// -----

!t = !pl.tensor<[N, 16], f32>
!tile = !tile.tile<[16], f32>
// Of one window that is known outside the argument is that window; of several, of one that the body finds, and of one
// under a condition it is the tensor.
// CHECK-LABEL: pl.func private incore @windows_incore_0(
// CHECK-SAME: %[[X:[a-z0-9]*]]: !pl.tensor<[1, 16], f32>, %[[S:[a-z0-9]*]]: !pl.tensor<[N, 16], f32>,
// CHECK-SAME: %[[F:[a-z0-9]*]]: !pl.tensor<[N, 16], f32>, %[[C:[a-z0-9]*]]: i1, inout %[[Y:[a-z0-9]*]]: !pl.tensor<[1, 16], f32>
// CHECK: tile.load %[[X]][0, 0]
// CHECK: tile.load %[[S]][0, 0]
// CHECK: tile.load %[[S]][1, 0]
// CHECK: scf.if %[[C]]
// CHECK: tile.load %[[F]][0, 0]
// CHECK: tile.store %{{.*}}, %[[Y]][0, 0]
// CHECK: tile.load %[[Y]][0, 0]
// CHECK-LABEL: pl.func @windows(
// CHECK-SAME: %[[X:[a-z0-9]*]]: !pl.tensor<[N, 16], f32>, {{.*}} %[[I:[a-z0-9]*]]: index, %{{.*}}: i1, inout %[[Y:[a-z0-9]*]]:
// CHECK-DAG: %[[IN:.*]] = pl.slice %[[X]][%[[I]], 0] {{.*}} -> !pl.tensor<[1, 16], f32>
// CHECK-DAG: %[[OUT:.*]] = pl.slice %[[Y]][2, 0] {{.*}} -> !pl.tensor<[1, 16], f32>
// CHECK: pl.call @windows_incore_0(%[[IN]], {{.*}}, %[[OUT]])
pl.func @windows(%x: !t, %s: !t, %f: !t, %i: index, %c: i1, inout %y: !t) {
  pl.at core_group {
    %0 = tile.load %x[%i, 0] : !t -> !tile
    %1 = tile.load %s[0, 0] : !t -> !tile
    %2 = tile.load %s[1, 0] : !t -> !tile
    scf.if %c {
      %3 = tile.load %f[0, 0] : !t -> !tile
    }
    %4 = tile.add %0, %1 : !tile
    %5 = tile.add %4, %2 : !tile
    %6 = tile.store %5, %y[2, 0] : !tile, !t
    %7 = tile.load %y[2, 0] : !t -> !tile
  }
  pl.return
}

// -----

!t = !pl.tensor<[16], f32>
!tile = !tile.tile<[16], f32>
// A tensor that the scope allocates is allocated in front of it; one that an operation makes is copied to such.
// CHECK-LABEL: pl.func private aiv @fresh_incore_0(
// CHECK-SAME: %[[X:[a-z0-9]*]]: !pl.tensor<[16], f32>, inout %[[A:[a-z0-9]*]]: !pl.tensor<[16], f32>, inout %[[B:[a-z0-9]*]]:
// CHECK-NOT: pl.create
// CHECK: tile.store %{{.*}}, %[[A]][0]
// CHECK: %[[SUM:.*]] = pl.add %[[X]], %[[X]]
// CHECK: pl.assemble %[[SUM]], %[[B]][0]
// CHECK-LABEL: pl.func @fresh(
// CHECK: %[[A:.*]] = pl.create
// CHECK: %[[B:.*]] = pl.create
// CHECK: pl.call @fresh_incore_0(%{{.*}}, %[[A]], %[[B]])
// CHECK: pl.return %[[A]], %[[B]]
pl.func @fresh(%x: !t) -> (!t, !t) {
  %r:2 = pl.at aiv -> !t, !t {
    %a = pl.create : !t
    %0 = tile.load %x[0] : !t -> !tile
    %1 = tile.store %0, %a[0] : !tile, !t
    %2 = pl.add %x, %x : !t, !t
    pl.yield %1, %2 : !t, !t
  }
  pl.return %r#0, %r#1 : !t, !t
}

// -----

// A launch is a submit of as many blocks; the hint names the kernel, and a name that is taken gets a number.
!t = !pl.tensor<[N, 16], f32>
!tile = !tile.tile<[1, 16], f32>
// CHECK-LABEL: pl.func private spmd @rows(
// CHECK: %[[BLOCK:.*]] = tile.get_block_idx
// CHECK: tile.load %{{.*}}[%[[BLOCK]], 0]
// CHECK-LABEL: pl.func private group @rows_0(
// CHECK-LABEL: pl.func orchestration @launch(
// CHECK-SAME: %[[N:[a-z0-9]*]]: index)
// CHECK: orchestration.submit @rows(%{{.*}}, %{{.*}}) core_num %[[N]] sync_start
// CHECK: pl.call @rows_0(
pl.func orchestration @launch(%x: !t, out %y: !t, %n: index) {
  pl.spmd (%i) in (%n) sync_start name "rows" {
    %0 = tile.load %x[%i, 0] : !t -> !tile
    %1 = tile.store %0, %y[%i, 0] : !tile, !t
  }
  pl.cluster name "rows" {
    %0 = tile.load %y[0, 0] : !t -> !tile
    %1 = tile.store %0, %y[1, 0] : !tile, !t
  }
  pl.return
}

// -----

// Names of extents that no argument says are numbers that are passed, and bound inside.
// CHECK-LABEL: pl.func private incore @names_incore_0(
// CHECK-SAME: %[[X:[a-z0-9]*]]: !pl.tensor<[?], f32>, inout %[[Y:[a-z0-9]*]]: !pl.tensor<[M], f32>, %[[ROWS:[a-z0-9]*]]: index, %[[N:[a-z0-9]*]]: index)
// CHECK-DAG: pl.symbol @rows = %[[ROWS]]
// CHECK-DAG: pl.symbol @N = %[[N]]
// CHECK: pl.cast_shape %[[X]] : !pl.tensor<[?], f32> -> !pl.tensor<[rows * 2], f32>
// CHECK: pl.create : !pl.tensor<[N], f32>
// CHECK-LABEL: pl.func @names(
// CHECK: %[[N:.*]] = pl.dim %{{.*}}, 0
// CHECK: pl.call @names_incore_0(%{{.*}}, %{{.*}}, %{{.*}}, %[[N]])
pl.func @names(%a: !pl.tensor<[N], f32>, %n: index, inout %y: !pl.tensor<[M], f32>) {
  pl.symbol @rows = %n : index
  %x = pl.create : !pl.tensor<[rows * 2], f32>
  pl.at core_group {
    %c0 = arith.constant 0 : index
    %0 = pl.read %x[%c0] : !pl.tensor<[rows * 2], f32>
    %t = pl.create : !pl.tensor<[N], f32>
    %1 = pl.write %0, %t[%c0] : !pl.tensor<[N], f32>
    %2 = pl.read %t[%c0] : !pl.tensor<[N], f32>
    %3 = pl.write %2, %y[%c0] : !pl.tensor<[M], f32>
  }
  pl.return
}

// -----

// What stays: in a manual scope, with tasks, with calls of host functions, a number as a result, a tile from outside, and
// what does not run on cores. Its insides are looked at.
!t = !pl.tensor<[16], f32>
!tile = !tile.tile<[16], f32>
// CHECK-NOT: pl.func private
// CHECK-LABEL: pl.func private incore @stays_incore_0(
// CHECK-NOT: pl.func private
// CHECK-LABEL: pl.func orchestration @stays(
// CHECK: orchestration.scope manual
// CHECK-NEXT: pl.at core_group
// CHECK: pl.at core_group {
// CHECK: orchestration.barrier
// CHECK: pl.at core_group {
// CHECK: pl.call @host
// CHECK: pl.at core_group -> f32
// CHECK: pl.at core_group {
// CHECK: tile.store
// CHECK: pl.at host {
// CHECK: pl.call @stays_incore_0(
// CHECK: pl.spmd
// CHECK: pl.call @mark
pl.func @host(inout %x: !t) {
  pl.return
}
pl.func incore @mark(inout %x: !t) {
  pl.return
}
pl.func orchestration @stays(%x: !t, inout %y: !t, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %tile = tile.load %x[0] : !t -> !tile
  orchestration.scope manual {
    pl.at core_group {
      %1 = tile.load %x[0] : !t -> !tile
      %2 = tile.store %1, %y[0] : !tile, !t
    }
  }
  pl.at core_group {
    orchestration.barrier
  }
  pl.at core_group {
    pl.call @host(%y) : (!t) -> ()
  }
  %f = pl.at core_group -> f32 {
    %1 = pl.read %x[%c0] : !t
    pl.yield %1 : f32
  }
  pl.at core_group {
    %1 = tile.store %tile, %y[0] : !tile, !t
  }
  pl.at host {
    pl.at core_group {
      %1 = tile.load %x[0] : !t -> !tile
      %2 = tile.store %1, %y[0] : !tile, !t
    }
  }
  pl.spmd (%i) in (%n) {
    pl.call @mark(%y) : (!t) -> ()
  }
  pl.return %f : f32
}

// RUN: pypto-run %s --entry=ordered --random=1 --check-orders | FileCheck %s
// RUN: not pypto-run %s --entry=race --random=1 --check-orders 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not pypto-run %s --entry=ordered --random=1 --check-orders --interpret 2>&1 | FileCheck %s --check-prefix=COMPILED
// RUN: not pypto-run %s --entry=ordered --random=1 --check-orders --check-each-pass=cse 2>&1 | FileCheck %s --check-prefix=PASSES

// A program runs in several orders, each time on the same arguments; the adversarial one is among them.
// CHECK: parameter 'y': float32 (16,), checksum
// RACE: error: {{.*}}both access 64 bytes, and one writes: expects the second after the first
// COMPILED: error: --check-orders cannot go with --interpret
// PASSES: error: --check-orders cannot go with --check-each-pass

!t = !pl.tensor<[16], f32>
!tile = !tile.tile<[16], f32>
pl.func incore @double(%x: !t, inout %y: !t) {
  %a = tile.load %x[0] : !t -> !tile
  %b = tile.load %y[0] : !t -> !tile
  %c = tile.add %a, %b : !tile
  %s = tile.store %c, %y[0] : !tile, !t
  pl.return
}
pl.func orchestration @ordered(%x: !t, inout %y: !t) {
  %0 = orchestration.submit @double(%x, %y) : (!t, !t) -> !orchestration.task
  %1 = orchestration.submit @double(%y, %y) : (!t, !t) -> !orchestration.task
  pl.return
}
pl.func orchestration @race(%x: !t, inout %y: !t) {
  orchestration.scope manual {
    %0 = orchestration.submit @double(%x, %y) : (!t, !t) -> !orchestration.task
    %1 = orchestration.submit @double(%x, %y) : (!t, !t) -> !orchestration.task
  }
  pl.return
}

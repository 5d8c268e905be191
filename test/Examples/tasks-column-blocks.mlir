// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: pypto-run %s --random=1 --dim=N=8 --dim=M=96 --threads=1 --print-plan | FileCheck %s
// RUN: pypto-run %s --entry=manual --random=1 --dim=N=8 --dim=M=96 --order=adversarial

// Tasks over blocks of rows and columns: two conflict if the blocks have an element in common.
// NUMPY: entry = "main"
// NUMPY: cases = [dict(N=16, M=96), dict(N=8, M=64), dict(N=0, M=32)]
// NUMPY: def inputs(rng, N, M): return [rng.standard_normal((N, M), dtype="f4")]
// NUMPY: def reference(x):
// NUMPY:   y = x + x
// NUMPY:   for j in range(32, x.shape[1], 32): y[:, j:j + 32] += y[:, j - 32:j]
// NUMPY:   return y

// Three blocks of columns, then each but the first after the one on its left.
// CHECK: {{^}}1 add_block - 2048 1024
// CHECK: {{^}}2 add_block - 2048 1024
// CHECK: {{^}}3 add_block - 2048 1024
// CHECK: {{^}}4 add_block 1 raw, 2 raw 2048 1024
// CHECK: {{^}}5 add_block 4 raw, 3 raw 2048 1024

!t = !pl.tensor<[N, M], f32>
!b = !pl.tensor<[8, 32], f32>
!tile = !tile.tile<[8, 32], f32>
pl.func aiv @add_block(%x: !b, %y: !b, out %z: !b) -> !b {
  %0 = tile.load %x[0, 0] : !b -> !tile
  %1 = tile.load %y[0, 0] : !b -> !tile
  %2 = tile.add %0, %1 : !tile
  %3 = tile.store %2, %z[0, 0] : !tile, !b
  pl.return %3 : !b
}
pl.func orchestration @main(%x: !t, out %y: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %n = pl.dim %x, 0 : !t
  %m = pl.dim %x, 1 : !t
  scf.for %i = %c0 to %n step %c8 {
    scf.for %j = %c0 to %m step %c32 {
      %a = pl.slice %x[%i, %j] : !t -> !b
      %b = pl.slice %y[%i, %j] : !t -> !b
      %0 = pl.call @add_block(%a, %a, %b) : (!b, !b, !b) -> !b
    }
  }
  scf.for %i = %c0 to %n step %c8 {
    scf.for %j = %c32 to %m step %c32 {
      %left = arith.subi %j, %c32 : index
      %a = pl.slice %y[%i, %left] : !t -> !b
      %b = pl.slice %y[%i, %j] : !t -> !b
      %0 = pl.call @add_block(%a, %b, %b) : (!b, !b, !b) -> !b
    }
  }
  pl.return %y : !t
}
// Nothing orders the blocks, and nothing has to: no race.
pl.func orchestration @manual(%x: !t, out %y: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %m = pl.dim %x, 1 : !t
  orchestration.scope manual {
    scf.for %j = %c0 to %m step %c32 {
      %a = pl.slice %x[0, %j] : !t -> !b
      %b = pl.slice %y[0, %j] : !t -> !b
      %0, %id = orchestration.submit @add_block(%a, %a, %b) : (!b, !b, !b) -> (!b, !orchestration.task)
    }
  }
  pl.return %y : !t
}

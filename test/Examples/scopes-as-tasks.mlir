// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: pypto-run %s --random=1 --threads=2 --print-plan | FileCheck %s
// RUN: pypto-run %s --random=1 --check-orders | FileCheck %s --check-prefix=ORDERS

// Code of cores that stands in the host function itself is tasks as submitted kernels are: what shares no bytes does not
// wait, what reads waits for what wrote, and a loop makes one for each iteration, which wait for the rows that they access.
// NUMPY: every_case = True
// NUMPY: cases = [dict(N=64), dict(N=8), dict(N=0)]
// NUMPY: def inputs(rng, N): return [rng.standard_normal((N, 16), dtype="f4")]
// NUMPY: def reference(x):
// NUMPY:     a, b = x + x, x * x
// NUMPY:     return a + b, (a + b) * np.arange(len(x), dtype="f4")[:, None]

// CHECK: task name waits for
// CHECK-NEXT: 1 main_incore_0 - {{.*}}scopes-as-tasks.mlir:[[#@LINE+15]]:8
// CHECK-NEXT: 2 main_incore_1 - {{.*}}scopes-as-tasks.mlir:[[#@LINE+18]]:8
// CHECK-NEXT: 3 main_incore_2 1 raw, 2 raw 192 64 {{.*}}scopes-as-tasks.mlir:[[#@LINE+22]]:5
// CHECK-NEXT: 4 main_incore_2 1 raw, 2 raw 192 64
// CHECK: 39 main_incore_2 1 raw, 2 raw 192 64
// CHECK: 40 main_spmd_0 x37 {{.*}}scopes-as-tasks.mlir:[[#@LINE+27]]:3
// ORDERS: result 0: float32 (37, 16)

!t = !pl.tensor<[N, 16], f32>
!row = !tile.tile<[1, 16], f32>
pl.func @main(%x: !t) -> (!t, !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pl.dim %x, 0 : !t
  %sum = pl.create : !t
  %a = pl.at core_group -> !t {
    %0 = pl.add %x, %x : !t, !t
    pl.yield %0 : !t
  }
  %b = pl.at core_group -> !t {
    %0 = pl.mul %x, %x : !t, !t
    pl.yield %0 : !t
  }
  scf.for %i = %c0 to %n step %c1 {
    pl.at core_group {
      %0 = tile.load %a[%i, 0] : !t -> !row
      %1 = tile.load %b[%i, 0] : !t -> !row
      %2 = tile.add %0, %1 : !row
      %3 = tile.store %2, %sum[%i, 0] : !row, !t
    }
  }
  %z = pl.create : !t
  pl.spmd (%i) in (%n) {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %0 = tile.load %sum[%i, 0] : !t -> !row
    %1 = tile.mul %0, %f : !row, f32
    %2 = tile.store %1, %z[%i, 0] : !row, !t
  }
  pl.return %sum, %z : !t, !t
}

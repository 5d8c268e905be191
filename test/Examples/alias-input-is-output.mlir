// RUN: %python %S/run_example.py pypto-run %s %t

// A kernel that is given one tensor as its input and as its output: each tile is read before it is written, and the
// caller's tensor is what the kernel wrote.
// NUMPY: cases = [dict(N=37), dict(N=1)]
// NUMPY: def inputs(rng, N): return [rng.standard_normal(N, dtype="f4")]
// NUMPY: def reference(x): return (x * x) * (x * x)

pl.func incore @square(%x: !pl.tensor<[N], f32>, out %y: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = pl.dim %x, 0 : !pl.tensor<[N], f32>
  scf.for %i = %c0 to %n step %c8 {
    %rest = arith.subi %n, %i : index
    %m = arith.minui %rest, %c8 : index
    %t = tile.load %x[%i] valid (%m) : !pl.tensor<[N], f32> -> !tile.tile<[8], f32, valid = [?]>
    %s = tile.mul %t, %t : !tile.tile<[8], f32, valid = [?]>
    %0 = tile.store %s, %y[%i] : !tile.tile<[8], f32, valid = [?]>, !pl.tensor<[N], f32>
  }
  pl.return %y : !pl.tensor<[N], f32>
}
pl.func orchestration @main(inout %x: !pl.tensor<[N], f32>) {
  %0 = pl.call @square(%x, %x) : (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32>
  %1 = pl.call @square(%0, %x) : (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32>
  pl.return
}

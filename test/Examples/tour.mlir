// RUN: %python %S/run_example.py pypto-run %s %t

// The program of docs/tour.md: a kernel makes the sum and the product of each element with a number and returns them in
// another order than its outputs, with a helper that binds its parameter again and a variable that counts; a second task of
// it takes the sum of the first.
// NUMPY: cases = [dict(N=37), dict(N=16), dict(N=0)]
// NUMPY: def inputs(rng, N): return [rng.standard_normal(N, dtype="f4"), 0.5]
// NUMPY: def reference(x, s): return x * np.float32(s), (x + np.float32(s)) * np.float32(s)

pl.func inline @next(%n: !pl.var<index>, %step: index) -> index {
  %0 = pl.get %n : index
  %1 = arith.addi %0, %step : index
  pl.set %n, %1 : index
  pl.return %1 : index
}
pl.func incore @kernel(%x: !pl.tensor<[N], f32>, %s: f32, out %sum: !pl.tensor<[N], f32>, out %product: !pl.tensor<[N], f32>)
    -> (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = pl.dim %x, 0 : !pl.tensor<[N], f32>
  %i = pl.var "i" = %c0 : index
  scf.for %block = %c0 to %n step %c16 {
    %begin = pl.get %i : index
    %left = arith.subi %n, %begin : index
    %m = arith.minsi %left, %c16 : index
    %t = tile.load %x[%begin] valid(%m) : !pl.tensor<[N], f32> -> !tile.tile<[16], f32, valid = [?]>
    %a = tile.add %t, %s : !tile.tile<[16], f32, valid = [?]>, f32
    %b = tile.mul %t, %s : !tile.tile<[16], f32, valid = [?]>, f32
    %0 = tile.store %a, %sum[%begin] : !tile.tile<[16], f32, valid = [?]>, !pl.tensor<[N], f32>
    %1 = tile.store %b, %product[%begin] : !tile.tile<[16], f32, valid = [?]>, !pl.tensor<[N], f32>
    %end = pl.call @next(%i, %c16) : (!pl.var<index>, index) -> index
    pl.set %i, %end : index
  }
  pl.return %product, %sum : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
}
pl.func orchestration @main(%x: !pl.tensor<[N], f32>, %s: f32) -> (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>) {
  %a0 = pl.create : !pl.tensor<[N], f32>
  %a1 = pl.create : !pl.tensor<[N], f32>
  %a:2 = pl.call @kernel(%x, %s, %a0, %a1) : (!pl.tensor<[N], f32>, f32, !pl.tensor<[N], f32>, !pl.tensor<[N], f32>)
      -> (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>)
  %b0 = pl.create : !pl.tensor<[N], f32>
  %b1 = pl.create : !pl.tensor<[N], f32>
  %b:2 = pl.call @kernel(%a#1, %s, %b0, %b1) : (!pl.tensor<[N], f32>, f32, !pl.tensor<[N], f32>, !pl.tensor<[N], f32>)
      -> (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>)
  pl.return %a#0, %b#0 : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
}

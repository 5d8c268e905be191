// RUN: %python %S/run_example.py pypto-run %s %t

// Slices as arguments are views that are made once: what the helper writes reaches the caller's tensor, row by row.
// NUMPY: cases = [dict(N=13), dict(N=1), dict(N=0)]
// NUMPY: def inputs(rng, N): return [rng.standard_normal((N, 7), dtype="f4"), rng.standard_normal((N, 9), dtype="f4")]
// NUMPY: def reference(a, c):
// NUMPY:     c[:, 1:8] = a + a
// NUMPY:     return c

pl.func inline @write(%x: !pl.tensor<[7], f32>, inout %c: !pl.var<!pl.tensor<[9], f32>>) {
  %v = pl.add %x, %x : !pl.tensor<[7], f32>, !pl.tensor<[7], f32>
  %0 = pl.get %c : !pl.tensor<[9], f32>
  %1 = pl.assemble %v, %0[1] : !pl.tensor<[7], f32>, !pl.tensor<[9], f32>
  pl.set %c, %1 : !pl.tensor<[9], f32>
  pl.return
}
pl.func @main(%a: !pl.tensor<[N, 7], f32>, inout %c: !pl.tensor<[N, 9], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pl.dim %a, 0 : !pl.tensor<[N, 7], f32>
  scf.for %r = %c0 to %n step %c1 {
    %ar = pl.slice %a[%r, 0] dropped [0] : !pl.tensor<[N, 7], f32> -> !pl.tensor<[7], f32>
    %cr = pl.slice %c[%r, 0] dropped [0] : !pl.tensor<[N, 9], f32> -> !pl.tensor<[9], f32>
    pl.call @write(%ar, %cr) : (!pl.tensor<[7], f32>, !pl.tensor<[9], f32>) -> ()
  }
  pl.return
}

// RUN: env MALLOC_PERTURB_=85 %python %S/run_example.py pypto-run %s %t

// A loop that writes into one of two tensors and exchanges them: handles are carried, not contents.
// NUMPY: cases = [dict(n=0), dict(n=1), dict(n=2), dict(n=5)]
// NUMPY: def inputs(rng, n): return [rng.standard_normal(8, dtype="f4"), n]
// NUMPY: def reference(x, n):
// NUMPY:   a, b = np.zeros(8, "f4"), np.zeros(8, "f4")
// NUMPY:   for i in range(n):
// NUMPY:     b[:] = a + x
// NUMPY:     a, b = b, a
// NUMPY:   return a, b

pl.func @main(%x: !pl.tensor<[8], f32>, %n: index) -> (!pl.tensor<[8], f32>, !pl.tensor<[8], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a0 = pl.full %zero : f32, !pl.tensor<[8], f32>
  %b0 = pl.full %zero : f32, !pl.tensor<[8], f32>
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0, %b = %b0)
      -> (!pl.tensor<[8], f32>, !pl.tensor<[8], f32>) {
    %w = pl.add %a, %x : !pl.tensor<[8], f32>, !pl.tensor<[8], f32>
    %p = pl.assemble %w, %b[0] : !pl.tensor<[8], f32>, !pl.tensor<[8], f32>
    scf.yield %p, %a : !pl.tensor<[8], f32>, !pl.tensor<[8], f32>
  }
  pl.return %s#0, %s#1 : !pl.tensor<[8], f32>, !pl.tensor<[8], f32>
}

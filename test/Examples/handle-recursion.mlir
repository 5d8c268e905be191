// RUN: env MALLOC_PERTURB_=85 %python %S/run_example.py pypto-run %s %t

// A function that calls itself returns its parameter at the end and fresh tensors on the way back.
// NUMPY: cases = [dict(n=0), dict(n=1), dict(n=4)]
// NUMPY: def inputs(rng, n): return [n, rng.standard_normal(8, dtype="f4")]
// NUMPY: def reference(n, x):
// NUMPY:   r = x.copy()
// NUMPY:   for i in range(n): r = r + x
// NUMPY:   return r

pl.func private @sum(%n: index, %x: !pl.tensor<[8], f32>) -> !pl.tensor<[8], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> !pl.tensor<[8], f32> {
    scf.yield %x : !pl.tensor<[8], f32>
  } else {
    %m = arith.subi %n, %c1 : index
    %q = pl.call @sum(%m, %x) : (index, !pl.tensor<[8], f32>) -> !pl.tensor<[8], f32>
    %w = pl.add %q, %x : !pl.tensor<[8], f32>, !pl.tensor<[8], f32>
    scf.yield %w : !pl.tensor<[8], f32>
  }
  pl.return %r : !pl.tensor<[8], f32>
}

pl.func @main(%n: index, %x: !pl.tensor<[8], f32>) -> !pl.tensor<[8], f32> {
  %q = pl.call @sum(%n, %x) : (index, !pl.tensor<[8], f32>) -> !pl.tensor<[8], f32>
  pl.return %q : !pl.tensor<[8], f32>
}

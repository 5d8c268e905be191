// RUN: %python %S/run_example.py pypto-run %s %t

// A loop in which each iteration reads what the one before wrote: running sums, of rows and of single elements.
// NUMPY: cases = [dict(N=13), dict(N=1), dict(N=2)]
// NUMPY: def inputs(rng, N): return [rng.standard_normal((N, 5), dtype="f4"), rng.integers(-9, 9, N, "i4")]
// NUMPY: def reference(x, k):
// NUMPY:     for i in range(1, len(x)): x[i] = x[i] + x[i - 1]
// NUMPY:     return x, np.cumsum(k, dtype="i4")

pl.func incore @main(inout %x: !pl.tensor<[N, 5], f32>, inout %k: !pl.tensor<[N], i32>) {
  %c1 = arith.constant 1 : index
  %n = pl.dim %x, 0 : !pl.tensor<[N, 5], f32>
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %a = tile.load %x[%before, 0] : !pl.tensor<[N, 5], f32> -> !tile.tile<[1, 5], f32>
    %b = tile.load %x[%i, 0] : !pl.tensor<[N, 5], f32> -> !tile.tile<[1, 5], f32>
    %s = tile.add %a, %b : !tile.tile<[1, 5], f32>
    %0 = tile.store %s, %x[%i, 0] : !tile.tile<[1, 5], f32>, !pl.tensor<[N, 5], f32>
    %p = pl.read %k[%before] : !pl.tensor<[N], i32>
    %q = pl.read %k[%i] : !pl.tensor<[N], i32>
    %r = arith.addi %p, %q : i32
    %1 = pl.write %r, %k[%i] : !pl.tensor<[N], i32>
  }
  pl.return
}

// RUN: %python %S/run_example.py pypto-run %s %t

// Extents by name, in expressions, unknown, bound inside a loop; an output's extent follows from the inputs'.
// NUMPY: cases = [dict(N=5, M=3), dict(N=1, M=1), dict(N=0, M=2)]
// NUMPY: def inputs(rng, N, M): return [rng.standard_normal((N, M), dtype="f4"), rng.standard_normal(2 * N + 1, dtype="f4"), rng.standard_normal((3, N), dtype="f4")]
// NUMPY: def reference(x, y, z):
// NUMPY:     n, m = x.shape
// NUMPY:     steps = np.zeros(3 * n, "f4")
// NUMPY:     for i in range(n): steps[i:2 * i + 1] = i
// NUMPY:     return x.reshape(n * m) + x.reshape(n * m), np.int64(n * m + 2 * n + 1 + n), steps, np.concatenate([y, y[:n]])

pl.func @main(%x: !pl.tensor<[N, M], f32>, %y: !pl.tensor<[N * 2 + 1], f32>, %z: !pl.tensor<[3, ?], f32>,
              out %steps: !pl.tensor<[N * 3], f32>, out %longer: !pl.tensor<[N * 3 + 1], f32>) -> (!pl.tensor<[?], f32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pl.dim %x, 0 : !pl.tensor<[N, M], f32>
  %m = pl.dim %x, 1 : !pl.tensor<[N, M], f32>
  %nm = arith.muli %n, %m : index
  %flat = pl.reshape %x sizes (%nm) : !pl.tensor<[N, M], f32> -> !pl.tensor<[?], f32>
  %double = pl.add %flat, %flat : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  %ny = pl.dim %y, 0 : !pl.tensor<[N * 2 + 1], f32>
  %nz = pl.dim %z, 1 : !pl.tensor<[3, ?], f32>
  %0 = arith.addi %nm, %ny : index
  %count = arith.addi %0, %nz : index
  scf.for %i = %c0 to %n step %c1 {
    %size = arith.addi %i, %c1 : index
    pl.symbol @rows = %size : index
    %k = arith.index_cast %i : index to i32
    %v = arith.sitofp %k : i32 to f32
    %part = pl.full %v : f32, !pl.tensor<[rows], f32>
    %1 = pl.assemble %part, %steps[%i] : !pl.tensor<[rows], f32>, !pl.tensor<[N * 3], f32>
  }
  %2 = pl.assemble %y, %longer[0] : !pl.tensor<[N * 2 + 1], f32>, !pl.tensor<[N * 3 + 1], f32>
  %begin = pl.slice %y[0] : !pl.tensor<[N * 2 + 1], f32> -> !pl.tensor<[N], f32>
  %3 = pl.assemble %begin, %longer[%ny] : !pl.tensor<[N], f32>, !pl.tensor<[N * 3 + 1], f32>
  pl.return %double, %count : !pl.tensor<[?], f32>, index
}

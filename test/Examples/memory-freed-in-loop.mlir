// RUN: %python %S/limit_memory.py %if sanitizer %{--sanitizer%} 1024 %python %S/run_example.py pypto-run %s %t

// What an iteration allocates ends with it: 10,000 of them, of 256 KB and more each, within a limit of a gigabyte.
// NUMPY: def inputs(rng): return [rng.standard_normal(65536, dtype="f4"), np.zeros(65536, "f4")]
// NUMPY: def reference(x, y): return x + x

pl.func @main(%x: !pl.tensor<[65536], f32>, inout %y: !pl.tensor<[65536], f32>) -> !pl.tensor<[65536], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10000 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %y) -> !pl.tensor<[65536], f32> {
    %t = pl.create : !pl.tensor<[65536], f32>
    %x0 = tile.load %x[0] : !pl.tensor<[65536], f32> -> !tile.tile<[256], f32>
    %w = tile.add %x0, %x0 : !tile.tile<[256], f32>
    %a = tile.store %w, %t[0] : !tile.tile<[256], f32>, !pl.tensor<[65536], f32>
    %is_first = arith.cmpi eq, %i, %c0 : index
    scf.if %is_first {
      %d = pl.add %x, %x : !pl.tensor<[65536], f32>, !pl.tensor<[65536], f32>
      %b = pl.assemble %d, %u[0] : !pl.tensor<[65536], f32>, !pl.tensor<[65536], f32>
    }
    // Touches the whole allocation, so that it counts.
    %last = arith.constant 65280 : index
    %e = tile.store %w, %a[%last] : !tile.tile<[256], f32>, !pl.tensor<[65536], f32>
    scf.yield %u : !pl.tensor<[65536], f32>
  }
  pl.return %s : !pl.tensor<[65536], f32>
}

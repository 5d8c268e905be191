// RUN: %python %S/run_example.py pypto-run %s %t

// A helper that binds its scalar parameter again does not change the caller's: main(k) = k + (k + 1).
// NUMPY: cases = [dict(k=20), dict(k=-3), dict(k=0)]
// NUMPY: def inputs(rng, k): return [k]
// NUMPY: def reference(k): return np.int64(2 * k + 1)

pl.func inline @bump(%n: !pl.var<index>) -> index {
  %0 = pl.get %n : index
  %c1 = arith.constant 1 : index
  %1 = arith.addi %0, %c1 : index
  pl.set %n, %1 : index
  %2 = pl.get %n : index
  pl.return %2 : index
}
pl.func @main(%k: index) -> index {
  %m = pl.call @bump(%k) : (index) -> index
  %s = arith.addi %k, %m : index
  pl.return %s : index
}

// RUN: %python %S/run_example.py pypto-run %s %t

// arr[i] = half(x) and arithmetic on the value of a nested call: main(n) = half(n) + 1 + half(2n).
// NUMPY: cases = [dict(n=7), dict(n=0)]
// NUMPY: def inputs(rng, n): return [n]
// NUMPY: def reference(n): return np.int64(n // 2 + 1 + (2 * n) // 2)

pl.func inline @half(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %r = arith.divui %n, %c2 : index
  pl.return %r : index
}
pl.func @main(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arr0 = pl.array.create %c0 : !pl.array<2xindex>
  %h = pl.call @half(%n) : (index) -> index
  %k = arith.addi %h, %c1 : index
  %arr1 = pl.array.update %arr0[%c0], %k : !pl.array<2xindex>
  %n2 = arith.addi %n, %n : index
  %h2 = pl.call @half(%n2) : (index) -> index
  %arr2 = pl.array.update %arr1[%c1], %h2 : !pl.array<2xindex>
  %a = pl.array.get %arr2[%c0] : !pl.array<2xindex>
  %b = pl.array.get %arr2[%c1] : !pl.array<2xindex>
  %r = arith.addi %a, %b : index
  pl.return %r : index
}

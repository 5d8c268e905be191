// RUN: %python %S/run_example.py pypto-run %s %t

// Tensors of a function that calls itself a thousand times.
// NUMPY: def inputs(rng): return [1000]
// NUMPY: def reference(n): return np.int32(n * (n - 1) // 2)

!t = !pl.tensor<[8192], i32>
pl.func private @sum(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %isLast = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %isLast -> i32 {
    scf.yield %zero : i32
  } else {
    %m = arith.subi %n, %c1 : index
    %k = arith.index_cast %m : index to i32
    %a = pl.full %k : i32, !t
    %b = pl.write %k, %a[%n] : !t
    %rest = pl.call @sum(%m) : (index) -> i32
    %own = pl.read %b[%m] : !t
    %s = arith.addi %rest, %own : i32
    scf.yield %s : i32
  }
  pl.return %r : i32
}
pl.func @main(%n: index) -> i32 {
  %r = pl.call @sum(%n) : (index) -> i32
  pl.return %r : i32
}

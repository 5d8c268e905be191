// RUN: %python %S/run_example.py pypto-run %s %t

// A function has returned before the tasks that it made on a storage of its own, which it selected: they have it until
// they are done.
// NUMPY: flags = ["--llvm-level=0"]
// NUMPY: def inputs(rng): return [rng.standard_normal(4096, dtype="f4"), "true", 401, 3000]
// NUMPY: def reference(x, c, n, k): return x, np.float32(3000)

!t = !pl.tensor<[4096], f32>
!tile = !tile.tile<[4096], f32>
pl.func incore @negate(%x: !t, %n: index, out %z: !t) -> !t {
  %0 = tile.load %x[0] : !t -> !tile
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0) -> !tile {
    %e = tile.neg %t : !tile
    scf.yield %e : !tile
  }
  %1 = tile.store %r, %z[0] : !tile, !t
  pl.return %1 : !t
}
pl.func private orchestration @twice(%x: !t, %c: i1, %n: index, out %y: !t) -> !t {
  %a = pl.create : !t
  %b = pl.create : !t
  %s = arith.select %c, %a, %b : !t
  %0 = pl.call @negate(%x, %n, %s) : (!t, index, !t) -> !t
  %1 = pl.call @negate(%s, %n, %y) : (!t, index, !t) -> !t
  pl.return %1 : !t
}
// Writes over the stack.
pl.func private @increment(%v: f32, %i: index) -> f32 {
  %one = arith.constant 1.0 : f32
  %a = pl.full %one : f32, !t
  %b = pl.full %v : f32, !t
  %p = pl.write %one, %a[%i] : !t
  %q = pl.write %v, %b[%i] : !t
  %r = pl.read %p[%i] : !t
  %s = pl.read %q[%i] : !t
  %u = arith.addf %r, %s : f32
  pl.return %u : f32
}
pl.func orchestration @main(%x: !t, %c: i1, %n: index, %k: index, out %y: !t) -> (!t, f32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %1 = pl.call @twice(%x, %c, %n, %y) : (!t, i1, index, !t) -> !t
  %s = scf.for %i = %c0 to %k step %c1 iter_args(%w = %zero) -> f32 {
    %e = pl.call @increment(%w, %i) : (f32, index) -> f32
    scf.yield %e : f32
  }
  pl.return %1, %s : !t, f32
}

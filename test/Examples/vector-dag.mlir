// RUN: %python %S/run_example.py pypto-run %s %t

// Five kernels submitted as tasks: f = (a + b + 1)(a + b + 2) + (a + b), by blocks of 16 and a rest.
// NUMPY: cases = [dict(N=37), dict(N=16), dict(N=1), dict(N=0)]
// NUMPY: def inputs(rng, N): return [rng.standard_normal(N, dtype="f4") for _ in range(2)]
// NUMPY: def reference(a, b):
// NUMPY:     s = a + b
// NUMPY:     return (s + 1) * (s + 2) + s

pl.func incore @add(%a: !pl.tensor<[N], f32>, %b: !pl.tensor<[N], f32>, out %c: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = pl.dim %a, 0 : !pl.tensor<[N], f32>
  scf.for %i = %c0 to %n step %c16 {
    %rest = arith.subi %n, %i : index
    %m = arith.minui %rest, %c16 : index
    %x = tile.load %a[%i] valid (%m) : !pl.tensor<[N], f32> -> !tile.tile<[16], f32, valid = [?]>
    %y = tile.load %b[%i] valid (%m) : !pl.tensor<[N], f32> -> !tile.tile<[16], f32, valid = [?]>
    %z = tile.add %x, %y : !tile.tile<[16], f32, valid = [?]>
    %r = tile.store %z, %c[%i] : !tile.tile<[16], f32, valid = [?]>, !pl.tensor<[N], f32>
  }
  pl.return %c : !pl.tensor<[N], f32>
}
pl.func incore @add_scalar(%a: !pl.tensor<[N], f32>, %k: f32, out %c: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = pl.dim %a, 0 : !pl.tensor<[N], f32>
  scf.for %i = %c0 to %n step %c16 {
    %rest = arith.subi %n, %i : index
    %m = arith.minui %rest, %c16 : index
    %x = tile.load %a[%i] valid (%m) : !pl.tensor<[N], f32> -> !tile.tile<[16], f32, valid = [?]>
    %z = tile.add %x, %k : !tile.tile<[16], f32, valid = [?]>, f32
    %r = tile.store %z, %c[%i] : !tile.tile<[16], f32, valid = [?]>, !pl.tensor<[N], f32>
  }
  pl.return %c : !pl.tensor<[N], f32>
}
pl.func incore @mul(%a: !pl.tensor<[N], f32>, %b: !pl.tensor<[N], f32>, out %c: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = pl.dim %a, 0 : !pl.tensor<[N], f32>
  scf.for %i = %c0 to %n step %c16 {
    %rest = arith.subi %n, %i : index
    %m = arith.minui %rest, %c16 : index
    %x = tile.load %a[%i] valid (%m) : !pl.tensor<[N], f32> -> !tile.tile<[16], f32, valid = [?]>
    %y = tile.load %b[%i] valid (%m) : !pl.tensor<[N], f32> -> !tile.tile<[16], f32, valid = [?]>
    %z = tile.mul %x, %y : !tile.tile<[16], f32, valid = [?]>
    %r = tile.store %z, %c[%i] : !tile.tile<[16], f32, valid = [?]>, !pl.tensor<[N], f32>
  }
  pl.return %c : !pl.tensor<[N], f32>
}
pl.func orchestration @main(%a: !pl.tensor<[N], f32>, %b: !pl.tensor<[N], f32>, out %f: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %tc = pl.create : !pl.tensor<[N], f32>
  %td = pl.create : !pl.tensor<[N], f32>
  %te = pl.create : !pl.tensor<[N], f32>
  %tg = pl.create : !pl.tensor<[N], f32>
  %c, %t0 = orchestration.submit @add(%a, %b, %tc) : (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>, !pl.tensor<[N], f32>) -> (!pl.tensor<[N], f32>, !orchestration.task)
  %d, %t1 = orchestration.submit @add_scalar(%c, %one, %td) after (%t0) : (!pl.tensor<[N], f32>, f32, !pl.tensor<[N], f32>) -> (!pl.tensor<[N], f32>, !orchestration.task)
  %e, %t2 = orchestration.submit @add_scalar(%c, %two, %te) after (%t0) : (!pl.tensor<[N], f32>, f32, !pl.tensor<[N], f32>) -> (!pl.tensor<[N], f32>, !orchestration.task)
  %g, %t3 = orchestration.submit @mul(%d, %e, %tg) after (%t1, %t2) : (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>, !pl.tensor<[N], f32>) -> (!pl.tensor<[N], f32>, !orchestration.task)
  %r, %t4 = orchestration.submit @add(%g, %c, %f) after (%t3) : (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>, !pl.tensor<[N], f32>) -> (!pl.tensor<[N], f32>, !orchestration.task)
  pl.return %r : !pl.tensor<[N], f32>
}

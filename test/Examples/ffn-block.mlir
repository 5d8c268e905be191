// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: %python %S/run_example.py pypto-run %s %t --pipeline=inline-functions,convert-to-ssa,normalize-return-order,pypto-cpu-pipeline

// The feed-forward block of a transformer: y = x + (silu(x Wg) * (x Wu)) Wd. Blocks of 16 tokens; gate and up are two
// tasks of one kernel that are independent of each other, the activation waits for both, and down adds the input.
// NUMPY: cases = [dict(T=21), dict(T=16), dict(T=1), dict(T=0)]
// NUMPY: rtol, atol = 1e-4, 1e-4
// NUMPY: def inputs(rng, T):
// NUMPY:     f = lambda *shape: rng.standard_normal(shape, dtype="f4") / np.float32(4)
// NUMPY:     return [f(T, 48), f(48, 80), f(48, 80), f(80, 48)]
// NUMPY: def reference(x, gate, up, down):
// NUMPY:     g, u = x @ gate, x @ up
// NUMPY:     return x + (g / (1 + np.exp(-g)) * u) @ down

!x = !pl.tensor<[T, 48], f32>
!xb = !pl.tensor<[R, 48], f32>
!w = !pl.tensor<[48, 80], f32>
!d = !pl.tensor<[80, 48], f32>
!hb = !pl.tensor<[R, 80], f32>
!xt = !tile.tile<[16, 48], f32, valid = [?, 48]>
!ht = !tile.tile<[16, 80], f32, valid = [?, 80]>

pl.func inline @silu(%t: !ht) -> !ht {
  %one = arith.constant 1.0 : f32
  %0 = tile.neg %t : !ht
  %1 = tile.exp %0 : !ht
  %2 = tile.add %1, %one : !ht, f32
  %3 = tile.div %t, %2 : !ht
  pl.return %3 : !ht
}
// A block of at most 16 tokens, widened.
pl.func incore @project(%x: !xb, %w: !w, out %h: !hb) -> !hb {
  %r = pl.dim %x, 0 : !xb
  %tx = tile.load %x[0, 0] valid(%r) : !xb -> !xt
  %tw = tile.load %w[0, 0] : !w -> !tile.tile<[48, 80], f32>
  %p = tile.matmul %tx, %tw : !xt, !tile.tile<[48, 80], f32>
  %s = tile.store %p, %h[0, 0] : !ht, !hb
  pl.return %s : !hb
}
pl.func incore @activate(inout %gate: !hb, %up: !hb) -> !hb {
  %r = pl.dim %gate, 0 : !hb
  %g = tile.load %gate[0, 0] valid(%r) : !hb -> !ht
  %u = tile.load %up[0, 0] valid(%r) : !hb -> !ht
  %a = pl.call @silu(%g) : (!ht) -> !ht
  %m = tile.mul %a, %u : !ht
  %s = tile.store %m, %gate[0, 0] : !ht, !hb
  pl.return %s : !hb
}
pl.func incore @down(%h: !hb, %w: !d, %x: !xb, out %y: !xb) -> !xb {
  %r = pl.dim %x, 0 : !xb
  %th = tile.load %h[0, 0] valid(%r) : !hb -> !ht
  %tw = tile.load %w[0, 0] : !d -> !tile.tile<[80, 48], f32>
  %acc = tile.load %x[0, 0] valid(%r) : !xb -> !xt
  %p = tile.matmul_acc %acc, %th, %tw : !xt, !ht, !tile.tile<[80, 48], f32>
  %s = tile.store %p, %y[0, 0] : !xt, !xb
  pl.return %s : !xb
}
pl.func orchestration @main(%x: !x, %wg: !w, %wu: !w, %wd: !d, out %y: !x) -> !x {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = pl.dim %x, 0 : !x
  scf.for %i = %c0 to %n step %c16 {
    %left = arith.subi %n, %i : index
    %r = arith.minsi %left, %c16 : index
    pl.symbol @B = %r : index
    %xi = pl.slice %x[%i, 0] : !x -> !pl.tensor<[B, 48], f32>
    %yi = pl.slice %y[%i, 0] : !x -> !pl.tensor<[B, 48], f32>
    %g0 = pl.create : !pl.tensor<[B, 80], f32>
    %u0 = pl.create : !pl.tensor<[B, 80], f32>
    %g, %tg = orchestration.submit @project(%xi, %wg, %g0)
        : (!pl.tensor<[B, 48], f32>, !w, !pl.tensor<[B, 80], f32>) -> (!pl.tensor<[B, 80], f32>, !orchestration.task)
    %u, %tu = orchestration.submit @project(%xi, %wu, %u0)
        : (!pl.tensor<[B, 48], f32>, !w, !pl.tensor<[B, 80], f32>) -> (!pl.tensor<[B, 80], f32>, !orchestration.task)
    %a, %ta = orchestration.submit @activate(%g, %u) after (%tg, %tu)
        : (!pl.tensor<[B, 80], f32>, !pl.tensor<[B, 80], f32>) -> (!pl.tensor<[B, 80], f32>, !orchestration.task)
    %o, %to = orchestration.submit @down(%a, %wd, %xi, %yi) after (%ta)
        : (!pl.tensor<[B, 80], f32>, !d, !pl.tensor<[B, 48], f32>, !pl.tensor<[B, 48], f32>) -> (!pl.tensor<[B, 48], f32>, !orchestration.task)
  }
  pl.return %y : !x
}

// The feed-forward block of a transformer: y = x + (silu(x Wg) * (x Wu)) Wd, 64 tokens at a time.
!x = !pl.tensor<[1024, 1024], f32>
!w = !pl.tensor<[1024, 2048], f32>
!d = !pl.tensor<[2048, 1024], f32>
!xb = !pl.tensor<[64, 1024], f32>
!hb = !pl.tensor<[64, 2048], f32>
!xt = !tile.tile<[64, 1024], f32>
!wt = !tile.tile<[1024, 128], f32>
!dt = !tile.tile<[2048, 128], f32>
!block = !tile.tile<[64, 128], f32>

pl.func inline @silu(%t: !block) -> !block {
  %one = arith.constant 1.0 : f32
  %0 = tile.neg %t : !block
  %1 = tile.exp %0 : !block
  %2 = tile.add %1, %one : !block, f32
  %3 = tile.div %t, %2 : !block
  pl.return %3 : !block
}
pl.func private incore @hidden(%x: !xb, %wg: !w, %wu: !w, inout %h: !hb) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c2048 = arith.constant 2048 : index
  %tx = tile.load %x[0, 0] : !xb -> !xt
  scf.for %j = %c0 to %c2048 step %c128 {
    %twg = tile.load %wg[0, %j] : !w -> !wt
    %g = tile.matmul %tx, %twg : !xt, !wt
    %twu = tile.load %wu[0, %j] : !w -> !wt
    %u = tile.matmul %tx, %twu : !xt, !wt
    %a = pl.call @silu(%g) : (!block) -> !block
    %m = tile.mul %a, %u : !block
    %stored = tile.store %m, %h[0, %j] : !block, !hb
  }
  pl.return
}
pl.func private incore @down(%h: !hb, %wd: !d, %x: !xb, inout %y: !xb) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %th = tile.load %h[0, 0] : !hb -> !tile.tile<[64, 2048], f32>
  scf.for %j = %c0 to %c1024 step %c128 {
    %twd = tile.load %wd[0, %j] : !d -> !dt
    %acc = tile.load %x[0, %j] : !xb -> !block
    %p = tile.matmul_acc %acc, %th, %twd : !block, !tile.tile<[64, 2048], f32>, !dt
    %stored = tile.store %p, %y[0, %j] : !block, !xb
  }
  pl.return
}
pl.func orchestration @main(%x: !x, %wg: !w, %wu: !w, %wd: !d, out %y: !x) attributes {pl.noalias} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c64 {
    %xi = pl.slice %x[%i, 0] : !x -> !xb
    %yi = pl.slice %y[%i, 0] : !x -> !xb
    %h = pl.create : !hb
    pl.call @hidden(%xi, %wg, %wu, %h) : (!xb, !w, !w, !hb) -> ()
    pl.call @down(%h, %wd, %xi, %yi) : (!hb, !d, !xb, !xb) -> ()
  }
  pl.return
}

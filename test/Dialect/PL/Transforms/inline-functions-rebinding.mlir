// RUN: pypto-opt %s --split-input-file --keep-value-names --inline-functions --mlir-use-nameloc-as-prefix | FileCheck %s

// When the variable of a tensor or tile parameter is the caller's: if every statement that binds it provably
// keeps its storage. Otherwise the parameter starts a variable of its own.
// -----
// INL-35, INL-36, INL-22: a write-back binds the caller's variable, with and without `out`.
!t = !pl.tensor<[16], f32>
pl.func inline @write_back(%x: !t, %o: !pl.var<!t>) {
  %g = pl.get %o : !t
  %w = pl.assemble %x, %g[0] : !t, !t
  pl.set %o, %w : !t
  pl.return
}
// CHECK-LABEL: pl.func @self_update(%a: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %e = pl.var "e" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline0 = pl.get %e : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline1 = pl.assemble %a, %g_inline0[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %e, %w_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: %r = pl.get %e : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %r : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @self_update(%a: !t, %ext: !t) -> !t {
  %e = pl.var "e" = %ext : !t
  pl.call @write_back(%a, %e) : (!t, !pl.var<!t>) -> ()
  %r = pl.get %e : !t
  pl.return %r : !t
}
// -----
// INL-37: three calls with different variables are independent.
!t = !pl.tensor<[16], f32>
pl.func inline @write_back(%x: !t, out %o: !pl.var<!t>) {
  %g = pl.get %o : !t
  %w = pl.assemble %x, %g[0] : !t, !t
  pl.set %o, %w : !t
  pl.return
}
// CHECK-LABEL: pl.func @three_outs(%a: !pl.tensor<[16], f32>, out %x: !pl.tensor<[16], f32>, out %y: !pl.tensor<[16], f32>, out %z: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %p = pl.var "p" = %x : !pl.tensor<[16], f32>
// CHECK-NEXT: %q = pl.var "q" = %y : !pl.tensor<[16], f32>
// CHECK-NEXT: %r = pl.var "r" = %z : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline0 = pl.get %p : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline1 = pl.assemble %a, %g_inline0[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %p, %w_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline2 = pl.get %q : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline3 = pl.assemble %a, %g_inline2[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %q, %w_inline3 : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline4 = pl.get %r : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline5 = pl.assemble %a, %g_inline4[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %r, %w_inline5 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @three_outs(%a: !t, out %x: !t, out %y: !t, out %z: !t) {
  %p = pl.var "p" = %x : !t
  %q = pl.var "q" = %y : !t
  %r = pl.var "r" = %z : !t
  pl.call @write_back(%a, %p) : (!t, !pl.var<!t>) -> ()
  pl.call @write_back(%a, %q) : (!t, !pl.var<!t>) -> ()
  pl.call @write_back(%a, %r) : (!t, !pl.var<!t>) -> ()
  pl.return
}
// -----
// INL-38, INL-96: a refinement binds the caller's variable, and a read afterwards sees it; so does the next call.
!t = !pl.tensor<[16, 4], f32>
!v = !pl.tensor<[16, 4], f32, valid = [8, 4]>
pl.func inline @narrow(%o: !pl.var<!t>) -> !v {
  %g = pl.get %o : !t
  %w = pl.set_validshape %g[8, 4] : !t -> !v
  pl.set %o, %w : !pl.var<!t> -> !v
  %r = pl.get %o : !pl.var<!t> -> !v
  pl.return %r : !v
}
pl.func inline @double(%x: !pl.tensor<[16, 4], f32, valid = [V, 4]>) -> !pl.tensor<[16, 4], f32, valid = [V, 4]> {
  %y = pl.add %x, %x : !pl.tensor<[16, 4], f32, valid = [V, 4]>, !pl.tensor<[16, 4], f32, valid = [V, 4]>
  pl.return %y : !pl.tensor<[16, 4], f32, valid = [V, 4]>
}
// CHECK-LABEL: pl.func @refinement(%ext: !pl.tensor<[16, 4], f32>) -> !pl.tensor<[16, 4], f32> {
// CHECK-NEXT: %e = pl.var "e" = %ext : !pl.tensor<[16, 4], f32>
// CHECK-NEXT: %g_inline0 = pl.get %e : !pl.tensor<[16, 4], f32>
// CHECK-NEXT: %w_inline1 = pl.set_validshape %g_inline0[8, 4] : !pl.tensor<[16, 4], f32> -> !pl.tensor<[16, 4], f32, valid = [8, 4]>
// CHECK-NEXT: pl.set %e, %w_inline1 : !pl.var<!pl.tensor<[16, 4], f32>> -> !pl.tensor<[16, 4], f32, valid = [8, 4]>
// CHECK-NEXT: %r_inline2 = pl.get %e : !pl.var<!pl.tensor<[16, 4], f32>> -> !pl.tensor<[16, 4], f32, valid = [8, 4]>
// CHECK-NEXT: %y_inline3 = pl.add %r_inline2, %r_inline2 : !pl.tensor<[16, 4], f32, valid = [8, 4]>, !pl.tensor<[16, 4], f32, valid = [8, 4]>
// CHECK-NEXT: pl.return %y_inline3 : !pl.tensor<[16, 4], f32, valid = [8, 4]>
// CHECK-NEXT: }
pl.func @refinement(%ext: !t) -> !t {
  %e = pl.var "e" = %ext : !t
  %n = pl.call @narrow(%e) : (!pl.var<!t>) -> !v
  %d = pl.call @double(%n) : (!v) -> !v
  pl.return %d : !v
}
// -----
// INL-38: the same on tiles.
!t = !tile.tile<[16, 64], f32>
!v = !tile.tile<[16, 64], f32, valid = [8, 64]>
pl.func inline @narrow(%o: !pl.var<!t>) {
  %g = pl.get %o : !t
  %w = tile.set_validshape %g[8, 64] : !t -> !v
  pl.set %o, %w : !pl.var<!t> -> !v
  pl.return
}
// CHECK-LABEL: pl.func incore @tile_refinement(%x: !pl.tensor<[16, 64], f32>) {
// CHECK-NEXT: %l = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[16, 64], f32>
// CHECK-NEXT: %e = pl.var "e" = %l : !tile.tile<[16, 64], f32>
// CHECK-NEXT: %g_inline0 = pl.get %e : !tile.tile<[16, 64], f32>
// CHECK-NEXT: %w_inline1 = tile.set_validshape %g_inline0[8, 64] : !tile.tile<[16, 64], f32> -> !tile.tile<[16, 64], f32, valid = [8, 64]>
// CHECK-NEXT: pl.set %e, %w_inline1 : !pl.var<!tile.tile<[16, 64], f32>> -> !tile.tile<[16, 64], f32, valid = [8, 64]>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func incore @tile_refinement(%x: !pl.tensor<[16, 64], f32>) {
  %l = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !t
  %e = pl.var "e" = %l : !t
  pl.call @narrow(%e) : (!pl.var<!t>) -> ()
  pl.return
}
// -----
// INL-39: t = add(t, t) binds a variable of its own: a + twice(a) is 3a. Each call has one.
!t = !pl.tensor<[16], f32>
pl.func inline @twice(%t: !pl.var<!t>) -> !t {
  %t0 = pl.get %t : !t
  %s = pl.add %t0, %t0 : !t, !t
  pl.set %t, %s : !t
  %r = pl.get %t : !t
  pl.return %r : !t
}
// CHECK-LABEL: pl.func @three_times(%ext: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %[[V0]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %t0_inline1 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %s_inline2 = pl.add %t0_inline1, %t0_inline1 : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %s_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: %r_inline3 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V1:.*]] = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline4 = pl.var "t_inline4" = %[[V1]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %t0_inline5 = pl.get %t_inline4 : !pl.tensor<[16], f32>
// CHECK-NEXT: %s_inline6 = pl.add %t0_inline5, %t0_inline5 : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline4, %s_inline6 : !pl.tensor<[16], f32>
// CHECK-NEXT: %r_inline7 = pl.get %t_inline4 : !pl.tensor<[16], f32>
// CHECK-NEXT: %a0 = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %w = pl.add %a0, %r_inline3 : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %w : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @three_times(%ext: !t) -> !t {
  %a = pl.var "a" = %ext : !t
  %u = pl.call @twice(%a) : (!pl.var<!t>) -> !t
  %u2 = pl.call @twice(%a) : (!pl.var<!t>) -> !t
  %a0 = pl.get %a : !t
  %w = pl.add %a0, %u : !t, !t
  pl.return %w : !t
}
// -----
// INL-40: the same on tiles.
!t = !tile.tile<[16, 64], f32>
pl.func inline @twice(%t: !pl.var<!t>) -> !t {
  %t0 = pl.get %t : !t
  %s = tile.add %t0, %t0 : !t
  pl.set %t, %s : !t
  %r = pl.get %t : !t
  pl.return %r : !t
}
// CHECK-LABEL: pl.func incore @tile_three_times(%x: !pl.tensor<[16, 64], f32>) {
// CHECK-NEXT: %l = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[16, 64], f32>
// CHECK-NEXT: %a = pl.var "a" = %l : !tile.tile<[16, 64], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %a : !tile.tile<[16, 64], f32>
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %[[V0]] : !tile.tile<[16, 64], f32>
// CHECK-NEXT: %t0_inline1 = pl.get %t_inline0 : !tile.tile<[16, 64], f32>
// CHECK-NEXT: %s_inline2 = tile.add %t0_inline1, %t0_inline1 : !tile.tile<[16, 64], f32>
// CHECK-NEXT: pl.set %t_inline0, %s_inline2 : !tile.tile<[16, 64], f32>
// CHECK-NEXT: %r_inline3 = pl.get %t_inline0 : !tile.tile<[16, 64], f32>
// CHECK-NEXT: %a0 = pl.get %a : !tile.tile<[16, 64], f32>
// CHECK-NEXT: %w = tile.add %a0, %r_inline3 : !tile.tile<[16, 64], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func incore @tile_three_times(%x: !pl.tensor<[16, 64], f32>) {
  %l = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !t
  %a = pl.var "a" = %l : !t
  %u = pl.call @twice(%a) : (!pl.var<!t>) -> !t
  %a0 = pl.get %a : !t
  %w = tile.add %a0, %u : !t
  pl.return
}
// -----
// INL-41, INL-46: an `out` direction is about storage, not about the name: a new value still stays local.
!t = !pl.tensor<[16], f32>
pl.func inline @detach(inout %t: !pl.var<!t>) {
  %t0 = pl.get %t : !t
  %s = pl.exp %t0 : !t
  pl.set %t, %s : !t
  pl.return
}
// CHECK-LABEL: pl.func @out_but_detached(%ext: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %[[V0]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %t0_inline1 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %s_inline2 = pl.exp %t0_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %s_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: %r = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %r : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @out_but_detached(%ext: !t) -> !t {
  %a = pl.var "a" = %ext : !t
  pl.call @detach(%a) : (!pl.var<!t>) -> ()
  %r = pl.get %a : !t
  pl.return %r : !t
}
// -----
// INL-42: t = assemble(other, t) writes to another tensor: t is local, other's argument is what is written.
!t = !pl.tensor<[16], f32>
pl.func inline @into_other(%t: !pl.var<!t>, %other: !t) -> !t {
  %t0 = pl.get %t : !t
  %w = pl.assemble %t0, %other[0] : !t, !t
  pl.set %t, %w : !t
  %r = pl.get %t : !t
  pl.return %r : !t
}
// CHECK-LABEL: pl.func @writes_other(%ext: !pl.tensor<[16], f32>, %buffer: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %[[V0]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %t0_inline1 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline2 = pl.assemble %t0_inline1, %buffer[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %w_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: %r_inline3 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %r_inline3 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @writes_other(%ext: !t, %buffer: !t) -> !t {
  %a = pl.var "a" = %ext : !t
  %r = pl.call @into_other(%a, %buffer) : (!pl.var<!t>, !t) -> !t
  pl.return %r : !t
}
// -----
// INL-43: an alias that another value reaches around a loop makes the parameter local.
!t = !pl.tensor<[16], f32>
pl.func inline @around(%t: !pl.var<!t>, %other: !t, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = pl.get %t : !t
  %alias = pl.var "alias" = %t0 : !t
  scf.for %i = %c0 to %n step %c1 {
    %g = pl.get %alias : !t
    pl.set %t, %g : !t
    pl.set %alias, %other : !t
  }
  pl.return
}
// CHECK-LABEL: pl.func @alias_around_loop(%ext: !pl.tensor<[16], f32>, %buffer: !pl.tensor<[16], f32>, %n: index) {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %[[V0]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %c0_inline1 = arith.constant 0 : index
// CHECK-NEXT: %c1_inline2 = arith.constant 1 : index
// CHECK-NEXT: %t0_inline3 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %alias_inline4 = pl.var "alias_inline4" = %t0_inline3 : !pl.tensor<[16], f32>
// CHECK-NEXT: scf.for %i_inline5 = %c0_inline1 to %n step %c1_inline2 {
// CHECK-NEXT: %g_inline6 = pl.get %alias_inline4 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %g_inline6 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %alias_inline4, %buffer : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @alias_around_loop(%ext: !t, %buffer: !t, %n: index) {
  %a = pl.var "a" = %ext : !t
  pl.call @around(%a, %buffer, %n) : (!pl.var<!t>, !t, index) -> ()
  pl.return
}
// -----
// INL-44, INL-45: what a loop carries and what a branch yields proves nothing.
!t = !pl.tensor<[16], f32>
pl.func inline @carried(%t: !pl.var<!t>, %u: !pl.var<!t>, %n: index, %b: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = pl.get %t : !t
  %u0 = pl.get %u : !t
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%carry = %t0) -> !t {
    pl.set %t, %carry : !t
    scf.yield %carry : !t
  }
  %p = scf.if %b -> !t {
    scf.yield %u0 : !t
  } else {
    scf.yield %u0 : !t
  }
  pl.set %u, %p : !t
  pl.return
}
// CHECK-LABEL: pl.func @control_flow_results(%x: !pl.tensor<[16], f32>, %y: !pl.tensor<[16], f32>, %n: index, %b: i1) {
// CHECK-NEXT: %a = pl.var "a" = %x : !pl.tensor<[16], f32>
// CHECK-NEXT: %c = pl.var "c" = %y : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %[[V0]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V1:.*]] = pl.get %c : !pl.tensor<[16], f32>
// CHECK-NEXT: %u_inline1 = pl.var "u_inline1" = %[[V1]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %c0_inline2 = arith.constant 0 : index
// CHECK-NEXT: %c1_inline3 = arith.constant 1 : index
// CHECK-NEXT: %t0_inline4 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %u0_inline5 = pl.get %u_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: %l_inline6 = scf.for %i_inline7 = %c0_inline2 to %n step %c1_inline3 iter_args(%carry_inline8 = %t0_inline4) -> (!pl.tensor<[16], f32>) {
// CHECK-NEXT: pl.set %t_inline0, %carry_inline8 : !pl.tensor<[16], f32>
// CHECK-NEXT: scf.yield %carry_inline8 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: %p_inline9 = scf.if %b -> (!pl.tensor<[16], f32>) {
// CHECK-NEXT: scf.yield %u0_inline5 : !pl.tensor<[16], f32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %u0_inline5 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.set %u_inline1, %p_inline9 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @control_flow_results(%x: !t, %y: !t, %n: index, %b: i1) {
  %a = pl.var "a" = %x : !t
  %c = pl.var "c" = %y : !t
  pl.call @carried(%a, %c, %n, %b) : (!pl.var<!t>, !pl.var<!t>, index, i1) -> ()
  pl.return
}
// -----
// A straight chain of aliases, all of the same parameter, is a write-back: near miss of INL-45.
!t = !pl.tensor<[16], f32>
pl.func inline @chain(%x: !t, %t: !pl.var<!t>) {
  %t0 = pl.get %t : !t
  %alias = pl.var "alias" = %t0 : !t
  %g = pl.get %alias : !t
  %w = pl.assemble %x, %g[0] : !t, !t
  pl.set %alias, %w : !t
  %g2 = pl.get %alias : !t
  pl.set %t, %g2 : !t
  pl.return
}
// CHECK-LABEL: pl.func @alias_chain(%x: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %t0_inline0 = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %alias_inline1 = pl.var "alias_inline1" = %t0_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline2 = pl.get %alias_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline3 = pl.assemble %x, %g_inline2[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %alias_inline1, %w_inline3 : !pl.tensor<[16], f32>
// CHECK-NEXT: %g2_inline4 = pl.get %alias_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %a, %g2_inline4 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @alias_chain(%x: !t, %ext: !t) {
  %a = pl.var "a" = %ext : !t
  pl.call @chain(%x, %a) : (!t, !pl.var<!t>) -> ()
  pl.return
}
// -----
// INL-45: the result of a call of another kind of function proves nothing.
!t = !pl.tensor<[16], f32>
pl.func private incore @kernel(out !t) -> !t
pl.func inline @unknown(%t: !pl.var<!t>) {
  %g = pl.get %t : !t
  %r = pl.call @kernel(%g) : (!t) -> !t
  pl.set %t, %r : !t
  pl.return
}
// CHECK-LABEL: pl.func private incore @kernel(out !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
// CHECK-LABEL: pl.func @unknown_result(%ext: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %[[V0]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline1 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %r_inline2 = pl.call @kernel(%g_inline1) : (!pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %r_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @unknown_result(%ext: !t) {
  %a = pl.var "a" = %ext : !t
  pl.call @unknown(%a) : (!pl.var<!t>) -> ()
  pl.return
}
// -----
// INL-47: the local variable starts before everything else, with the argument: a write through it before it
// detaches reaches the argument's storage.
!t = !pl.tensor<[16], f32>
pl.func inline @write_then_detach(%x: !t, %t: !pl.var<!t>) -> !t {
  %g = pl.get %t : !t
  %w = pl.assemble %x, %g[0] : !t, !t
  pl.set %t, %w : !t
  %s = pl.exp %w : !t
  pl.set %t, %s : !t
  %r = pl.get %t : !t
  pl.return %r : !t
}
// CHECK-LABEL: pl.func @reaches_storage(%x: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %[[V0]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline1 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline2 = pl.assemble %x, %g_inline1[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %w_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: %s_inline3 = pl.exp %w_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %s_inline3 : !pl.tensor<[16], f32>
// CHECK-NEXT: %r_inline4 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %r_inline4 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @reaches_storage(%x: !t, %ext: !t) -> !t {
  %a = pl.var "a" = %ext : !t
  %r = pl.call @write_then_detach(%x, %a) : (!t, !pl.var<!t>) -> !t
  pl.return %r : !t
}
// -----
// INL-48, INL-132: a rebind inside a loop goes to the local variable; without a trip the result is the argument.
!t = !pl.tensor<[16], f32>
pl.func inline @loop_rebind(%t: !pl.var<!t>, %n: index) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %g = pl.get %t : !t
    %s = pl.exp %g : !t
    pl.set %t, %s : !t
  }
  %r = pl.get %t : !t
  pl.return %r : !t
}
// CHECK-LABEL: pl.func @rebind_in_loop(%ext: !pl.tensor<[16], f32>, %n: index) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %[[V0]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %c0_inline1 = arith.constant 0 : index
// CHECK-NEXT: %c1_inline2 = arith.constant 1 : index
// CHECK-NEXT: scf.for %i_inline3 = %c0_inline1 to %n step %c1_inline2 {
// CHECK-NEXT: %g_inline4 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %s_inline5 = pl.exp %g_inline4 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %s_inline5 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: %r_inline6 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %r_inline6 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @rebind_in_loop(%ext: !t, %n: index) -> !t {
  %a = pl.var "a" = %ext : !t
  %r = pl.call @loop_rebind(%a, %n) : (!pl.var<!t>, index) -> !t
  pl.return %r : !t
}
// -----
// INL-49: write back, bind on one branch, write back: local from the start.
!t = !pl.tensor<[16], f32>
pl.func inline @conditional(%x: !t, %t: !pl.var<!t>, %b: i1) -> !t {
  %g = pl.get %t : !t
  %w = pl.assemble %x, %g[0] : !t, !t
  pl.set %t, %w : !t
  scf.if %b {
    %s = pl.exp %x : !t
    pl.set %t, %s : !t
  }
  %g2 = pl.get %t : !t
  %w2 = pl.assemble %x, %g2[0] : !t, !t
  pl.set %t, %w2 : !t
  %r = pl.get %t : !t
  pl.return %r : !t
}
// CHECK-LABEL: pl.func @conditional_rebind(%x: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>, %b: i1) -> !pl.tensor<[16], f32> {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline0 = pl.var "t_inline0" = %[[V0]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline1 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline2 = pl.assemble %x, %g_inline1[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %w_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: scf.if %b {
// CHECK-NEXT: %s_inline3 = pl.exp %x : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %s_inline3 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: %g2_inline4 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %w2_inline5 = pl.assemble %x, %g2_inline4[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline0, %w2_inline5 : !pl.tensor<[16], f32>
// CHECK-NEXT: %r_inline6 = pl.get %t_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return %r_inline6 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
pl.func @conditional_rebind(%x: !t, %ext: !t, %b: i1) -> !t {
  %a = pl.var "a" = %ext : !t
  %r = pl.call @conditional(%x, %a, %b) : (!t, !pl.var<!t>, i1) -> !t
  pl.return %r : !t
}
// -----
// INL-89: a write-back on one branch only is a write-back.
!t = !pl.tensor<[N], f32>
!c = !pl.tensor<[16], f32>
pl.func inline @maybe_write(%x: !t, %t: !pl.var<!t>, %b: i1) {
  scf.if %b {
    %g = pl.get %t : !t
    %w = pl.assemble %x, %g[0] : !t, !t
    pl.set %t, %w : !t
  }
  pl.return
}
// CHECK-LABEL: pl.func @conditional_write_back(%x: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>, %b: i1) {
// CHECK-NEXT: %a = pl.var "a" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: scf.if %b {
// CHECK-NEXT: %g_inline0 = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %w_inline1 = pl.assemble %x, %g_inline0[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %a, %w_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: }
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @conditional_write_back(%x: !c, %ext: !c, %b: i1) {
  %a = pl.var "a" = %ext : !c
  pl.call @maybe_write(%x, %a, %b) : (!c, !pl.var<!c>, i1) -> ()
  pl.return
}
// -----
// INL-50: a nested helper that returns what it was given keeps the caller's variable; one that returns a new
// value does not.
!t = !pl.tensor<[16], f32>
pl.func inline @same(%x: !t) -> !t {
  pl.return %x : !t
}
pl.func inline @fresh(%x: !t) -> !t {
  %y = pl.exp %x : !t
  pl.return %y : !t
}
pl.func inline @through_same(%t: !pl.var<!t>) {
  %g = pl.get %t : !t
  %s = pl.call @same(%g) : (!t) -> !t
  pl.set %t, %s : !t
  pl.return
}
pl.func inline @through_fresh(%t: !pl.var<!t>) {
  %g = pl.get %t : !t
  %s = pl.call @fresh(%g) : (!t) -> !t
  pl.set %t, %s : !t
  pl.return
}
// CHECK-LABEL: pl.func @nested_alias(%x: !pl.tensor<[16], f32>, %y: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %a = pl.var "a" = %x : !pl.tensor<[16], f32>
// CHECK-NEXT: %b = pl.var "b" = %y : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline0 = pl.get %a : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %b : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline1 = pl.var "t_inline1" = %[[V0]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline2 = pl.get %t_inline1 : !pl.tensor<[16], f32>
// CHECK-NEXT: %y_inline3 = pl.exp %g_inline2 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.set %t_inline1, %y_inline3 : !pl.tensor<[16], f32>
// CHECK-NEXT: %t_inline4 = pl.var "t_inline4" = %x : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline5 = pl.get %t_inline4 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func @nested_alias(%x: !t, %y: !t) {
  %a = pl.var "a" = %x : !t
  %b = pl.var "b" = %y : !t
  pl.call @through_same(%a) : (!pl.var<!t>) -> ()
  pl.call @through_fresh(%b) : (!pl.var<!t>) -> ()
  pl.call @through_same(%x) : (!t) -> ()
  pl.return
}
// -----
// INL-116: a parameter bound to the result of a submit is local; the caller's buffer is what the task writes.
!t = !pl.tensor<[16], f32>
pl.func private incore @kernel(!t, out !t) -> !t
pl.func inline @launch(%x: !t, %o: !pl.var<!t>) {
  %g = pl.get %o : !t
  %r, %id = orchestration.submit @kernel(%x, %g) : (!t, !t) -> (!t, !orchestration.task)
  pl.set %o, %r : !t
  pl.return
}
// CHECK-LABEL: pl.func private incore @kernel(!pl.tensor<[16], f32>, out !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
// CHECK-LABEL: pl.func orchestration @submit_result(%x: !pl.tensor<[16], f32>, %ext: !pl.tensor<[16], f32>) {
// CHECK-NEXT: %e = pl.var "e" = %ext : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V0:.*]] = pl.get %e : !pl.tensor<[16], f32>
// CHECK-NEXT: %o_inline0 = pl.var "o_inline0" = %[[V0]] : !pl.tensor<[16], f32>
// CHECK-NEXT: %g_inline1 = pl.get %o_inline0 : !pl.tensor<[16], f32>
// CHECK-NEXT: %[[V1:.*]]:2 = orchestration.submit @kernel(%x, %g_inline1) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> (!pl.tensor<[16], f32>, !orchestration.task)
// CHECK-NEXT: pl.set %o_inline0, %[[V1]]#0 : !pl.tensor<[16], f32>
// CHECK-NEXT: pl.return
// CHECK-NEXT: }
pl.func orchestration @submit_result(%x: !t, %ext: !t) {
  %e = pl.var "e" = %ext : !t
  pl.call @launch(%x, %e) : (!t, !pl.var<!t>) -> ()
  pl.return
}
// -----
// INL-45: a copy that comes around a loop proves nothing, even if every value is the same.
!t = !pl.tensor<[16], f32>
pl.func inline @cycle(%t: !pl.var<!t>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = pl.get %t : !t
  %alias = pl.var "alias" = %t0 : !t
  scf.for %i = %c0 to %n step %c1 {
    %g = pl.get %alias : !t
    pl.set %t, %g : !t
    %t1 = pl.get %t : !t
    pl.set %alias, %t1 : !t
  }
  pl.return
}
// CHECK-LABEL: pl.func @copy_cycle
// CHECK: %t_inline0 = pl.var "t_inline0" = %{{.*}} : !pl.tensor<[16], f32>
// CHECK: pl.set %t_inline0, %g_inline
pl.func @copy_cycle(%ext: !t, %n: index) {
  %a = pl.var "a" = %ext : !t
  pl.call @cycle(%a, %n) : (!pl.var<!t>, index) -> ()
  pl.return
}

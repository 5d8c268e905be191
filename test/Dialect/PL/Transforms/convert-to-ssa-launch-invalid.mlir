// RUN: pypto-opt --convert-to-ssa %s --split-input-file --verify-diagnostics
// What a launch binds a variable to has to be the handle that the variable has around it; loops and branches inside
// may exchange it.

!t = !pl.tensor<[16], f32>
pl.func @loop_exchanges(%a: !t, %b: !t, %n: index) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{declared here}}
  %v = pl.var "v" = %a : !t
  // expected-note @+1 {{in this launch}}
  pl.spmd (%i) in (%n) {
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%h = %a) -> (!t) {
      scf.yield %b : !t
    }
    // expected-error @+1 {{expects a handle to the storage that variable 'v' has before 'pl.spmd', but got another one}}
    pl.set %v, %r : !t
  }
  %r = pl.get %v : !t
  pl.return %r : !t
}

// -----

!t = !pl.tensor<[16], f32>
pl.func @branches_differ(%a: !t, %b: !t, %c: i1, %n: index) -> !t {
  // expected-note @+1 {{declared here}}
  %v = pl.var "v" = %a : !t
  // expected-note @+1 {{in this launch}}
  pl.spmd (%i) in (%n) {
    %r = scf.if %c -> !t {
      scf.yield %a : !t
    } else {
      scf.yield %b : !t
    }
    // expected-error @+1 {{expects a handle to the storage that variable 'v' has before 'pl.spmd', but got another one}}
    pl.set %v, %r : !t
  }
  %r = pl.get %v : !t
  pl.return %r : !t
}

// -----

!t = !pl.tensor<[16], f32>
pl.func @all_the_same(%a: !t, %x: !t, %c: i1, %n: index) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = pl.var "v" = %a : !t
  pl.spmd (%i) in (%n) {
    %l = scf.for %j = %c0 to %n step %c1 iter_args(%h = %a) -> (!t) {
      %0 = pl.assemble %x, %h[0] : !t, !t
      scf.yield %0 : !t
    }
    %r = scf.if %c -> !t {
      scf.yield %a : !t
    } else {
      scf.yield %l : !t
    }
    pl.set %v, %r : !t
  }
  %r = pl.get %v : !t
  pl.return %r : !t
}

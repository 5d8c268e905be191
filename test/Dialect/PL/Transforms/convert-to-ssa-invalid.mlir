// RUN: pypto-opt --convert-to-ssa --split-input-file --verify-diagnostics --allow-unregistered-dialect %s
// Reads that may come before the first binding, values that do not fit, and uses that have no SSA form.

pl.func @never_set() -> index {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" : index
  // expected-error@+1 {{variable 'n' may be read before it is set}}
  %0 = pl.get %n : index
  pl.return %0 : index
}

// -----

pl.func @set_too_late(%k: index) -> index {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" : index
  // expected-error@+1 {{variable 'n' may be read before it is set}}
  %0 = pl.get %n : index
  pl.set %n, %k : index
  // The first read is wrong, this one is not.
  %1 = pl.get %n : index
  pl.return %1 : index
}

// -----

pl.func @set_in_one_branch(%c: i1, %k: index) -> index {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" : index
  scf.if %c {
    pl.set %n, %k : index
    %0 = pl.get %n : index
  }
  // expected-error@+1 {{variable 'n' may be read before it is set}}
  %1 = pl.get %n : index
  pl.return %1 : index
}

// -----

pl.func @set_in_the_other_branch(%c: i1, %k: index) {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" : index
  scf.if %c {
    pl.set %n, %k : index
  } else {
    // expected-error@+1 {{variable 'n' may be read before it is set}}
    %1 = pl.get %n : index
  }
  pl.return
}

// -----

pl.func @zero_trips(%k: index) -> index {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" : index
  scf.for %i = %k to %k step %k {
    pl.set %n, %i : index
  }
  // expected-error@+1 {{variable 'n' may be read before it is set}}
  %1 = pl.get %n : index
  pl.return %1 : index
}

// -----

pl.func @first_iteration(%k: index, %c: i1) {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" : index
  scf.for %i = %k to %k step %k {
    scf.if %c {
      // expected-error@+1 {{variable 'n' may be read before it is set}}
      %1 = pl.get %n : index
    }
    pl.set %n, %i : index
  }
  pl.return
}

// -----

pl.func @set_in_after_region(%c: i1, %k: index) -> index {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" : index
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    pl.set %n, %k : index
    scf.yield
  }
  // expected-error@+1 {{variable 'n' may be read before it is set}}
  %1 = pl.get %n : index
  pl.return %1 : index
}

// -----

pl.func @not_every_case(%k: index) -> index {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" : index
  scf.index_switch %k
  case 1 {
    pl.set %n, %k : index
    scf.yield
  }
  default {
    scf.yield
  }
  // expected-error@+1 {{variable 'n' may be read before it is set}}
  %1 = pl.get %n : index
  pl.return %1 : index
}

// -----

pl.func @set_in_launch(%k: index, %x: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  // expected-note@+1 {{declared here}}
  %t = pl.var "t" : !pl.tensor<[4], f32>
  pl.spmd (%i) in (%k) {
    pl.set %t, %x : !pl.tensor<[4], f32>
  }
  // expected-error@+1 {{variable 't' may be read before it is set}}
  %1 = pl.get %t : !pl.tensor<[4], f32>
  pl.return %1 : !pl.tensor<[4], f32>
}

// -----

pl.func @dump_mark() {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" : index
  // expected-error@+1 {{variable 'n' may be read before it is set}}
  pl.at core_group dumps(%n : !pl.var<index>) {
  }
  pl.return
}

// -----

// A variable of a loop's body is another one in each iteration.

pl.func @declared_in_body(%k: index) {
  scf.for %i = %k to %k step %k {
    // expected-note@+1 {{declared here}}
    %n = pl.var "n" : index
    // expected-error@+1 {{variable 'n' may be read before it is set}}
    %1 = pl.get %n : index
    pl.set %n, %i : index
  }
  pl.return
}

// -----

// One error per read, in several functions.

pl.func @two_reads() {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" : index
  // expected-error@+1 {{variable 'n' may be read before it is set}}
  %0 = pl.get %n : index
  // expected-error@+1 {{variable 'n' may be read before it is set}}
  %1 = pl.get %n : index
  pl.return
}
pl.func @another() {
  // expected-note@+1 {{declared here}}
  %m = pl.var "m" : index
  // expected-error@+1 {{variable 'm' may be read before it is set}}
  %0 = pl.get %m : index
  pl.return
}

// -----

pl.func @loop_changes_extent(%k: index, %x: !pl.tensor<[4], f32>, %y: !pl.tensor<[8], f32>) -> !pl.tensor<[?], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[4], f32> -> !pl.tensor<[?], f32>
  // expected-note@+1 {{in this loop}}
  scf.for %i = %k to %k step %k {
    // expected-error@+1 {{expects a type compatible with '!pl.tensor<[4], f32>', which variable 't' has when the loop begins, but got '!pl.tensor<[8], f32>'}}
    pl.set %t, %y : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[8], f32>
  }
  %0 = pl.get %t : !pl.tensor<[?], f32>
  pl.return %0 : !pl.tensor<[?], f32>
}

// -----

// The binding is found through a branch.

pl.func @while_changes_extent(%c: i1, %x: !pl.tensor<[4], f32>, %y: !pl.tensor<[8], f32>) -> !pl.tensor<[?], f32> {
  %t = pl.var "t" = %x : !pl.tensor<[4], f32> -> !pl.tensor<[?], f32>
  // expected-note@+1 {{in this loop}}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.if %c {
      pl.set %t, %y : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[8], f32>
    } else {
      // expected-error@+1 {{expects a type compatible with '!pl.tensor<[4], f32>', which variable 't' has when the loop begins, but got '!pl.tensor<[8], f32>'}}
      pl.set %t, %y : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[8], f32>
    }
    scf.yield
  }
  %0 = pl.get %t : !pl.tensor<[?], f32>
  pl.return %0 : !pl.tensor<[?], f32>
}

// -----

pl.func @read_as_something_else(%x: !pl.tensor<[4], f32>) -> !pl.tensor<[8], f32> {
  %t = pl.var "t" : !pl.tensor<[?], f32>
  // expected-note@+1 {{bound here}}
  pl.set %t, %x : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[4], f32>
  // expected-error@+1 {{expects a type compatible with '!pl.tensor<[4], f32>', which variable 't' has here, but got '!pl.tensor<[8], f32>'}}
  %0 = pl.get %t : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[8], f32>
  pl.return %0 : !pl.tensor<[8], f32>
}

// -----

pl.func @another_handle(%k: index, %x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  // expected-note@+1 {{declared here}}
  %t = pl.var "t" = %x : !pl.tensor<[4], f32>
  // expected-note@+1 {{in this launch}}
  pl.spmd (%i) in (%k) {
    // expected-error@+1 {{expects a handle to the storage that variable 't' has before 'pl.spmd', but got another one}}
    pl.set %t, %y : !pl.tensor<[4], f32>
  }
  %0 = pl.get %t : !pl.tensor<[4], f32>
  pl.return %0 : !pl.tensor<[4], f32>
}

// -----

// A view is part of the storage, not the same handle.

pl.func @view(%k: index, %x: !pl.tensor<[?], f32>) -> !pl.tensor<[?], f32> {
  // expected-note@+1 {{declared here}}
  %t = pl.var "t" = %x : !pl.tensor<[?], f32>
  // expected-note@+1 {{in this launch}}
  pl.spmd (%i) in (%k) {
    %0 = pl.slice %x[%i] sizes(%k) : !pl.tensor<[?], f32> -> !pl.tensor<[?], f32>
    // expected-error@+1 {{expects a handle to the storage that variable 't' has before 'pl.spmd', but got another one}}
    pl.set %t, %0 : !pl.tensor<[?], f32>
  }
  %0 = pl.get %t : !pl.tensor<[?], f32>
  pl.return %0 : !pl.tensor<[?], f32>
}

// -----

// Another handle on one path is enough; so is a call whose result is not known.

pl.func @one_path(%k: index, %c: i1, %x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  // expected-note@+1 {{declared here}}
  %t = pl.var "t" = %x : !pl.tensor<[4], f32>
  // expected-note@+1 {{in this launch}}
  pl.spmd (%i) in (%k) {
    scf.if %c {
      // expected-error@+1 {{expects a handle to the storage that variable 't' has before 'pl.spmd', but got another one}}
      pl.set %t, %y : !pl.tensor<[4], f32>
    }
  }
  // expected-note@+1 {{in this launch}}
  pl.split_aiv up_down (%i) {
    %0 = pl.get %t : !pl.tensor<[4], f32>
    %1 = pl.call @declared(%0) : (!pl.tensor<[4], f32>) -> !pl.tensor<[4], f32>
    // expected-error@+1 {{expects a handle to the storage that variable 't' has before 'pl.split_aiv', but got another one}}
    pl.set %t, %1 : !pl.tensor<[4], f32>
  }
  %0 = pl.get %t : !pl.tensor<[4], f32>
  pl.return %0 : !pl.tensor<[4], f32>
}
pl.func private incore @declared(inout !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32>

// -----

pl.func @scalar_in_launch(%k: index) -> index {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" = %k : index
  // expected-note@+1 {{in this launch}}
  pl.spmd (%i) in (%k) {
    // expected-error@+1 {{expects no binding of variable 'n', which is read after 'pl.spmd': each block binds its own}}
    pl.set %n, %i : index
  }
  %0 = pl.get %n : index
  pl.return %0 : index
}

// -----

// expected-error@+2 {{parameter 0 of function 'helper' is a variable}}
// expected-note@+1 {{run --inline-functions before}}
pl.func inline @helper(%n: !pl.var<index>) {
  pl.return
}
pl.func @call(%k: index) {
  %n = pl.var "n" = %k : index
  // expected-error@+2 {{variable 'n' is passed to a call}}
  // expected-note@+1 {{run --inline-functions before: only calls of inline functions take variables}}
  pl.call @helper(%n) : (!pl.var<index>) -> ()
  pl.return
}

// -----

// expected-error@+2 {{parameter 1 of function 'helper' is a variable}}
// expected-note@+1 {{run --inline-functions before}}
pl.func inline @helper(%k: index, %n: !pl.var<index>) {
  pl.set %n, %k : index
  pl.return
}

// -----

pl.func @set_in_parallel_loop(%k: index) {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" = %k : index
  scf.parallel (%i) = (%k) to (%k) step (%k) {
    // expected-error@+1 {{expects no binding of variable 'n' inside 'scf.parallel'}}
    pl.set %n, %i : index
  }
  pl.return
}

// -----

pl.func @blocks(%k: index) {
  %n = pl.var "n" = %k : index
  scf.execute_region {
    cf.br ^next
  ^next:
    // expected-error@+1 {{expects variables in regions of one block only}}
    %0 = pl.get %n : index
    scf.yield
  }
  pl.return
}

// -----

pl.func @other_use(%k: index) {
  // expected-note@+1 {{declared here}}
  %n = pl.var "n" = %k : index
  // expected-error@+1 {{expects a variable as an operand of 'pl.get', 'pl.set', calls and scopes only, but got 'n' in 'test.use'}}
  "test.use"(%n) : (!pl.var<index>) -> ()
  pl.return
}

// -----

pl.func @made_elsewhere(%k: index) {
  %n = "test.make"() : () -> !pl.var<index>
  // expected-error@+1 {{expects a variable that 'pl.var' made}}
  pl.set %n, %k : index
  // expected-error@+1 {{expects a variable that 'pl.var' made}}
  pl.cluster dumps(%n : !pl.var<index>) {
  }
  pl.return
}

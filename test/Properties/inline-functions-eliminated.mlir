// RUN: pypto-opt --inline-functions --split-input-file --verify-diagnostics --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false %s
// RUN: not pypto-opt --inline-functions --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false %s -o /dev/null
// A call to a name that is not there is the verifier's business too, but a pass may have left it behind.

pl.func @caller() {
  // expected-error@+1 {{property 'InlineFunctionsEliminated' produced by --inline-functions does not hold: dangling call to function 'missing'}}
  pl.call @missing() : () -> ()
  pl.return
}

// -----

// A name of something else is no function.

pl.func @caller() {
  // expected-error@+1 {{dangling call to function 'other'}}
  pl.call @other() : () -> ()
  pl.return
}
module @other {}

// -----

// A module inside the module is looked at by passes that run on it.

module {
  pl.func inline @f() {
    pl.return
  }
}
pl.func @caller() {
  pl.call @g() : () -> ()
  pl.return
}
pl.func private @g()

// RUN: pypto-opt --split-input-file --verify-diagnostics %s

// Constraints of submits and run-time scopes, one each.

pl.func orchestration @submit_c1() {
  // expected-error @below {{C1: expects a 'pl.func' named 'nobody'}}
  %0 = orchestration.submit @nobody() : () -> !orchestration.task
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private incore @k(index)
pl.func orchestration @submit_c2() {
  // expected-error @below {{C2: expects 1 arguments, but got 0}}
  %0 = orchestration.submit @k() : () -> !orchestration.task
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private incore @k() -> index
pl.func orchestration @submit_c3() {
  // expected-error @below {{C3: expects 1 results, but got 0}}
  %0 = orchestration.submit @k() : () -> !orchestration.task
  pl.return
}

// -----

pl.func private incore @k() -> index
pl.func orchestration @submit_c3_task() {
  // expected-error @below {{C3: expects '!orchestration.task' as its last result}}
  %0 = orchestration.submit @k() : () -> index
  pl.return
}

// -----

pl.func private incore @k()
pl.func orchestration @submit_c3_none() {
  // expected-error @below {{C3: expects '!orchestration.task' as its last result}}
  orchestration.submit @k() : () -> ()
  pl.return
}

// -----

pl.func private incore @k()
pl.func orchestration @submit_c5() {
  // expected-error @below {{C5: expects dump marks on its arguments, but got -1}}
  %0 = orchestration.submit @k() dumps [-1] : () -> !orchestration.task
  pl.return
}

// -----

pl.func orchestration @scope_c1(%n: index) {
  // expected-error @below {{C1: expects its body to yield values of its result types}}
  orchestration.scope {
    // expected-note @below {{yielded here}}
    pl.yield %n : index
  }
  pl.return
}

// -----

pl.func orchestration @scope_c2() {
  // expected-error @below {{C2: expects a body without arguments}}
  "orchestration.scope"() ({
  ^bb0(%i: index):
    "pl.yield"() : () -> ()
  }) : () -> ()
  pl.return
}

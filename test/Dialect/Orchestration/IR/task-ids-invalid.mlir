// RUN: pypto-opt --split-input-file --verify-diagnostics %s

// The id of a task ends with its scope, unless the scope yields it.

pl.func incore @kernel() {
  pl.return
}
pl.func orchestration @id_outside() {
  orchestration.scope {
    %id = orchestration.submit @kernel() : () -> !orchestration.task
  }
  // expected-error @below {{use of undeclared SSA value name}}
  orchestration.barrier after(%id)
  pl.return
}

// -----

pl.func incore @kernel() {
  pl.return
}
pl.func orchestration @id_of_one_branch(%c: i1) {
  scf.if %c {
    %id = orchestration.submit @kernel() : () -> !orchestration.task
  }
  // expected-error @below {{use of undeclared SSA value name}}
  %next = orchestration.submit @kernel() after(%id) : () -> !orchestration.task
  pl.return
}

// -----

// A task cannot wait for one that is submitted behind it: a cycle has no text.
pl.func incore @kernel() {
  pl.return
}
pl.func orchestration @cycle() {
  // expected-error @below {{operand #0 does not dominate this use}}
  %a = orchestration.submit @kernel() after(%b) : () -> !orchestration.task
  // expected-note @below {{operand defined here}}
  %b = orchestration.submit @kernel() after(%a) : () -> !orchestration.task
  pl.return
}

// RUN: pypto-opt %s --split-input-file --verify-diagnostics --inline-functions

// INL-117: what the pass leaves is reported by the property that it produces, at its line.

// expected-error@+1 {{property 'InlineFunctionsEliminated' produced by --inline-functions does not hold: function 'helper' is inline}}
pl.func inline @helper(%n: index) -> index {
  %m = pl.call @nested(%n) : (index) -> index
  pl.return %m : index
}
pl.func inline @nested(%n: index) -> index {
  pl.return %n : index
}
pl.func orchestration @submits_inline(%n: index) {
  // expected-error@+1 {{property 'InlineFunctionsEliminated' produced by --inline-functions does not hold}}
  %r, %id = orchestration.submit @helper(%n) : (index) -> (index, !orchestration.task)
  pl.return
}

// RUN: pypto-opt %s --split-input-file --verify-diagnostics

// An index has a dimension, everything else a subject.

func.func @index_with_subject(%ok: i1, %i: index) {
  // expected-error @below {{'pl.check' op C1: expects a dimension and no subject}}
  pl.check index %ok, %i, %i dim 0 subject "x" of "pl.read" at ""
  return
}

// -----

func.func @index_without_dimension(%ok: i1, %i: index) {
  // expected-error @below {{'pl.check' op C1: expects a dimension and no subject}}
  pl.check index %ok, %i, %i of "pl.read" at ""
  return
}

// -----

func.func @range_without_subject(%ok: i1, %i: index) {
  // expected-error @below {{'pl.check' op C1: expects a subject and no dimension}}
  pl.check range %ok, %i, %i of "pl.create" at ""
  return
}

// -----

func.func @negative_dimension(%ok: i1, %i: index) {
  // expected-error @below {{attribute 'dim' failed to satisfy constraint}}
  pl.check index %ok, %i, %i dim -1 of "pl.read" at ""
  return
}

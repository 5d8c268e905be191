// RUN: pypto-opt --normalize-return-order --split-input-file --verify-diagnostics %s
// NRO-01: what the pass requires; and the record of the permutation, which has to be one. `test/Properties` has
// the verifiers themselves.

pl.func @scope() {
  // expected-error@+1 {{property 'SplitIncoreOrch' required by --normalize-return-order does not hold}}
  pl.at core_group {
  }
  pl.return
}

// -----

pl.func incore @tensor_compute(%x: !pl.tensor<[16], f32>) {
  // expected-error@+1 {{property 'IncoreTileOps' required by --normalize-return-order does not hold}}
  %0 = pl.add %x, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
  pl.return
}

// -----

// expected-error@+1 {{expects 'pl.return_permutation' to be a permutation of its 2 results, but got [0, 0]}}
pl.func incore @repeated(%a: i1) -> (i1, i1) attributes {pl.return_permutation = array<i64: 0, 0>} {
  pl.return %a, %a : i1, i1
}

// -----

// expected-error@+1 {{expects 'pl.return_permutation' to be a permutation of its 1 results, but got [0, 1]}}
pl.func incore @too_long(%a: i1) -> i1 attributes {pl.return_permutation = array<i64: 0, 1>} {
  pl.return %a : i1
}

// -----

// expected-error@+1 {{expects 'pl.return_permutation' as an array of i64 on 'pl.func' only}}
pl.func incore @wrong_type(%a: i1) -> i1 attributes {pl.return_permutation = 0} {
  pl.return %a : i1
}

// -----

pl.func incore @wrong_operation() {
  // expected-error@+1 {{expects 'pl.return_permutation' as an array of i64 on 'pl.func' only}}
  pl.return {pl.return_permutation = array<i64>}
}

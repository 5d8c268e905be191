// RUN: pypto-opt --split-input-file --verify-diagnostics %s

// Constraints of placement scopes and loop requests, one each.

pl.func @at_c1(%n: index) {
  // expected-error @below {{C1: expects its body to yield values of its result types}}
  %0 = pl.at core_group -> i32 {
    // expected-note @below {{yielded here}}
    pl.yield %n : index
  }
  pl.return
}

// -----

pl.func @at_c2() {
  // expected-error @below {{C2: expects a body without arguments}}
  "pl.at"() <{level = #pl<level core_group>}> ({
  ^bb0(%i: index):
    "pl.yield"() : () -> ()
  }) : () -> ()
  pl.return
}

// -----

pl.func @cluster_c1(%n: index) {
  // expected-error @below {{C1: expects its body to yield values of its result types}}
  pl.cluster {
    // expected-note @below {{yielded here}}
    pl.yield %n : index
  }
  pl.return
}

// -----

pl.func @graph_c1(%n: index) {
  // expected-error @below {{C1: expects its body to yield values of its result types}}
  pl.graph {
    // expected-note @below {{yielded here}}
    pl.yield %n : index
  }
  pl.return
}

// -----

pl.func @spmd_c1() {
  %n = arith.constant -1 : index
  // expected-error @below {{C1: expects a count that is not negative, but got -1}}
  pl.spmd (%i) in (%n) {
  }
  pl.return
}

// -----

pl.func @spmd_c2(%t: !pl.tensor<[4], f32>, %n: index) {
  // expected-error @below {{C2: expects its body to yield values of its result types}}
  %0 = pl.spmd (%i) in (%n) -> !pl.tensor<[5], f32> {
    // expected-note @below {{yielded here}}
    pl.yield %t : !pl.tensor<[4], f32>
  }
  pl.return
}

// -----

pl.func @spmd_c2_tensor(%n: index) {
  // expected-error @below {{result #0 must be variadic of Handle to a tensor in global memory, but got 'index'}}
  %0 = pl.spmd (%i) in (%n) -> index {
    pl.yield %n : index
  }
  pl.return
}

// -----

pl.func @spmd_c3(%n: index) {
  // expected-error @below {{C3: expects a body with one argument of type 'index'}}
  "pl.spmd"(%n) ({
    "pl.yield"() : () -> ()
  }) : (index) -> ()
  pl.return
}

// -----

pl.func @split_aiv_c1(%n: index) {
  // expected-error @below {{C1: expects its body to yield values of its result types}}
  pl.split_aiv none (%i) {
    // expected-note @below {{yielded here}}
    pl.yield %n : index
  }
  pl.return
}

// -----

pl.func @split_aiv_c2() {
  // expected-error @below {{C2: expects a body with one argument of type 'index'}}
  "pl.split_aiv"() <{mode = #pl<split none>}> ({
  ^bb0(%i: i32):
    "pl.yield"() : () -> ()
  }) : () -> ()
  pl.return
}

// -----

pl.func @split_aiv_mode() {
  // expected-error @below {{expects 'none', 'up_down' or 'left_right', but got 'sideways'}}
  pl.split_aiv sideways (%i) {
  }
  pl.return
}

// -----

// expected-error @below {{C1: expects 'stages' of at least 1 on a pipeline and none elsewhere, but got 0}}
#a = #pl.loop<pipeline>

// -----

// expected-error @below {{C1: expects 'stages' of at least 1 on a pipeline and none elsewhere, but got 2}}
#a = #pl.loop<parallel, stages = 2>

// RUN: pypto-opt --split-input-file --verify-diagnostics %s

// Constraints of functions, returns and calls, one each.

// expected-error @below {{C1: expects 'out' on a tensor, a cell or an array, but parameter 0 is 'index'}}
pl.func @func_c1(out %n: index) {
  pl.return
}

// -----

// expected-error @below {{C2: expects cells as parameters of 'inline' functions only, but parameter 0 is '!pl.var<index>'}}
pl.func @func_c2(%n: !pl.var<index>) {
  pl.return
}

// -----

// expected-error @below {{C2: expects values as results, but result 0 is '!pl.var<index>'}}
pl.func inline @func_c2_result(%n: !pl.var<index>) -> !pl.var<index> {
  pl.return %n : !pl.var<index>
}

// -----

// expected-error @below {{C3: expects tiles as parameters of 'inline' functions only, but parameter 0 is}}
pl.func incore @func_c3(%t: !tile.tile<[4], f32>) {
  pl.return
}

// -----

// expected-error @below {{C3: expects tiles as results of 'inline' functions only, but result 0 is}}
pl.func private incore @func_c3_result() -> !tile.tile<[4], f32>

// -----

// expected-error @below {{C4: symbol 'N' in '!pl.tensor<[N * 2], f32>' is not declared}}
pl.func @func_c4_parameter(%t: !pl.tensor<[N * 2], f32>) {
  pl.return
}

// -----

pl.func @func_c4_body(%t: !pl.tensor<[N], f32>) {
  // expected-error @below {{C4: symbol 'M' in '!pl.tensor<[M], f32>' is not declared: expects a parameter with an extent of this name, or a 'pl.symbol' before}}
  %0 = pl.create : !pl.tensor<[M], f32>
  pl.return
}

// -----

// A symbol ends with its block.
pl.func @func_c4_block(%n: index) {
  pl.at core_group {
    pl.symbol @rows = %n : index
    %0 = pl.create : !pl.tensor<[rows], f32>
  }
  // expected-error @below {{C4: symbol 'rows' in '!pl.tensor<[rows], f32>' is not declared}}
  %1 = pl.create : !pl.tensor<[rows], f32>
  pl.return
}

// -----

pl.func @func_c5(%t: !pl.tensor<[N], f32>) {
  // expected-error @below {{C5: expects static physical extents of a tile, but got '!tile.tile<[N], f32>'}}
  %0 = tile.create : !tile.tile<[N], f32>
  pl.return
}

// -----

// expected-error @below {{symbol declaration cannot have public visibility}}
pl.func incore @func_c6_public()

// -----

// expected-error @below {{C6: expects a body, or 'private' for a declaration}}
pl.func nested incore @func_c6()

// -----

// expected-error @below {{C6: expects a body that ends with 'pl.return'}}
pl.func @func_c6_end() {
  pl.yield
}

// -----

pl.func @return_c1(%n: index) -> index {
  // expected-error @below {{C1: expects 1 values, as 'return_c1' declares, but got 0}}
  pl.return
}

// -----

pl.func @return_c1_type(%n: index) -> i32 {
  // expected-error @below {{C1: expects value 0 of type 'i32', but got 'index'}}
  pl.return %n : index
}

// -----

pl.func @call_c1() {
  // expected-error @below {{C1: expects a 'pl.func' named 'nobody'}}
  pl.call @nobody() : () -> ()
  pl.return
}

// -----

// expected-note @below {{this is a 'func.func'}}
func.func private @other()
pl.func @call_c1_kind() {
  // expected-error @below {{C1: expects a 'pl.func' named 'other'}}
  pl.call @other() : () -> ()
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private @k(index)
pl.func @call_c2_count() {
  // expected-error @below {{C2: expects 1 arguments, but got 0}}
  pl.call @k() : () -> ()
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private @k(index)
pl.func @call_c2_type(%n: i32) {
  // expected-error @below {{C2: argument 0 expects type 'index', but got 'i32'}}
  pl.call @k(%n) : (i32) -> ()
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private @k(!pl.tensor<[4], f32>)
pl.func @call_c2_element(%t: !pl.tensor<[4], f16>) {
  // expected-error @below {{C2: argument 0 expects element type 'f32', but got 'f16'}}
  pl.call @k(%t) : (!pl.tensor<[4], f16>) -> ()
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private @k(!pl.tensor<[4], f32>)
pl.func @call_c2_rank(%t: !pl.tensor<[4, 4], f32>) {
  // expected-error @below {{C2: argument 0 expects rank 1, but got 2}}
  pl.call @k(%t) : (!pl.tensor<[4, 4], f32>) -> ()
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private @k(!pl.tensor<[N], f32>, !pl.tensor<[N * 2], f32>)
pl.func @call_c2_extent(%t: !pl.tensor<[4], f32>) {
  // expected-error @below {{C2: argument 1 dimension 0 is '4', but the parameter has 'N * 2', which is '8' in this call}}
  pl.call @k(%t, %t) : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> ()
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private @k(!pl.tensor<[8], f32, valid = [4]>)
pl.func @call_c2_valid(%t: !pl.tensor<[8], f32>) {
  // expected-error @below {{C2: argument 0 valid extent of dimension 0 is '8', but the parameter has '4'}}
  pl.call @k(%t) : (!pl.tensor<[8], f32>) -> ()
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private @k(!pl.tensor<[4], f32, layout = dn>)
pl.func @call_c2_layout(%t: !pl.tensor<[4], f32>) {
  // expected-error @below {{C2: argument 0 expects '!pl.tensor<[4], f32, layout = dn>', but got '!pl.tensor<[4], f32>': the memory spaces or layouts differ}}
  pl.call @k(%t) : (!pl.tensor<[4], f32>) -> ()
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private @k(!pl.tensor<[N], f32>, !pl.tensor<[N], f32>)
pl.func @call_c2_symbol(%a: !pl.tensor<[4], f32>, %b: !pl.tensor<[8], f32>) {
  // expected-error @below {{C2: two arguments bind the symbol 'N' to different extents}}
  pl.call @k(%a, %b) : (!pl.tensor<[4], f32>, !pl.tensor<[8], f32>) -> ()
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private @k() -> index
pl.func @call_c3_count() {
  // expected-error @below {{C3: expects 1 results, but got 0}}
  pl.call @k() : () -> ()
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private @k(!pl.tensor<[N], f32>) -> !pl.tensor<[N], f32>
pl.func @call_c3_type(%t: !pl.tensor<[4], f32>) {
  // expected-error @below {{C3: result 0 is not compatible with the callee's}}
  %0 = pl.call @k(%t) : (!pl.tensor<[4], f32>) -> !pl.tensor<[5], f32>
  pl.return
}

// -----

// expected-note @below {{callee 'k' is here}}
pl.func private inline @k(out !pl.var<index>)
pl.func @call_c4(%n: index) {
  // expected-error @below {{C4: argument 0 expects a cell for the 'out' scalar, but got a value}}
  pl.call @k(%n) : (index) -> ()
  pl.return
}

// -----

pl.func private @k(index)
pl.func @call_c5(%n: index) {
  // expected-error @below {{C5: expects dump marks on its operands, but got 1}}
  pl.call @k(%n) dumps [1] : (index) -> ()
  pl.return
}

// -----

// expected-error @below {{expects 'pl.loop' on 'scf.for' only}}
pl.func private @loop_attribute() attributes {pl.loop = #pl.loop<parallel>}

// -----

pl.func @loop_attribute_value(%n: index) {
  // expected-error @below {{expects 'pl.loop' to be a '#pl.loop', but got 3}}
  scf.for %i = %n to %n step %n {
  } {pl.loop = 3}
  pl.return
}

// -----

pl.func @noalias_attribute(%n: index) {
  // expected-error @below {{expects 'pl.noalias' as a unit attribute of 'pl.func' only}}
  %0 = arith.addi %n, %n {pl.noalias} : index
  pl.return
}

// -----

// expected-error @below {{expects a function kind or a name, but got 'outcore'}}
pl.func outcore @f() {
  pl.return
}

// -----

// expected-error @below {{expects a named parameter}}
pl.func @f(%a: index, index) {
  pl.return
}

// -----

// expected-error @below {{expects no name, as before}}
pl.func private @f(index, %a: index)

// -----

// expected-error @below {{expects named parameters in a definition}}
pl.func @f(index) {
  pl.return
}

// -----

// expected-error @below {{expects a level, but got 'moon'}}
pl.func private @f() level moon

// RUN: pypto-opt %s --split-input-file --verify-diagnostics --verify-properties=false --inline-functions=max-ops=100

// What cannot be inlined, and where the error stands.

// INL-11: direct recursion.
pl.func inline @self(%n: index) -> index {
  // expected-error@+1 {{cycle detected among inline functions: self -> self}}
  %r = pl.call @self(%n) : (index) -> index
  pl.return %r : index
}

// -----

// INL-12: mutual recursion, in a loop, with the path; also if nothing calls it.
pl.func inline @a(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    pl.call @b(%i) : (index) -> ()
  }
  pl.return
}
pl.func inline @entry(%n: index) {
  pl.call @a(%n) : (index) -> ()
  pl.return
}
pl.func inline @b(%n: index) {
  // expected-error@+1 {{cycle detected among inline functions: a -> b -> a}}
  pl.call @a(%n) : (index) -> ()
  pl.return
}

// -----

// The path has what is on the cycle only.
pl.func inline @entry(%n: index) {
  pl.call @c(%n) : (index) -> ()
  pl.return
}
pl.func inline @c(%n: index) {
  // expected-error@+1 {{cycle detected among inline functions: c -> c}}
  pl.call @c(%n) : (index) -> ()
  pl.return
}

// -----

// A submit is no call: this is no recursion.
pl.func inline @resubmits(%n: index) {
  %id = orchestration.submit @resubmits(%n) : (index) -> !orchestration.task
  pl.return
}

// -----

// INL-126: helpers that double: the limit and the chain.
pl.func inline @h0(%n: index) {
  %c0 = arith.constant 0 : index
  pl.return
}
pl.func inline @h1(%n: index) {
  pl.call @h0(%n) : (index) -> ()
  pl.call @h0(%n) : (index) -> ()
  pl.return
}
pl.func inline @h2(%n: index) {
  pl.call @h1(%n) : (index) -> ()
  pl.call @h1(%n) : (index) -> ()
  pl.return
}
pl.func inline @h3(%n: index) {
  pl.call @h2(%n) : (index) -> ()
  pl.call @h2(%n) : (index) -> ()
  pl.return
}
pl.func inline @h4(%n: index) {
  pl.call @h3(%n) : (index) -> ()
  pl.call @h3(%n) : (index) -> ()
  pl.call @h0(%n) : (index) -> ()
  pl.return
}
pl.func inline @h5(%n: index) {
  pl.call @h4(%n) : (index) -> ()
  pl.call @h4(%n) : (index) -> ()
  pl.return
}
pl.func @main(%n: index) {
  // expected-error@+1 {{expands the module by more than 100 operations (the limit 'max-ops'): main -> h5 -> h4 -> h3 -> h2 -> h1 -> h0}}
  pl.call @h5(%n) : (index) -> ()
  pl.return
}

// -----

// expected-note@+1 {{it is declared here}}
pl.func private inline @no_body(index) -> (index, index)
pl.func @calls_declaration(%n: index) -> index {
  // expected-error@+1 {{expects a body of the inline function 'no_body'}}
  %r:2 = pl.call @no_body(%n) : (index) -> (index, index)
  pl.return %r#0 : index
}

// -----

// INL-101: a name that nothing binds.
pl.func inline @unbound() {
  // expected-note@+1 {{type of this operation}}
  %t = pl.create : !pl.tensor<[K, 4], f32>
  pl.return
}
pl.func @main(%a: !pl.tensor<[N], f32>) {
  // expected-error@+1 {{cannot inline 'unbound': symbol 'K' is bound by no argument and not known to the caller, but 'pl.create' has to spell it}}
  pl.call @unbound() : () -> ()
  pl.return
}

// -----

// INL-101: nor is a name that the caller binds only later, or in another block.
pl.func inline @unbound() {
  // expected-note@+1 {{type of this operation}}
  %t = pl.create : !pl.tensor<[K, 4], f32>
  pl.return
}
pl.func @main(%n: index, %b: i1) {
  scf.if %b {
    pl.symbol @K = %n : index
  }
  // expected-error@+1 {{symbol 'K' is bound by no argument}}
  pl.call @unbound() : () -> ()
  pl.symbol @K = %n : index
  pl.return
}

// -----

// INL-101: one that two arguments bind differently, where an operation has to spell it.
// expected-note@+1 {{give the parameters of 'ambiguous' distinct symbols, one for each extent that the body spells}}
pl.func inline @ambiguous(%x: !pl.tensor<[N, 4], f32>, %y: !pl.tensor<[N, 4], f32>) {
  // expected-note@+1 {{type of this operation}}
  %t = pl.create : !pl.tensor<[N, 4], f32>
  pl.return
}
pl.func inline @between(%x: !pl.tensor<[A, 4], f32>, %y: !pl.tensor<[B, 4], f32>) {
  pl.call @ambiguous(%x, %y) : (!pl.tensor<[A, 4], f32>, !pl.tensor<[B, 4], f32>) -> ()
  pl.return
}
pl.func @main(%a: !pl.tensor<[5, 4], f32>, %b: !pl.tensor<[8, 4], f32>) {
  // expected-error@+1 {{cannot inline 'ambiguous': two arguments bind symbol 'N' to different extents, but 'pl.create' has to spell it}}
  pl.call @between(%a, %b) : (!pl.tensor<[5, 4], f32>, !pl.tensor<[8, 4], f32>) -> ()
  pl.return
}

// -----

// An extent that comes out negative is no extent.
pl.func inline @shrink(%x: !pl.tensor<[N], f32>) {
  // expected-note@+1 {{type of this operation}}
  %t = pl.create : !pl.tensor<[N - 20], f32>
  pl.return
}
pl.func @main(%a: !pl.tensor<[16], f32>) {
  // expected-error@+1 {{cannot inline 'shrink': C3: expects extents that are not negative, but got -4}}
  pl.call @shrink(%a) : (!pl.tensor<[16], f32>) -> ()
  pl.return
}

// -----

// The physical extents of a tile are static once inlined.
pl.func inline @loads(%x: !pl.tensor<[R, 64], f32>) {
  // expected-note@+1 {{type of this operation}}
  %l = tile.load %x[0, 0] : !pl.tensor<[R, 64], f32> -> !tile.tile<[R, 64], f32>
  pl.return
}
pl.func incore @main(%a: !pl.tensor<[rows, 64], f32>) {
  // expected-error@+1 {{cannot inline 'loads': the physical extents of tiles are static, but symbol 'R' is not}}
  pl.call @loads(%a) : (!pl.tensor<[rows, 64], f32>) -> ()
  pl.return
}

// -----

// INL-103: the shape of a tile that only the last call site knows, in a nested call.
// expected-note@+1 {{callee 'fixed' is here}}
pl.func inline @fixed(%x: !tile.tile<[16, 64], f32>) {
  pl.return
}
pl.func inline @wrapper(%x: !tile.tile<[R, C], f32>) {
  // expected-note@+1 {{in this call}}
  pl.call @fixed(%x) : (!tile.tile<[R, C], f32>) -> ()
  pl.return
}
pl.func incore @fits(%x: !pl.tensor<[16, 64], f32>) {
  %l = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[16, 64], f32>
  pl.call @wrapper(%l) : (!tile.tile<[16, 64], f32>) -> ()
  pl.return
}
pl.func incore @does_not(%x: !pl.tensor<[16, 64], f32>) {
  %l = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[8, 64], f32>
  // expected-error@+1 {{cannot inline 'fixed': argument 0 dimension 0 is '8', but the parameter has '16'}}
  pl.call @wrapper(%l) : (!tile.tile<[8, 64], f32>) -> ()
  pl.return
}

// -----

// INL-103: a memory space that conflicts, in a nested call whose result nobody uses.
// expected-note@+1 {{callee 'on_mat' is here}}
pl.func inline @on_mat(%x: !tile.tile<[16, 64], f32, mat>) -> !tile.tile<[16, 64], f32, mat> {
  pl.return %x : !tile.tile<[16, 64], f32, mat>
}
pl.func inline @wrapper(%x: !tile.tile<[16, 64], f32>) {
  // expected-note@+1 {{in this call}}
  %r = pl.call @on_mat(%x) : (!tile.tile<[16, 64], f32>) -> !tile.tile<[16, 64], f32, mat>
  pl.return
}
pl.func incore @main(%x: !pl.tensor<[16, 64], f32>) {
  %l = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[16, 64], f32, vec>
  // expected-error@+1 {{the memory spaces or layouts differ}}
  pl.call @wrapper(%l) : (!tile.tile<[16, 64], f32, vec>) -> ()
  pl.return
}

// -----

// Operands that are right for any extents in the text, and wrong for these.
pl.func inline @adds(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  // expected-note@+1 {{operation whose operands this is about}}
  %s = pl.add %x, %y : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  pl.return
}
pl.func @main(%a: !pl.tensor<[8], f32>, %b: !pl.tensor<[16], f32>) {
  // expected-error@+1 {{cannot inline 'adds': C1: the shapes of '!pl.tensor<[8], f32>' and '!pl.tensor<[16], f32>' do not broadcast}}
  pl.call @adds(%a, %b) : (!pl.tensor<[8], f32>, !pl.tensor<[16], f32>) -> ()
  pl.return
}

// -----

// In the caller itself the error stands at its own operation.
pl.func inline @same(%x: !pl.tensor<[?], f32>) -> !pl.tensor<[?], f32> {
  pl.return %x : !pl.tensor<[?], f32>
}
pl.func @main(%a: !pl.tensor<[8], f32>, %b: !pl.tensor<[16], f32>) {
  %r = pl.call @same(%a) : (!pl.tensor<[8], f32>) -> !pl.tensor<[?], f32>
  // expected-error@+2 {{C1: the shapes of '!pl.tensor<[8], f32>' and '!pl.tensor<[16], f32>' do not broadcast}}
  // expected-note@+1 {{operation whose operands this is about}}
  %s = pl.add %r, %b : !pl.tensor<[?], f32>, !pl.tensor<[16], f32>
  pl.return
}

// -----

// A result that is not what the caller said.
pl.func inline @second(%x: !pl.tensor<[N], f32>, %y: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  pl.return %y : !pl.tensor<[N], f32>
}
pl.func @main(%a: !pl.tensor<[8], f32>, %b: !pl.tensor<[16], f32>) {
  // expected-error@+2 {{cannot inline 'second': result 0 is '!pl.tensor<[16], f32>', which is not compatible with '!pl.tensor<[8], f32>'}}
  // expected-note@+1 {{in this call}}
  %r = pl.call @second(%a, %b) : (!pl.tensor<[8], f32>, !pl.tensor<[16], f32>) -> !pl.tensor<[8], f32>
  pl.return
}

// -----

// Tiles of two shapes in one variable.
pl.func inline @rebinds(%x: !pl.var<!tile.tile<[R, 64], f32>>, %y: !tile.tile<[S, 64], f32>) {
  // expected-note@+1 {{bound here}}
  pl.set %x, %y : !pl.var<!tile.tile<[R, 64], f32>> -> !tile.tile<[S, 64], f32>
  pl.return
}
pl.func incore @main(%x: !pl.tensor<[16, 64], f32>) {
  %a = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[8, 64], f32>
  %b = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[16, 64], f32>
  // expected-error@+1 {{cannot inline 'rebinds': a variable of type '!tile.tile<[8, 64], f32>' is bound to '!tile.tile<[16, 64], f32>'}}
  pl.call @rebinds(%a, %b) : (!tile.tile<[8, 64], f32>, !tile.tile<[16, 64], f32>) -> ()
  pl.return
}

// -----

// A branch whose sides have tiles of two shapes.
pl.func inline @branches(%x: !tile.tile<[R, 64], f32>, %y: !tile.tile<[R, 64], f32>, %b: i1) {
  %r = scf.if %b -> !tile.tile<[R, 64], f32> {
    scf.yield %x : !tile.tile<[R, 64], f32>
  } else {
    // expected-note@+1 {{yielded here}}
    scf.yield %y : !tile.tile<[R, 64], f32>
  }
  pl.return
}
pl.func incore @main(%x: !pl.tensor<[16, 64], f32>, %c: i1) {
  %a = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[8, 64], f32>
  %b = tile.load %x[0, 0] : !pl.tensor<[16, 64], f32> -> !tile.tile<[16, 64], f32>
  // expected-error@+1 {{cannot inline 'branches': result 0 is '!tile.tile<[8, 64], f32>' on one path and '!tile.tile<[16, 64], f32>' on another}}
  pl.call @branches(%a, %b, %c) : (!tile.tile<[8, 64], f32>, !tile.tile<[16, 64], f32>, i1) -> ()
  pl.return
}

// -----

// INL-92: a loop that carries one extent and yields another.
pl.func inline @loops(%x: !pl.tensor<[N], f32>, %y: !pl.tensor<[N], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> !pl.tensor<[N], f32> {
    // expected-note@+1 {{operand 0 of this operation}}
    scf.yield %y : !pl.tensor<[N], f32>
  }
  pl.return
}
pl.func @main(%a: !pl.tensor<[8], f32>, %b: !pl.tensor<[16], f32>, %n: index) {
  // expected-error@+1 {{cannot inline 'loops': expects a value of type '!pl.tensor<[8], f32>', but got '!pl.tensor<[16], f32>'}}
  pl.call @loops(%a, %b, %n) : (!pl.tensor<[8], f32>, !pl.tensor<[16], f32>, index) -> ()
  pl.return
}

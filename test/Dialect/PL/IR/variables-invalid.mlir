// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of cells, symbols and arrays, one each.

pl.func inline @var_c1(%k: f32) {
  // expected-error @below {{C1: expects an initial value of type 'index', but got 'f32'}}
  %n = pl.var "n" = %k : f32 -> index
  pl.return
}

// -----

pl.func inline @get_c1(%n: !pl.var<index>) {
  // expected-error @below {{C1: expects a result compatible with '!pl.var<index>', but got 'i32'}}
  %0 = pl.get %n : !pl.var<index> -> i32
  pl.return
}

// -----

pl.func inline @get_cell(%n: index) {
  // expected-error @below {{expects the type of a cell, but got 'index'}}
  %0 = pl.get %n : index -> index
  pl.return
}

// -----

pl.func inline @set_c1(%n: !pl.var<index>, %v: i32) {
  // expected-error @below {{C1: expects a value compatible with '!pl.var<index>', but got 'i32'}}
  pl.set %n, %v : !pl.var<index> -> i32
  pl.return
}

// -----

pl.func inline @array_create_c1(%v: i32) {
  // expected-error @below {{C1: expects a value of type 'index', but got 'i32'}}
  %0 = "pl.array.create"(%v) : (i32) -> !pl.array<4 x index>
  pl.return
}

// -----

pl.func inline @array_create_type(%v: i32) {
  // expected-error @below {{expects an array type, but got 'i32'}}
  %0 = pl.array.create %v : i32
  pl.return
}

// -----

pl.func inline @array_get_c1(%a: !pl.array<4 x index>) {
  %i = arith.constant 4 : index
  // expected-error @below {{C1: expects an index less than 4, but got 4}}
  %0 = pl.array.get %a[%i] : !pl.array<4 x index>
  pl.return
}

// -----

pl.func inline @array_update_c1(%a: !pl.array<4 x index>, %v: index) {
  %i = arith.constant -1 : index
  // expected-error @below {{C1: expects an index less than 4, but got -1}}
  %0 = pl.array.update %a[%i], %v : !pl.array<4 x index>
  pl.return
}

// -----

pl.func @symbol_c1(%n: index) {
  pl.symbol @rows = %n : index
  // expected-error @below {{C1: symbol 'rows' is bound already}}
  pl.symbol @rows = %n : index
  pl.return
}

// -----

// C2: a parameter declares it.
pl.func @symbol_c2(%n: index, %t: !pl.tensor<[rows], f32>) {
  // expected-error @below {{symbol 'rows' is bound already}}
  pl.symbol @rows = %n : index
  pl.return
}

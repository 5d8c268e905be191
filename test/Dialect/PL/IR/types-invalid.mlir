// RUN: pypto-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// Constraints of types and attributes, and texts that are none, one each.

// expected-error @below {{C1: expects an integer, index or float element type, but got 'tuple<>'}}
"test.type"() : () -> !pl.tensor<[4], tuple<>>

// -----

// expected-error @below {{C1: expects an integer, index or float element type, but got 'i7'}}
"test.type"() : () -> !pl.tensor<[4], i7>

// -----

// expected-error @below {{C1: expects an integer, index or float element type, but got 'si32'}}
"test.type"() : () -> !pl.tensor<[4], si32>

// -----

// expected-error @below {{C1: expects an integer, index or float element type, but got 'ui1'}}
"test.type"() : () -> !tile.tile<[4], ui1>

// -----

// expected-error @below {{C1: expects an integer, index or float element type, but got 'f128'}}
"test.type"() : () -> !pl.tensor<[4], f128>

// -----

// expected-error @below {{C1: expects an integer, index or float element type, but got '!pl.tensor<[4], f32>'}}
"test.type"() : () -> !pl.tensor<[4], !pl.tensor<[4], f32>>

// -----

// expected-error @below {{C2: expects one valid extent per dimension (2), but got 1}}
"test.type"() : () -> !pl.tensor<[4, 4], f32, valid = [4]>

// -----

// expected-error @below {{C2: expects one stride per dimension (2), but got 3}}
"test.type"() : () -> !pl.tensor<[4, 4], f32, strides = [4, 1, 1]>

// -----

// expected-error @below {{C3: expects extents that are not negative, but got -1}}
"test.type"() : () -> !pl.tensor<[-1], f32>

// -----

// expected-error @below {{C3: expects extents that are not negative, but got -2}}
"test.type"() : () -> !pl.tensor<[4], f32, valid = [-2]>

// -----

// expected-error @below {{C3: expects a valid extent of at most 4, but got 5}}
"test.type"() : () -> !pl.tensor<[4], f32, valid = [5]>

// -----

// expected-error @below {{C2: expects one valid extent per dimension (1), but got 2}}
"test.type"() : () -> !tile.tile<[4], f32, valid = [4, 4]>

// -----

// expected-error @below {{C3: expects physical extents of a tile that are known, but got '?' (dynamic sizes stand in 'valid')}}
"test.type"() : () -> !tile.tile<[?], f32>

// -----

// expected-error @below {{C3: expects positive extents, but got 0}}
"test.type"() : () -> !tile.tile<[0], f32>

// -----

// expected-error @below {{C1: expects a cell of a value, but got '!pl.var<index>'}}
"test.type"() : () -> !pl.var<!pl.var<index>>

// -----

// expected-error @below {{C1: expects a cell of a value, but got '() -> ()'}}
"test.type"() : () -> !pl.var<() -> ()>

// -----

// expected-error @below {{C1: expects a positive number of elements, but got 0}}
"test.type"() : () -> !pl.array<0 x index>

// -----

// expected-error @below {{C2: expects integer, index or task elements, but got 'f32'}}
"test.type"() : () -> !pl.array<4 x f32>

// -----

// expected-error @below {{expects one size, but got 2}}
"test.type"() : () -> !pl.array<4 x 4 x index>

// -----

// expected-error @below {{expects 'valid', 'strides', 'layout' or 'pad', but got 'size'}}
"test.type"() : () -> !pl.tensor<[4], f32, size = [4]>

// -----

// expected-error @below {{expects a layout, but got 'zn'}}
"test.type"() : () -> !pl.tensor<[4], f32, layout = zn>

// -----

// expected-error @below {{expects a padding, but got 'one'}}
"test.type"() : () -> !pl.tensor<[4], f32, pad = one>

// -----

// expected-error @below {{expects a memory space or 'valid', but got 'any'}}
"test.type"() : () -> !tile.tile<[4], f32, any>

// -----

// expected-error @below {{expects an extent: an integer, `?`, or an expression over names}}
"test.type"() : () -> !pl.tensor<[N +], f32>

// -----

// expected-error @below {{expects an operator between the parts of an extent}}
"test.type"() : () -> !pl.tensor<[N 4], f32>

// -----

// expected-error @below {{expects a positive divisor, but got 0}}
"test.type"() : () -> !pl.tensor<[N mod 0], f32>

// -----

// expected-error @below {{expects an extent, but got 'mod'}}
"test.type"() : () -> !pl.tensor<[mod], f32>

// -----

// expected-error @below {{expects an extent of at most 64 nested parts}}
"test.type"() : () -> !pl.tensor<[((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((N))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))], f32>

// RUN: pypto-opt %s --convert-pypto-to-linalg --split-input-file --verify-diagnostics

// What the CPU does not run is an error at the operation that says what is supported.

// expected-note @below {{'kernel' is declared here}}
pl.func private incore @kernel(out !pl.tensor<[4], f32>)
pl.func @call_of_declaration(out %t: !pl.tensor<[4], f32>) {
  // expected-error @below {{is not supported on the CPU here: expects a callee with a body}}
  pl.call @kernel(%t) : (!pl.tensor<[4], f32>) -> ()
  pl.return
}

// -----

// expected-error @below {{expects tensors in row-major layout, tiles and scalars of integers}}
pl.func @layout(%t: !pl.tensor<[16, 16], f32, layout = nz>) {
  pl.return
}

// -----

pl.func @array_size(%c: index) {
  // expected-error @below {{arrays of at most 1024 elements, but got '!pl.array<2000xindex>'}}
  %a = pl.array.create %c : !pl.array<2000 x index>
  pl.return
}

// -----

pl.func @reshape_of_columns(%t: !pl.tensor<[4, 8], f32>) -> !pl.tensor<[16], f32> {
  %s = pl.slice %t[0, 2] : !pl.tensor<[4, 8], f32> -> !pl.tensor<[4, 4], f32>
  // expected-error @below {{expects a source that is known to be dense in row-major order}}
  %r = pl.reshape %s : !pl.tensor<[4, 4], f32> -> !pl.tensor<[16], f32>
  pl.return %r : !pl.tensor<[16], f32>
}

// -----

// A caller that passes columns decides for the callee.
pl.func private @flat(%t: !pl.tensor<[4, 4], f32>) -> !pl.tensor<[16], f32> {
  // expected-error @below {{expects a source that is known to be dense in row-major order}}
  %r = pl.reshape %t : !pl.tensor<[4, 4], f32> -> !pl.tensor<[16], f32>
  pl.return %r : !pl.tensor<[16], f32>
}
pl.func @passes_columns(%t: !pl.tensor<[4, 8], f32>) -> !pl.tensor<[16], f32> {
  %s = pl.slice %t[0, 2] : !pl.tensor<[4, 8], f32> -> !pl.tensor<[4, 4], f32>
  %r = pl.call @flat(%s) : (!pl.tensor<[4, 4], f32>) -> !pl.tensor<[16], f32>
  pl.return %r : !pl.tensor<[16], f32>
}

// -----

pl.func aiv @queue(%x: !pl.tensor<[16], f32>) {
  %t = tile.load %x[0] : !pl.tensor<[16], f32> -> !tile.tile<[16], f32>
  // expected-error @below {{expects kernels that do not pass tiles between cores}}
  tile.tpush_to_aic %t : !tile.tile<[16], f32>
  pl.return
}

// -----

pl.func @remote_signal(%s: !pl.tensor<[8], i32>, %n: i32, %p: index) {
  // expected-error @below {{expects a signal of this rank, without 'peer'}}
  tile.notify set %n, %s[0] peer %p : !pl.tensor<[8], i32>
  pl.return
}

// -----

pl.func @launch_that_makes(%n: index) {
  // expected-error @below {{expects a launch that yields tensors of the code around it}}
  %r = pl.spmd (%i) in (%n) -> !pl.tensor<[4], f32> {
    %t = pl.create : !pl.tensor<[4], f32>
    pl.yield %t : !pl.tensor<[4], f32>
  }
  pl.return
}

// -----

pl.func @unknown_batch(%a: !pl.tensor<[?, 4, 4], f32>, %b: !pl.tensor<[?, 4, 4], f32>) {
  // expected-error @below {{expects batch extents that are constant, or the same name on both sides}}
  %r = pl.matmul %a, %b : !pl.tensor<[?, 4, 4], f32>, !pl.tensor<[?, 4, 4], f32>
  pl.return
}

// -----

func.func @other_function() {
  // expected-error @below {{expects tensors, tiles and what computes on them in a 'pl.func'}}
  %t = pl.create : !pl.tensor<[4], f32>
  return
}

// -----

// expected-error @below {{expects tensors, tiles and what computes on them in a 'pl.func'}}
func.func @other_signature(%t: !pl.tensor<[4], f32>) {
  return
}

// -----

module {
  module @inner {
    // expected-error @below {{in a 'pl.func' of the outermost module}}
    pl.func @in_a_module(%n: index) {
      pl.return
    }
  }
}

// -----

pl.func @unstructured(%t: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  // expected-error @below {{expects structured control flow}}
  %r = scf.execute_region -> !pl.tensor<[4], f32> {
    cf.br ^next
  ^next:
    scf.yield %t : !pl.tensor<[4], f32>
  }
  pl.return %r : !pl.tensor<[4], f32>
}

// -----

// expected-error @below {{but parameter 0 is '!pl.tensor<[4], tf32>'}}
pl.func @format(%t: !pl.tensor<[4], tf32>) {
  pl.return
}

// -----

pl.func incore @signal_type(inout %s: !pl.tensor<[8], f16>, %n: f16) {
  // expected-error @below {{expects signals of integers of 8 to 64 bits, f32 or f64, but got 'f16'}}
  tile.wait ge %s[0], %n : !pl.tensor<[8], f16>
  pl.return
}

// -----

pl.func incore @deferred_in_loop(%s: !pl.tensor<[8], i32>, %n: i32, %c: i1) {
  scf.if %c {
    // expected-error @below {{expects a wait outside of loops, branches and launches}}
    tile.defer_wait ge %s[0], %n : !pl.tensor<[8], i32>
  }
  pl.return
}

// -----

// Two extents that are not known need not be the same: the rows of the slice may end before those of the tensor.
pl.func private incore @narrow(%x: !pl.tensor<[4, ?], f32>, %n: index, %m: index) -> f32 {
  %c0 = arith.constant 0 : index
  %s = pl.slice %x[0, 0] sizes(%n) : !pl.tensor<[4, ?], f32> -> !pl.tensor<[2, ?], f32>
  // expected-error @below {{expects a source that is known to be dense in row-major order}}
  %r = pl.reshape %s sizes(%m) : !pl.tensor<[2, ?], f32> -> !pl.tensor<[?], f32>
  %v = pl.read %r[%c0] : !pl.tensor<[?], f32>
  pl.return %v : f32
}

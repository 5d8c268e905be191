// RUN: pypto-opt %s --allow-unregistered-dialect --convert-pypto-to-linalg --verify-diagnostics

// An operation that nobody knows is rejected where it stands, not by a later pass in terms of buffers.

pl.func @main(%x: f32) -> f32 {
  // expected-error @+1 {{is not supported on the CPU here: expects operations of 'pl', 'tile', 'orchestration' and registered dialects}}
  %0 = "foo.bar"(%x) : (f32) -> f32
  pl.return %0 : f32
}

// UNSUPPORTED: sanitizer
// RUN: rm -rf %t && mkdir %t
// RUN: not --crash timeout 60 pypto-run %s --random=1 --pipeline=test-damage-heap --out=%t/o.npy > %t.err 2>&1
// RUN: FileCheck %s < %t.err
// RUN: not ls %t/o.npy

// The allocator of the C library aborts with its lock held: the process says so and ends.
// CHECK: {{malloc|corrupted|free}}
// CHECK: error: the program, or pypto-run, ended by SIGABRT

pl.func @main(%x: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  %0 = pl.exp %x : !pl.tensor<[4], f32>
  pl.return %0 : !pl.tensor<[4], f32>
}

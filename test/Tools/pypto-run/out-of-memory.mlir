// A buffer that the machine cannot have: one error, exit code 1, no output files. What was
// allocated before it is freed (under a leak checker).
// RUN: rm -f %t.o.npy
// RUN: not pypto-run %s --arg=1099511627776 --out=%t.o.npy 2>&1 | FileCheck %s
// RUN: not test -e %t.o.npy
// CHECK-NOT: {{.}}
// CHECK: error: out of memory: expects {{439804651[0-9]+}} bytes
// CHECK-NOT: {{.}}

// The same program with less.
// RUN: pypto-run %s --arg=3 | FileCheck %s --check-prefix=SMALL
// SMALL: result 0: float32 (3,), checksum {{[0-9a-f]+}}, values 1 1 1

pl.func private incore @fill(%small: !pl.tensor<[8], f32>, out %y: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pl.dim %y, 0 : !pl.tensor<[N], f32>
  %one = pl.read %small[%c0] : !pl.tensor<[8], f32>
  scf.for %i = %c0 to %n step %c1 {
    %w = pl.write %one, %y[%i] : !pl.tensor<[N], f32>
  }
  pl.return %y : !pl.tensor<[N], f32>
}
pl.func @main(%n: index) -> !pl.tensor<[?], f32> {
  pl.symbol @n = %n : index
  %one = arith.constant 1.0 : f32
  %small = pl.full %one : f32, !pl.tensor<[8], f32>
  %big = pl.create : !pl.tensor<[n], f32>
  %y = pl.call @fill(%small, %big) : (!pl.tensor<[8], f32>, !pl.tensor<[n], f32>) -> !pl.tensor<[n], f32>
  %r = pl.cast_shape %y : !pl.tensor<[n], f32> -> !pl.tensor<[?], f32>
  pl.return %r : !pl.tensor<[?], f32>
}

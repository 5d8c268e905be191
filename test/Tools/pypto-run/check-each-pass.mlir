// RUN: pypto-run %s --entry=main --random=7 --check-each-pass=default | FileCheck %s --check-prefix=GOOD
// RUN: rm -rf %t
// RUN: not pypto-run %s --entry=main --random=7 --keep-ir=%t \
// RUN:   --check-each-pass="inline-functions,test-swap-operands,convert-to-ssa" | FileCheck %s --check-prefix=BAD
// RUN: FileCheck %s --check-prefix=BEFORE < %t/2-test-swap-operands.before.mlir
// RUN: FileCheck %s --check-prefix=AFTER < %t/2-test-swap-operands.after.mlir
// RUN: not pypto-run %s --entry=main --random=7 \
// RUN:   --check-each-pass="inline-functions,convert-to-ssa,convert-pypto-to-linalg,canonicalize,test-swap-operands,cse" \
// RUN:   | FileCheck %s --check-prefix=COMPILED
// RUN: pypto-run %s --entry=rotate --random=7 \
// RUN:   --check-each-pass="inline-functions,convert-to-ssa,normalize-return-order,convert-pypto-to-linalg" \
// RUN:   | FileCheck %s --check-prefix=ORDER
// RUN: pypto-run %s --entry=main --random=7 --rtol=10 --atol=10 --check-each-pass="test-swap-operands" \
// RUN:   | FileCheck %s --check-prefix=TOLERANT
// RUN: not pypto-run %s --entry=main --random=7 --check-each-pass="inline-functions,no-such-pass" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pypto-run %s --entry=rotate --random=7 --keep-ir=%s/nowhere --check-each-pass="test-swap-operands" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOWHERE
// RUN: not pypto-run %s --entry=main --random=7 --out=%t.npy --check-each-pass=default 2>&1 | FileCheck %s --check-prefix=OUT
// RUN: not ls %t.npy

// Each pass is checked on numbers: the first that changes one is named, with what it changed, and the program around it
// is kept; on compiled code too, where what comes behind does not count against it. A pass that reorders results
// changes no number.

// GOOD: before the first pass: interpreted in
// GOOD-NEXT: {{^}}inline-functions {{.*}} ms equal, interpreted in
// GOOD-NEXT: {{^}}convert-to-ssa {{.*}} ms changes nothing
// GOOD-NEXT: {{^}}outline-scopes {{.*}} ms changes nothing
// GOOD-NEXT: {{^}}infer-noalias {{.*}} ms changes nothing
// GOOD-NEXT: {{^}}convert-pypto-to-linalg {{.*}} ms equal, compiled and run in
// GOOD: {{^}}reconcile-unrealized-casts {{.*}} ms equal, compiled and run in
// GOOD-NEXT: {{^}}move-bfloat16-as-integer {{.*}} ms changes nothing
// GOOD-NEXT: {{[0-9]+}} passes, no number changed

// BAD: {{^}}inline-functions {{.*}} ms equal
// BAD-NEXT: {{^}}test-swap-operands {{.*}} ms DIFFERENT, interpreted in
// BAD-NEXT: 'test-swap-operands' is the first pass that changed a number:
// BAD-NEXT:   result 0: [[#]] of 37 elements differ, first at (0,): -[[VALUE:[0-9.]+]] before, [[VALUE]] after
// BAD-NEXT: the program before and after it: {{.*}}2-test-swap-operands.{before,after}.mlir
// BAD-NOT: convert-to-ssa

// BEFORE: pl.sub %arg0, %arg1 :
// AFTER: pl.sub %arg1, %arg0 :

// COMPILED: {{^}}canonicalize {{.*}} ms equal, compiled and run in
// COMPILED-NEXT: {{^}}test-swap-operands {{.*}} ms DIFFERENT, compiled and run in
// COMPILED-NEXT: 'test-swap-operands' is the first pass that changed a number:
// COMPILED-NEXT:   result 0: [[#]] of 37 elements differ

// ORDER: {{^}}normalize-return-order {{.*}} ms equal, interpreted in
// ORDER-NEXT: {{^}}convert-pypto-to-linalg {{.*}} ms equal, compiled and run in
// ORDER-NEXT: 4 passes, no number changed

// TOLERANT: {{^}}test-swap-operands {{.*}} ms largest error {{[0-9.e+-]+}}, interpreted in

// UNKNOWN: error: --check-each-pass: 'no-such-pass' does not refer to a registered pass
// OUT: error: --out cannot go with --check-each-pass
// NOWHERE: error: cannot make '{{.*}}nowhere': Not a directory

pl.func inline @difference(%x: !pl.tensor<[N], f32>, %y: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %d = pl.sub %x, %y : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  pl.return %d : !pl.tensor<[N], f32>
}
pl.func @main(%x: !pl.tensor<[N], f32>, %y: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %d = pl.call @difference(%x, %y) : (!pl.tensor<[N], f32>, !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32>
  pl.return %d : !pl.tensor<[N], f32>
}

// Returns its three outputs in another order.
pl.func incore @rotate(%x: !pl.tensor<[16], f32>, out %a: !pl.tensor<[16], f32>, out %b: !pl.tensor<[16], f32>,
                       out %c: !pl.tensor<[16], f32>)
    -> (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>, !pl.tensor<[16], f32>) {
  %t = tile.load %x[0] : !pl.tensor<[16], f32> -> !tile.tile<[16], f32>
  %one = arith.constant 1.0 : f32
  %s = tile.sub %t, %one : !tile.tile<[16], f32>, f32
  %u = tile.mul %t, %t : !tile.tile<[16], f32>
  %v = tile.sub %u, %t : !tile.tile<[16], f32>
  %ra = tile.store %s, %a[0] : !tile.tile<[16], f32>, !pl.tensor<[16], f32>
  %rb = tile.store %u, %b[0] : !tile.tile<[16], f32>, !pl.tensor<[16], f32>
  %rc = tile.store %v, %c[0] : !tile.tile<[16], f32>, !pl.tensor<[16], f32>
  pl.return %rc, %ra, %rb : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
}

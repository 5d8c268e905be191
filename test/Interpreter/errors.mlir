// RUN: not pypto-run %s --interpret --random=1 --entry=unset 2>&1 | FileCheck %s --check-prefix=UNSET
// RUN: not pypto-run %s --interpret --random=1 --entry=unset_for_local 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: not pypto-run %s --interpret --random=1 --entry=declared 2>&1 | FileCheck %s --check-prefix=DECLARED
// RUN: not pypto-run %s --interpret --random=1 --entry=queue 2>&1 | FileCheck %s --check-prefix=QUEUE
// RUN: not pypto-run %s --interpret --random=1 --entry=zero 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not pypto-run %s --interpret --random=1 --entry=least 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: not pypto-run %s --interpret --random=1 --entry=step 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not pypto-run %s --interpret --random=1 --entry=wait 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: not pypto-run %s --interpret --random=1 --entry=defer 2>&1 | FileCheck %s --check-prefix=DEFER
// RUN: not pypto-run %s --interpret --random=1 --entry=peer 2>&1 | FileCheck %s --check-prefix=PEER
// RUN: not pypto-run %s --interpret --random=1 --entry=dense 2>&1 | FileCheck %s --check-prefix=DENSE
// RUN: not pypto-run %s --interpret --random=1 --entry=count 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not pypto-run %s --interpret --random=1 --entry=claim 2>&1 | FileCheck %s --check-prefix=CLAIM
// RUN: not pypto-run %s --interpret --random=1 --entry=broadcast 2>&1 | FileCheck %s --check-prefix=BROADCAST
// RUN: not pypto-run %s --interpret --random=1 --entry=names 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not pypto-run %s --interpret --random=1 --entry=inner 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: not pypto-run %s --interpret --random=1 --entry=parallel 2>&1 | FileCheck %s --check-prefix=PARALLEL
// RUN: not pypto-run %s --interpret --random=1 --entry=blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not pypto-run %s --interpret --random=1 --entry=wide 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not pypto-run %s --interpret --random=1 --entry=submit --arg=* --arg=-1 2>&1 | FileCheck %s --check-prefix=SUBMIT
// RUN: not pypto-run %s --interpret --random=1 --entry=launch --arg=-1 2>&1 | FileCheck %s --check-prefix=LAUNCH

// What cannot be run is an error at the operation, which says what it expects, with the calls that lead there.

pl.func @unset() -> index {
  %n = pl.var "n" : index
  // UNSET: [[#@LINE+1]]:8: error: 'pl.get' op reads a variable that is not set
  %0 = pl.get %n : index
  pl.return %0 : index
}
pl.func inline @own(%n: !pl.var<index>) {
  %0 = pl.get %n : index
  pl.set %n, %0 : index
  pl.return
}
pl.func @unset_for_local() {
  %n = pl.var "n" : index
  // LOCAL: [[#@LINE+2]]:3: error: 'pl.call' op reads a variable that is not set
  // LOCAL: [[#@LINE+1]]:3: note: called from here
  pl.call @own(%n) : (!pl.var<index>) -> ()
  pl.return
}
// DECLARED: [[#@LINE+5]]:3: error: 'pl.call' op expects a callee with a body
// DECLARED: [[#@LINE+2]]:1: note: 'by_hand' is declared here
// DECLARED-NOT: note
pl.func private incore @by_hand(%x: !pl.tensor<[8], f32>)
pl.func @declared(%x: !pl.tensor<[8], f32>) {
  pl.call @by_hand(%x) : (!pl.tensor<[8], f32>) -> ()
  pl.return
}
pl.func @queue() {
  // QUEUE: [[#@LINE+1]]:8: error: 'tile.tpop_from_aic' op is not interpreted: expects kernels that do not pass tiles between cores
  %t = tile.tpop_from_aic id 1 : !tile.tile<[16, 64], f32>
  pl.return
}
pl.func @zero(%n: index) -> index {
  %c0 = arith.constant 0 : index
  // ZERO: [[#@LINE+1]]:8: error: 'arith.remui' op divides by zero
  %r = arith.remui %n, %c0 : index
  pl.return %r : index
}
pl.func @least() -> i8 {
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  // LEAST: [[#@LINE+1]]:8: error: 'arith.divsi' op divides the least number by -1
  %r = arith.divsi %a, %b : i8
  pl.return %r : i8
}
pl.func @step(%n: index) {
  %c0 = arith.constant 0 : index
  // STEP: [[#@LINE+1]]:3: error: 'scf.for' op expects a step that is positive, but got 0
  scf.for %i = %c0 to %n step %c0 {
  }
  pl.return
}
pl.func @wait(%s: !pl.tensor<[8], i32>) {
  %c = arith.constant 100 : i32
  // WAIT: [[#@LINE+1]]:3: error: 'tile.wait' op would wait forever: tasks and blocks run one after the other, and nobody before has set the signal
  tile.wait ge %s[0], %c : !pl.tensor<[8], i32>
  pl.return
}
pl.func private incore @deferring(%s: !pl.tensor<[8], i32>) {
  %c = arith.constant 100 : i32
  // DEFER: [[#@LINE+1]]:3: error: 'tile.defer_wait' op would wait forever: the task is done, and the signal is not as expected
  tile.defer_wait ge %s[0], %c : !pl.tensor<[8], i32>
  pl.return
}
pl.func orchestration @defer(%s: !pl.tensor<[8], i32>) {
  // DEFER: [[#@LINE+1]]:11: note: called from here
  %task = orchestration.submit @deferring(%s) : (!pl.tensor<[8], i32>) -> !orchestration.task
  pl.return
}
pl.func @peer(inout %s: !pl.tensor<[8], i32>) {
  %c = arith.constant 1 : i32
  %p = arith.constant 1 : index
  // PEER: [[#@LINE+1]]:3: error: 'tile.notify' op is not interpreted: expects a signal of this rank, without 'peer'
  tile.notify set %c, %s[0] peer %p : !pl.tensor<[8], i32>
  pl.return
}
pl.func @dense(%x: !pl.tensor<[8, 16], f32>) -> !pl.tensor<[32], f32> {
  %v = pl.slice %x[0, 0] : !pl.tensor<[8, 16], f32> -> !pl.tensor<[8, 4], f32>
  // DENSE: [[#@LINE+1]]:8: error: 'pl.reshape' op expects a source that is dense in row-major order
  %r = pl.reshape %v : !pl.tensor<[8, 4], f32> -> !pl.tensor<[32], f32>
  pl.return %r : !pl.tensor<[32], f32>
}
pl.func @count(%x: !pl.tensor<[N], f32>) -> !pl.tensor<[32], f32> {
  // COUNT: [[#@LINE+1]]:8: error: 'pl.reshape' op expects as many elements as the source of shape (37,), but got shape (32,)
  %r = pl.reshape %x : !pl.tensor<[N], f32> -> !pl.tensor<[32], f32>
  pl.return %r : !pl.tensor<[32], f32>
}
pl.func @claim(%x: !pl.tensor<[N], f32>) -> !pl.tensor<[8], f32> {
  // CLAIM: [[#@LINE+1]]:8: error: 'pl.cast_shape' op expects extent 8 in dimension 0, but got 37
  %r = pl.cast_shape %x : !pl.tensor<[N], f32> -> !pl.tensor<[8], f32>
  pl.return %r : !pl.tensor<[8], f32>
}
pl.func @broadcast(%x: !pl.tensor<[M], f32>, %y: !pl.tensor<[N], f32>) -> !pl.tensor<[?], f32> {
  // BROADCAST: [[#@LINE+1]]:8: error: 'pl.add' op expects extents that broadcast, but got 37 and 53 in dimension 0
  %r = pl.add %x, %y : !pl.tensor<[M], f32>, !pl.tensor<[N], f32>
  pl.return %r : !pl.tensor<[?], f32>
}
pl.func private @equal(%x: !pl.tensor<[N], f32>, %y: !pl.tensor<[N], f32>) {
  pl.return
}
pl.func @names(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  // NAMES: [[#@LINE+1]]:3: error: 'pl.call' op expects extent N = 37 in dimension 0 of argument 1, but got 53
  pl.call @equal(%x, %y) : (!pl.tensor<[?], f32>, !pl.tensor<[?], f32>) -> ()
  pl.return
}
pl.func @inner(%x: !pl.tensor<[4, M], f32>, %y: !pl.tensor<[N, 4], f32>) -> !pl.tensor<[4, 4], f32> {
  // INNER: [[#@LINE+1]]:8: error: 'pl.matmul' op expects equal inner extents, but got 37 and 53
  %r = pl.matmul %x, %y : !pl.tensor<[4, M], f32>, !pl.tensor<[N, 4], f32>
  pl.return %r : !pl.tensor<[4, 4], f32>
}
pl.func @parallel(%n: index) {
  %c1 = arith.constant 1 : index
  // PARALLEL: [[#@LINE+1]]:3: error: 'scf.parallel' op is not interpreted
  scf.parallel (%i) = (%c1) to (%n) step (%c1) {
  }
  pl.return
}
pl.func @blocks() {
  // BLOCKS: [[#@LINE+1]]:3: error: 'scf.execute_region' op expects structured control flow ('scf')
  scf.execute_region {
    cf.br ^end
  ^end:
    scf.yield
  }
  pl.return
}
pl.func @wide(%n: index) {
  // WIDE: [[#@LINE+1]]:8: error: 'arith.index_cast' op is not interpreted on 'i128': expects integers of at most 64 bits and floats
  %r = arith.index_cast %n : index to i128
  pl.return
}
pl.func private incore @kernel(out %y: !pl.tensor<[8], f32>) {
  pl.return
}
pl.func orchestration @submit(inout %y: !pl.tensor<[8], f32>, %n: index) {
  // SUBMIT: [[#@LINE+1]]:9: error: 'orchestration.submit' op expects a number of blocks that is not negative, but got -1
  %id = orchestration.submit @kernel(%y) core_num %n : (!pl.tensor<[8], f32>) -> !orchestration.task
  pl.return
}
pl.func @launch(%n: index) {
  // LAUNCH: [[#@LINE+1]]:3: error: 'pl.spmd' op expects a number of blocks that is not negative, but got -1
  pl.spmd (%i) in (%n) {
  }
  pl.return
}

// RUN: pypto-run %s --interpret --entry=plain --arg=5 | FileCheck %s --check-prefix=PLAIN
// RUN: pypto-run %s --interpret --entry=shared --arg=5 | FileCheck %s --check-prefix=SHARED
// RUN: pypto-run %s --interpret --entry=own --random=1 | FileCheck %s --check-prefix=OWN
// RUN: pypto-run %s --interpret --entry=update --random=1 | FileCheck %s --check-prefix=UPDATE
// RUN: pypto-run %s --interpret --entry=loop --random=1 | FileCheck %s --check-prefix=LOOP
// RUN: pypto-run %s --interpret --entry=array | FileCheck %s --check-prefix=ARRAY
// RUN: pypto-run %s --interpret --entry=chain --random=1 | FileCheck %s --check-prefix=CHAIN
// RUN: pypto-run %s --interpret --entry=blocks --random=1 | FileCheck %s --check-prefix=BLOCKS
// RUN: pypto-run %s --interpret --entry=no_blocks --random=1 | FileCheck %s --check-prefix=NONE
// RUN: not pypto-run %s --interpret --entry=plain --arg=5 --pipeline=pypto-cpu-pipeline,canonicalize 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// RUN: pypto-run %s --interpret --entry=plain --arg=5 --pipeline=inline-functions,convert-to-ssa | FileCheck %s --check-prefix=PLAIN

// Which variable a parameter of an inline function is, shown by what the caller's has after the call.

!tile = !tile.tile<[2], f32>

pl.func inline @bump(%n: !pl.var<index>) -> index {
  %0 = pl.get %n : index
  %c1 = arith.constant 1 : index
  %1 = arith.addi %0, %c1 : index
  pl.set %n, %1 : index
  pl.return %1 : index
}
// A scalar is the callee's own: 5 + 6. After lowering there is nothing to interpret.
// LOWERED: error: expects 'plain' to be a 'pl.func' where it is interpreted
// PLAIN: result 0: int64 11
pl.func @plain(%k: index) -> index {
  %n = pl.var "n" = %k : index
  %m = pl.call @bump(%n) : (!pl.var<index>) -> index
  %0 = pl.get %n : index
  %s = arith.addi %0, %m : index
  pl.return %s : index
}

pl.func inline @bump_out(inout %n: !pl.var<index>) {
  %0 = pl.get %n : index
  %c1 = arith.constant 1 : index
  %1 = arith.addi %0, %c1 : index
  pl.set %n, %1 : index
  pl.return
}
// An `inout` scalar is the caller's.
// SHARED: result 0: int64 6
pl.func @shared(%k: index) -> index {
  %n = pl.var "n" = %k : index
  pl.call @bump_out(%n) : (!pl.var<index>) -> ()
  %0 = pl.get %n : index
  pl.return %0 : index
}

pl.func inline @double(%t: !pl.var<!tile>) {
  %0 = pl.get %t : !tile
  %1 = tile.add %0, %0 : !tile
  pl.set %t, %1 : !tile
  pl.return
}
// A tile that is bound to something new is the callee's own.
// OWN: result 0: float32 3
pl.func @own() -> f32 {
  %c = arith.constant 3.0 : f32
  %f = tile.full %c : f32, !tile
  %t = pl.var "t" = %f : !tile
  pl.call @double(%t) : (!pl.var<!tile>) -> ()
  %0 = pl.get %t : !tile
  %r = tile.read %0[0] : !tile
  pl.return %r : f32
}

pl.func inline @put(%t: !pl.var<!tile>) {
  %0 = pl.get %t : !tile
  %c = arith.constant 7.0 : f32
  %1 = tile.write %c, %0[0] : !tile
  pl.set %t, %1 : !tile
  pl.return
}
// A tile that is only updated in its place is the caller's.
// UPDATE: result 0: float32 7
pl.func @update() -> f32 {
  %c = arith.constant 3.0 : f32
  %f = tile.full %c : f32, !tile
  %t = pl.var "t" = %f : !tile
  pl.call @put(%t) : (!pl.var<!tile>) -> ()
  %0 = pl.get %t : !tile
  %r = tile.read %0[0] : !tile
  pl.return %r : f32
}

pl.func inline @put_around(%t: !pl.var<!tile>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 7.0 : f32
  %0 = pl.get %t : !tile
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %0) -> !tile {
    %w = tile.write %c, %u[0] : !tile
    scf.yield %w : !tile
  }
  pl.set %t, %1 : !tile
  pl.return
}
// What a loop carries proves nothing: the callee's own, though it is the same place.
// LOOP: result 0: float32 3
pl.func @loop() -> f32 {
  %c = arith.constant 3.0 : f32
  %n = arith.constant 2 : index
  %f = tile.full %c : f32, !tile
  %t = pl.var "t" = %f : !tile
  pl.call @put_around(%t, %n) : (!pl.var<!tile>, index) -> ()
  %0 = pl.get %t : !tile
  %r = tile.read %0[0] : !tile
  pl.return %r : f32
}

pl.func inline @set_first(%a: !pl.var<!pl.array<2xindex>>) {
  %0 = pl.get %a : !pl.array<2xindex>
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %1 = pl.array.update %0[%c0], %c9 : !pl.array<2xindex>
  pl.set %a, %1 : !pl.array<2xindex>
  pl.return
}
// An array is the caller's.
// ARRAY: result 0: int64 9
pl.func @array() -> index {
  %c0 = arith.constant 0 : index
  %0 = pl.array.create %c0 : !pl.array<2xindex>
  %a = pl.var "a" = %0 : !pl.array<2xindex>
  pl.call @set_first(%a) : (!pl.var<!pl.array<2xindex>>) -> ()
  %1 = pl.get %a : !pl.array<2xindex>
  %r = pl.array.get %1[%c0] : !pl.array<2xindex>
  pl.return %r : index
}

pl.func inline @same(%t: !tile) -> !tile {
  pl.return %t : !tile
}
pl.func inline @put_same(%t: !pl.var<!tile>) {
  %0 = pl.get %t : !tile
  %c = arith.constant 7.0 : f32
  %1 = tile.write %c, %0[0] : !tile
  %2 = pl.call @same(%1) : (!tile) -> !tile
  %u = pl.var "u" = %2 : !tile
  %3 = pl.get %u : !tile
  pl.set %t, %3 : !tile
  pl.return
}
// A helper that returns its parameter and a variable that is bound once keep the place.
// CHAIN: result 0: float32 7
pl.func @chain() -> f32 {
  %c = arith.constant 3.0 : f32
  %f = tile.full %c : f32, !tile
  %t = pl.var "t" = %f : !tile
  pl.call @put_same(%t) : (!pl.var<!tile>) -> ()
  %0 = pl.get %t : !tile
  %r = tile.read %0[0] : !tile
  pl.return %r : f32
}

// Each block of a launch starts with the variables around it, which have their handles again behind it.
// BLOCKS: result 0: float32 (4,), checksum {{.*}}, values 0 1 2 3
pl.func @blocks(inout %y: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  %t = pl.var "t" = %y : !pl.tensor<[4], f32>
  %n = arith.constant 4 : index
  pl.spmd (%i) in (%n) {
    %0 = pl.get %t : !pl.tensor<[4], f32>
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %1 = pl.write %f, %0[%i] : !pl.tensor<[4], f32>
    pl.set %t, %1 : !pl.tensor<[4], f32>
  }
  %2 = pl.get %t : !pl.tensor<[4], f32>
  pl.return %2 : !pl.tensor<[4], f32>
}

// A launch of no blocks yields what it would have written to.
// NONE: result 0: float32 (4,), checksum [[SUM:.*]], values
// NONE: result 1: float32 (4,), checksum [[SUM]], values
pl.func @no_blocks(%x: !pl.tensor<[4], f32>) -> (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) {
  %n = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %r = pl.spmd (%i) in (%n) -> !pl.tensor<[4], f32> {
    %1 = pl.write %c, %x[%i] : !pl.tensor<[4], f32>
    pl.yield %1 : !pl.tensor<[4], f32>
  }
  pl.return %r, %x : !pl.tensor<[4], f32>, !pl.tensor<[4], f32>
}

// RUN: not pypto-run %s --interpret --random=1 --entry=load 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: not pypto-run %s --interpret --random=1 --entry=store 2>&1 | FileCheck %s --check-prefix=STORE
// RUN: not pypto-run %s --interpret --random=1 --entry=slice 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not pypto-run %s --interpret --random=1 --entry=assemble 2>&1 | FileCheck %s --check-prefix=ASSEMBLE
// RUN: not pypto-run %s --interpret --random=1 --entry=read 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not pypto-run %s --interpret --random=1 --entry=write 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: not pypto-run %s --interpret --random=1 --entry=tile_read 2>&1 | FileCheck %s --check-prefix=TILE-READ
// RUN: not pypto-run %s --interpret --random=1 --entry=tile_slice 2>&1 | FileCheck %s --check-prefix=TILE-SLICE
// RUN: not pypto-run %s --interpret --random=1 --entry=gather 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not pypto-run %s --interpret --random=1 --entry=scatter 2>&1 | FileCheck %s --check-prefix=SCATTER
// RUN: not pypto-run %s --interpret --random=1 --entry=update 2>&1 | FileCheck %s --check-prefix=UPDATE
// RUN: not pypto-run %s --interpret --random=1 --entry=array 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: not pypto-run %s --interpret --random=1 --entry=valid 2>&1 | FileCheck %s --check-prefix=VALID
// RUN: not pypto-run %s --interpret --random=1 --entry=negative 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: pypto-run %s --interpret --random=1 --entry=empty_window | FileCheck %s --check-prefix=EMPTY
// RUN: not pypto-run %s --interpret --random=1 --entry=empty_outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE

// An index out of range is an error at the operation, with the dimension, the extent and the index; nothing is written.
// A window without elements may start at the end of its tensor, but not behind it.

!t = !pl.tensor<[8, 16], f32>

pl.func @load(%x: !t) -> !t {
  %i = arith.constant 6 : index
  // LOAD: [[#@LINE+1]]:8: error: 'tile.load' op is out of bounds: expects a window inside of dimension 0, which has 8 elements, but got 4 from 6 on
  %a = tile.load %x[%i, 0] : !t -> !tile.tile<[4, 16], f32>
  pl.return %x : !t
}
pl.func @store(inout %x: !t) -> !t {
  %i = arith.constant -1 : index
  %c = arith.constant 1.0 : f32
  %a = tile.full %c : f32, !tile.tile<[8, 16], f32>
  // STORE: [[#@LINE+1]]:8: error: 'tile.store' op is out of bounds: expects a window inside of dimension 1, which has 16 elements, but got 16 from -1 on
  %r = tile.store %a, %x[0, %i] : !tile.tile<[8, 16], f32>, !t
  pl.return %r : !t
}
pl.func @slice(%x: !t) -> !pl.tensor<[?, 16], f32> {
  %n = arith.constant 9 : index
  // SLICE: [[#@LINE+1]]:8: error: 'pl.slice' op is out of bounds: expects a window inside of dimension 0, which has 8 elements, but got 9 from 0 on
  %r = pl.slice %x[0, 0] sizes(%n) : !t -> !pl.tensor<[?, 16], f32>
  pl.return %r : !pl.tensor<[?, 16], f32>
}
pl.func @assemble(%x: !pl.tensor<[N], f32>, inout %y: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  // ASSEMBLE: [[#@LINE+1]]:8: error: 'pl.assemble' op is out of bounds: expects a window inside of dimension 0, which has 4 elements, but got 37 from 0 on
  %r = pl.assemble %x, %y[0] : !pl.tensor<[N], f32>, !pl.tensor<[4], f32>
  pl.return %r : !pl.tensor<[4], f32>
}
pl.func @read(%x: !t) -> f32 {
  %c0 = arith.constant 0 : index
  %i = arith.constant 16 : index
  // READ: [[#@LINE+1]]:8: error: 'pl.read' op is out of bounds: expects an index below 16 in dimension 1, but got 16
  %r = pl.read %x[%c0, %i] : !t
  pl.return %r : f32
}
pl.func @write(inout %x: !t) -> !t {
  %c0 = arith.constant 0 : index
  %i = arith.constant -3 : index
  %c = arith.constant 1.0 : f32
  // WRITE: [[#@LINE+1]]:8: error: 'pl.write' op is out of bounds: expects an index below 8 in dimension 0, but got -3
  %r = pl.write %c, %x[%i, %c0] : !t
  pl.return %r : !t
}
pl.func @tile_read(%x: !t) -> f32 {
  %i = arith.constant 8 : index
  %a = tile.load %x[0, 0] : !t -> !tile.tile<[8, 16], f32>
  // TILE-READ: [[#@LINE+1]]:8: error: 'tile.read' op is out of bounds: expects an index below 8 in dimension 0, but got 8
  %r = tile.read %a[%i, 0] : !tile.tile<[8, 16], f32>
  pl.return %r : f32
}
pl.func @tile_slice(%x: !t) -> !t {
  %i = arith.constant 5 : index
  %a = tile.load %x[0, 0] : !t -> !tile.tile<[8, 16], f32>
  // TILE-SLICE: [[#@LINE+1]]:8: error: 'tile.slice' op is out of bounds: expects a window inside of dimension 0, which has 8 elements, but got 4 from 5 on
  %r = tile.slice %a[%i, 0] : !tile.tile<[8, 16], f32> -> !tile.tile<[4, 16], f32>
  pl.return %x : !t
}
pl.func @gather(%x: !t) -> !pl.tensor<[1, 4], f32> {
  %start = arith.constant 14 : i32
  %i = pl.arange %start : i32, !pl.tensor<[1, 4], i32>
  // GATHER: [[#@LINE+1]]:8: error: 'pl.gather' op is out of bounds: expects an index below 16 in dimension 1, but got 16 at (0, 2)
  %r = pl.gather %x, %i dim 1 : !t, !pl.tensor<[1, 4], i32>
  pl.return %r : !pl.tensor<[1, 4], f32>
}
pl.func @scatter(%x: !pl.tensor<[1, 4], f32>, inout %y: !t) -> !t {
  %start = arith.constant -1 : i32
  %i = pl.arange %start : i32, !pl.tensor<[1, 4], i32>
  // SCATTER: [[#@LINE+1]]:8: error: 'pl.scatter' op is out of bounds: expects an index below 16 in dimension 1, but got -1 at (0, 0)
  %r = pl.scatter %x, %i, %y dim 1 : !pl.tensor<[1, 4], f32>, !pl.tensor<[1, 4], i32>, !t
  pl.return %r : !t
}
pl.func @update(%x: !pl.tensor<[4, 16], f32>, inout %y: !t) -> !t {
  %start = arith.constant 5 : i32
  %i = pl.arange %start : i32, !pl.tensor<[1, 4], i32>
  // UPDATE: [[#@LINE+1]]:8: error: 'pl.scatter_update' op is out of bounds: expects an index below 8 in dimension 0, but got 8 at (0, 3)
  %r = pl.scatter_update %x, %i, %y : !pl.tensor<[4, 16], f32>, !pl.tensor<[1, 4], i32>, !t
  pl.return %r : !t
}
pl.func @array(%n: index) -> index {
  %c4 = arith.constant 4 : index
  %i = arith.addi %n, %c4 : index
  %a = pl.array.create %n : !pl.array<4xindex>
  // ARRAY: [[#@LINE+1]]:8: error: 'pl.array.get' op is out of bounds: expects an index below 4 in dimension 0, but got {{[4-7]}}
  %r = pl.array.get %a[%i] : !pl.array<4xindex>
  pl.return %r : index
}
pl.func @valid(%x: !t) -> !t {
  %n = arith.constant 9 : index
  // VALID: [[#@LINE+1]]:8: error: 'tile.load' op expects a valid extent of at most 8 in dimension 0, but got 9
  %a = tile.load %x[0, 0] valid(%n) : !t -> !tile.tile<[8, 16], f32, valid = [?, 16]>
  pl.return %x : !t
}
pl.func @negative() -> !pl.tensor<[?], f32> {
  %n = arith.constant -2 : index
  // NEGATIVE: [[#@LINE+1]]:8: error: 'pl.create' op expects an extent that is not negative in dimension 0, but got -2
  %r = pl.create(%n) : !pl.tensor<[?], f32>
  pl.return %r : !pl.tensor<[?], f32>
}
pl.func @empty_window(%x: !t) -> index {
  %n = arith.constant 0 : index
  %i = arith.constant 8 : index
  %a = tile.load %x[%i, 0] valid(%n) : !t -> !tile.tile<[8, 16], f32, valid = [?, 16]>
  // EMPTY: result 0: int64 8
  pl.return %i : index
}
pl.func @empty_outside(%x: !t) -> index {
  %n = arith.constant 0 : index
  %i = arith.constant 9 : index
  // OUTSIDE: [[#@LINE+1]]:8: error: 'tile.load' op is out of bounds: expects a window inside of dimension 0, which has 8 elements, but got 0 from 9 on
  %a = tile.load %x[%i, 0] valid(%n) : !t -> !tile.tile<[8, 16], f32, valid = [?, 16]>
  pl.return %i : index
}

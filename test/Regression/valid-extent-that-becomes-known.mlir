// RUN: pypto-run %s --entry=main --random=3 >%t.known
// RUN: FileCheck %s --input-file=%t.known
// RUN: pypto-opt %s --canonicalize --convert-to-ssa --normalize-return-order --canonicalize -o %t.mlir
// RUN: pypto-run %t.mlir --entry=main --random=3 | sed "s/'arg1'/'y'/" | diff %t.known -
// RUN: pypto-run %s --entry=main --random=3 --interpret | diff %t.known -

// The valid extent of a tile is a constant that its type does not say: what is put into a larger one has a type that does.

// CHECK: parameter 'y': int8 (4, 7), checksum
pl.func incore @kernel(%x: !pl.tensor<[4, 7], i8>, out %y: !pl.tensor<[4, 7], i8>) {
  %c1 = arith.constant 1 : index
  %tile = tile.load %x[%c1, 0] valid(%c1) : !pl.tensor<[4, 7], i8> -> !tile.tile<[8, 7], i8, valid = [?, 7]>
  %least = tile.row_min %tile : !tile.tile<[8, 7], i8, valid = [?, 7]>
  %moved = tile.row_expand_sub %tile, %least : !tile.tile<[8, 7], i8, valid = [?, 7]>, !tile.tile<[8, 1], i8, valid = [?, 1]>
  %wide = tile.cast %tile to i32 : !tile.tile<[8, 7], i8, valid = [?, 7]>
  %zero = arith.constant 0 : i32
  %indices = tile.and %wide, %zero : !tile.tile<[8, 7], i32, valid = [?, 7]>, i32
  %result = tile.scatter %moved, %indices, %moved dim 1 : !tile.tile<[8, 7], i8, valid = [?, 7]>, !tile.tile<[8, 7], i32, valid = [?, 7]>, !tile.tile<[8, 7], i8, valid = [?, 7]>
  %stored = tile.store %result, %y[%c1, 0] : !tile.tile<[8, 7], i8, valid = [?, 7]>, !pl.tensor<[4, 7], i8>
  pl.return
}
pl.func @main(%x: !pl.tensor<[4, 7], i8>, out %y: !pl.tensor<[4, 7], i8>) {
  pl.call @kernel(%x, %y) : (!pl.tensor<[4, 7], i8>, !pl.tensor<[4, 7], i8>) -> ()
  pl.return
}

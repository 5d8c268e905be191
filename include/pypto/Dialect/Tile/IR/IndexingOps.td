// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements by index, and sorting.
#ifndef PYPTO_DIALECT_TILE_IR_INDEXINGOPS_TD
#define PYPTO_DIALECT_TILE_IR_INDEXINGOPS_TD

include "pypto/Dialect/Tile/IR/TileBase.td"

// Undefined for an index that is out of range: without effects, but never moved.

def Tile_GatherOp : Tile_Op<"gather", [NoMemoryEffect, InferTypeOpAdaptor]> {
  let summary = "Takes elements by index along one dimension";
  let description = [{
    `result[i, j] = source[i, indices[i, j]]` for `dim = 1`, and so on. Undefined if an index is out of range.

    - C1: the ranks are equal, and no extent of `indices` is greater than that of the source, but for that of `dim`;
    - C2: `dim` is less than the rank;
    - C3: the indices are integers of more than one bit, or `index`;
    - C4: the memory spaces do not conflict.

    Example: `%r = tile.gather %a, %i dim 1 : !tile.tile<[16, 64], f32>, !tile.tile<[16, 8], i32>`
  }];
  let arguments = (ins Tile_TileType:$source, Tile_TileType:$indices, I64Attr:$dim);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$source `,` $indices `dim` $dim attr-dict `:` qualified(type($source)) `,` qualified(type($indices))";
  let extraClassDefinition = PL_Infer<"::pypto::tile::inferGather(loc, adaptor.getSource().getType(), adaptor.getIndices().getType(), adaptor.getDim(), types)">.body;
}

def Tile_ScatterOp : Tile_Op<"scatter", [NoMemoryEffect, AllTypesMatch<["target", "result"]>,
    DeclareOpInterfaceMethods<TiedOperandOpInterface>]> {
  let summary = "A tile with elements replaced by index along one dimension";
  let description = [{
    `target`, but for `result[i, indices[i, j]] = source[i, j]` for `dim = 1`, and so on, in row-major order: of two
    elements with one index the later one stays. Undefined if an index is out of range.

    - C1: the extents of `source` and `indices` are equal;
    - C2: the rank of the target is theirs, and none of its extents is less, but for that of `dim`;
    - C3: the source has the target's element type;
    - C4: `dim` is less than the rank;
    - C5: the indices are integers of more than one bit, or `index`.

    Example: `%r = tile.scatter %s, %i, %a dim 1 : !tile.tile<[16, 8], f32>, !tile.tile<[16, 8], i32>, !tile.tile<[16, 64], f32>`
  }];
  let arguments = (ins Tile_TileType:$source, Tile_TileType:$indices, Tile_TileType:$target, I64Attr:$dim);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = [{
    $source `,` $indices `,` $target `dim` $dim attr-dict
    `:` qualified(type($source)) `,` qualified(type($indices)) `,` qualified(type($target))
  }];
  let extraClassDefinition = [{
    ::mlir::OpOperand *$cppClass::getTiedOperand(::mlir::OpResult) { return &getTargetMutable(); }
  }];
  let hasVerifier = 1;
}

def Tile_ScatterUpdateOp : Tile_Op<"scatter_update", [NoMemoryEffect, AllTypesMatch<["target", "result"]>,
    DeclareOpInterfaceMethods<TiedOperandOpInterface>]> {
  let summary = "A tile with rows replaced by index";
  let description = [{
    `target`, but row `indices[k]` is row k of the source, k running over the indices in row-major order: of two
    rows with one index the later one stays. Undefined if an index is out of range.

    - C1: source and target are of rank two, with equal second extents;
    - C2: the source has the target's element type;
    - C3: there are as many indices as the source has rows;
    - C4: the indices are integers of more than one bit, or `index`.

    Example: `%r = tile.scatter_update %s, %i, %a : !tile.tile<[8, 64], f32>, !tile.tile<[2, 4], i32>, !tile.tile<[16, 64], f32>`
  }];
  let arguments = (ins Tile_TileType:$source, Tile_TileType:$indices, Tile_TileType:$target);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = [{
    $source `,` $indices `,` $target attr-dict
    `:` qualified(type($source)) `,` qualified(type($indices)) `,` qualified(type($target))
  }];
  let extraClassDefinition = [{
    ::mlir::OpOperand *$cppClass::getTiedOperand(::mlir::OpResult) { return &getTargetMutable(); }
  }];
  let hasVerifier = 1;
}

/// Values and the indices that travel with them.
class Tile_SortOp<string mnemonic> : Tile_PureOp<mnemonic, [InferTypeOpAdaptor]> {
  let results = (outs Tile_TileType:$sorted_values, Tile_TileType:$sorted_indices);
}

def Tile_Sort32Op : Tile_SortOp<"sort32"> {
  let summary = "Sorts each run of 32 elements along the last dimension, the greatest first";
  let description = [{
    Gives the sorted values, and with each its index: its element of `indices`, or, without these, its position
    along the last dimension as `i32`. Equal values keep their order; a NaN is greater than any number.

    - C1: the last extent is a multiple of 32, and valid as a whole;
    - C2: `indices` has the extents of the values;
    - C3: the indices are 32-bit integers; the values are not `i1`.

    Example: `%v, %i = tile.sort32 %a : !tile.tile<[4, 64], f32>`, or `%v, %i = tile.sort32 %a, %b : !tile.tile<[4, 64], f32>, !tile.tile<[4, 64], i32>`
  }];
  let arguments = (ins Tile_TileType:$values, Optional<Tile_TileType>:$indices);
  let assemblyFormat = [{
    $values (`,` $indices^)? attr-dict `:` qualified(type($values)) (`,` qualified(type($indices))^)?
  }];
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<[{::pypto::pl::inferSort32(loc, adaptor.getValues().getType(),
          adaptor.getIndices() ? adaptor.getIndices().getType() : ::mlir::Type(), types)}]>.body;
}

def Tile_MrgsortOp : Tile_SortOp<"mrgsort"> {
  let summary = "Merges each four sorted runs along the last dimension into one, the greatest first";
  let description = [{
    The last dimension is a sequence of runs of `run` elements, each sorted as by `tile.sort32`. Four neighbours
    become one run of `4 * run`; at the end there may be fewer. Equal values keep their order; the indices travel
    with the values.

    - C1: `run` is positive, and the last extent a multiple of it that is valid as a whole;
    - C2: `indices` has the extents of the values;
    - C3: the indices are 32-bit integers; the values are not `i1`.

    Example: `%v, %i = tile.mrgsort %a, %b run 32 : !tile.tile<[4, 128], f32>, !tile.tile<[4, 128], i32>`
  }];
  let arguments = (ins Tile_TileType:$values, Tile_TileType:$indices, I64Attr:$run);
  let assemblyFormat = [{
    $values `,` $indices `run` $run attr-dict `:` qualified(type($values)) `,` qualified(type($indices))
  }];
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::pl::inferMergeSort(loc, adaptor.getValues().getType(), adaptor.getIndices().getType(), adaptor.getRun(), types)">.body;
}

#endif

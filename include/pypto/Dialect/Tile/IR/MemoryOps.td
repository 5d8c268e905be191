// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_TILE_IR_MEMORYOPS_TD
#define PYPTO_DIALECT_TILE_IR_MEMORYOPS_TD

include "pypto/Dialect/Tile/IR/TileBase.td"

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments]> {
  let summary = "Loads a window of a tensor";
  let description = [{
    The window starts at the offsets; its sizes are the valid shape of the result, extents of it that are `?`
    given by `valid`. A read that leaves the tensor is undefined.

    - C1: one offset per dimension of the tensor;
    - C2: the tile has the tensor's element type and at most its rank; it is aligned to the last dimensions;
    - C3: one operand in `valid` per `?` of the valid shape;
    - C4: a constant window lies inside the tensor.

    Example: `%t = tile.load %x[%i, 0] : !pl.tensor<[128, 64], f32> -> !tile.tile<[16, 64], f32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$source, Variadic<Index>:$offsets,
    DenseI64ArrayAttr:$static_offsets, Variadic<Index>:$valid);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = [{
    $source `` custom<DynamicIndexList>($offsets, $static_offsets) (`valid` `(` $valid^ `)`)? attr-dict
    `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [DeclareOpInterfaceMethods<StorageAliasOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Stores a tile into a window of a tensor";
  let description = [{
    Writes the valid part of the tile. The result is another name of the destination. With `atomic` the
    elements are added to what is there.

    - C1: one offset per dimension of the tensor;
    - C2: the tile has the tensor's element type and at most its rank; it is aligned to the last dimensions;
    - C3: the result's type is compatible with the destination's;
    - C4: a constant window lies inside the tensor.

    Example: `%r = tile.store %t, %x[%i, 0] : !tile.tile<[16, 64], f32>, !pl.tensor<[128, 64], f32>`
  }];
  let arguments = (ins Tile_TileType:$source, PL_TensorType:$destination, Variadic<Index>:$offsets,
    DenseI64ArrayAttr:$static_offsets, UnitAttr:$atomic);
  let results = (outs PL_TensorType:$result);
  let assemblyFormat = [{
    $source `,` $destination `` custom<DynamicIndexList>($offsets, $static_offsets) (`atomic` $atomic^)? attr-dict
    `:` qualified(type($source)) `,` custom<DestinationType>(type($destination), type($result))
  }];
  let extraClassDefinition = [{
    ::mlir::OpOperand *$cppClass::getAliasedOperand(::mlir::OpResult result) { return &getDestinationMutable(); }
  }];
  let hasVerifier = 1;
}

def Tile_CreateOp : Tile_PureOp<"create"> {
  let summary = "A tile with undefined elements";
  let description = [{C1: one operand per `?` of the valid shape. Example: `%t = tile.create : !tile.tile<[16, 64], f32, vec>`}];
  let arguments = (ins Variadic<Index>:$valid);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "(`valid` `(` $valid^ `)`)? attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_FullOp : Tile_PureOp<"full"> {
  let summary = "A tile with every element the same";
  let description = [{
    - C1: one operand in `valid` per `?` of the valid shape;
    - C2: the value has the tile's element type (signless).

    Example: `%t = tile.full %zero : f32, !tile.tile<[16, 64], f32>`
  }];
  let arguments = (ins PL_ScalarType:$value, Variadic<Index>:$valid);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$value (`valid` `(` $valid^ `)`)? attr-dict `:` qualified(type($value)) `,` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_MoveOp : Tile_PureOp<"move"> {
  let summary = "Copies a tile to another memory space";
  let description = [{
    - C1: the types differ in the memory space only, which the result names.

    Example: `%l = tile.move %t : !tile.tile<[16, 64], f16, mat> -> !tile.tile<[16, 64], f16, left>`
  }];
  let arguments = (ins Tile_TileType:$source);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_CastValidOp : Tile_PureOp<"cast_valid"> {
  let summary = "The same tile under a compatible type";
  let description = [{
    For joins, where the types of two branches differ. C1: the types are compatible.
    Example: `%r = tile.cast_valid %t : !tile.tile<[16, 64], f32> -> !tile.tile<[16, 64], f32, valid = [?, 64]>`
  }];
  let arguments = (ins Tile_TileType:$source);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SetValidShapeOp : Tile_PureOp<"set_validshape", [DeclareOpInterfaceMethods<TiedOperandOpInterface>]> {
  let summary = "The tile with another valid shape";
  let description = [{
    What a wider valid shape adds is undefined.

    - C1: one extent per dimension;
    - C2: the types differ in the valid shape only;
    - C3: a constant in the list is not negative, and that of the result's valid shape.

    Example: `%r = tile.set_validshape %t[%n, 64] : !tile.tile<[16, 64], f32> -> !tile.tile<[16, 64], f32, valid = [?, 64]>`
  }];
  let arguments = (ins Tile_TileType:$source, Variadic<Index>:$valid, DenseI64ArrayAttr:$static_valid);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = [{
    $source `` custom<DynamicIndexList>($valid, $static_valid) attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let extraClassDefinition = symbolicSpeculatability # [{
    ::mlir::OpOperand *$cppClass::getTiedOperand(::mlir::OpResult) { return &getSourceMutable(); }
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif

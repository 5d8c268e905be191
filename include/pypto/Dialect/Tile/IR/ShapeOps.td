// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of tiles; tiles put together, reshaped, filled, selected from.
#ifndef PYPTO_DIALECT_TILE_IR_SHAPEOPS_TD
#define PYPTO_DIALECT_TILE_IR_SHAPEOPS_TD

include "pypto/Dialect/Tile/IR/TileBase.td"

/// A window of a tile as a tile.
class Tile_WindowOp<string mnemonic> : Tile_RangedOp<mnemonic, "getOffsets()", [AttrSizedOperandSegments]> {
  let arguments = (ins Tile_TileType:$source, Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets,
    Variadic<Index>:$valid);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = [{
    $source `` custom<DynamicIndexList>($offsets, $static_offsets) (`valid` `(` $valid^ `)`)? attr-dict
    `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_SliceOp : Tile_WindowOp<"slice"> {
  let summary = "A window of a tile, in the same place";
  let description = [{
    The window starts at the offsets and has the extents of the result. Undefined when it leaves the source.

    - C1: one offset per dimension of the source;
    - C2: the result has the source's element type, and at most its rank: it is aligned to the last dimensions;
    - C3: one operand in `valid` per `?` of the valid shape;
    - C4: a constant window lies inside the source;
    - C5: the memory spaces are equal.

    Example: `%r = tile.slice %t[%i, 0] : !tile.tile<[64, 64], f32, vec> -> !tile.tile<[16, 64], f32, vec>`
  }];
}

def Tile_ExtractOp : Tile_WindowOp<"extract"> {
  let summary = "Copies a window of a tile, also to another memory space";
  let description = [{
    The window starts at the offsets and has the extents of the result. Undefined when it leaves the source.

    - C1: one offset per dimension of the source;
    - C2: the result has the source's element type, and at most its rank: it is aligned to the last dimensions;
    - C3: one operand in `valid` per `?` of the valid shape;
    - C4: a constant window lies inside the source.

    Example: `%r = tile.extract %t[%i, 0] : !tile.tile<[64, 64], f16, mat> -> !tile.tile<[16, 64], f16, left>`
  }];
}

def Tile_AssembleOp : Tile_RangedOp<"assemble", "getOffsets()", [AllTypesMatch<["target", "result"]>,
    DeclareOpInterfaceMethods<TiedOperandOpInterface>]> {
  let summary = "A tile with a window replaced by another tile";
  let description = [{
    `target`, but for the valid part of `source` from the offsets on. Undefined when that leaves the target.

    - C1: one offset per dimension of the target;
    - C2: the source has the target's element type, and at most its rank: it is aligned to the last dimensions;
    - C3: the memory spaces do not conflict;
    - C4: a constant window lies inside the target.

    Example: `%r = tile.assemble %s, %t[%i, 0] : !tile.tile<[16, 64], f32>, !tile.tile<[64, 64], f32>`
  }];
  let arguments = (ins Tile_TileType:$source, Tile_TileType:$target, Variadic<Index>:$offsets,
    DenseI64ArrayAttr:$static_offsets);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = [{
    $source `,` $target `` custom<DynamicIndexList>($offsets, $static_offsets) attr-dict
    `:` qualified(type($source)) `,` qualified(type($target))
  }];
  let extraClassDefinition = rangedSpeculatability # [{
    ::mlir::OpOperand *$cppClass::getTiedOperand(::mlir::OpResult) { return &getTargetMutable(); }
  }];
  let hasVerifier = 1;
}

def Tile_ReadOp : Tile_RangedOp<"read", "getIndices()", [
    TypesMatchWith<"the result is an element", "source", "result", "::pypto::pl::getScalarType(::llvm::cast<::pypto::tile::TileType>($_self).getElementType())">]> {
  let summary = "Reads one element of a tile";
  let description = [{
    Undefined out of range. An element of an unsigned type is read as a signless integer.
    C1: one index per dimension; C2: a constant index is in range.

    Example: `%x = tile.read %t[%i, 0] : !tile.tile<[4, 8], f32>`
  }];
  let arguments = (ins Tile_TileType:$source, Variadic<Index>:$indices, DenseI64ArrayAttr:$static_indices);
  let results = (outs PL_ScalarType:$result);
  let assemblyFormat = "$source `` custom<DynamicIndexList>($indices, $static_indices) attr-dict `:` qualified(type($source))";
  let hasVerifier = 1;
}

def Tile_WriteOp : Tile_RangedOp<"write", "getIndices()", [AllTypesMatch<["target", "result"]>,
    TypesMatchWith<"the value is an element", "target", "value", "::pypto::pl::getScalarType(::llvm::cast<::pypto::tile::TileType>($_self).getElementType())">,
    DeclareOpInterfaceMethods<TiedOperandOpInterface>]> {
  let summary = "A tile with one element replaced";
  let description = [{
    Undefined out of range. C1: one index per dimension; C2: a constant index is in range.

    Example: `%r = tile.write %x, %t[%i, 0] : !tile.tile<[4, 8], f32>`
  }];
  let arguments = (ins PL_ScalarType:$value, Tile_TileType:$target, Variadic<Index>:$indices, DenseI64ArrayAttr:$static_indices);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$value `,` $target `` custom<DynamicIndexList>($indices, $static_indices) attr-dict `:` qualified(type($target))";
  let extraClassDefinition = rangedSpeculatability # [{
    ::mlir::OpOperand *$cppClass::getTiedOperand(::mlir::OpResult) { return &getTargetMutable(); }
  }];
  let hasVerifier = 1;
}

def Tile_ReshapeOp : Tile_PureOp<"reshape"> {
  let summary = "The same elements under other extents";
  let description = [{
    The elements in row-major order under other extents. What the valid shape of the result adds to that of the
    source is undefined.

    - C1: the element types are equal;
    - C2: the numbers of elements are equal;
    - C3: one operand in `valid` per `?` of the valid shape;
    - C4: the memory spaces are equal.

    Example: `%r = tile.reshape %t : !tile.tile<[4, 8], f32> -> !tile.tile<[1, 32], f32>`
  }];
  let arguments = (ins Tile_TileType:$source, Variadic<Index>:$valid);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$source (`valid` `(` $valid^ `)`)? attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_TransposeOp : Tile_InferredOp<"transpose"> {
  let summary = "The tile with two dimensions exchanged";
  let description = [{
    - C1: both axes are less than the rank.

    Example: `%r = tile.transpose %a, 0, 1 : !tile.tile<[16, 64], f32>`
  }];
  let arguments = (ins Tile_TileType:$source, I64Attr:$axis1, I64Attr:$axis2);
  let assemblyFormat = "$source `,` $axis1 `,` $axis2 attr-dict `:` qualified(type($source))";
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::pl::inferTranspose(loc, adaptor.getSource().getType(), adaptor.getAxis1(), adaptor.getAxis2(), types)">.body;
  let hasFolder = 1;
}

def Tile_ConcatOp : Tile_InferredOp<"concat"> {
  let summary = "One tile behind another";
  let description = [{
    `rhs` stands behind `lhs` along `axis`, by default the last one.

    - C1: the ranks are equal, and the extents too but for that of the axis;
    - C2: the element types are equal;
    - C3: the axis is less than the rank;
    - C4: `lhs` is valid in its whole extent along the axis;
    - C5: the memory spaces do not conflict.

    Example: `%r = tile.concat %a, %b axis 0 : !tile.tile<[16, 64], f32>, !tile.tile<[8, 64], f32>`
  }];
  let arguments = (ins Tile_TileType:$lhs, Tile_TileType:$rhs, OptionalAttr<I64Attr>:$axis);
  let assemblyFormat = "$lhs `,` $rhs (`axis` $axis^)? attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs))";
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::tile::inferConcat(loc, adaptor.getLhs().getType(), adaptor.getRhs().getType(), adaptor.getAxis(), types)">.body;
  let extraClassDeclaration = [{
    /// The axis, the last one if none is given.
    int64_t getConcatAxis() { return getAxis().value_or(getLhs().getType().getRank() - 1); }
  }];
}

def Tile_FillpadOp : Tile_InferredOp<"fillpad", [DeclareOpInterfaceMethods<TiedOperandOpInterface>]> {
  let summary = "The tile with everything valid";
  let description = [{
    Elements outside the valid shape are filled: with zero, or with the greatest (`max`) or least (`min`) value of
    the type (of floats: plus or minus infinity, where the type has it). With `in_place` it is computed in the place
    of the source.

    - C1: the filling is not `null`.

    Example: `%r = tile.fillpad zero %a in_place : !tile.tile<[64, 64], f32, valid = [?, 64]>`
  }];
  let arguments = (ins PL_PadAttr:$pad, Tile_TileType:$source, UnitAttr:$in_place);
  let assemblyFormat = "`` $pad $source (`in_place` $in_place^)? attr-dict `:` qualified(type($source))";
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::pl::inferFillpad(loc, adaptor.getSource().getType(), adaptor.getPad(), types)">.body # [{
    ::mlir::OpOperand *$cppClass::getTiedOperand(::mlir::OpResult) {
      return getInPlace() ? &getSourceMutable() : nullptr;
    }
  }];
  let hasFolder = 1;
}

def Tile_ArangeOp : Tile_PureOp<"arange"> {
  let summary = "A tile of consecutive numbers";
  let description = [{
    Element i along the last dimension is `start + i`; `descending`: `start - i`. Integers wrap.

    - C1: one operand in `valid` per `?` of the valid shape;
    - C2: the start has the tile's element type (signless), which is not `i1`;
    - C3: all extents but the last are one.

    Example: `%r = tile.arange %start descending : i32, !tile.tile<[1, 64], i32>`
  }];
  let arguments = (ins PL_ScalarType:$start, Variadic<Index>:$valid, UnitAttr:$descending);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = [{
    $start (`valid` `(` $valid^ `)`)? (`descending` $descending^)? attr-dict
    `:` qualified(type($start)) `,` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_SelOp : Tile_InferredOp<"sel"> {
  let summary = "Selects elements of two operands";
  let description = [{
    `lhs` where `mask` is true, else `rhs`, a tile or a scalar.

    - C1: the extents of all three broadcast, the memory spaces do not conflict;
    - C2: the element types of `lhs` and `rhs` are equal; a scalar has the element type of `lhs` (signless);
    - C3: the elements of the mask are `i1`.

    Example: `%r = tile.sel %m, %a, %x : !tile.tile<[4, 8], i1>, !tile.tile<[4, 8], f32>, f32`
  }];
  let arguments = (ins Tile_TileType:$mask, Tile_TileType:$lhs, Tile_TileOrScalar:$rhs);
  let assemblyFormat = [{
    $mask `,` $lhs `,` $rhs attr-dict `:` qualified(type($mask)) `,` qualified(type($lhs)) `,` qualified(type($rhs))
  }];
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::tile::inferSelect(loc, adaptor.getMask().getType(), adaptor.getLhs().getType(), adaptor.getRhs().getType(), types)">.body;
}

/// Combination of two operands of which one may be valid only in part.
class Tile_PartOp<string kind, string text> : Tile_InferredOp<"part_" # kind> {
  let summary = text # " where both operands are valid";
  let description = text # [{ of the operands where both are valid; where one is, its element. The valid shape of
    one lies inside that of the other, which is the result's.

    - C1: the extents are equal;
    - C2: the element types are equal;
    - C3: of each pair of constant valid extents it is the same operand's that is the larger one;
    - C4: the memory spaces do not conflict.

    Example: `%r = tile.part_}] # kind # [{ %a, %b : !tile.tile<[16, 64], f32>, !tile.tile<[16, 64], f32, valid = [?, 64]>`
  }];
  let arguments = (ins Tile_TileType:$lhs, Tile_TileType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs))";
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::tile::inferPart(loc, adaptor.getLhs().getType(), adaptor.getRhs().getType(), types)">.body;
}

def Tile_PartAddOp : Tile_PartOp<"add", "Sum">;
def Tile_PartMulOp : Tile_PartOp<"mul", "Product">;
def Tile_PartMaxOp : Tile_PartOp<"max", "Maximum">;
def Tile_PartMinOp : Tile_PartOp<"min", "Minimum">;

#endif

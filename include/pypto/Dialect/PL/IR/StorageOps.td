// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_STORAGEOPS_TD
#define PYPTO_DIALECT_PL_IR_STORAGEOPS_TD

include "pypto/Dialect/PL/IR/PLBase.td"

/// The result is operand `destination`'s storage.
class PL_WriteOp<string mnemonic, list<Trait> traits = []>
    : PL_Op<mnemonic, traits # [DeclareOpInterfaceMethods<StorageAliasOpInterface>]> {
  code aliasesDestination = [{
    ::mlir::OpOperand *$cppClass::getAliasedOperand(::mlir::OpResult result) { return &getDestinationMutable(); }
  }];
  let extraClassDefinition = aliasesDestination;
}

/// Another name of operand `source`'s storage, with another type.
class PL_RetypeOp<string mnemonic, list<Trait> traits = []>
    : PL_PureOp<mnemonic, traits # [DeclareOpInterfaceMethods<StorageAliasOpInterface>]> {
  let extraClassDefinition = symbolicSpeculatability # [{
    ::mlir::OpOperand *$cppClass::getAliasedOperand(::mlir::OpResult result) { return &getSourceMutable(); }
  }];
}

def PL_CreateOp : PL_Op<"create"> {
  let summary = "Allocates a tensor in global memory";
  let description = [{
    The elements are undefined. Freed at the end of its function or scope unless returned; a returned tensor
    belongs to the caller. Extents that are `?` in the type are given by the operands, in order, those of the
    valid shape behind those of the shape.

    - C1: one operand per `?`.

    Example: `%t = pl.create(%n) : !pl.tensor<[?, 16], f32>`
  }];
  let arguments = (ins Variadic<Index>:$sizes, UnitAttr:$runtime_allocated);
  let results = (outs Res<PL_TensorType, "", [MemAlloc]>:$result);
  let assemblyFormat = "(`(` $sizes^ `)`)? (`runtime_allocated` $runtime_allocated^)? attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def PL_FullOp : PL_Op<"full"> {
  let summary = "A new tensor with every element the same";
  let description = [{
    - C1: one operand in `sizes` per `?` of the type;
    - C2: the value has the tensor's element type (signless).

    Example: `%t = pl.full %zero : f32, !pl.tensor<[8, 16], f32>`
  }];
  let arguments = (ins PL_ScalarType:$value, Variadic<Index>:$sizes);
  let results = (outs Res<PL_TensorType, "", [MemAlloc, MemWrite]>:$result);
  let assemblyFormat = "$value (`(` $sizes^ `)`)? attr-dict `:` qualified(type($value)) `,` qualified(type($result))";
  let hasVerifier = 1;
}

def PL_SliceOp : PL_PureOp<"slice", [AttrSizedOperandSegments, ViewLikeOpInterface]> {
  let summary = "View of a window of a tensor";
  let description = [{
    The window starts at the offsets; its sizes are the extents of the result, those that are `?` given by
    `sizes` (and then those of the valid shape). `dropped` lists source dimensions, of size one in the
    window, that the result does not have. Nothing is copied: a write through the view reaches the source.
    Undefined when the window leaves the source.

    - C1: one offset per dimension of the source;
    - C2: the result has the source's element type and rank, less the dropped dimensions;
    - C3: one operand in `sizes` per `?` of the result type;
    - C4: a constant offset plus a constant size is at most the constant extent, and no constant offset is
      negative;
    - C5: `dropped` is sorted, without repetition, and in range.

    Example: `%r = pl.slice %t[%i, 0] : !pl.tensor<[128, N], f32> -> !pl.tensor<[16, N], f32>`
  }];
  let arguments = (ins PL_TensorType:$source, Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets,
    Variadic<Index>:$sizes, OptionalAttr<DenseI64ArrayAttr>:$dropped);
  let results = (outs PL_TensorType:$result);
  let assemblyFormat = [{
    $source `` custom<DynamicIndexList>($offsets, $static_offsets) (`sizes` `(` $sizes^ `)`)? (`dropped` $dropped^)?
    attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
    /// Source dimensions that the result has, in order.
    ::llvm::SmallVector<int64_t> getKeptDims();
  }];
  let hasVerifier = 1;
}

def PL_ReshapeOp : PL_PureOp<"reshape", [ViewLikeOpInterface]> {
  let summary = "View with other extents";
  let description = [{
    The same elements in row-major order under other extents. The source is contiguous.

    - C1: the element types are equal;
    - C2: if both are static, the numbers of elements are equal;
    - C3: one operand in `sizes` per `?` of the result type.

    Example: `%r = pl.reshape %t : !pl.tensor<[4, 8], f32> -> !pl.tensor<[32], f32>`
  }];
  let arguments = (ins PL_TensorType:$source, Variadic<Index>:$sizes);
  let results = (outs PL_TensorType:$result);
  let assemblyFormat = "$source (`sizes` `(` $sizes^ `)`)? attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
  let extraClassDeclaration = [{ ::mlir::Value getViewSource() { return getSource(); } }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def PL_CastShapeOp : PL_RetypeOp<"cast_shape"> {
  let summary = "The same handle under a compatible type";
  let description = [{
    A claim to more static extents is the author's; `--check-bounds` checks it. Loops and branches need it
    where types differ; a chain of casts folds.

    - C1: the types are compatible: equal element type and rank, no two different constants.

    Example: `%r = pl.cast_shape %t : !pl.tensor<[N, 4], f32> -> !pl.tensor<[?, 4], f32>`
  }];
  let arguments = (ins PL_TensorType:$source);
  let results = (outs PL_TensorType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def PL_SetValidShapeOp : PL_RetypeOp<"set_validshape"> {
  let summary = "The same handle with another valid shape";
  let description = [{
    - C1: one extent per dimension;
    - C2: the result has the source's element type and extents;
    - C3: a constant in the list is not negative, and that of the result's valid shape.

    Example: `%r = pl.set_validshape %t[%n, 16] : !pl.tensor<[64, 16], f32> -> !pl.tensor<[64, 16], f32, valid = [?, 16]>`
  }];
  let arguments = (ins PL_TensorType:$source, Variadic<Index>:$valid, DenseI64ArrayAttr:$static_valid);
  let results = (outs PL_TensorType:$result);
  let assemblyFormat = [{
    $source `` custom<DynamicIndexList>($valid, $static_valid) attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def PL_AssembleOp : PL_WriteOp<"assemble", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Writes a tensor into a window of another";
  let description = [{
    Copies `source` to the window of `destination` that starts at the offsets. The result is another name
    of the destination. With `atomic` the elements are added to what is there.

    - C1: one offset per dimension of the destination;
    - C2: the source has the destination's element type and at most its rank; it is aligned to the last
      dimensions;
    - C3: the result's type is compatible with the destination's (its valid shape may be another);
    - C4: a constant window lies inside the destination.

    Example: `%r = pl.assemble %s, %t[%i, 0] : !pl.tensor<[16, 8], f32>, !pl.tensor<[64, 8], f32>`
  }];
  let arguments = (ins PL_TensorType:$source, PL_TensorType:$destination, Variadic<Index>:$offsets,
    DenseI64ArrayAttr:$static_offsets, UnitAttr:$atomic);
  let results = (outs PL_TensorType:$result);
  let assemblyFormat = [{
    $source `,` $destination `` custom<DynamicIndexList>($offsets, $static_offsets) (`atomic` $atomic^)? attr-dict
    `:` qualified(type($source)) `,` custom<DestinationType>(type($destination), type($result))
  }];
  let hasVerifier = 1;
}

def PL_DimOp : PL_PureOp<"dim"> {
  let summary = "Extent of a dimension";
  let description = [{
    The physical extent. Folds to a constant, and to the operand that gave the extent where the tensor was made.
    C1: the axis is less than the rank.

    Example: `%n = pl.dim %t, 1 : !pl.tensor<[4, N], f32>`
  }];
  let arguments = (ins PL_TensorType:$source, I64Attr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$source `,` $axis attr-dict `:` qualified(type($source))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def PL_ReadOp : PL_Op<"read", [
    TypesMatchWith<"the result is an element", "source", "result", "::pypto::pl::getScalarType(::llvm::cast<::pypto::pl::TensorType>($_self).getElementType())">]> {
  let summary = "Reads one element";
  let description = [{
    Undefined out of range. An element of an unsigned type is read as a signless integer.
    C1: one index per dimension. Example: `%x = pl.read %t[%i, %j] : !pl.tensor<[4, 8], f32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$source, Variadic<Index>:$indices);
  let results = (outs PL_ScalarType:$result);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` qualified(type($source))";
  let hasVerifier = 1;
}

def PL_WriteScalarOp : PL_WriteOp<"write", [AllTypesMatch<["destination", "result"]>,
    TypesMatchWith<"the value is an element", "destination", "value", "::pypto::pl::getScalarType(::llvm::cast<::pypto::pl::TensorType>($_self).getElementType())">]> {
  let summary = "Writes one element";
  let description = [{
    The result is another name of the destination. Undefined out of range.
    C1: one index per dimension. Example: `%r = pl.write %x, %t[%i, %j] : !pl.tensor<[4, 8], f32>`
  }];
  let arguments = (ins PL_ScalarType:$value, Arg<PL_TensorType, "", [MemWrite]>:$destination, Variadic<Index>:$indices);
  let results = (outs PL_TensorType:$result);
  let assemblyFormat = "$value `,` $destination `[` $indices `]` attr-dict `:` qualified(type($destination))";
  let hasVerifier = 1;
}

#endif

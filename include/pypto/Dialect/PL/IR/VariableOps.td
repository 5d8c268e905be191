// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_VARIABLEOPS_TD
#define PYPTO_DIALECT_PL_IR_VARIABLEOPS_TD

include "pypto/Dialect/PL/IR/PLBase.td"

def PL_VarOp : PL_Op<"var", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Makes the cell of a variable";
  let description = [{
    A name that is bound more than once. The initial value is optional: a `pl.get` that may run before any
    `pl.set` is an error that `--convert-to-ssa` reports.

    - C1: the initial value has a type compatible with the cell's.

    Example:

    ```mlir
    %n = pl.var "n" = %k : index
    %t = pl.var "t" : !pl.tensor<[16], f32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Optional<AnyType>:$init);
  let results = (outs PL_VarType:$cell);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{ ::mlir::Type getValueType() { return getCell().getType().getValueType(); } }];
}

def PL_GetOp : PL_Op<"get"> {
  let summary = "Reads a variable";
  let description = [{
    - C1: the result type is compatible with the cell's (a narrowing survives the cell).

    Example: `%0 = pl.get %n : index`, or, if the types differ,
    `%0 = pl.get %t : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[16], f32>`
  }];
  let arguments = (ins Arg<PL_VarType, "", [MemRead<PL_CellResource>]>:$cell);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$cell attr-dict `:` custom<CellAccess>(type($cell), type($value))";
  let hasVerifier = 1;
}

def PL_SetOp : PL_Op<"set"> {
  let summary = "Binds a variable again";
  let description = [{
    - C1: the value's type is compatible with the cell's.

    Example: `pl.set %n, %v : index`, or, if the types differ,
    `pl.set %t, %v : !pl.var<!pl.tensor<[?], f32>> -> !pl.tensor<[16], f32>`
  }];
  let arguments = (ins Arg<PL_VarType, "", [MemWrite<PL_CellResource>]>:$cell, AnyType:$value);
  let assemblyFormat = "$cell `,` $value attr-dict `:` custom<CellAccess>(type($cell), type($value))";
  let hasVerifier = 1;
}

def PL_SymbolOp : PL_Op<"symbol", [MemoryEffects<[MemWrite<PL_SymbolResource>]>]> {
  let summary = "Binds a symbolic extent to a number";
  let description = [{
    From here to the end of the block `@name` in an extent is this number. A name is bound once in a block
    and the blocks around it (C1), and is not one that a parameter declares (C2).

    Example: `pl.symbol @rows = %n : index`
  }];
  let arguments = (ins FlatSymbolRefAttr:$sym, Index:$value);
  let assemblyFormat = "$sym `=` $value attr-dict `:` qualified(type($value))";
}

def PL_ArrayCreateOp : PL_Op<"array.create", [Pure]> {
  let summary = "Array with every element the same";
  let description = [{
    C1: the value has the array's element type. Example: `%a = pl.array.create %c0 : !pl.array<8 x index>`
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs PL_ArrayType:$result);
  let assemblyFormat = "$value attr-dict `:` custom<ArrayElement>(type($value), type($result))";
  let hasVerifier = 1;
}

def PL_ArrayGetOp : PL_Op<"array.get", [NoMemoryEffect,
    TypesMatchWith<"the result is an element", "array", "result", "::llvm::cast<::pypto::pl::ArrayType>($_self).getElementType()">]> {
  let summary = "Reads an element of an array";
  let description = [{
    Undefined when the index is out of range. C1: a constant index is in range.
    Example: `%x = pl.array.get %a[%i] : !pl.array<8 x index>`
  }];
  let arguments = (ins PL_ArrayType:$array, Index:$index);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$array `[` $index `]` attr-dict `:` qualified(type($array))";
  let hasVerifier = 1;
}

def PL_ArrayUpdateOp : PL_Op<"array.update", [NoMemoryEffect, AllTypesMatch<["array", "result"]>,
    TypesMatchWith<"the value is an element", "array", "value", "::llvm::cast<::pypto::pl::ArrayType>($_self).getElementType()">]> {
  let summary = "The array with one element replaced";
  let description = [{
    A new value; the operand is unchanged. C1: a constant index is in range.
    Example: `%b = pl.array.update %a[%i], %x : !pl.array<8 x index>`
  }];
  let arguments = (ins PL_ArrayType:$array, Index:$index, AnyType:$value);
  let results = (outs PL_ArrayType:$result);
  let assemblyFormat = "$array `[` $index `]` `,` $value attr-dict `:` qualified(type($array))";
  let hasVerifier = 1;
}

#endif

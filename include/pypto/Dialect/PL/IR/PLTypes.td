// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_PLTYPES_TD
#define PYPTO_DIALECT_PL_IR_PLTYPES_TD

include "pypto/Dialect/PL/IR/PLAttrs.td"
include "pypto/Interfaces/ExtentTypeInterface.td"

class PL_Type<string name, string mnem, list<Trait> traits = []> : TypeDef<PL_Dialect, name, traits> {
  let mnemonic = mnem;
}

def PL_TensorType : PL_Type<"Tensor", "tensor", [DeclareTypeInterfaceMethods<ExtentTypeInterface, ["cloneWith", "verifyClone", "isPlacementCompatible"]>]> {
  let summary = "Handle to a tensor in global memory";
  let description = [{
    `!pl.tensor<[M, N * 2, ?, 4], f32, valid = [?, N, ?, 4], strides = [...], layout = dn, pad = zero>`.
    The optional parts are absent when implicit. `valid` is the part of the tensor, anchored at the origin,
    whose elements are defined. Constraints:

    - C1: the element type is `i1`, `iN`, `uiN` (N = 4, 8, 16, 32, 64), a float type, or `index`;
    - C2: `valid` and `strides` have one entry per dimension;
    - C3: constant extents are not negative, a constant valid extent is at most the constant extent.
  }];
  let parameters = (ins ArrayRefParameter<"::pypto::pl::ExtentAttr">:$extents, "::mlir::Type":$elementType,
    ArrayRefParameter<"::pypto::pl::ExtentAttr">:$valid, ArrayRefParameter<"::pypto::pl::ExtentAttr">:$strides,
    "::pypto::pl::Layout":$layout, "::pypto::pl::Pad":$pad);
  let skipDefaultBuilders = 1;
  let builders = [
    // Normalises: `valid` equal to the extents becomes implicit.
    TypeBuilder<(ins "::llvm::ArrayRef<::pypto::pl::ExtentAttr>":$extents, "::mlir::Type":$elementType,
      CArg<"::llvm::ArrayRef<::pypto::pl::ExtentAttr>", "{}">:$valid,
      CArg<"::llvm::ArrayRef<::pypto::pl::ExtentAttr>", "{}">:$strides,
      CArg<"::pypto::pl::Layout", "::pypto::pl::Layout::ND">:$layout,
      CArg<"::pypto::pl::Pad", "::pypto::pl::Pad::Null">:$pad)>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getExtents().size(); }
    /// Constants and ShapedType::kDynamic.
    ::llvm::SmallVector<int64_t> getShape() const;
    /// Valid extents, the physical ones when implicit.
    ::llvm::ArrayRef<ExtentAttr> getValidOrExtents() const {
      return getValid().empty() ? getExtents() : getValid();
    }
  }];
}

def PL_VarType : PL_Type<"Var", "var"> {
  let summary = "Cell of a variable";
  let description = [{
    What `pl.var` makes. May be an operand of `pl.get`, `pl.set`, calls and scope captures only, and a
    parameter of `inline` functions only.

    - C1: the value is neither a cell nor a function.
  }];
  let parameters = (ins "::mlir::Type":$valueType);
  let assemblyFormat = "`<` $valueType `>`";
  let genVerifyDecl = 1;
}

def PL_ArrayType : PL_Type<"Array", "array"> {
  let summary = "Small array of scalars, a value";
  let description = [{
    `!pl.array<8 x index>`: a fixed number of integers, booleans or task ids; an update yields a new array.

    - C1: the number of elements is positive;
    - C2: the elements are signless integers, `index`, or task ids.
  }];
  let parameters = (ins "int64_t":$size, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif

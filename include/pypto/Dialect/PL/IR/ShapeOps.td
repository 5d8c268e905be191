// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors put together, transposed, filled, selected from.
#ifndef PYPTO_DIALECT_PL_IR_SHAPEOPS_TD
#define PYPTO_DIALECT_PL_IR_SHAPEOPS_TD

include "pypto/Dialect/PL/IR/PLBase.td"

def PL_TransposeOp : PL_InferredComputeOp<"transpose"> {
  let summary = "A new tensor with two dimensions exchanged";
  let description = [{
    - C1: both axes are less than the rank.

    Example: `%r = pl.transpose %a, 0, 1 : !pl.tensor<[M, 64], f32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$source, I64Attr:$axis1, I64Attr:$axis2);
  let assemblyFormat = "$source `,` $axis1 `,` $axis2 attr-dict `:` qualified(type($source))";
  let extraClassDefinition = PL_Infer<"::pypto::pl::inferTranspose(loc, adaptor.getSource().getType(), adaptor.getAxis1(), adaptor.getAxis2(), types)">.body;
}

def PL_ConcatOp : PL_InferredComputeOp<"concat"> {
  let summary = "A new tensor: one tensor behind another";
  let description = [{
    `rhs` stands behind `lhs` along `axis`, by default the last one.

    - C1: the ranks are equal, and the extents too but for that of the axis;
    - C2: the element types are equal;
    - C3: the axis is less than the rank;
    - C4: `lhs` is valid in its whole extent along the axis.

    Example: `%r = pl.concat %a, %b axis 0 : !pl.tensor<[M, 64], f32>, !pl.tensor<[N, 64], f32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$lhs, Arg<PL_TensorType, "", [MemRead]>:$rhs, OptionalAttr<I64Attr>:$axis);
  let assemblyFormat = "$lhs `,` $rhs (`axis` $axis^)? attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs))";
  let extraClassDefinition = PL_Infer<"::pypto::pl::inferConcat(loc, adaptor.getLhs().getType(), adaptor.getRhs().getType(), adaptor.getAxis(), types)">.body;
  let extraClassDeclaration = [{
    /// The axis, the last one if none is given.
    int64_t getConcatAxis() { return getAxis().value_or(getLhs().getType().getRank() - 1); }
  }];
}

def PL_FillpadOp : PL_InferredComputeOp<"fillpad"> {
  let summary = "A new tensor in which everything is valid";
  let description = [{
    A copy whose elements outside the valid shape are filled: with zero, or with the greatest (`max`) or least
    (`min`) value of the type (of floats: plus or minus infinity, where the type has it).

    - C1: the filling is not `null`.

    Example: `%r = pl.fillpad zero %a : !pl.tensor<[64, 64], f32, valid = [N, 64]>`
  }];
  let arguments = (ins PL_PadAttr:$pad, Arg<PL_TensorType, "", [MemRead]>:$source);
  let assemblyFormat = "`` $pad $source attr-dict `:` qualified(type($source))";
  let extraClassDefinition = PL_Infer<"::pypto::pl::inferFillpad(loc, adaptor.getSource().getType(), adaptor.getPad(), types)">.body;
}

def PL_ArangeOp : PL_Op<"arange"> {
  let summary = "A new tensor of consecutive numbers";
  let description = [{
    Element i along the last dimension is `start + i`; `descending`: `start - i`. Integers wrap.

    - C1: one operand in `sizes` per `?` of the type;
    - C2: the start has the tensor's element type (signless), which is not `i1`;
    - C3: all extents but the last are one.

    Example: `%r = pl.arange %start descending : i32, !pl.tensor<[1, 64], i32>`
  }];
  let arguments = (ins PL_ScalarType:$start, Variadic<Index>:$sizes, UnitAttr:$descending);
  let results = (outs Res<PL_TensorType, "", [MemAlloc, MemWrite]>:$result);
  let assemblyFormat = [{
    $start (`(` $sizes^ `)`)? (`descending` $descending^)? attr-dict `:` qualified(type($start)) `,` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def PL_SelOp : PL_InferredComputeOp<"sel"> {
  let summary = "Selects elements of two operands";
  let description = [{
    `lhs` where `mask` is true, else `rhs`.

    - C1: the extents of all three broadcast;
    - C2: the element types of `lhs` and `rhs` promote; a scalar has the element type of `lhs`;
    - C3: the elements of the mask are `i1`.

    Example: `%r = pl.sel %m, %a, %x : !pl.tensor<[4, N], i1>, !pl.tensor<[4, N], f32>, f32`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$mask, Arg<PL_TensorType, "", [MemRead]>:$lhs,
    Arg<PL_TensorOrScalar, "", [MemRead]>:$rhs);
  let assemblyFormat = [{
    $mask `,` $lhs `,` $rhs attr-dict `:` qualified(type($mask)) `,` qualified(type($lhs)) `,` qualified(type($rhs))
  }];
  let extraClassDefinition = PL_Infer<"::pypto::pl::inferSelect(loc, adaptor.getMask().getType(), adaptor.getLhs().getType(), adaptor.getRhs().getType(), types)">.body;
}

/// Combination of two operands of which one may be valid only in part.
class PL_PartOp<string kind, string text> : PL_InferredComputeOp<"part_" # kind> {
  let summary = text # " where both operands are valid";
  let description = text # [{ of the operands where both are valid; where one is, its element. The valid shape of
    one lies inside that of the other, which is the result's.

    - C1: the extents are equal;
    - C2: the element types are equal;
    - C3: of each pair of constant valid extents it is the same operand's that is the larger one.

    Example: `%r = pl.part_}] # kind # [{ %a, %b : !pl.tensor<[16, 64], f32>, !pl.tensor<[16, 64], f32, valid = [N, 64]>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$lhs, Arg<PL_TensorType, "", [MemRead]>:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs))";
  let extraClassDefinition = PL_Infer<"::pypto::pl::inferPart(loc, adaptor.getLhs().getType(), adaptor.getRhs().getType(), types)">.body;
}

def PL_PartAddOp : PL_PartOp<"add", "Sum">;
def PL_PartMulOp : PL_PartOp<"mul", "Product">;
def PL_PartMaxOp : PL_PartOp<"max", "Maximum">;
def PL_PartMinOp : PL_PartOp<"min", "Minimum">;

#endif

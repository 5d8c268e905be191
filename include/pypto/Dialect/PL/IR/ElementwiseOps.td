// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_ELEMENTWISEOPS_TD
#define PYPTO_DIALECT_PL_IR_ELEMENTWISEOPS_TD

include "pypto/Dialect/PL/IR/PLBase.td"

/// tensor op (tensor | scalar), NumPy broadcasting from the right, promoted element type.
class PL_BinaryOp<string mnemonic, string text, string infer = "inferBinary", string element = "f32"> : PL_InferredComputeOp<mnemonic> {
  let summary = text;
  let description = text # [{, elementwise.

    The extents broadcast from the right as in NumPy; a scalar operand has the tensor's element type
    (signless). The element types promote: float before integer, wider before narrower, signed before unsigned.
    Operands of equal shape keep a common valid shape.

    - C1: the extents broadcast;
    - C2: the element types promote (bitwise operations: to an integer type); a scalar operand has the element
      type of the tensor.

    Example: `%r = pl.}] # mnemonic # " %a, %b : !pl.tensor<[4, N], " # element # ">, !pl.tensor<[1, N], " # element # [{>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$lhs, Arg<PL_TensorOrScalar, "", [MemRead]>:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs))";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, ::std::optional<::mlir::Location> loc,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::pypto::pl::}] # infer # [{(loc, adaptor.getLhs().getType(), adaptor.getRhs().getType(), types);
    }
  }];
}

def PL_AddOp : PL_BinaryOp<"add", "Sum">;
def PL_SubOp : PL_BinaryOp<"sub", "Difference">;
def PL_MulOp : PL_BinaryOp<"mul", "Product">;
def PL_DivOp : PL_BinaryOp<"div", "Quotient (of integers: rounded towards zero, and zero where the divisor is zero)">;
def PL_FmodOp : PL_BinaryOp<"fmod", "Remainder of the division rounded towards zero (of integers: zero where the divisor is zero)">;
def PL_MaximumOp : PL_BinaryOp<"maximum", "Larger operand (NaN if one is NaN)">;
def PL_MinimumOp : PL_BinaryOp<"minimum", "Smaller operand (NaN if one is NaN)">;
def PL_AndOp : PL_BinaryOp<"and", "Bitwise and", "inferBitwise", "i32">;
def PL_OrOp : PL_BinaryOp<"or", "Bitwise or", "inferBitwise", "i32">;
def PL_XorOp : PL_BinaryOp<"xor", "Bitwise exclusive or", "inferBitwise", "i32">;
def PL_ShlOp : PL_BinaryOp<"shl", "Left shift (zero if by the width or more)", "inferShift", "i32">;
def PL_ShrOp : PL_BinaryOp<"shr", "Right shift (arithmetic if signed; by the width or more as if by width - 1, or zero)", "inferShift", "i32">;

def PL_CmpOp : PL_InferredComputeOp<"cmp"> {
  let summary = "Comparison, elementwise";
  let description = [{
    `i1` elements. Comparisons of floats are false if one is NaN, except `ne`.

    - C1: the extents broadcast;
    - C2: a scalar operand has the element type of the tensor.

    Example: `%m = pl.cmp lt %a, %b : !pl.tensor<[4], f32>, f32`
  }];
  let arguments = (ins PL_CmpKindAttr:$kind, Arg<PL_TensorType, "", [MemRead]>:$lhs,
    Arg<PL_TensorOrScalar, "", [MemRead]>:$rhs);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs))";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, ::std::optional<::mlir::Location> loc,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::pypto::pl::inferCompare(loc, adaptor.getLhs().getType(), adaptor.getRhs().getType(), types);
    }
  }];
}

/// One tensor, the same shape.
class PL_UnaryOp<string mnemonic, string text, string infer = "inferUnary", string element = "f32"> : PL_InferredComputeOp<mnemonic> {
  let summary = text;
  let description = text # [{, elementwise.

    - C1: the elements are floats, or integers, where the operation is defined for these only.

    Example: `%r = pl.}] # mnemonic # " %a : !pl.tensor<[4, N], " # element # [{>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$source);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source))";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, ::std::optional<::mlir::Location> loc,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::pypto::pl::}] # infer # [{(loc, adaptor.getSource().getType(), types);
    }
  }];
}

def PL_ExpOp : PL_UnaryOp<"exp", "Exponential", "inferFloatUnary">;
def PL_LogOp : PL_UnaryOp<"log", "Natural logarithm", "inferFloatUnary">;
def PL_SqrtOp : PL_UnaryOp<"sqrt", "Square root", "inferFloatUnary">;
def PL_RsqrtOp : PL_UnaryOp<"rsqrt", "One over the square root", "inferFloatUnary">;
def PL_RecipOp : PL_UnaryOp<"recip", "One over the element", "inferFloatUnary">;
def PL_SinOp : PL_UnaryOp<"sin", "Sine of radians", "inferFloatUnary">;
def PL_CosOp : PL_UnaryOp<"cos", "Cosine of radians", "inferFloatUnary">;
def PL_NegOp : PL_UnaryOp<"neg", "Negation">;
def PL_AbsOp : PL_UnaryOp<"abs", "Absolute value">;
def PL_ReluOp : PL_UnaryOp<"relu", "Maximum of the element and zero (NaN stays NaN)">;
def PL_NotOp : PL_UnaryOp<"not", "Bitwise complement", "inferIntegerUnary", "i32">;

def PL_CastOp : PL_InferredComputeOp<"cast"> {
  let summary = "Conversion to another element type";
  let description = [{
    Float to integer rounds as `mode` says (`none` and `trunc`: towards zero; `rint`: to nearest, ties to even;
    `round`: ties away from zero), saturates, and makes zero of NaN. Float to a narrower float rounds to nearest
    even. Integers wrap. From `i1`: 0 or 1; to `i1`: not equal to zero.

    - C1: the type is an element type.

    Example: `%r = pl.cast %a to f16 : !pl.tensor<[4, N], f32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$source, TypeAttr:$element_type,
    DefaultValuedAttr<PL_RoundModeAttr, "::pypto::pl::RoundMode::None">:$mode);
  let assemblyFormat = "$source `to` $element_type (`mode` `` $mode^)? attr-dict `:` qualified(type($source))";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, ::std::optional<::mlir::Location> loc,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::pypto::pl::inferCast(loc, adaptor.getSource().getType(), adaptor.getElementType(), types);
    }
  }];
}

#endif

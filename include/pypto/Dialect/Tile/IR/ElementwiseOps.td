// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_TILE_IR_ELEMENTWISEOPS_TD
#define PYPTO_DIALECT_TILE_IR_ELEMENTWISEOPS_TD

include "pypto/Dialect/Tile/IR/TileBase.td"

/// tile op (tile | scalar).
class Tile_BinaryOp<string mnemonic, string text, string infer = "inferBinary", string element = "f32"> : Tile_InferredOp<mnemonic> {
  let summary = text;
  let description = text # [{, elementwise.

    Extents of one broadcast; element types are equal. Operands with a common valid shape keep it.

    - C1: the extents broadcast, the memory spaces do not conflict;
    - C2: the element types are equal (bitwise operations: integers); a scalar operand has the tile's element type
      (signless).

    Example: `%r = tile.}] # mnemonic # " %a, %b : !tile.tile<[16, 64], " # element # [{>`; if the types differ, both are given.
  }];
  let arguments = (ins Tile_TileType:$lhs, Tile_TileOrScalar:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<BinaryTypes>(type($lhs), type($rhs))";
  let hasFolder = 1;
  let extraClassDefinition = symbolicSpeculatability # [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, ::std::optional<::mlir::Location> loc,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::pypto::tile::}] # infer # [{(loc, adaptor.getLhs().getType(), adaptor.getRhs().getType(), types);
    }
  }];
}

def Tile_AddOp : Tile_BinaryOp<"add", "Sum">;
def Tile_SubOp : Tile_BinaryOp<"sub", "Difference">;
def Tile_MulOp : Tile_BinaryOp<"mul", "Product">;
def Tile_DivOp : Tile_BinaryOp<"div", "Quotient (of integers: rounded towards zero, and zero where the divisor is zero)">;
def Tile_FmodOp : Tile_BinaryOp<"fmod", "Remainder of the division rounded towards zero (of integers: zero where the divisor is zero)">;
def Tile_MaximumOp : Tile_BinaryOp<"maximum", "Larger operand (NaN if one is NaN)">;
def Tile_MinimumOp : Tile_BinaryOp<"minimum", "Smaller operand (NaN if one is NaN)">;
def Tile_AndOp : Tile_BinaryOp<"and", "Bitwise and", "inferBitwise", "i32">;
def Tile_OrOp : Tile_BinaryOp<"or", "Bitwise or", "inferBitwise", "i32">;
def Tile_XorOp : Tile_BinaryOp<"xor", "Bitwise exclusive or", "inferBitwise", "i32">;
def Tile_ShlOp : Tile_BinaryOp<"shl", "Left shift (zero if by the width or more)", "inferBitwise", "i32">;
def Tile_ShrOp : Tile_BinaryOp<"shr", "Right shift (arithmetic if signed; by the width or more as if by width - 1, or zero)", "inferBitwise", "i32">;

def Tile_CmpOp : Tile_InferredOp<"cmp"> {
  let summary = "Comparison, elementwise";
  let description = [{
    `i1` elements. Comparisons of floats are false if one is NaN, except `ne`.

    - C1: the extents broadcast, the memory spaces do not conflict;
    - C2: the element types are equal; a scalar operand has the tile's element type (signless).

    Example: `%m = tile.cmp lt %a, %x : !tile.tile<[16, 64], f32>, f32`
  }];
  let arguments = (ins PL_CmpKindAttr:$kind, Tile_TileType:$lhs, Tile_TileOrScalar:$rhs);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` custom<BinaryTypes>(type($lhs), type($rhs))";
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::tile::inferCompare(loc, adaptor.getLhs().getType(), adaptor.getRhs().getType(), types)">.body;
}

/// One tile, the same shape.
class Tile_UnaryOp<string mnemonic, string text, string infer = "inferUnary", string element = "f32"> : Tile_InferredOp<mnemonic> {
  let summary = text;
  let description = text # [{, elementwise.

    - C1: the elements are floats, or integers, where the operation is defined for these only.

    Example: `%r = tile.}] # mnemonic # " %a : !tile.tile<[16, 64], " # element # [{>`
  }];
  let arguments = (ins Tile_TileType:$source);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source))";
  let extraClassDefinition = symbolicSpeculatability # [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, ::std::optional<::mlir::Location> loc,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::pypto::pl::}] # infer # [{(loc, adaptor.getSource().getType(), types);
    }
  }];
}

def Tile_ExpOp : Tile_UnaryOp<"exp", "Exponential", "inferFloatUnary">;
def Tile_LogOp : Tile_UnaryOp<"log", "Natural logarithm", "inferFloatUnary">;
def Tile_SqrtOp : Tile_UnaryOp<"sqrt", "Square root", "inferFloatUnary">;
def Tile_RsqrtOp : Tile_UnaryOp<"rsqrt", "One over the square root", "inferFloatUnary">;
def Tile_RecipOp : Tile_UnaryOp<"recip", "One over the element", "inferFloatUnary">;
def Tile_SinOp : Tile_UnaryOp<"sin", "Sine of radians", "inferFloatUnary">;
def Tile_CosOp : Tile_UnaryOp<"cos", "Cosine of radians", "inferFloatUnary">;
def Tile_NegOp : Tile_UnaryOp<"neg", "Negation">;
def Tile_AbsOp : Tile_UnaryOp<"abs", "Absolute value">;
def Tile_ReluOp : Tile_UnaryOp<"relu", "Maximum of the element and zero (NaN stays NaN)">;
def Tile_NotOp : Tile_UnaryOp<"not", "Bitwise complement", "inferIntegerUnary", "i32">;

def Tile_CastOp : Tile_InferredOp<"cast"> {
  let summary = "Conversion to another element type";
  let description = [{
    Float to integer rounds as `mode` says (`none` and `trunc`: towards zero; `rint`: to nearest, ties to even;
    `round`: ties away from zero), saturates, and makes zero of NaN. Float to a narrower float rounds to nearest
    even. Integers wrap. From `i1`: 0 or 1; to `i1`: not equal to zero.

    - C1: the type is an element type.

    Example: `%r = tile.cast %a to f16 : !tile.tile<[16, 64], f32>`
  }];
  let arguments = (ins Tile_TileType:$source, TypeAttr:$element_type,
    DefaultValuedAttr<PL_RoundModeAttr, "::pypto::pl::RoundMode::None">:$mode);
  let assemblyFormat = "$source `to` $element_type (`mode` `` $mode^)? attr-dict `:` qualified(type($source))";
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::pl::inferCast(loc, adaptor.getSource().getType(), adaptor.getElementType(), types)">.body;
  let hasFolder = 1;
}

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identities of operations on tiles. Tiles are values, so an operand may stand for a result, if the
// types are equal and leave no `?` open: two `?` are never known to be equal.
#include "pypto/Dialect/Tile/IR/TileOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::tile;

/// `candidate` if it may stand for `result`.
static Value standsFor(Value candidate, Value result) {
  bool isSame = candidate.getType() == result.getType() &&
                getNumDynamic(cast<ExtentTypeInterface>(result.getType())) == 0;
  return isSame ? candidate : Value();
}

OpFoldResult tile::ReshapeOp::fold(FoldAdaptor) {
  if (Value source = standsFor(getSource(), getResult()))
    return source;
  // Of a chain the last one decides; what a valid shape in between left out was undefined.
  if (auto inner = getSource().getDefiningOp<tile::ReshapeOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return {};
}

OpFoldResult tile::TransposeOp::fold(FoldAdaptor) {
  if (getAxis1() == getAxis2())
    return getSource();
  auto inner = getSource().getDefiningOp<tile::TransposeOp>();
  if (!inner)
    return {};
  auto axes = [](tile::TransposeOp op) {
    return std::minmax<uint64_t>({op.getAxis1(), op.getAxis2()});
  };
  return axes(inner) == axes(*this) ? inner.getSource() : Value();
}

OpFoldResult tile::FillpadOp::fold(FoldAdaptor) {
  return getSource().getType().getValid().empty() ? getSource() : Value();
}

OpFoldResult tile::CastOp::fold(FoldAdaptor) {
  return getSource().getType().getElementType() == getElementType() ? getSource() : Value();
}

OpFoldResult CastValidOp::fold(FoldAdaptor) { return foldRetypeOfRetype(*this); }

OpFoldResult tile::SetValidShapeOp::fold(FoldAdaptor) {
  return standsFor(getSource(), getResult());
}

//===- Elementwise ------------------------------------------------------------------===//

/// The constant that every element of `operand`, a scalar or a tile, is equal to, or null.
static Attribute getUniformConstant(Value operand) {
  if (auto full = operand.getDefiningOp<tile::FullOp>())
    operand = full.getValue();
  Attribute constant;
  return matchPattern(operand, m_Constant(&constant)) ? constant : Attribute();
}

static bool isInteger(Attribute constant, int64_t value) {
  auto integer = dyn_cast_or_null<IntegerAttr>(constant);
  if (!integer)
    return false;
  return value < 0 ? integer.getValue().isAllOnes() : integer.getValue() == value;
}

static bool isZero(Attribute constant) { return isInteger(constant, 0); }
static bool isAllOnes(Attribute constant) { return isInteger(constant, -1); }
/// Also of floats: a product with one is exact, and keeps NaN and the sign of zero.
static bool isOne(Attribute constant) {
  auto number = dyn_cast_or_null<FloatAttr>(constant);
  return isInteger(constant, 1) || (number && number.getValue().isExactlyValue(1.0));
}

/// `lhs` if `rhs` is neutral. A scalar leaves the valid shape of `lhs` as it is, `?` or not.
static Value foldRight(Value lhs, Value rhs, Value result, bool (*isNeutral)(Attribute)) {
  if (!isNeutral(getUniformConstant(rhs)))
    return {};
  if (!isa<TileType>(rhs.getType()) && lhs.getType() == result.getType())
    return lhs;
  return standsFor(lhs, result);
}

/// The other operand if one of two is neutral.
static Value foldEither(Value lhs, Value rhs, Value result, bool (*isNeutral)(Attribute)) {
  if (Value left = foldRight(lhs, rhs, result, isNeutral))
    return left;
  if (isa<TileType>(rhs.getType()) && isNeutral(getUniformConstant(lhs)))
    return standsFor(rhs, result);
  return {};
}

/// The operand if both are the same.
static Value foldSame(Value lhs, Value rhs, Value result) {
  return lhs == rhs && lhs.getType() == result.getType() ? lhs : Value();
}

// Never `x * 0`, `x - x` or `x + 0` of floats: NaN and the sign of zero count.
OpFoldResult tile::AddOp::fold(FoldAdaptor) {
  return foldEither(getLhs(), getRhs(), getResult(), isZero);
}
OpFoldResult tile::SubOp::fold(FoldAdaptor) {
  return foldRight(getLhs(), getRhs(), getResult(), isZero);
}
OpFoldResult tile::MulOp::fold(FoldAdaptor) {
  return foldEither(getLhs(), getRhs(), getResult(), isOne);
}
OpFoldResult tile::DivOp::fold(FoldAdaptor) {
  return foldRight(getLhs(), getRhs(), getResult(), isOne);
}
OpFoldResult tile::FmodOp::fold(FoldAdaptor) { return {}; }
OpFoldResult tile::MaximumOp::fold(FoldAdaptor) {
  return foldSame(getLhs(), getRhs(), getResult());
}
OpFoldResult tile::MinimumOp::fold(FoldAdaptor) {
  return foldSame(getLhs(), getRhs(), getResult());
}
OpFoldResult tile::AndOp::fold(FoldAdaptor) {
  if (Value same = foldSame(getLhs(), getRhs(), getResult()))
    return same;
  return foldEither(getLhs(), getRhs(), getResult(), isAllOnes);
}
OpFoldResult tile::OrOp::fold(FoldAdaptor) {
  if (Value same = foldSame(getLhs(), getRhs(), getResult()))
    return same;
  return foldEither(getLhs(), getRhs(), getResult(), isZero);
}
OpFoldResult tile::XorOp::fold(FoldAdaptor) {
  return foldEither(getLhs(), getRhs(), getResult(), isZero);
}
OpFoldResult tile::ShlOp::fold(FoldAdaptor) {
  return foldRight(getLhs(), getRhs(), getResult(), isZero);
}
OpFoldResult tile::ShrOp::fold(FoldAdaptor) {
  return foldRight(getLhs(), getRhs(), getResult(), isZero);
}

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products of the cube unit: result types and verification.
#include "pypto/Dialect/Tile/IR/TileOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::tile;

/// C4: the element type in which the cube unit sums, or null.
static Type getAccumulatorElement(Type lhs, Type rhs) {
  auto leftFloat = dyn_cast<FloatType>(lhs), rightFloat = dyn_cast<FloatType>(rhs);
  if (leftFloat && rightFloat) {
    bool isWide = leftFloat.getWidth() > 32 || rightFloat.getWidth() > 32;
    return isWide ? Type(Float64Type::get(lhs.getContext()))
                  : Type(Float32Type::get(lhs.getContext()));
  }
  auto leftInt = dyn_cast<IntegerType>(lhs), rightInt = dyn_cast<IntegerType>(rhs);
  if (!leftInt || !rightInt || leftInt.getWidth() == 1 || rightInt.getWidth() == 1)
    return {};
  bool isWide = leftInt.getWidth() > 32 || rightInt.getWidth() > 32;
  return IntegerType::get(lhs.getContext(), isWide ? 64 : 32);
}

LogicalResult tile::inferMatmul(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  auto left = dyn_cast<TileType>(lhs), right = dyn_cast<TileType>(rhs);
  if (!left || !right)
    return emitOptionalError(loc, "expects a tile, but got ", left ? rhs : lhs);
  Type element = getAccumulatorElement(left.getElementType(), right.getElementType());
  if (!element)
    return emitOptionalError(loc, "C4: expects two float or two integer element types, but got ",
                             left.getElementType(), " and ", right.getElementType());
  auto isResult = [](MemorySpace space) {
    return space == MemorySpace::Acc || space == MemorySpace::Bias;
  };
  if (isResult(left.getSpace()) || left.getSpace() == MemorySpace::Right)
    return emitOptionalError(loc, "C5: expects a left operand in 'left', but got ", lhs);
  if (isResult(right.getSpace()) || right.getSpace() == MemorySpace::Left)
    return emitOptionalError(loc, "C5: expects a right operand in 'right', but got ", rhs);
  SmallVector<Type, 1> product;
  if (failed(pl::inferMatmul(loc, lhs, rhs, false, false, element, product)))
    return failure();
  bool isPlaced = left.getSpace() != MemorySpace::Any && right.getSpace() != MemorySpace::Any;
  types.push_back(
      cast<TileType>(product.front()).withSpace(isPlaced ? MemorySpace::Acc : MemorySpace::Any));
  return success();
}

LogicalResult tile::inferMatmulBias(OptionalLoc loc, Type lhs, Type rhs, Type bias,
                                    InferredTypes &types) {
  if (failed(inferMatmul(loc, lhs, rhs, types)))
    return failure();
  auto product = cast<TileType>(types.back());
  auto row = dyn_cast<TileType>(bias);
  if (!row || row.getRank() != 2 || row.getElementType() != product.getElementType() ||
      !row.getExtents().front().isConstant() || row.getExtents().front().getConstant() != 1 ||
      !mayBeEqual(row.getExtents().back(), product.getExtents().back()) ||
      (row.getSpace() != MemorySpace::Any && row.getSpace() != MemorySpace::Bias))
    return emitOptionalError(loc, "C6: expects a bias of one row that fits ", product, ", but got ",
                             bias);
  return success();
}

LogicalResult tile::MatmulAccOp::verify() {
  SmallVector<Type, 1> types;
  if (failed(inferMatmul(getLoc(), getLhs().getType(), getRhs().getType(), types)))
    return failure();
  auto product = cast<TileType>(types.front());
  TileType acc = getAcc().getType();
  bool isPlaced = acc.getSpace() == MemorySpace::Any || acc.getSpace() == MemorySpace::Acc;
  if (!isPlaced || acc.getElementType() != product.getElementType())
    return emitOpError() << "C6: expects an accumulator of element type "
                         << product.getElementType() << " in 'acc', but got " << acc;
  return verifyMatmulAcc(*this, acc, product);
}

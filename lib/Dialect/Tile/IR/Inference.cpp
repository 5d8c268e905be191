// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of tile operations.
#include "pypto/Dialect/Tile/IR/TypeRules.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

/// C2, and the space of the result: that of the operand whose space is known.
static LogicalResult checkOperands(OptionalLoc loc, Type &lhs, Type rhs) {
  auto left = dyn_cast<tile::TileType>(lhs);
  if (!left)
    return emitOptionalError(loc, "expects a tile, but got ", lhs);
  auto right = dyn_cast<tile::TileType>(rhs);
  if (!right)
    return success();
  if (left.getElementType() != right.getElementType())
    return emitOptionalError(loc, "C2: expects equal element types, but got ", left.getElementType(), " and ",
                             right.getElementType());
  if (!left.isPlacementCompatible(rhs))
    return emitOptionalError(loc, "C1: expects tiles in one memory space, but got ", lhs, " and ", rhs);
  if (left.getSpace() == tile::MemorySpace::Any)
    lhs = left.withSpace(right.getSpace());
  return success();
}

LogicalResult tile::inferBinary(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  return failure(failed(checkOperands(loc, lhs, rhs)) || failed(pl::inferBinary(loc, lhs, rhs, types)));
}

LogicalResult tile::inferBitwise(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  return failure(failed(checkOperands(loc, lhs, rhs)) || failed(pl::inferBitwise(loc, lhs, rhs, types)));
}

LogicalResult tile::inferCompare(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  return failure(failed(checkOperands(loc, lhs, rhs)) || failed(pl::inferCompare(loc, lhs, rhs, types)));
}

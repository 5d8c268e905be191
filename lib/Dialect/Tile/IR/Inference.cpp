// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of tile operations.
#include "pypto/Dialect/Tile/IR/TypeRules.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

/// Gives `lhs` the space of whichever operand has one; error `label` if the two conflict.
static LogicalResult unifySpaces(OptionalLoc loc, Type &lhs, Type rhs, StringRef label) {
  auto left = dyn_cast<tile::TileType>(lhs), right = dyn_cast<tile::TileType>(rhs);
  if (!left || !right)
    return emitOptionalError(loc, "expects a tile, but got ", left ? rhs : lhs);
  if (!left.isPlacementCompatible(rhs))
    return emitOptionalError(loc, label, ": expects tiles in one memory space, but got ", lhs,
                             " and ", rhs);
  if (left.getSpace() == tile::MemorySpace::Any)
    lhs = left.withSpace(right.getSpace());
  return success();
}

/// C2, and the space of the result: that of the operand whose space is known.
static LogicalResult checkOperands(OptionalLoc loc, Type &lhs, Type rhs, StringRef label = "C1") {
  auto left = dyn_cast<tile::TileType>(lhs);
  auto right = dyn_cast<tile::TileType>(rhs);
  if (!left)
    return emitOptionalError(loc, "expects a tile, but got ", lhs);
  if (!right)
    return success();
  if (left.getElementType() != right.getElementType())
    return emitOptionalError(loc, "C2: expects equal element types, but got ",
                             left.getElementType(), " and ", right.getElementType());
  return unifySpaces(loc, lhs, rhs, label);
}

LogicalResult tile::inferBinary(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  return failure(failed(checkOperands(loc, lhs, rhs)) ||
                 failed(pl::inferBinary(loc, lhs, rhs, types)));
}

LogicalResult tile::inferBitwise(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  return failure(failed(checkOperands(loc, lhs, rhs)) ||
                 failed(pl::inferBitwise(loc, lhs, rhs, types)));
}

LogicalResult tile::inferCompare(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  return failure(failed(checkOperands(loc, lhs, rhs)) ||
                 failed(pl::inferCompare(loc, lhs, rhs, types)));
}

LogicalResult tile::inferExpand(OptionalLoc loc, Type target, Type vector, unsigned fromEnd,
                                InferredTypes &types) {
  return failure(failed(checkOperands(loc, target, vector, "C3")) ||
                 failed(pl::inferExpand(loc, target, vector, fromEnd, types)));
}

LogicalResult tile::inferExpandBinary(OptionalLoc loc, Type source, Type vector, unsigned fromEnd,
                                      InferredTypes &types) {
  return failure(failed(checkOperands(loc, source, vector, "C3")) ||
                 failed(pl::inferExpandBinary(loc, source, vector, fromEnd, types)));
}

LogicalResult tile::inferExpandFloat(OptionalLoc loc, Type source, Type vector, unsigned fromEnd,
                                     InferredTypes &types) {
  return failure(failed(checkOperands(loc, source, vector, "C3")) ||
                 failed(pl::inferExpandFloat(loc, source, vector, fromEnd, types)));
}

LogicalResult tile::inferConcat(OptionalLoc loc, Type lhs, Type rhs, std::optional<int64_t> axis,
                                InferredTypes &types) {
  return failure(failed(unifySpaces(loc, lhs, rhs, "C5")) ||
                 failed(pl::inferConcat(loc, lhs, rhs, axis, types)));
}

LogicalResult tile::inferSelect(OptionalLoc loc, Type mask, Type lhs, Type rhs,
                                InferredTypes &types) {
  return failure(failed(checkOperands(loc, lhs, rhs)) ||
                 failed(unifySpaces(loc, lhs, mask, "C1")) ||
                 failed(pl::inferSelect(loc, mask, lhs, rhs, types)));
}

LogicalResult tile::inferPart(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  return failure(failed(unifySpaces(loc, lhs, rhs, "C4")) ||
                 failed(pl::inferPart(loc, lhs, rhs, types)));
}

LogicalResult tile::inferGather(OptionalLoc loc, Type source, Type indices, int64_t dim,
                                InferredTypes &types) {
  return failure(failed(unifySpaces(loc, source, indices, "C4")) ||
                 failed(pl::inferGather(loc, source, indices, dim, types)));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_TILE_IR_TYPERULES_H
#define PYPTO_DIALECT_TILE_IR_TYPERULES_H

#include "pypto/Dialect/PL/IR/TypeRules.h"
#include "pypto/Dialect/Tile/IR/Tile.h"

namespace pypto::tile {

/// Result types of tile operations: as their namesakes in `pl`, but element types are equal rather than promoted.
llvm::LogicalResult inferBinary(pl::OptionalLoc loc, mlir::Type lhs, mlir::Type rhs, pl::InferredTypes &types);
llvm::LogicalResult inferBitwise(pl::OptionalLoc loc, mlir::Type lhs, mlir::Type rhs, pl::InferredTypes &types);
llvm::LogicalResult inferCompare(pl::OptionalLoc loc, mlir::Type lhs, mlir::Type rhs, pl::InferredTypes &types);

} // namespace pypto::tile

#endif

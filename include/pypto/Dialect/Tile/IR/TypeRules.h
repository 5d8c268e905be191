// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_TILE_IR_TYPERULES_H
#define PYPTO_DIALECT_TILE_IR_TYPERULES_H

#include "pypto/Dialect/PL/IR/TypeRules.h"
#include "pypto/Dialect/Tile/IR/Tile.h"

namespace pypto::tile {

/// Result types of tile operations: as their namesakes in `pl`, but element types are equal rather
/// than promoted.
llvm::LogicalResult inferBinary(pl::OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                                pl::InferredTypes &types);
llvm::LogicalResult inferBitwise(pl::OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                                 pl::InferredTypes &types);
llvm::LogicalResult inferCompare(pl::OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                                 pl::InferredTypes &types);
llvm::LogicalResult inferExpand(pl::OptionalLoc loc, mlir::Type target, mlir::Type vector,
                                unsigned fromEnd, pl::InferredTypes &types);
llvm::LogicalResult inferExpandBinary(pl::OptionalLoc loc, mlir::Type source, mlir::Type vector,
                                      unsigned fromEnd, pl::InferredTypes &types);
llvm::LogicalResult inferExpandFloat(pl::OptionalLoc loc, mlir::Type source, mlir::Type vector,
                                     unsigned fromEnd, pl::InferredTypes &types);
/// The product of the cube unit: `f32` or `i32`, and in `acc` once both operands have a space.
llvm::LogicalResult inferMatmul(pl::OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                                pl::InferredTypes &types);
llvm::LogicalResult inferMatmulBias(pl::OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                                    mlir::Type bias, pl::InferredTypes &types);
llvm::LogicalResult inferConcat(pl::OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                                std::optional<int64_t> axis, pl::InferredTypes &types);
llvm::LogicalResult inferSelect(pl::OptionalLoc loc, mlir::Type mask, mlir::Type lhs,
                                mlir::Type rhs, pl::InferredTypes &types);
llvm::LogicalResult inferPart(pl::OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                              pl::InferredTypes &types);
llvm::LogicalResult inferGather(pl::OptionalLoc loc, mlir::Type source, mlir::Type indices,
                                int64_t dim, pl::InferredTypes &types);

} // namespace pypto::tile

#endif

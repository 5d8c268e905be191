// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop nests with other loops, and what they do to shapes.
#ifndef PYPTO_LIB_RANGEIFY_NESTREBUILDING_H
#define PYPTO_LIB_RANGEIFY_NESTREBUILDING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace pypto::rangeify {

/// True for a nest as `--assign-ranges` makes it: it reads by `tensor.extract` only, and its
/// operands, if any, tell extents.
bool isInRangeForm(mlir::linalg::GenericOp nest);

/// What a nest is to become.
struct NestShape {
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<mlir::Value> inits;
  llvm::SmallVector<mlir::AffineMap> initMaps;
};

/// A nest with the body of `nest`. `getLoop` gives the value of one of the old loops.
mlir::linalg::GenericOp
rebuildNest(mlir::OpBuilder &b, mlir::linalg::GenericOp nest, const NestShape &shape,
            llvm::function_ref<mlir::Value(mlir::OpBuilder &, unsigned)> getLoop);

/// The groups of `rank` dimensions in which the one at `position` and the next are one group.
llvm::SmallVector<mlir::ReassociationIndices> pairWithNext(unsigned rank, unsigned position);

/// Lets `rebuilt` take the place of `nest`, which is erased. A result with a position has there one
/// dimension instead of two, or two instead of one.
void replaceNest(mlir::OpBuilder &b, mlir::linalg::GenericOp nest, mlir::linalg::GenericOp rebuilt,
                 llvm::ArrayRef<std::optional<unsigned>> positions);

/// What is reshaped, through any number of reshapes.
mlir::Value skipReshapes(mlir::Value tensor);

} // namespace pypto::rangeify

#endif

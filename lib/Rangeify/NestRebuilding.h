// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop nests with other loops.
#ifndef PYPTO_LIB_RANGEIFY_NESTREBUILDING_H
#define PYPTO_LIB_RANGEIFY_NESTREBUILDING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

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

} // namespace pypto::rangeify

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic in the body of a loop nest, as affine expressions.
#ifndef PYPTO_LIB_RANGEIFY_LOOPINDICES_H
#define PYPTO_LIB_RANGEIFY_LOOPINDICES_H

#include "pypto/Rangeify/IndexSimplifier.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pypto::rangeify {

/// Reads `index` values of the body of `nest` as expressions. Dimension i is loop i; further ones
/// are values that are not arithmetic, numbered as they are met.
class LoopIndices {
public:
  explicit LoopIndices(mlir::linalg::LinalgOp nest);

  mlir::AffineExpr getExpr(mlir::Value index);
  mlir::AffineExpr getExpr(mlir::OpFoldResult index);

  unsigned getNumLoops() const { return numLoops; }
  /// Bounds of the dimensions at `op`: what the extents of the loops say, and the conditions that
  /// hold where `op` stands.
  llvm::SmallVector<Bounds> getBounds(mlir::Operation *op);
  IndexSimplifier getSimplifier(mlir::Operation *op) {
    return IndexSimplifier(nest->getContext(), getBounds(op));
  }
  /// The value of `expr`, built at the insertion point.
  mlir::Value build(mlir::OpBuilder &b, mlir::Location loc, mlir::AffineExpr expr);
  /// True if `expr` is made of loops only.
  bool isOfLoops(mlir::AffineExpr expr) const;

private:
  mlir::Value getLoop(mlir::Location loc, unsigned loop);
  void narrow(mlir::Value condition, llvm::SmallVectorImpl<Bounds> &bounds);

  mlir::linalg::LinalgOp nest;
  unsigned numLoops;
  llvm::SmallVector<Bounds> loopBounds;
  /// Values of the dimensions behind the loops.
  llvm::SmallVector<mlir::Value> opaque;
};

} // namespace pypto::rangeify

#endif

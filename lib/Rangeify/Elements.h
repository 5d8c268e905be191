// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars that stand for elements of tensor expressions.
#ifndef PYPTO_LIB_RANGEIFY_ELEMENTS_H
#define PYPTO_LIB_RANGEIFY_ELEMENTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

namespace pypto::rangeify {

/// Ops that only move elements: each element of the result is one of the source, or padding.
bool isMovementOp(mlir::Operation *op);
/// A movement op that leaves the elements where they are in memory if the source is dense.
bool isReshape(mlir::Operation *op);
/// True if an element of the result of `op` can be computed from elements of its operands, wherever
/// it is wanted: movement ops, elementwise ops, linalg ops without reductions, constants.
bool hasElementForm(mlir::Operation *op);
/// True for a value whose elements are all one scalar that costs nothing: fills, splats, `empty`.
bool isUniform(mlir::Value tensor);

/// Extents of `tensor` without a use of it if it has an element form: it may go away.
llvm::SmallVector<mlir::OpFoldResult> getSizes(mlir::OpBuilder &b, mlir::Location loc,
                                               mlir::Value tensor);

/// Builds the computation of single elements.
class ElementBuilder {
public:
  /// `isStored` says which tensors are in memory: their elements are read by `tensor.extract`.
  /// Every other one has an element form.
  ElementBuilder(mlir::OpBuilder &b, llvm::function_ref<bool(mlir::Value)> isStored)
      : b(b), isStored(isStored), scopes(1) {}

  /// The element of `tensor` at `index`, one number for each dimension.
  mlir::Value build(mlir::Value tensor, llvm::ArrayRef<mlir::OpFoldResult> index);
  /// Clones the body of `op` without its terminator; `loops` are the values of its dimensions and
  /// `mapping` has those of its arguments.
  void cloneBody(mlir::Operation *op, llvm::ArrayRef<mlir::OpFoldResult> loops,
                 mlir::IRMapping &mapping);

private:
  using Index = llvm::SmallVector<mlir::OpFoldResult>;
  mlir::Value buildUncached(mlir::Value tensor, const Index &index);
  mlir::Value buildElementwise(mlir::Operation *op, const Index &index);
  mlir::Value buildStructured(mlir::Operation *op, unsigned result, const Index &index);
  mlir::Value buildGenerate(mlir::Operation *op, const Index &index);
  mlir::Value buildPad(mlir::Operation *op, const Index &index);
  mlir::Value buildInsertSlice(mlir::Operation *op, const Index &index);
  mlir::Value buildConcat(mlir::Operation *op, const Index &index);
  void cloneBlock(mlir::Block &block, llvm::ArrayRef<mlir::OpFoldResult> loops,
                  mlir::IRMapping &mapping, bool withTerminator);
  /// `condition` ? `then()` : `otherwise()`. Only the arm that is taken is computed.
  mlir::Value buildIf(mlir::Location loc, mlir::Value condition, mlir::Type type,
                      llvm::function_ref<mlir::Value()> then,
                      llvm::function_ref<mlir::Value()> otherwise);
  /// `low` <= `index` < `high`; null where that is known.
  mlir::Value buildInRange(mlir::Location loc, mlir::OpFoldResult index, mlir::OpFoldResult low,
                           mlir::OpFoldResult high);
  mlir::OpFoldResult apply(mlir::Location loc, mlir::AffineExpr expr,
                           llvm::ArrayRef<mlir::OpFoldResult> operands);
  mlir::Value materialize(mlir::Location loc, mlir::OpFoldResult value);

  mlir::OpBuilder &b;
  llvm::function_ref<bool(mlir::Value)> isStored;
  /// What has been built: for each region that is open, outermost first.
  using Scope = llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<Index, mlir::Value>, 1>>;
  llvm::SmallVector<Scope> scopes;
};

} // namespace pypto::rangeify

#endif

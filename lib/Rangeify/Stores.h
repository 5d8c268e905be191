// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tensors of a graph get a loop nest of their own.
#ifndef PYPTO_LIB_RANGEIFY_STORES_H
#define PYPTO_LIB_RANGEIFY_STORES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace pypto::rangeify {

/// The decision for one graph: a function with one block. Linear in its size.
///
/// Stored are: results of reductions and of ops without an element form, what those read as a
/// whole, what the function returns (of a reshape: what is reshaped), and values that cost more to
/// compute again than to keep: those that several stores read, or one store several times.
class StorePlan {
public:
  explicit StorePlan(mlir::func::FuncOp graph);

  bool isStored(mlir::Value value) const { return stored.contains(value); }

private:
  /// How a value is used, from its users to it.
  struct Use {
    /// The op that stores what is computed from it; null before a use has been seen.
    mlir::Operation *store = nullptr;
    /// More than one store computes with it.
    bool isShared = false;
    /// One store needs each of its elements several times.
    bool isRepeated = false;
    /// The same, in a loop that sums.
    bool isContracted = false;
  };

  void measure(mlir::Operation *op);
  void visit(mlir::Operation *op);
  void visitStructured(mlir::Operation *op, mlir::Operation *store, bool isRepeated);
  void addUse(mlir::Value value, mlir::Operation *store, bool isRepeated);
  void store(mlir::Value value);
  void storeOperands(mlir::Operation *op);

  llvm::DenseSet<mlir::Value> stored;
  llvm::DenseMap<mlir::Value, Use> uses;
  /// What one element costs, and how deep its expression is, counted from what is stored for sure.
  struct Cost {
    unsigned element = 0, depth = 0;
    bool readsMemory = false;
  };
  llvm::DenseMap<mlir::Value, Cost> costs;
};

} // namespace pypto::rangeify

#endif

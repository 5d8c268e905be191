// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variables a region reads and binds, and which of them are read afterwards.
#ifndef PYPTO_LIB_DIALECT_PL_TRANSFORMS_CELLANALYSIS_H
#define PYPTO_LIB_DIALECT_PL_TRANSFORMS_CELLANALYSIS_H

#include "pypto/Dialect/PL/IR/PLOps.h"

#include <memory>
#include <vector>

namespace pypto::pl::detail {

/// Number of a variable within its function.
using CellId = unsigned;

/// What a region or an operation does to the variables that it did not declare. Each list is
/// without repetition, in the order of first appearance.
struct CellSummary {
  /// May be read before it is bound here.
  llvm::SmallVector<CellId> reads;
  /// May be bound here.
  llvm::SmallVector<CellId> sets;
  /// Is bound here on every path that leaves.
  llvm::SmallVector<CellId> kills;
};

/// How the regions of an operation run.
enum class RegionExecution {
  /// One region, once: `pl.at`, `pl.cluster`, `pl.graph`, `orchestration.scope`,
  /// `scf.execute_region`.
  Scope,
  /// One of the regions, or none if there is no `else`: `scf.if`, `scf.index_switch`.
  Branch,
  /// `scf.for`.
  For,
  /// `scf.while`.
  While,
  /// One region, any number of times in any order: `pl.spmd`, `pl.split_aiv`.
  Launch,
  /// Not known: outer variables may be read there, but not bound.
  Opaque,
};
RegionExecution getRegionExecution(mlir::Operation *op);

/// What is known about an operation with an access to a variable inside.
struct OpCells {
  llvm::SmallVector<CellSummary, 2> regions;
  CellSummary total;
  /// Bound inside and needed after: the results of a scope, branch or while loop (there also the
  /// arguments of the `after` region), the values that a for loop carries, the variables that a
  /// launch may bind to the same handle only.
  llvm::SmallVector<CellId> results;
  /// Of a while loop: bound inside and needed when the `before` region begins.
  llvm::SmallVector<CellId> entries;
};

/// The variables of one function (or another operation that encloses them). Linear in the number of
/// accesses times the depth of their nesting.
class CellAnalysis {
public:
  /// Reports accesses that cannot be promoted.
  llvm::LogicalResult run(mlir::Operation *root);

  llvm::ArrayRef<VarOp> getVariables() const { return variables; }
  CellId getId(mlir::Value cell) const { return ids.lookup(cell); }
  /// Null if there is no access inside `op`.
  const OpCells *getCells(mlir::Operation *op) const {
    auto it = cells.find(op);
    return it == cells.end() ? nullptr : it->second.get();
  }

private:
  friend class CellSummaries;
  friend class CellLiveness;

  std::vector<VarOp> variables;
  llvm::DenseMap<mlir::Value, CellId> ids;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<OpCells>> cells;
};

} // namespace pypto::pl::detail

#endif

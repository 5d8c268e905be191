// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_CONVERSION_PYPTOTOLINALG_PROGRAMINFO_H
#define PYPTO_LIB_CONVERSION_PYPTOTOLINALG_PROGRAMINFO_H

#include "pypto/Analysis/ReturnLineage.h"
#include "pypto/Dialect/PL/IR/PLOps.h"

namespace pypto::lowering {

/// What the lowering has to know about the whole program before it starts.
class ProgramInfo {
public:
  explicit ProgramInfo(mlir::ModuleOp module);

  pl::FuncOp lookup(mlir::StringAttr name) const { return functions.lookup(name); }
  /// The function that a call or submit names.
  pl::FuncOp getCallee(mlir::Operation *call) const;

  /// The parameter that a result of `func` is another name of, if that is certain.
  std::optional<unsigned> getParameter(pl::FuncOp func, unsigned result) const;
  /// True if the storage of `value` is an allocation of its function that nothing else in the
  /// return shares.
  bool isOwnedResult(pl::FuncOp func, unsigned result);
  /// True if the elements of `tensor` are certainly dense in row-major order.
  bool isContiguous(mlir::Value tensor);
  /// True if `func`, or a function that it calls, asks for the index or the number of its block.
  bool needsBlockIndex(pl::FuncOp func) const { return blockUsers.contains(func); }

  /// True if `func` makes tasks rather than being one.
  static bool isHost(pl::FuncOp func) {
    return llvm::is_contained(
        {pl::FuncKind::Opaque, pl::FuncKind::Orchestration, pl::FuncKind::Graph}, func.getKind());
  }
  /// True if a call or submit of a host function is a task, or would be if it returned nothing new.
  bool isTask(mlir::Operation *call) const;
  /// True if there are tasks in the program.
  bool hasTasks() const { return foundTask; }

private:
  /// The allocation that `value` is another name of; null if it is not known to be one.
  mlir::Value getAllocation(mlir::Value value);
  /// False if `tensor` itself is not dense; else appends what has to be dense for it to be.
  bool addDenseConditions(mlir::Value tensor, llvm::SmallVectorImpl<mlir::Value> &conditions);

  ReturnLineage lineage;
  llvm::DenseMap<mlir::StringAttr, pl::FuncOp> functions;
  llvm::DenseMap<pl::FuncOp, llvm::SmallVector<mlir::Operation *>> callers;
  llvm::DenseSet<mlir::Operation *> blockUsers;
  bool foundTask = false;
  /// What was found to be dense so far.
  llvm::DenseSet<mlir::Value> dense;
};

} // namespace pypto::lowering

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_CONVERSION_PYPTOTOLINALG_PROGRAMINFO_H
#define PYPTO_LIB_CONVERSION_PYPTOTOLINALG_PROGRAMINFO_H

#include "pypto/Dialect/PL/IR/PLOps.h"

namespace pypto::lowering {

/// What the lowering has to know about the whole program before it starts.
class ProgramInfo {
public:
  explicit ProgramInfo(mlir::ModuleOp module);

  pl::FuncOp lookup(mlir::StringAttr name) const { return functions.lookup(name); }
  /// The function that a call or submit names.
  pl::FuncOp getCallee(mlir::Operation *call) const;

  /// The parameter of the enclosing function that `value` is another name of, if that is certain.
  std::optional<unsigned> getParameter(mlir::Value value);
  /// The parameter that a result of `func` is another name of, if that is certain.
  std::optional<unsigned> getParameter(pl::FuncOp func, unsigned result);
  /// True if the storage of `value` is an allocation of its function that nothing else in the
  /// return shares.
  bool isOwnedResult(pl::FuncOp func, unsigned result);
  /// True if the elements of `tensor` are certainly dense in row-major order.
  bool isContiguous(mlir::Value tensor);
  /// True if `func`, or a function that it calls, asks for the index or the number of its block.
  bool needsBlockIndex(pl::FuncOp func) const { return blockUsers.contains(func); }

private:
  /// The allocation that `value` is another name of; null if it is not known to be one.
  mlir::Value getAllocation(mlir::Value value);
  std::optional<unsigned> traceParameter(mlir::Value value);
  bool traceContiguous(mlir::Value tensor);

  llvm::DenseMap<mlir::StringAttr, pl::FuncOp> functions;
  llvm::DenseMap<pl::FuncOp, llvm::SmallVector<mlir::Operation *>> callers;
  llvm::DenseSet<mlir::Operation *> blockUsers;
  /// Absent: not asked yet. While a question is open it has the answer of a cycle.
  llvm::DenseMap<mlir::Value, std::optional<unsigned>> parameters;
  llvm::DenseMap<mlir::Value, bool> contiguous;
};

} // namespace pypto::lowering

#endif

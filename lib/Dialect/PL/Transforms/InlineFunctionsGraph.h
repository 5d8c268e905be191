// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_DIALECT_PL_TRANSFORMS_INLINEFUNCTIONSGRAPH_H
#define PYPTO_LIB_DIALECT_PL_TRANSFORMS_INLINEFUNCTIONSGRAPH_H

#include "pypto/Analysis/ParameterClassification.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <memory>

// Which function calls which inline functions.
namespace pypto::pl::inlining {

/// An inline function.
struct Callee {
  explicit Callee(FuncOp func) : func(func) {}

  FuncOp func;
  InlineSummary summary;
  /// Calls of inline functions in the body, in program order.
  llvm::SmallVector<std::pair<CallOp, Callee *>, 2> calls;
  /// Operations of the body without those calls.
  uint64_t numOps = 0;
  /// Operations that a call of this function becomes; saturates.
  uint64_t expandedSize = 0;
  /// The callee whose expansion takes most of that.
  Callee *largest = nullptr;
  /// A name stands in a type of the signature or of the body.
  bool hasSymbols = false;
  /// Names that stand in types which operations of the body have to spell, such as a `pl.create`.
  llvm::SetVector<mlir::StringAttr> spelled;
  /// A submit names this function: it stays, for the property's verifier to report.
  bool isSubmitted = false;
};

/// A function or other top-level operation with calls of inline functions.
struct Caller {
  mlir::Operation *op;
  llvm::SmallVector<std::pair<CallOp, Callee *>, 2> calls;
};

/// The call graph of the inline functions of a module. Built in one walk over the module; modules
/// and other symbol tables inside it are not looked at.
class InlineGraph {
public:
  /// Collects functions and calls, and orders the callees. Reports calls of functions without a
  /// body, and recursion with its path.
  mlir::LogicalResult build(mlir::ModuleOp module);
  /// Reports the first caller whose expansion makes the module exceed `maxOps` operations.
  mlir::LogicalResult checkSize(uint64_t maxOps);
  /// Analyses each callee once, callees first.
  void summarize();

  /// The inline function that `call` names, or null.
  Callee *lookup(CallOp call) const { return callees.lookup(call.getCalleeAttr().getAttr()); }
  /// The `pl.func` that has this name, of whatever kind; null if there is none.
  FuncOp lookupFunction(mlir::StringAttr name) const { return functions.lookup(name); }
  llvm::ArrayRef<Caller> getCallers() const { return callers; }
  llvm::ArrayRef<std::unique_ptr<Callee>> getCallees() const { return storage; }
  /// Names bound or declared anywhere in the module.
  const llvm::DenseSet<mlir::StringAttr> &getSymbols() const { return symbols; }

private:
  mlir::LogicalResult collect(mlir::Operation *top, Callee *callee);
  mlir::LogicalResult order();
  void collectTypes(Callee &callee, mlir::Operation *op);

  llvm::SmallVector<std::unique_ptr<Callee>> storage;
  llvm::DenseMap<mlir::StringAttr, Callee *> callees;
  llvm::DenseMap<mlir::StringAttr, FuncOp> functions;
  llvm::SmallVector<Callee *> calleesFirst;
  llvm::SmallVector<Caller> callers;
  llvm::DenseSet<mlir::StringAttr> symbols;
};

} // namespace pypto::pl::inlining

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_PROPERTIES_PROPERTIES_H
#define PYPTO_PROPERTIES_PROPERTIES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pypto {

/// Facts about a module that passes require and produce; each has a verifier that re-derives it.
enum class IRProperty {
  /// No `inline` function, no call or submit of one, no call to a name that is not there.
  InlineFunctionsEliminated,
  /// No cells.
  SSAForm,
  /// No `pl.at`, `pl.cluster` … scope that still has to become a kernel inside opaque functions.
  SplitIncoreOrch,
  /// Kernels compute on tiles only.
  IncoreTileOps,
  /// A tensor return that writes back a parameter is that parameter.
  ReturnParamsExplicit,
};

/// Name as it stands in the documentation, e.g. "SSAForm".
llvm::StringRef stringifyIRProperty(IRProperty property);

/// Checks one property and reports each violation at the operation that breaks it.
llvm::LogicalResult verifyProperty(IRProperty property, mlir::ModuleOp module);

/// Base of every pass of the project. Checks what the pass requires, runs it, checks what it produces.
class PassBase : public mlir::OperationPass<mlir::ModuleOp> {
public:
  explicit PassBase(mlir::TypeID id) : OperationPass(id) {}

  virtual llvm::ArrayRef<IRProperty> getRequiredProperties() const { return {}; }
  virtual llvm::ArrayRef<IRProperty> getProducedProperties() const { return {}; }

  void runOnOperation() final;

protected:
  /// The pass itself; signalPassFailure() after a diagnostic.
  virtual void runOnModule() = 0;
};

} // namespace pypto

#endif

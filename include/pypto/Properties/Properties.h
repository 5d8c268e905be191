// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_PROPERTIES_PROPERTIES_H
#define PYPTO_PROPERTIES_PROPERTIES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"

namespace pypto {

/// Facts about a module that passes require and produce; each has a verifier that re-derives it.
enum class IRProperty {
  /// No `inline` function, no call or submit of one, no call to a name that is not there.
  InlineFunctionsEliminated,
  /// No cells.
  SSAForm,
  /// No `pl.at` at the level of cores outside kernels: such code is in kernels of its own.
  SplitIncoreOrch,
  /// Kernels compute on tiles only.
  IncoreTileOps,
  /// A tensor return that writes back a parameter is that parameter.
  ReturnParamsExplicit,
};

/// Name as it stands in the documentation, e.g. "SSAForm".
llvm::StringRef stringifyIRProperty(IRProperty property);

/// Starts an error at `op`; what the verifier adds says why the property does not hold there.
using PropertyErrorFn = llvm::function_ref<mlir::InFlightDiagnostic(mlir::Operation *op)>;

/// Checks one property in time linear in the size of the module, and reports each violation at the
/// operation that breaks it. Modules inside the module are not looked at.
llvm::LogicalResult verifyProperty(IRProperty property, mlir::ModuleOp module,
                                   PropertyErrorFn emitError);
/// The same; each error begins with the property's name.
llvm::LogicalResult verifyProperty(IRProperty property, mlir::ModuleOp module);

/// Whether passes of the project check properties: a setting of the process, on by default. A tool
/// sets it before it runs a pass. Checks that are off cost nothing.
void setPropertyVerification(bool enabled);
bool isPropertyVerificationEnabled();

/// Base of every pass of the project. Checks what the pass requires, runs it, and checks what it
/// produces and what it has to preserve.
class PassBase : public mlir::OperationPass<mlir::ModuleOp> {
public:
  explicit PassBase(mlir::TypeID id) : OperationPass(id) {}

  virtual llvm::ArrayRef<IRProperty> getRequiredProperties() const { return {}; }
  virtual llvm::ArrayRef<IRProperty> getProducedProperties() const { return {}; }
  /// Properties that need not hold afterwards, even if they are known to hold before.
  virtual llvm::ArrayRef<IRProperty> getInvalidatedProperties() const { return {}; }

  void runOnOperation() final;

protected:
  /// The pass itself; signalPassFailure() after a diagnostic.
  virtual void runOnModule() = 0;

private:
  /// Reports each property in `properties` that does not hold; `relation` stands between the names
  /// of the property and of the pass, e.g. "required by".
  llvm::LogicalResult verifyAll(llvm::ArrayRef<IRProperty> properties, llvm::StringRef relation);
};

} // namespace pypto

#endif

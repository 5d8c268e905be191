// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the properties and the table of their verifiers.
#include "Verifiers.h"

#include <atomic>

using namespace mlir;
using namespace pypto;

static std::atomic<bool> &getSetting() {
  static std::atomic<bool> enabled = true;
  return enabled;
}

void pypto::setPropertyVerification(bool enabled) { getSetting() = enabled; }
bool pypto::isPropertyVerificationEnabled() { return getSetting(); }

StringRef pypto::stringifyIRProperty(IRProperty property) {
  switch (property) {
  case IRProperty::InlineFunctionsEliminated:
    return "InlineFunctionsEliminated";
  case IRProperty::SSAForm:
    return "SSAForm";
  case IRProperty::SplitIncoreOrch:
    return "SplitIncoreOrch";
  case IRProperty::IncoreTileOps:
    return "IncoreTileOps";
  case IRProperty::ReturnParamsExplicit:
    return "ReturnParamsExplicit";
  }
  llvm_unreachable("not a property");
}

LogicalResult pypto::verifyProperty(IRProperty property, ModuleOp module,
                                    PropertyErrorFn emitError) {
  switch (property) {
  case IRProperty::InlineFunctionsEliminated:
    return verifyInlineFunctionsEliminated(module, emitError);
  case IRProperty::SSAForm:
    return verifySSAForm(module, emitError);
  case IRProperty::SplitIncoreOrch:
    return verifySplitIncoreOrch(module, emitError);
  case IRProperty::IncoreTileOps:
    return verifyIncoreTileOps(module, emitError);
  case IRProperty::ReturnParamsExplicit:
    return verifyReturnParamsExplicit(module, emitError);
  }
  llvm_unreachable("not a property");
}

LogicalResult pypto::verifyProperty(IRProperty property, ModuleOp module) {
  return verifyProperty(property, module, [&](Operation *op) {
    return mlir::emitError(op->getLoc())
           << "property '" << stringifyIRProperty(property) << "' does not hold: ";
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of the project's passes: checks properties around the body of a pass.
#include "pypto/Properties/PropertyInstrumentation.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pypto;

LogicalResult PassBase::verifyAll(ArrayRef<IRProperty> properties, StringRef relation) {
  bool failedAny = false;
  for (IRProperty property : properties) {
    auto emitError = [&](Operation *op) {
      return mlir::emitError(op->getLoc())
             << "property '" << stringifyIRProperty(property) << "' " << relation << " --"
             << getArgument() << " does not hold: ";
    };
    failedAny |= failed(verifyProperty(property, getOperation(), emitError));
  }
  return failure(failedAny);
}

void PassBase::runOnOperation() {
  if (!isPropertyVerificationEnabled())
    return runOnModule();

  PropertyInstrumentation *instrumentation = PropertyInstrumentation::getCurrent();
  SmallVector<IRProperty> preserved;
  if (instrumentation) {
    instrumentation->markOwnPass();
    // The violation was reported when it was found.
    if (instrumentation->isViolated())
      return signalPassFailure();
    preserved = instrumentation->getHeld(getOperation());
  }
  if (failed(verifyAll(getRequiredProperties(), "required by")))
    return signalPassFailure();
  runOnModule();
  // A pass that failed promises nothing.
  if (getPassState().irAndPassFailed.getInt())
    return;
  llvm::erase_if(preserved, [&](IRProperty property) {
    return llvm::is_contained(getInvalidatedProperties(), property) ||
           llvm::is_contained(getProducedProperties(), property);
  });
  if (failed(verifyAll(getProducedProperties(), "produced by")) ||
      failed(verifyAll(preserved, "to be preserved by")))
    return signalPassFailure();
  if (instrumentation) {
    llvm::append_range(preserved, getProducedProperties());
    instrumentation->setHeld(getOperation(), preserved);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Verifiers.h"

#include "pypto/Dialect/PL/IR/PLOps.h"

using namespace mlir;
using namespace pypto;

/// A core, or the group of cores that one kernel runs on.
static bool isCoreLevel(pl::Level level) {
  return level == pl::Level::AIV || level == pl::Level::AIC || level == pl::Level::CoreGroup;
}

LogicalResult pypto::verifySplitIncoreOrch(ModuleOp module, PropertyErrorFn emitError) {
  bool holds = true;
  for (auto func : module.getOps<pl::FuncOp>()) {
    if (func.isKernel())
      continue;
    func.walk([&](pl::AtOp scope) {
      if (!isCoreLevel(scope.getLevel()))
        return;
      emitError(scope) << "'pl.at " << pl::stringifyLevel(scope.getLevel()) << "' in function '"
                       << func.getSymName() << "' is not a kernel yet";
      holds = false;
    });
  }
  return success(holds);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Verifiers.h"

#include "pypto/Analysis/ReturnLineage.h"

using namespace mlir;
using namespace pypto;

/// Follows the handles anew: that the pass ran is no evidence.
LogicalResult pypto::verifyReturnParamsExplicit(ModuleOp module, PropertyErrorFn emitError) {
  bool holds = true;
  ReturnLineage lineage(module);
  for (auto func : module.getOps<pl::FuncOp>()) {
    if (func.isExternal() || !returnsParametersExplicitly(func))
      continue;
    pl::ReturnOp returnOp = func.getReturnOp();
    for (auto [index, value] : llvm::enumerate(returnOp.getValues())) {
      std::optional<unsigned> parameter = lineage.getWrittenBackParameter(func, index);
      if (!parameter || value == func.getArgument(*parameter))
        continue;
      InFlightDiagnostic diag = emitError(returnOp);
      diag << "function '" << func.getSymName() << "' returns parameter " << *parameter
           << " as value " << index << " under another name";
      diag.attachNote(value.getLoc()) << "this is the storage of parameter " << *parameter;
      holds = false;
    }
  }
  return success(holds);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Verifiers.h"

#include "pypto/Dialect/PL/IR/PLOps.h"

using namespace mlir;
using namespace pypto;

LogicalResult pypto::verifySSAForm(ModuleOp module, PropertyErrorFn emitError) {
  bool holds = true;
  // One error per variable: its reads and bindings go with it. Cells come from `pl.var` or are
  // parameters.
  auto check = [&](Operation *op) {
    if (op != module && isa<ModuleOp>(op))
      return WalkResult::skip();
    if (auto var = dyn_cast<pl::VarOp>(op)) {
      emitError(op) << "variable '" << var.getName() << "' is a cell";
      holds = false;
    } else if (auto func = dyn_cast<pl::FuncOp>(op)) {
      for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
        if (!isa<pl::VarType>(type))
          continue;
        emitError(op) << "parameter " << index << " of function '" << func.getSymName()
                      << "' is a cell";
        holds = false;
      }
    }
    return WalkResult::advance();
  };
  module->walk<WalkOrder::PreOrder>(check);
  return success(holds);
}

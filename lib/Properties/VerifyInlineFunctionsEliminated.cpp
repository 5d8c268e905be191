// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Verifiers.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/PL/IR/PLOps.h"

using namespace mlir;
using namespace pypto;

/// The name that a call or submit calls; null for another operation.
static StringAttr getCallee(Operation *op) {
  if (auto call = dyn_cast<pl::CallOp>(op))
    return call.getCalleeAttr().getAttr();
  if (auto submit = dyn_cast<orchestration::SubmitOp>(op))
    return submit.getCalleeAttr().getAttr();
  return {};
}

LogicalResult pypto::verifyInlineFunctionsEliminated(ModuleOp module, PropertyErrorFn emitError) {
  bool holds = true;
  DenseMap<StringAttr, pl::FuncOp> functions;
  for (auto func : module.getOps<pl::FuncOp>()) {
    functions.try_emplace(func.getSymNameAttr(), func);
    if (!func.isInline())
      continue;
    emitError(func) << "function '" << func.getSymName() << "' is inline";
    holds = false;
  }
  auto check = [&](Operation *op) {
    if (op != module && isa<ModuleOp>(op))
      return WalkResult::skip();
    StringAttr name = getCallee(op);
    if (!name)
      return WalkResult::advance();
    pl::FuncOp callee = functions.lookup(name);
    if (callee && !callee.isInline())
      return WalkResult::advance();
    holds = false;
    if (!callee)
      emitError(op) << "dangling call to function '" << name.getValue() << "'";
    else
      emitError(op) << (isa<pl::CallOp>(op) ? "call" : "submit") << " of inline function '"
                    << name.getValue() << "'";
    return WalkResult::advance();
  };
  module->walk<WalkOrder::PreOrder>(check);
  return success(holds);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Verifiers.h"

#include "pypto/Dialect/PL/IR/PLOps.h"

using namespace mlir;
using namespace pypto;

/// Makes a new tensor and fills it: the form of tensor-level compute. A `pl.create` fills nothing,
/// writes and views make nothing new.
static bool isTensorCompute(Operation *op) {
  if (!isa_and_nonnull<pl::PLDialect>(op->getDialect()))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && llvm::any_of(op->getResults(), [&](OpResult result) {
           return isa<pl::TensorType>(result.getType()) &&
                  effects.getEffectOnValue<MemoryEffects::Allocate>(result) &&
                  effects.getEffectOnValue<MemoryEffects::Write>(result);
         });
}

LogicalResult pypto::verifyIncoreTileOps(ModuleOp module, PropertyErrorFn emitError) {
  bool holds = true;
  for (auto func : module.getOps<pl::FuncOp>()) {
    if (!func.isKernel())
      continue;
    func.walk([&](Operation *op) {
      if (!isTensorCompute(op))
        return;
      emitError(op) << "'" << op->getName() << "' in kernel '" << func.getSymName()
                    << "' computes on tensors";
      holds = false;
    });
  }
  return success(holds);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Submits and run-time scopes.
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::orchestration;

LogicalResult SubmitOp::verify() {
  if (getNumResults() == 0 || !isa<TaskType>(getResults().back().getType()))
    return emitOpError("C3: expects '!orchestration.task' as its last result");
  if (std::optional<ArrayRef<int64_t>> dumps = getDumps())
    for (int64_t index : *dumps)
      if (index < 0 || index >= static_cast<int64_t>(getArguments().size()))
        return emitOpError() << "C5: expects dump marks on its arguments, but got " << index;
  return success();
}

LogicalResult SubmitOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (getNumResults() == 0)
    return success();
  return verifyCall(*this, getCalleeAttr(), getArguments(), getCalleeResults().getTypes(),
                    symbolTable);
}

void ScopeOp::getSuccessorRegions(RegionBranchPoint point,
                                  SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&getBody());
  else
    regions.emplace_back(getOperation(), getResults());
}

LogicalResult ScopeOp::verify() {
  if (getBody().front().getNumArguments() != 0)
    return emitOpError("C2: expects a body without arguments");
  return verifyScopeYield(*this, "C1");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dump marks follow a marked argument into the body that replaces its call.
#include "InlineFunctionsExpansion.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::pl::inlining;

/// The operands of a scope that list what is dumped; null for other operations. The halves of a
/// split scope have none.
static std::optional<MutableOperandRange> getScopeDumps(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<MutableOperandRange>>(op)
      .Case<AtOp, ClusterOp, GraphOp, SpmdOp, orchestration::ScopeOp>(
          [](auto scope) { return scope.getDumpsMutable(); })
      .Default([](Operation *) { return std::nullopt; });
}

void Inliner::collectMarks(Expansion &expansion, ArrayRef<int64_t> dumps) {
  SmallVector<Value> worklist;
  llvm::DenseSet<Value> seen;
  auto mark = [&](Value value) {
    if (seen.insert(value).second)
      worklist.push_back(value);
  };
  for (int64_t index : dumps)
    mark(expansion.callee->func.getArgument(index));
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Region *home = value.getParentRegion();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      // What is read from a marked variable is marked, under whatever value it has by then.
      if (auto get = dyn_cast<GetOp>(user))
        mark(get.getValue());
      if (isa<CallOp, orchestration::SubmitOp>(user)) {
        unsigned index = use.getOperandNumber();
        if (index < cast<CallOpInterface>(user).getArgOperands().size())
          expansion.markedOperands[user].push_back(index);
      }
      for (Operation *op = user; op->getParentRegion() != home; op = op->getParentOp()) {
        SmallVector<Value, 2> &marks = expansion.markedValues[op->getParentOp()];
        if (!llvm::is_contained(marks, value))
          marks.push_back(value);
      }
    }
  }
}

void Inliner::applyMarks(Operation *source, Operation *target, Expansion &expansion) {
  if (auto it = expansion.markedValues.find(source); it != expansion.markedValues.end())
    if (std::optional<MutableOperandRange> dumps = getScopeDumps(target))
      // Uses are listed last first.
      for (Value value : llvm::reverse(it->second)) {
        Value mapped = expansion.values.lookup(value);
        if (!llvm::is_contained(OperandRange(*dumps), mapped))
          dumps->append(mapped);
      }
  auto it = expansion.markedOperands.find(source);
  if (it == expansion.markedOperands.end())
    return;
  auto addTo = [&](auto call) {
    SmallVector<int64_t> all(call.getDumps().value_or(ArrayRef<int64_t>()));
    llvm::append_range(all, it->second);
    llvm::sort(all);
    all.erase(llvm::unique(all), all.end());
    call.setDumps(all);
  };
  if (auto call = dyn_cast<CallOp>(target))
    addTo(call);
  else if (auto submit = dyn_cast<orchestration::SubmitOp>(target))
    addTo(submit);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks private functions that are only ever called with tensors of different storage.
#include "pypto/Analysis/StorageRoots.h"
#include "pypto/Dialect/PL/Transforms/Passes.h"

#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

namespace pypto::pl {
#define GEN_PASS_DEF_INFERNOALIAS
#include "pypto/Dialect/PL/Transforms/Passes.h.inc"
} // namespace pypto::pl

/// No two tensors among the arguments may be the same storage.
static bool passesDistinctStorage(CallOpInterface call, StorageRoots &roots) {
  SmallVector<Value> tensors;
  for (Value argument : call.getArgOperands()) {
    if (!isa<pl::TensorType>(argument.getType()))
      continue;
    if (llvm::any_of(tensors, [&](Value other) { return roots.mayAlias(argument, other); }))
      return false;
    tensors.push_back(argument);
  }
  return true;
}

namespace {
/// What is known of the uses of one function.
struct Uses {
  unsigned numCalls = 0;
  /// Calls that may pass one storage twice, as far as is known.
  unsigned numOpen = 0;
  bool hasOther = false;
};

struct InferNoAliasPass : pl::impl::InferNoAliasBase<InferNoAliasPass> {
  void runOnModule() override {
    StorageRoots roots(getOperation());
    SymbolTable symbols(getOperation());
    collectUses(symbols, roots);
    SmallVector<FuncOp> worklist;
    auto mark = [&](FuncOp func) {
      Uses &known = uses[func];
      if (!func.isPrivate() || func.isExternal() || known.numCalls == 0 || known.numOpen != 0 ||
          known.hasOther || func->hasAttr(kNoAliasAttrName))
        return;
      func->setAttr(kNoAliasAttrName, UnitAttr::get(&getContext()));
      worklist.push_back(func);
    };
    for (auto func : getOperation().getOps<FuncOp>())
      mark(func);
    while (!worklist.empty())
      for (auto [call, callee] : open.lookup(worklist.pop_back_val()))
        if (passesDistinctStorage(call, roots)) {
          --uses[callee].numOpen;
          mark(callee);
        }
  }

  void collectUses(const SymbolTable &symbols, StorageRoots &roots) {
    std::optional<SymbolTable::UseRange> range =
        SymbolTable::getSymbolUses(&getOperation().getBodyRegion());
    if (!range) { // Something uses symbols in a way that is not known.
      for (auto func : getOperation().getOps<FuncOp>())
        uses[func].hasOther = true;
      return;
    }
    for (const SymbolTable::SymbolUse &use : *range) {
      auto callee = symbols.lookup<FuncOp>(use.getSymbolRef().getRootReference());
      if (!callee)
        continue;
      auto call = dyn_cast<CallOpInterface>(use.getUser());
      Uses &known = uses[callee];
      if (!call || dyn_cast<SymbolRefAttr>(call.getCallableForCallee()) != use.getSymbolRef()) {
        known.hasOther = true;
        continue;
      }
      ++known.numCalls;
      if (passesDistinctStorage(call, roots))
        continue;
      ++known.numOpen;
      if (auto caller = call->getParentOfType<FuncOp>())
        open[caller].emplace_back(call, callee);
    }
  }

  DenseMap<Operation *, Uses> uses;
  /// Per caller, the calls to look at again once its own parameters are known to be distinct.
  DenseMap<Operation *, SmallVector<std::pair<CallOpInterface, FuncOp>>> open;
};
} // namespace

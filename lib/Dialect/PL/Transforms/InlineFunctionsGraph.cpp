// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call graph of inline functions: cycles, order, sizes.
#include "InlineFunctionsGraph.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::pl::inlining;

//===- Collection -------------------------------------------------------------------===//

LogicalResult InlineGraph::build(ModuleOp module) {
  for (auto func : module.getOps<FuncOp>()) {
    functions.try_emplace(func.getSymNameAttr(), func);
    if (!func.isInline())
      continue;
    storage.push_back(std::make_unique<Callee>(func));
    callees.try_emplace(func.getSymNameAttr(), storage.back().get());
  }
  if (storage.empty())
    return success();
  for (Operation &op : *module.getBody()) {
    auto func = dyn_cast<FuncOp>(op);
    Callee *callee = func ? callees.lookup(func.getSymNameAttr()) : nullptr;
    if (failed(collect(&op, callee)))
      return failure();
  }
  // A function that stays because it is submitted is expanded like another caller.
  llvm::erase_if(callers, [&](const Caller &caller) {
    auto func = dyn_cast<FuncOp>(caller.op);
    return func && func.isInline() && !callees.lookup(func.getSymNameAttr())->isSubmitted;
  });
  return order();
}

/// A type that the operation itself decides on, rather than its operands.
static bool spellsTypes(Operation *op) {
  return op->getNumRegions() == 0 && !isa<VarOp, GetOp>(op) &&
         !isa<InferTypeOpInterface, StorageAliasOpInterface, CallOpInterface>(op);
}

void InlineGraph::collectTypes(Callee &callee, Operation *op) {
  bool spells = spellsTypes(op);
  for (Type type : op->getResultTypes())
    forEachSymbol(type, [&](StringAttr name) {
      callee.hasSymbols = true;
      if (spells)
        callee.spelled.insert(name);
    });
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        callee.hasSymbols = callee.hasSymbols || hasSymbols(type);
}

LogicalResult InlineGraph::collect(Operation *top, Callee *callee) {
  SmallVector<std::pair<CallOp, Callee *>> calls;
  auto visit = [&](Operation *op) -> WalkResult {
    // Inside another symbol table a name means something else.
    if (op->hasTrait<OpTrait::SymbolTable>())
      return WalkResult::skip();
    if (callee) {
      ++callee->numOps;
      collectTypes(*callee, op);
    }
    if (auto symbol = dyn_cast<SymbolOp>(op))
      symbols.insert(symbol.getSymAttr().getAttr());
    if (auto submit = dyn_cast<orchestration::SubmitOp>(op))
      if (Callee *target = callees.lookup(submit.getCalleeAttr().getAttr()))
        target->isSubmitted = true;
    auto call = dyn_cast<CallOp>(op);
    Callee *target = call ? lookup(call) : nullptr;
    if (!target)
      return WalkResult::advance();
    if (target->func.isExternal()) {
      InFlightDiagnostic diag = call.emitOpError() << "expects a body of the inline function '"
                                                   << target->func.getSymName() << "'";
      diag.attachNote(target->func.getLoc()) << "it is declared here";
      return WalkResult::interrupt();
    }
    calls.push_back({call, target});
    return WalkResult::advance();
  };
  if (auto func = dyn_cast<FunctionOpInterface>(top))
    for (Type type : func.getArgumentTypes())
      forEachSymbol(type, [&](StringAttr name) {
        symbols.insert(name);
        if (callee)
          callee->hasSymbols = true;
      });
  if (top->walk<WalkOrder::PreOrder>(visit).wasInterrupted())
    return failure();
  if (callee) {
    callee->numOps -= calls.size();
    llvm::append_range(callee->calls, calls);
  }
  if (!calls.empty()) {
    Caller &caller = callers.emplace_back();
    caller.op = top;
    llvm::append_range(caller.calls, calls);
  }
  return success();
}

//===- Order and recursion ------------------------------------------------------------===//

/// `path` is a chain of functions, each of which calls the next; the last calls `target`, which is
/// one of them.
static void reportCycle(ArrayRef<Callee *> path, CallOp call, Callee *target) {
  path = path.drop_front(llvm::find(path, target) - path.begin());
  InFlightDiagnostic diag = call.emitOpError() << "cycle detected among inline functions: ";
  for (Callee *callee : path)
    diag << callee->func.getSymName() << " -> ";
  diag << target->func.getSymName();
}

LogicalResult InlineGraph::order() {
  // Depth first with an explicit stack; a callee on the stack is `open`.
  llvm::DenseSet<Callee *> seen, open;
  SmallVector<Callee *> path;
  SmallVector<unsigned> nextCall;
  for (const std::unique_ptr<Callee> &root : storage) {
    if (!seen.insert(root.get()).second)
      continue;
    path.push_back(root.get());
    nextCall.push_back(0);
    open.insert(root.get());
    while (!path.empty()) {
      Callee *current = path.back();
      if (nextCall.back() == current->calls.size()) {
        calleesFirst.push_back(current);
        open.erase(current);
        path.pop_back();
        nextCall.pop_back();
        continue;
      }
      auto [call, target] = current->calls[nextCall.back()++];
      if (open.contains(target)) {
        reportCycle(path, call, target);
        return failure();
      }
      if (!seen.insert(target).second)
        continue;
      path.push_back(target);
      nextCall.push_back(0);
      open.insert(target);
    }
  }
  return success();
}

//===- Sizes and summaries --------------------------------------------------------------===//

LogicalResult InlineGraph::checkSize(uint64_t maxOps) {
  for (Callee *callee : calleesFirst) {
    // A temporary and its initial value per parameter at most; the return is not copied.
    callee->expandedSize =
        llvm::SaturatingAdd<uint64_t>(callee->numOps, 2 * callee->func.getNumArguments());
    for (auto [call, target] : callee->calls) {
      callee->expandedSize = llvm::SaturatingAdd(callee->expandedSize, target->expandedSize);
      if (!callee->largest || callee->largest->expandedSize < target->expandedSize)
        callee->largest = target;
    }
  }
  uint64_t total = 0;
  for (const Caller &caller : callers)
    for (auto [call, target] : caller.calls) {
      total = llvm::SaturatingAdd(total, target->expandedSize);
      if (total <= maxOps)
        continue;
      CallOp site = call;
      InFlightDiagnostic diag = site.emitOpError() << "expands the module by more than " << maxOps
                                                   << " operations (the limit 'max-ops'): ";
      if (auto symbol = dyn_cast<SymbolOpInterface>(caller.op))
        diag << symbol.getName() << " -> ";
      diag << target->func.getSymName();
      for (Callee *next = target->largest; next; next = next->largest)
        diag << " -> " << next->func.getSymName();
      return diag;
    }
  return success();
}

void InlineGraph::summarize() {
  for (Callee *callee : calleesFirst) {
    if (callee->func.isExternal())
      continue;
    callee->summary = classifyParameters(callee->func, [&](CallOp call) -> const InlineSummary * {
      Callee *target = lookup(call);
      return target ? &target->summary : nullptr;
    });
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about the whole program: which results are parameters, what is dense, who needs a block
// index.
#include "ProgramInfo.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"
#include "pypto/Interfaces/AliasInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

static bool isCall(Operation *op) { return isa<CallOp, orchestration::SubmitOp>(op); }

/// A scope that runs its body once and yields from it.
static bool isPlainScope(Operation *op) {
  return isa<AtOp, ClusterOp, GraphOp, orchestration::ScopeOp>(op);
}

ProgramInfo::ProgramInfo(ModuleOp module) : lineage(module) {
  for (auto func : module.getOps<FuncOp>())
    functions[func.getSymNameAttr()] = func;
  SmallVector<FuncOp> worklist;
  for (auto func : module.getOps<FuncOp>())
    func.walk([&](Operation *op) {
      if (isCall(op))
        if (FuncOp callee = getCallee(op))
          callers[callee].push_back(op);
      foundTask |= isHost(func) && isTask(op);
      StringRef name = op->getName().getStringRef();
      if ((name == "tile.get_block_idx" || name == "tile.get_block_num") &&
          blockUsers.insert(func).second)
        worklist.push_back(func);
    });
  while (!worklist.empty())
    for (Operation *call : callers.lookup(worklist.pop_back_val())) {
      // A submit starts a launch of its own.
      auto caller = call->getParentOfType<FuncOp>();
      if (isa<CallOp>(call) && blockUsers.insert(caller).second)
        worklist.push_back(caller);
    }
}

FuncOp ProgramInfo::getCallee(Operation *call) const {
  return lookup(call->getAttrOfType<FlatSymbolRefAttr>("callee").getRootReference());
}

bool ProgramInfo::isTask(Operation *call) const {
  if (!isCall(call))
    return false;
  FuncOp callee = getCallee(call);
  return callee && (isa<orchestration::SubmitOp>(call) || !isHost(callee));
}

//===- Which parameter a value is ----------------------------------------------===//

std::optional<unsigned> ProgramInfo::getParameter(FuncOp func, unsigned result) const {
  ArrayRef<ReturnSource> sources = lineage.getSources(func);
  bool isHandle = isa<pl::TensorType>(func.getResultTypes()[result]);
  return isHandle && result < sources.size() ? sources[result].parameter : std::nullopt;
}

//===- Which results are allocations ----------------------------------------------===//

Value ProgramInfo::getAllocation(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto result = cast<OpResult>(value);
    if (isCall(op)) {
      FuncOp callee = getCallee(op);
      std::optional<unsigned> parameter;
      if (callee && result.getResultNumber() < callee.getNumResults())
        parameter = getParameter(callee, result.getResultNumber());
      if (!parameter)
        return {};
      value = cast<CallOpInterface>(op).getArgOperands()[*parameter];
      continue;
    }
    auto alias = dyn_cast<StorageAliasOpInterface>(op);
    OpOperand *operand = alias ? alias.getAliasedOperand(result) : nullptr;
    if (!operand)
      return hasEffect<MemoryEffects::Allocate>(op, value) ? value : Value();
    value = operand->get();
  }
  return {};
}

bool ProgramInfo::isOwnedResult(FuncOp func, unsigned result) {
  ReturnOp ret = func.getReturnOp();
  Value allocation = ret ? getAllocation(ret.getValues()[result]) : Value();
  if (!allocation)
    return false;
  for (auto [index, other] : llvm::enumerate(ret.getValues()))
    if (index != result && isa<pl::TensorType>(other.getType()) && !getParameter(func, index)) {
      Value root = getAllocation(other);
      if (!root || root == allocation)
        return false;
    }
  return true;
}

//===- What is dense ----------------------------------------------------------------===//

/// The window is a run of whole rows, or lies in one row.
static bool isDenseWindow(SliceOp slice) {
  ArrayRef<ExtentAttr> whole = slice.getSource().getType().getExtents();
  SmallVector<ExtentAttr> window(whole.size(), ExtentAttr::get(slice.getContext(), 1));
  for (auto [dim, extent] :
       llvm::zip_equal(slice.getKeptDims(), slice.getResult().getType().getExtents()))
    window[dim] = extent;
  auto isOne = [](ExtentAttr extent) { return extent.isConstant() && extent.getConstant() == 1; };
  unsigned dim = 0;
  while (dim < window.size() && isOne(window[dim]))
    ++dim;
  for (++dim; dim < window.size(); ++dim)
    if (window[dim] != whole[dim] || window[dim].isDynamic())
      return false;
  return true;
}

/// `index` of an iteration argument, or nothing for the induction variable.
static std::optional<unsigned> getIterIndex(scf::ForOp loop, Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return result.getResultNumber();
  unsigned index = cast<BlockArgument>(value).getArgNumber();
  return index == 0 ? std::nullopt : std::optional<unsigned>(index - 1);
}

bool ProgramInfo::addDenseConditions(Value tensor, SmallVectorImpl<Value> &conditions) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  Operation *op = argument ? argument.getOwner()->getParentOp() : tensor.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<unsigned> index = getIterIndex(loop, tensor);
    if (!index)
      return false;
    conditions.append({loop.getInitArgs()[*index], loop.getYieldedValues()[*index]});
    return true;
  }
  if (argument) {
    // Entries are given dense arrays; other callers may pass a slice.
    auto func = dyn_cast<FuncOp>(op);
    if (!func)
      return false;
    for (Operation *call : callers.lookup(func))
      conditions.push_back(cast<CallOpInterface>(call).getArgOperands()[argument.getArgNumber()]);
    return true;
  }
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  auto alias = dyn_cast<StorageAliasOpInterface>(op);
  if (OpOperand *operand = alias ? alias.getAliasedOperand(cast<OpResult>(tensor)) : nullptr) {
    conditions.push_back(operand->get());
    return true;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    conditions.push_back(slice.getSource());
    return isDenseWindow(slice);
  }
  if (isa<ReshapeOp>(op))
    return true;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    conditions.append(
        {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)});
    return true;
  }
  if (isPlainScope(op) || isa<SpmdOp>(op)) {
    conditions.push_back(op->getRegion(0).front().getTerminator()->getOperand(number));
    return true;
  }
  if (isCall(op)) {
    FuncOp callee = getCallee(op);
    ReturnOp ret = callee ? callee.getReturnOp() : ReturnOp();
    if (!ret || number >= ret.getValues().size())
      return false;
    conditions.push_back(ret.getValues()[number]);
    return true;
  }
  return hasEffect<MemoryEffects::Allocate>(op, tensor);
}

bool ProgramInfo::isContiguous(Value tensor) {
  // Dense if everything that it may be is: a cycle adds no condition of its own.
  DenseSet<Value> visited;
  SmallVector<Value> worklist = {tensor};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!dense.contains(value) && visited.insert(value).second &&
        !addDenseConditions(value, worklist))
      return false;
  }
  // Whatever was met has conditions among what was met.
  dense.insert_range(visited);
  return true;
}

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

ProgramInfo::ProgramInfo(ModuleOp module) {
  for (auto func : module.getOps<FuncOp>())
    functions[func.getSymNameAttr()] = func;
  SmallVector<FuncOp> worklist;
  for (auto func : module.getOps<FuncOp>())
    func.walk([&](Operation *op) {
      if (isCall(op))
        if (FuncOp callee = getCallee(op))
          callers[callee].push_back(op);
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

//===- Which parameter a value is ----------------------------------------------===//

std::optional<unsigned> ProgramInfo::getParameter(FuncOp func, unsigned result) {
  ReturnOp ret = func.getReturnOp();
  if (!ret || !isa<pl::TensorType>(func.getResultTypes()[result]))
    return std::nullopt;
  return getParameter(ret.getValues()[result]);
}

std::optional<unsigned> ProgramInfo::getParameter(Value value) {
  if (auto it = parameters.find(value); it != parameters.end())
    return it->second;
  // A value that depends on itself through recursion is no parameter for certain.
  parameters[value] = std::nullopt;
  std::optional<unsigned> parameter = traceParameter(value);
  parameters[value] = parameter;
  return parameter;
}

/// `index` of an iteration argument, or nothing for the induction variable.
static std::optional<unsigned> getIterIndex(scf::ForOp loop, Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return result.getResultNumber();
  unsigned index = cast<BlockArgument>(value).getArgNumber();
  return index == 0 ? std::nullopt : std::optional<unsigned>(index - 1);
}

std::optional<unsigned> ProgramInfo::traceParameter(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  if (argument && isa<FuncOp>(op))
    return argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<unsigned> index = getIterIndex(loop, value);
    if (!index)
      return std::nullopt;
    // Only what each iteration hands on unchanged or as another name: nothing is assumed about the
    // carried value.
    std::optional<unsigned> init = getParameter(loop.getInitArgs()[*index]);
    Value yielded = loop.getYieldedValues()[*index];
    while (auto alias = yielded.getDefiningOp<StorageAliasOpInterface>()) {
      OpOperand *operand = alias.getAliasedOperand(cast<OpResult>(yielded));
      if (!operand)
        break;
      yielded = operand->get();
    }
    if (yielded == loop.getRegionIterArg(*index) ||
        (init && !argument && getParameter(yielded) == init))
      return init;
    return std::nullopt;
  }
  if (argument)
    return std::nullopt;
  auto result = cast<OpResult>(value);
  if (auto alias = dyn_cast<StorageAliasOpInterface>(op)) {
    OpOperand *operand = alias.getAliasedOperand(result);
    return operand ? getParameter(operand->get()) : std::nullopt;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    std::optional<unsigned> left =
        getParameter(branch.thenYield().getOperand(result.getResultNumber()));
    return left == getParameter(branch.elseYield().getOperand(result.getResultNumber()))
               ? left
               : std::nullopt;
  }
  if (isPlainScope(op) || isa<SpmdOp>(op))
    return getParameter(
        op->getRegion(0).front().getTerminator()->getOperand(result.getResultNumber()));
  if (isCall(op)) {
    FuncOp callee = getCallee(op);
    if (!callee || result.getResultNumber() >= callee.getNumResults())
      return std::nullopt;
    std::optional<unsigned> parameter = getParameter(callee, result.getResultNumber());
    return parameter ? getParameter(cast<CallOpInterface>(op).getArgOperands()[*parameter])
                     : std::nullopt;
  }
  return std::nullopt;
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
    if (index != result && isa<pl::TensorType>(other.getType()) && !getParameter(other)) {
      Value root = getAllocation(other);
      if (!root || root == allocation)
        return false;
    }
  return true;
}

//===- What is dense ----------------------------------------------------------------===//

bool ProgramInfo::isContiguous(Value tensor) {
  if (auto it = contiguous.find(tensor); it != contiguous.end())
    return it->second;
  // Around a cycle nothing gets less dense.
  contiguous[tensor] = true;
  bool answer = traceContiguous(tensor);
  contiguous[tensor] = answer;
  return answer;
}

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

bool ProgramInfo::traceContiguous(Value tensor) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  Operation *op = argument ? argument.getOwner()->getParentOp() : tensor.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<unsigned> index = getIterIndex(loop, tensor);
    return index && isContiguous(loop.getInitArgs()[*index]) &&
           isContiguous(loop.getYieldedValues()[*index]);
  }
  if (argument) {
    // Entries are given dense arrays; other callers may pass a slice.
    auto func = dyn_cast<FuncOp>(op);
    return func && llvm::all_of(callers.lookup(func), [&](Operation *call) {
             return isContiguous(
                 cast<CallOpInterface>(call).getArgOperands()[argument.getArgNumber()]);
           });
  }
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  if (auto alias = dyn_cast<StorageAliasOpInterface>(op))
    if (OpOperand *operand = alias.getAliasedOperand(cast<OpResult>(tensor)))
      return isContiguous(operand->get());
  if (auto slice = dyn_cast<SliceOp>(op))
    return isDenseWindow(slice) && isContiguous(slice.getSource());
  if (isa<ReshapeOp>(op))
    return true;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return isContiguous(branch.thenYield().getOperand(number)) &&
           isContiguous(branch.elseYield().getOperand(number));
  if (isPlainScope(op) || isa<SpmdOp>(op))
    return isContiguous(op->getRegion(0).front().getTerminator()->getOperand(number));
  if (isCall(op)) {
    FuncOp callee = getCallee(op);
    ReturnOp ret = callee ? callee.getReturnOp() : ReturnOp();
    return ret && number < ret.getValues().size() && isContiguous(ret.getValues()[number]);
  }
  return hasEffect<MemoryEffects::Allocate>(op, tensor);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Analysis/StorageRoots.h"

#include "HandleFlow.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

bool StorageRoot::isSingleStorage() const {
  if (isUnknown())
    return false;
  if (isParameter() || getEnclosingRepetitiveRegion(value))
    return isParameter();
  for (Operation *op = value.getDefiningOp()->getParentOp(); op && !isa<FuncOp>(op);
       op = op->getParentOp())
    if (isa<SpmdOp, SplitAivOp>(op))
      return false;
  return true;
}

namespace {
/// What is known about the handles of one function.
struct FunctionRoots {
  DenseMap<Value, SmallVector<StorageRoot, 1>> roots;
  DenseSet<Value> escaped;
};
} // namespace

struct StorageRoots::Impl {
  explicit Impl(ModuleOp module) : summaries(module) {}

  FunctionRoots &getFunction(FuncOp func);

  detail::FlowSummaries summaries;
  DenseMap<Operation *, std::unique_ptr<FunctionRoots>> functions;
};

FunctionRoots &StorageRoots::Impl::getFunction(FuncOp func) {
  std::unique_ptr<FunctionRoots> &entry = functions[func];
  if (entry)
    return *entry;
  entry = std::make_unique<FunctionRoots>();
  detail::HandleFlow flow(func, [&](Operation *call) { return summaries.getForCall(call); });
  auto [sets, hasOverflown] = flow.solveRoots();
  auto getValue = [&](unsigned source) { return flow.getSources()[source].first; };
  for (auto [value, node] : flow.getNodes()) {
    SmallVector<StorageRoot, 1> &roots = entry->roots[value];
    if (!sets[node])
      roots.push_back(StorageRoot::getUnknown());
    else
      for (unsigned source : *sets[node])
        roots.emplace_back(getValue(source));
  }
  if (hasOverflown)
    for (auto [value, node] : flow.getSources())
      entry->escaped.insert(value);
  for (detail::HandleFlow::Node node : flow.getEscaping())
    if (sets[node])
      for (unsigned source : *sets[node])
        entry->escaped.insert(getValue(source));
  return *entry;
}

StorageRoots::StorageRoots(ModuleOp module) : impl(std::make_unique<Impl>(module)) {}
StorageRoots::~StorageRoots() = default;
StorageRoots::StorageRoots(StorageRoots &&) = default;

static FuncOp getFunctionOf(Value value) {
  Operation *op = value.getParentBlock()->getParentOp();
  return isa_and_nonnull<FuncOp>(op) ? cast<FuncOp>(op)
         : op                        ? op->getParentOfType<FuncOp>()
                                     : FuncOp();
}

ArrayRef<StorageRoot> StorageRoots::getStorageRoots(Value handle) {
  static const StorageRoot unknown = StorageRoot::getUnknown();
  FuncOp func = getFunctionOf(handle);
  if (!func || !isa<pl::TensorType>(handle.getType()))
    return unknown;
  FunctionRoots &function = impl->getFunction(func);
  auto it = function.roots.find(handle);
  return it == function.roots.end() ? ArrayRef<StorageRoot>(unknown) : it->second;
}

bool StorageRoots::mayAlias(StorageRoot lhs, StorageRoot rhs) {
  if (lhs == rhs)
    return true;
  if (lhs.isUnknown() || rhs.isUnknown()) {
    StorageRoot known = lhs.isUnknown() ? rhs : lhs;
    if (!known.isAllocation())
      return true;
    FuncOp func = getFunctionOf(known.getValue());
    return !func || impl->getFunction(func).escaped.contains(known.getValue());
  }
  FuncOp func = getFunctionOf(lhs.getValue());
  if (!func || func != getFunctionOf(rhs.getValue()))
    return true;
  if (lhs.isParameter() && rhs.isParameter())
    return !func->hasAttr(kNoAliasAttrName);
  return false;
}

bool StorageRoots::mayAlias(Value lhs, Value rhs) {
  ArrayRef<StorageRoot> right = getStorageRoots(rhs);
  return llvm::any_of(getStorageRoots(lhs), [&](StorageRoot root) {
    return llvm::any_of(right, [&](StorageRoot other) { return mayAlias(root, other); });
  });
}

AliasResult StorageAliasAnalysis::alias(Value lhs, Value rhs) {
  if (lhs == rhs)
    return AliasResult::MustAlias;
  if (!isa<pl::TensorType>(lhs.getType()) || !isa<pl::TensorType>(rhs.getType()) ||
      roots.mayAlias(lhs, rhs))
    return AliasResult::MayAlias;
  return AliasResult::NoAlias;
}

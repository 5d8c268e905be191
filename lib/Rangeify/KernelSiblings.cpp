// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with several outputs: stores that read the same, or each other, along the same loops.
#include "KernelGrouping.h"
#include "NestRebuilding.h"
#include "pypto/Loops/VectorPlan.h"
#include "pypto/Transforms/Siblings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/PriorityQueue.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::rangeify;
using linalg::GenericOp;
using linalg::LinalgOp;

/// Stores that are looked at to see if a kernel would wait for itself; more may be too far away.
static constexpr size_t kMaxVisited = 256;
/// More operations on an element take longer than to read it.
static constexpr unsigned kMaxCheapOps = 12;
/// Up to so many, sums have the same number of accumulators.
static constexpr unsigned kMaxSumOps = 6;

/// True if `op` sums what no operand has an element for each iteration of: a product.
static bool isProduct(LinalgOp op) {
  auto hasAll = [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    return llvm::all_of(llvm::seq<unsigned>(0, op.getNumLoops()),
                        [&](unsigned loop) { return map.isFunctionOfDim(loop); });
  };
  return op.getNumReductionLoops() != 0 && llvm::none_of(op.getDpsInputOperands(), hasAll);
}

static bool isFloatSum(LinalgOp op) {
  return op.getNumReductionLoops() != 0 &&
         llvm::any_of(op.getBlock()->getTerminator()->getOperands(), [](Value value) {
           return isa_and_nonnull<arith::AddFOp, arith::MulFOp>(value.getDefiningOp());
         });
}

//===- What a store goes along with -----------------------------------------------===//

/// The one output that needs `store`; null if there are several.
Operation *KernelGrouping::findHome(Operation *store, KernelGroup &group) {
  Operation *home = nullptr;
  for (Value result : store->getResults())
    for (auto [user, operand] : uses.lookup(result)) {
      auto found = group.homes.find(user);
      if (found == group.homes.end())
        continue;
      if (!found->second || (home && home != found->second))
        return nullptr;
      home = found->second;
    }
  return home;
}

/// True if `store` reads what another store writes.
bool KernelGrouping::readsStores(Operation *store) {
  return llvm::any_of(store->getOperands(), [&](Value operand) {
    if (!isa<RankedTensorType>(operand.getType()))
      return false;
    Operation *op = skipReshapes(operand).getDefiningOp();
    return op && llvm::is_contained(stores, op);
  });
}

/// True if sums of the group add in the same order whether `store` is computed in their loops or
/// read from memory: the number of accumulators depends on what is computed beside.
bool KernelGrouping::keepsSums(LinalgOp store, KernelGroup &group) {
  if (store.getNumReductionLoops() != 0)
    return true;
  for (Value result : store->getResults())
    for (auto [user, operand] : uses.lookup(result)) {
      auto reader = dyn_cast<LinalgOp>(user);
      if (!reader || !operand || !group.members.contains(user) ||
          !reader.getMatchingIndexingMap(operand).isPermutation())
        continue;
      bool isSum = isFloatSum(reader);
      if (isSum && loops::countOps(store) + loops::countOps(reader) > kMaxSumOps)
        return false;
      // What computes other operands would count, too.
      for (Value other : reader.getDpsInputs())
        if (isSum && other != result && other.getDefiningOp<LinalgOp>())
          return false;
      if (!isSum && !keepsSums(reader, group))
        return false;
    }
  return true;
}

/// True if a kernel of `store` and the group would wait for itself: for one that needs `store`, and
/// that the group needs.
bool KernelGrouping::reaches(GenericOp store, KernelGroup &group) {
  SetVector<Operation *> visited;
  auto visitUsers = [&](Operation *op) {
    for (Value result : op->getResults())
      for (auto [user, operand] : uses.lookup(result))
        if (!isa<tensor::DimOp>(user))
          visited.insert(user);
  };
  visitUsers(store);
  visited.remove_if([&](Operation *user) { return group.members.contains(user); });
  for (size_t i = 0; i != visited.size(); ++i) {
    auto found = groups.find(visited[i]);
    // A scalar that is made of a tensor may be used anywhere.
    if (found == groups.end() || found->second.get() == &group || visited.size() > kMaxVisited)
      return true;
    for (Operation *other : found->second->stores)
      visitUsers(other);
  }
  return false;
}

//===- Outputs ------------------------------------------------------------------------===//

/// Kernels of stores that read `store`, or something that it reads.
SmallVector<KernelGrouping::GroupRef> KernelGrouping::findNeighbours(GenericOp store) {
  SmallVector<GroupRef> found;
  auto add = [&](Operation *user) {
    GroupRef group = groups.lookup(user);
    if (group && group->root && !llvm::is_contained(found, group))
      found.push_back(group);
  };
  for (Value result : store->getResults())
    for (Operation *user : readers.lookup(result))
      add(user);
  for (Value input : store.getInputs()) {
    if (!isa<RankedTensorType>(input.getType()))
      continue;
    SmallVector<Operation *> known = readers.lookup(skipReshapes(input));
    for (Operation *user : llvm::reverse(known))
      add(user);
  }
  return found;
}

/// True if a kernel may have the results of `store` beside those of the group. Products take long
/// enough by themselves, each in blocks that its factors ask for.
bool KernelGrouping::canJoin(GenericOp store, KernelGroup &group) {
  unsigned numResults = store.getNumResults();
  for (Operation *output : group.outputs)
    numResults += output->getNumResults();
  return numResults <= kMaxSiblingResults && !isProduct(store) &&
         llvm::none_of(group.stores, [](Operation *op) { return isProduct(cast<LinalgOp>(op)); }) &&
         !reaches(store, group);
}

/// Lets `store` join its users in a group, though others need it as well.
bool KernelGrouping::joinReaders(GenericOp store, GroupRef group) {
  bool isRead = llvm::any_of(store->getResults(), [&](Value result) {
    return llvm::any_of(uses.lookup(result),
                        [&](auto use) { return group->members.contains(use.first); });
  });
  std::optional<Alignment> alignment = isRead ? align(store, *group) : std::nullopt;
  if (!alignment || !keepsSums(store, *group))
    return false;
  llvm::SmallBitVector along = getShared(*group, *alignment);
  if (!along.any() || !isComplete(store, *alignment, along) ||
      tearsApart(store, *alignment, *group))
    return false;
  group->shared = along;
  add(store, group, *alignment);
  return true;
}

/// Lets `store` join a store that reads the same along the same loops.
bool KernelGrouping::joinSibling(GenericOp store, GroupRef group) {
  for (Value input : store.getInputs()) {
    if (!isa<RankedTensorType>(input.getType()))
      continue;
    SmallVector<Operation *> known = readers.lookup(skipReshapes(input));
    for (Operation *reader : llvm::reverse(known)) {
      auto sibling = dyn_cast<GenericOp>(reader);
      auto member = group->members.find(reader);
      if (!sibling || member == group->members.end() ||
          (loops::countOps(store) > kMaxCheapOps && loops::countOps(sibling) > kMaxCheapOps))
        continue;
      std::optional<AffineMap> loops = alignSiblings(sibling, store);
      if (!loops || !areWorthOneLoop(sibling, store, *loops))
        continue;
      Alignment alignment(store.getNumLoops(), -1);
      for (auto [loop, kind] : llvm::enumerate(store.getIteratorTypesArray()))
        if (kind == utils::IteratorType::parallel)
          alignment[loop] =
              member->second[cast<AffineDimExpr>(loops->getResult(loop)).getPosition()];
      // What others need of the loops stays; nothing else joins where nothing else is read.
      llvm::SmallBitVector along = getShared(*group, alignment);
      bool readsArgumentsOnly =
          !readsStores(store) &&
          llvm::none_of(group->stores, [&](Operation *op) { return readsStores(op); });
      if (along != group->shared && !readsArgumentsOnly)
        continue;
      group->shared = along;
      add(store, group, alignment);
      return true;
    }
  }
  return false;
}

bool KernelGrouping::joinSiblings(GenericOp store) {
  for (const GroupRef &group : findNeighbours(store)) {
    if (!canJoin(store, *group) || (!joinReaders(store, group) && !joinSibling(store, group)))
      continue;
    group->outputs.push_back(store);
    group->homes[store] = store;
    return true;
  }
  return false;
}

//===- Order ------------------------------------------------------------------------===//

/// For each kernel those that it needs.
static SmallVector<SetVector<unsigned>> findNeeded(ArrayRef<SmallVector<Operation *>> kernels) {
  llvm::DenseMap<Operation *, unsigned> writers;
  for (auto [index, outputs] : llvm::enumerate(kernels))
    for (Operation *output : outputs)
      writers[output] = index;
  SmallVector<SetVector<unsigned>> needed(kernels.size());
  for (auto [index, outputs] : llvm::enumerate(kernels)) {
    SetVector<Operation *> visited(outputs.begin(), outputs.end());
    for (size_t i = 0; i != visited.size(); ++i) {
      auto writer = writers.find(visited[i]);
      if (writer != writers.end() && writer->second != index) {
        needed[index].insert(writer->second);
        continue;
      }
      SetVector<Value> reads(visited[i]->operand_begin(), visited[i]->operand_end());
      getUsedValuesDefinedAbove(visited[i]->getRegions(), reads);
      for (Value read : reads)
        if (Operation *op = read.getDefiningOp())
          visited.insert(op);
    }
  }
  return needed;
}

void pypto::rangeify::sortKernels(SmallVector<SmallVector<Operation *>> &kernels) {
  SmallVector<SetVector<unsigned>> needed = findNeeded(kernels);
  SmallVector<SmallVector<unsigned>> users(kernels.size());
  SmallVector<size_t> numOpen(kernels.size());
  llvm::PriorityQueue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned index = 0; index != kernels.size(); ++index) {
    numOpen[index] = needed[index].size();
    for (unsigned other : needed[index])
      users[other].push_back(index);
    if (numOpen[index] == 0)
      ready.push(index);
  }
  SmallVector<SmallVector<Operation *>> sorted;
  while (!ready.empty()) {
    unsigned index = ready.top();
    ready.pop();
    sorted.push_back(std::move(kernels[index]));
    for (unsigned user : users[index])
      if (--numOpen[user] == 0)
        ready.push(user);
  }
  assert(sorted.size() == kernels.size() && "kernels wait for themselves");
  kernels = std::move(sorted);
}

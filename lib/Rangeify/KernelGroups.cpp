// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelGroups.h"
#include "Elements.h"
#include "KernelGrouping.h"
#include "NestRebuilding.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pypto::rangeify;

/// What one step over the shared loops of a kernel may keep or read again: about half a cache.
static constexpr int64_t kMaxStepBytes = int64_t(1) << 20;
/// Iterations that take about as long as a launch.
static constexpr int64_t kTinySteps = 1024;
/// What one block of rows may read again, where that saves passes over a much larger result.
static constexpr int64_t kMaxBlockBytes = int64_t(1) << 30;
/// Most stores of one kernel: what bounds the time that compiling it takes.
static constexpr unsigned kMaxStores = 24;
/// Readers of one value that a store may be a sibling of.
static constexpr size_t kMaxReaders = 8;

/// An op that fills memory, other than with one scalar.
static bool isStore(Operation &op) {
  if (op.getNumResults() == 0 || !isa<RankedTensorType>(op.getResult(0).getType()))
    return false;
  return !isReshape(&op) && !isUniform(op.getResult(0)) && !op.hasTrait<OpTrait::ConstantLike>();
}

static int64_t getBytes(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return kMaxStepBytes + 1;
  return type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
}

void KernelGrouping::collectUses() {
  for (Operation &op : body) {
    if (isStore(op))
      stores.push_back(&op);
    if (isReshape(&op))
      continue;
    for (OpOperand &operand : op.getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      if (&op == body.getTerminator())
        returned.insert(skipReshapes(operand.get()));
      else
        uses[skipReshapes(operand.get())].push_back({&op, &operand});
    }
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    for (Value value : captured)
      if (isa<RankedTensorType>(value.getType()))
        uses[skipReshapes(value)].push_back({&op, nullptr});
  }
}

/// A kernel of `store` alone, which others may join.
void KernelGrouping::open(Operation *store) {
  auto group = std::make_shared<KernelGroup>();
  group->root = dyn_cast<linalg::LinalgOp>(store);
  group->outputs.push_back(store);
  Alignment alignment;
  if (group->root) {
    group->shared.resize(group->root.getNumLoops());
    for (auto [loop, kind] : llvm::enumerate(group->root.getIteratorTypesArray())) {
      bool isParallel = kind == utils::IteratorType::parallel;
      alignment.push_back(isParallel ? static_cast<int>(loop) : -1);
      group->shared[loop] = isParallel && group->root.getStaticLoopRanges()[loop] != 1;
    }
  }
  add(store, group, alignment);
  group->homes[store] = store;
}

/// Makes `store` one of `group`.
void KernelGrouping::add(Operation *store, GroupRef group, const Alignment &alignment) {
  groups[store] = group;
  group->stores.push_back(store);
  if (!group->root)
    return;
  group->members[store] = alignment;
  group->homes[store] = findHome(store, *group);
  for (Value operand : store->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    SmallVector<Operation *> &known = readers[skipReshapes(operand)];
    if (llvm::is_contained(known, store))
      continue;
    if (known.size() == kMaxReaders)
      known.erase(known.begin());
    known.push_back(store);
  }
}

/// The one kernel that all users are in; null if there are several, or if the value has to be in
/// memory.
KernelGrouping::GroupRef KernelGrouping::findGroup(Operation *store) {
  GroupRef group;
  for (Value result : store->getResults()) {
    if (returned.contains(result))
      return nullptr;
    for (auto [user, operand] : uses.lookup(result)) {
      auto found = groups.find(user);
      if (!operand || found == groups.end() || (group && group != found->second))
        return nullptr;
      group = found->second;
    }
  }
  return group && group->root ? group : nullptr;
}

/// How the loops of `store` go along with those of the root, as every user in the group reads it;
/// nothing if one cannot.
std::optional<Alignment> KernelGrouping::align(linalg::LinalgOp store, KernelGroup &group) {
  Alignment alignment(store.getNumLoops(), -1);
  bool isFirst = true;
  for (OpResult result : store->getResults()) {
    AffineMap output =
        store.getMatchingIndexingMap(store.getDpsInitOperand(result.getResultNumber()));
    for (auto [user, operand] : uses.lookup(result)) {
      auto found = group.members.find(user);
      if (found == group.members.end())
        continue;
      auto reader = dyn_cast<linalg::LinalgOp>(user);
      // A reshape in between tears the loops apart.
      if (!reader || !operand || operand->get() != result || reader.isDpsInit(operand) ||
          !output.isProjectedPermutation())
        return std::nullopt;
      const Alignment &readers = found->second;
      AffineMap input = reader.getMatchingIndexingMap(operand);
      Alignment seen(store.getNumLoops(), -1);
      for (auto [from, to] : llvm::zip_equal(output.getResults(), input.getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(to))
          seen[cast<AffineDimExpr>(from).getPosition()] = readers[dim.getPosition()];
      for (auto [known, other] : llvm::zip_equal(alignment, seen))
        known = isFirst || known == other ? other : -1;
      isFirst = false;
    }
  }
  return alignment;
}

/// The loops that are shared if a store of this alignment joins.
llvm::SmallBitVector KernelGrouping::getShared(const KernelGroup &group,
                                               const Alignment &alignment) {
  llvm::SmallBitVector along(group.shared.size());
  for (int loop : alignment)
    if (loop >= 0)
      along.set(loop);
  return along &= group.shared;
}

/// True if the users need what `store` computes at the same step only.
bool KernelGrouping::isComplete(linalg::LinalgOp store, const Alignment &alignment,
                                const llvm::SmallBitVector &shared) {
  SmallVector<int64_t> extents = store.getStaticLoopRanges();
  for (auto [loop, kind] : llvm::enumerate(store.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel && extents[loop] != 1 &&
        (alignment[loop] < 0 || !shared[alignment[loop]]))
      return false;
  return true;
}

/// True if several stores read the value, or what is elementwise on it.
bool KernelGrouping::isReadOften(Value value) {
  for (;;) {
    auto users = uses.lookup(value);
    if (users.size() != 1)
      return users.size() > 1;
    auto user = dyn_cast<linalg::LinalgOp>(users[0].first);
    if (!user || user.getNumReductionLoops() != 0 || user->getNumResults() != 1)
      return false;
    value = user->getResult(0);
  }
}

/// If the store is complete, there is nothing to lose. Else a step keeps a slice of the result, and
/// what all steps read has to stay in the cache.
bool KernelGrouping::isWorthwhile(linalg::LinalgOp store, const Alignment &alignment,
                                  const llvm::SmallBitVector &shared) {
  if (isComplete(store, alignment, shared))
    return true;
  int64_t steps = 1;
  SmallVector<int64_t> extents = store.getStaticLoopRanges();
  for (auto [loop, kind] : llvm::enumerate(store.getIteratorTypesArray()))
    if (alignment[loop] >= 0 && shared[alignment[loop]] && !ShapedType::isDynamic(extents[loop]))
      steps *= std::max<int64_t>(extents[loop], 1);
  int64_t again = 0;
  for (OpOperand *input : store.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(input->get().getType()))
      continue;
    AffineMap map = store.getMatchingIndexingMap(input);
    bool isSliced = false;
    for (auto [loop, root] : llvm::enumerate(alignment))
      isSliced |= root >= 0 && shared[root] && map.isFunctionOfDim(loop);
    again += isSliced ? 0 : getBytes(input->get());
  }
  // A large result that several others read, as scores of attention, is worth reading its factors
  // for each block of rows.
  int64_t bytes = getBytes(store->getResult(0));
  int64_t most =
      isReadOften(store->getResult(0)) && bytes >= 16 * again ? kMaxBlockBytes : kMaxStepBytes;
  return again <= most && bytes / steps <= kMaxStepBytes;
}

/// True if a product that `store` reads could not follow it into the group, because its factors
/// were read again in each step, but goes along with a kernel of its own.
bool KernelGrouping::tearsApart(linalg::LinalgOp store, const Alignment &alignment,
                                KernelGroup group) {
  llvm::SmallBitVector shared = getShared(group, alignment);
  if (store.getNumReductionLoops() != 0 || isComplete(store, alignment, shared))
    return false;
  group.shared = shared;
  group.members[store] = alignment;
  for (Value input : store.getDpsInputs()) {
    auto producer = input.getDefiningOp<linalg::LinalgOp>();
    if (!producer || producer.getNumReductionLoops() == 0 || returned.contains(input) ||
        llvm::any_of(uses.lookup(input), [&](auto use) { return use.first != store; }))
      continue;
    std::optional<Alignment> own = align(producer, group);
    if (own && !isWorthwhile(producer, *own, getShared(group, *own)))
      return true;
  }
  return false;
}

/// True if one thread computes `op` in less time than it takes to launch a kernel.
static bool isTiny(linalg::LinalgOp op) {
  int64_t steps = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    if (ShapedType::isDynamic(extent) || llvm::MulOverflow(steps, extent, steps) ||
        steps > kTinySteps)
      return false;
  return true;
}

/// True if `store` makes one number of a few, of which the group makes another: they share no loop,
/// but there is nothing to run at the same time.
static bool isTail(linalg::LinalgOp store, const KernelGroup &group) {
  return group.shared.none() && isTiny(store) && isTiny(group.root) &&
         store->getNumResults() == 1 &&
         cast<RankedTensorType>(store->getResult(0).getType()).getNumElements() == 1;
}

/// Lets `store`, which nothing else needs, join the kernel of its users.
bool KernelGrouping::joinUsers(linalg::LinalgOp store) {
  GroupRef group = findGroup(store);
  if (!group || group->members.size() >= kMaxStores)
    return false;
  // What several outputs need would be a kernel of its own without the others.
  if (!findHome(store, *group) && !keepsSums(store, *group))
    return false;
  if (std::optional<Alignment> alignment = align(store, *group)) {
    llvm::SmallBitVector along = getShared(*group, *alignment);
    if (along.any() && isWorthwhile(store, *alignment, along) &&
        !tearsApart(store, *alignment, *group)) {
      group->shared = along;
      add(store, group, *alignment);
      return true;
    }
  }
  if (!isTail(store, *group))
    return false;
  add(store, group, Alignment(store.getNumLoops(), -1));
  return true;
}

SmallVector<SmallVector<Operation *>> KernelGrouping::run() {
  collectUses();
  for (Operation *store : llvm::reverse(stores)) {
    auto structured = dyn_cast<linalg::LinalgOp>(store);
    auto generic = dyn_cast<linalg::GenericOp>(store);
    if ((structured && joinUsers(structured)) || (generic && joinSiblings(generic)))
      continue;
    open(store);
  }
  SmallVector<SmallVector<Operation *>> kernels;
  for (Operation *store : stores)
    if (KernelGroup &group = *groups[store]; group.outputs.back() == store)
      kernels.emplace_back(llvm::reverse(group.outputs));
  sortKernels(kernels);
  return kernels;
}

SmallVector<SmallVector<Value>> pypto::rangeify::groupKernels(func::FuncOp graph, bool single) {
  SmallVector<SmallVector<Value>> kernels;
  Block &body = graph.getBody().front();
  if (single) {
    if (body.getTerminator()->getNumOperands() == 0)
      return kernels;
    SmallVector<Value> &results = kernels.emplace_back();
    for (Value result : body.getTerminator()->getOperands())
      results.push_back(skipReshapes(result));
    return kernels;
  }
  for (ArrayRef<Operation *> outputs : KernelGrouping(body).run()) {
    SmallVector<Value> &results = kernels.emplace_back();
    for (Operation *output : outputs)
      llvm::append_range(results, output->getResults());
  }
  return kernels;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that read the same tensor along the same loops become one.
#include "FusedOperands.h"
#include "pypto/Loops/VectorPlan.h"
#include "pypto/Properties/PassOptions.h"
#include "pypto/Transforms/Passes.h"
#include "pypto/Transforms/Schedule.h"
#include "pypto/Transforms/Siblings.h"

#include "MatmulContraction.h"
#include "Storage.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace pypto;
using bufferization::MaterializeInDestinationOp;
using linalg::GenericOp;

namespace pypto {
#define GEN_PASS_DEF_FUSESIBLINGS
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

/// Readers of one tensor that an operation is tried with, operations that move along with one, and
/// stores that one may move across: what keeps the pass linear.
static constexpr unsigned kMaxTried = 8, kMaxMoved = 16, kMaxCrossed = 8;

//===- What may be one operation ------------------------------------------------===//

/// True if nothing else is in the memory of a result.
static bool hasOwnMemory(Value init) {
  Operation *op = init.getDefiningOp();
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op))
    return fill.hasPureTensorSemantics() && hasOwnMemory(fill.getOutputs()[0]);
  return isa_and_nonnull<tensor::EmptyOp>(op);
}

static bool isProduct(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && matmul::matchContraction(linalgOp);
}

/// Products have loops of their own, and take up what follows them.
static bool isCandidate(GenericOp op) {
  return op.hasPureTensorSemantics() &&
         llvm::all_of(op->getDiscardableAttrs(),
                      [](NamedAttribute attr) { return attr.getName() == kScheduleAttrName; }) &&
         op.getNumResults() < kMaxSiblingResults && !isProduct(op) &&
         llvm::all_of(op.getDpsInits(), hasOwnMemory) &&
         llvm::none_of(
             op.getInputs(), [](Value input) { return isProduct(input.getDefiningOp()); });
}

/// True if `--fuse-rows` may compute rows of `op`.
static bool isByRow(GenericOp op) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  return op.getNumLoops() >= 2 &&
         llvm::all_of(ArrayRef(kinds).drop_back(), linalg::isParallelIterator);
}

/// True if `op` hands rows to another operation, or takes some from one.
static bool hasRowNeighbours(GenericOp op) {
  auto isNeighbour = [](Operation *other) {
    return isa_and_nonnull<linalg::LinalgOp>(other) && !isa<linalg::FillOp>(other);
  };
  return llvm::any_of(op->getUsers(), isNeighbour) ||
         llvm::any_of(op.getInputs(), [&](Value v) { return isNeighbour(v.getDefiningOp()); });
}

/// The loop that `--parallelize-operations` makes parts of.
static std::optional<unsigned> getPartLoop(GenericOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (utils::IteratorType type : {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      if (kind == type && extents[loop] != 1)
        return loop;
  return std::nullopt;
}

/// True if parts of `loop` have results, or parts of results, of their own.
static bool hasParts(GenericOp op, unsigned loop) {
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return map.getNumResults() <= 1 || map.isFunctionOfDim(loop);
  });
}

/// True if parts of `loop`, which is parallel, are parts of rows: they have to be long ones.
static bool hasPartsOfRows(GenericOp op, unsigned loop) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    return map.getNumResults() != 0 && map.getResults().back().isFunctionOfDim(loop);
  });
}

/// True if `op` is shared by threads as `both` is, whose loop `loop` is that of `op` of the same
/// number in `own`.
static bool keepsParts(GenericOp op, AffineMap own, GenericOp both) {
  std::optional<unsigned> loop = getPartLoop(op), shared = getPartLoop(both);
  if (!loop || !shared)
    return loop == shared;
  if (both.getNumReductionLoops() == 0)
    return true;
  bool isParallel = linalg::isParallelIterator(both.getIteratorTypesArray()[*shared]);
  return cast<AffineDimExpr>(own.getResult(*loop)).getPosition() == *shared &&
         hasParts(op, *loop) == hasParts(both, *shared) &&
         (!isParallel || hasPartsOfRows(op, *loop) == hasPartsOfRows(both, *shared));
}

/// True if the loops of `other` that are summed along come in the same order in `op`.
static bool keepsOrder(GenericOp other, AffineMap loops) {
  int64_t last = -1;
  for (auto [kind, expr] : llvm::zip_equal(other.getIteratorTypesArray(), loops.getResults())) {
    int64_t loop = cast<AffineDimExpr>(expr).getPosition();
    if (kind == utils::IteratorType::reduction && loop < std::exchange(last, loop))
      return false;
  }
  return true;
}

namespace {
/// Two operations of one block, the second behind the first.
class SiblingFusion {
public:
  SiblingFusion(GenericOp first, GenericOp second, AffineMap loops, int64_t vectorBits)
      : first(first), second(second), loops(loops), vectorBits(vectorBits) {}

  /// True if one loop has the results of both as fast as each of their own loops has it, bit by
  /// bit.
  bool isWorthwhile();
  /// The two as one operation in front of `place`.
  GenericOp build(Operation *place);

private:
  void collectOperands();
  void emit(OpBuilder &b, GenericOp op, ArrayRef<unsigned> arguments, bool isSecond,
            IRMapping &mapping);
  bool keepsPlan(const loops::VectorPlan &plan, const loops::VectorPlan &own, unsigned loop);

  GenericOp first, second;
  AffineMap loops;
  int64_t vectorBits;
  FusedOperands operands;
  /// For each operand that an operation reads, its argument of the new one.
  SmallVector<unsigned> ofFirst, ofSecond;
  SmallVector<utils::IteratorType> iterators;
};
} // namespace

void SiblingFusion::collectOperands() {
  for (OpOperand *operand : first.getDpsInputOperands())
    ofFirst.push_back(operands.addInput(operand->get(), first.getMatchingIndexingMap(operand)));
  for (OpOperand *operand : second.getDpsInputOperands())
    ofSecond.push_back(
        operands.addInput(operand->get(), second.getMatchingIndexingMap(operand).compose(loops)));
  for (OpOperand &operand : first.getDpsInitsMutable())
    operands.addOutput(operand.get(), first.getMatchingIndexingMap(&operand));
  for (OpOperand &operand : second.getDpsInitsMutable())
    operands.addOutput(operand.get(), second.getMatchingIndexingMap(&operand).compose(loops));
  for (unsigned i = 0; i != first.getNumDpsInits(); ++i)
    ofFirst.push_back(operands.inputs.size() + i);
  for (unsigned i = 0; i != second.getNumDpsInits(); ++i)
    ofSecond.push_back(operands.inputs.size() + first.getNumDpsInits() + i);
  iterators = first.getIteratorTypesArray();
  for (auto [kind, expr] : llvm::zip_equal(second.getIteratorTypesArray(), loops.getResults()))
    if (kind == utils::IteratorType::reduction)
      iterators[cast<AffineDimExpr>(expr).getPosition()] = kind;
}

/// The body of `op`; what is in the new one already is not computed again.
void SiblingFusion::emit(OpBuilder &b, GenericOp op, ArrayRef<unsigned> arguments, bool isSecond,
                         IRMapping &mapping) {
  Block *block = b.getBlock();
  for (auto [argument, index] : llvm::zip_equal(op.getBody()->getArguments(), arguments))
    mapping.map(argument, block->getArgument(index));
  for (Operation &nested : op.getBody()->without_terminator()) {
    Operation *copy = b.clone(nested, mapping);
    if (auto index = dyn_cast<linalg::IndexOp>(copy); index && isSecond)
      index.setDim(cast<AffineDimExpr>(loops.getResult(index.getDim())).getPosition());
    if (!isSecond || !isPure(copy))
      continue;
    for (Operation &known : *block) {
      if (&known == copy)
        break;
      if (!OperationEquivalence::isEquivalentTo(&known, copy,
                                                OperationEquivalence::IgnoreLocations))
        continue;
      for (auto [result, other] : llvm::zip_equal(nested.getResults(), known.getResults()))
        mapping.map(result, other);
      copy->erase();
      break;
    }
  }
}

GenericOp SiblingFusion::build(Operation *place) {
  collectOperands();
  OpBuilder b(place);
  auto both = GenericOp::create(b, first.getLoc(), ValueRange(operands.outputs).getTypes(),
                                operands.inputs, operands.outputs, operands.getMaps(), iterators,
                                [&](OpBuilder &body, Location loc, ValueRange) {
                                  IRMapping mapping;
                                  emit(body, first, ofFirst, /*isSecond=*/false, mapping);
                                  emit(body, second, ofSecond, /*isSecond=*/true, mapping);
                                  SmallVector<Value> results;
                                  for (GenericOp op : {first, second})
                                    for (Value value : op.getBody()->getTerminator()->getOperands())
                                      results.push_back(mapping.lookupOrDefault(value));
                                  linalg::YieldOp::create(body, loc, results);
                                });
  mergeSchedules(first, second, both);
  return both;
}

/// True if an operation with the plan `own`, whose vectors go along `loop`, combines its results in
/// the same order in one with `plan`.
bool SiblingFusion::keepsPlan(const loops::VectorPlan &plan, const loops::VectorPlan &own,
                              unsigned loop) {
  return plan.lanes == own.lanes && plan.loop == loop &&
         (own.numCombined == 0 || plan.numVectors == own.numVectors);
}

bool SiblingFusion::isWorthwhile() {
  if (first.getNumResults() + second.getNumResults() > kMaxSiblingResults ||
      !keepsOrder(second, loops))
    return false;
  std::optional<loops::VectorPlan> plans[] = {loops::getVectorPlan(first, vectorBits),
                                              loops::getVectorPlan(second, vectorBits)};
  if (!plans[0] || !plans[1])
    return false;
  // To be looked at only.
  GenericOp both = SiblingFusion(first, second, loops, vectorBits).build(first);
  auto erase = llvm::scope_exit([&] { both.erase(); });
  std::optional<loops::VectorPlan> plan = loops::getVectorPlan(both, vectorBits);
  if (!plan || plan->hasOthers || both.getNumDpsInputs() > kMaxSiblingInputs)
    return false;
  unsigned numRegisters = vectorBits >= 512 ? 32 : 16;
  auto isBool = [](Value operand) { return getElementTypeOrSelf(operand).isInteger(1); };
  if (plan->numCombined != 0 && (plan->numCombined * plan->numVectors > numRegisters / 2 ||
                                 llvm::any_of(both->getOperands(), isBool)))
    return false;
  AffineMap same = AffineMap::getMultiDimIdentityMap(loops.getNumDims(), loops.getContext());
  for (auto [op, own, ownPlan] :
       {std::tuple(first, same, *plans[0]), std::tuple(second, loops, *plans[1])})
    if (!keepsPlan(*plan, ownPlan,
                   cast<AffineDimExpr>(own.getResult(ownPlan.loop)).getPosition()) ||
        !keepsParts(op, own, both) || (isByRow(op) && !isByRow(both) && hasRowNeighbours(op)))
      return false;
  return true;
}

bool pypto::areWorthOneLoop(GenericOp op, GenericOp other, AffineMap loops) {
  if (!isCandidate(op) || !isCandidate(other))
    return false;
  OpBuilder b(op);
  auto first = cast<GenericOp>(b.clone(*op)), second = cast<GenericOp>(b.clone(*other));
  relaxReductions(first);
  relaxReductions(second);
  bool isOk = SiblingFusion(first, second, loops, FuseSiblingsOptions().vectorBits).isWorthwhile();
  first.erase();
  second.erase();
  return isOk;
}

//===- Places -------------------------------------------------------------------------===//

/// Everything that `op` needs, in its body too.
static SetVector<Value> getNeeded(Operation *op) {
  SetVector<Value> needed(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), needed);
  return needed;
}

/// True if `op` may be computed earlier than it stands.
static bool canMove(Operation *op) {
  return isMemoryEffectFree(op) && !isa<bufferization::ToTensorOp>(op) &&
         (op->getNumRegions() == 0 || isa<linalg::FillOp>(op));
}

/// The operations behind `place` that have to be in front of it for `op` to be there, in their
/// order; nothing if one of them cannot, or if it is `place`.
static std::optional<SmallVector<Operation *>> findMoved(Operation *op, Operation *place) {
  SetVector<Operation *> moved;
  moved.insert(op);
  for (size_t i = 0; i != moved.size(); ++i)
    for (Value value : getNeeded(moved[i])) {
      Operation *needed = value.getDefiningOp();
      if (!needed || needed->getBlock() != place->getBlock() || needed->isBeforeInBlock(place))
        continue;
      if (needed == place || !canMove(needed) || moved.size() > kMaxMoved)
        return std::nullopt;
      moved.insert(needed);
    }
  SmallVector<Operation *> sorted(llvm::drop_begin(moved));
  llvm::sort(sorted, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return sorted;
}

/// True if everything that needs `op` comes after `place`.
static bool areUsersBehind(Operation *op, Operation *place) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    Operation *above = place->getBlock()->findAncestorOpInBlock(*user);
    return !above || place->isBeforeInBlock(above);
  });
}

//===- Blocks -------------------------------------------------------------------------===//

namespace {
/// The siblings of one block.
class BlockFusion {
public:
  BlockFusion(Block &block, int64_t vectorBits) : vectorBits(vectorBits) {
    for (Operation &op : block) {
      if (auto generic = dyn_cast<GenericOp>(op); generic && generic.hasPureTensorSemantics()) {
        ops.push_back(generic);
        numEffects[generic] = effects.size();
      } else if (!isMemoryEffectFree(&op) && !isa<bufferization::ToTensorOp>(op)) {
        effects.push_back(&op);
      }
    }
  }

  void run();

private:
  GenericOp fuse(GenericOp op);
  Operation *findPlace(GenericOp first, GenericOp second);
  bool mayCross(GenericOp first, GenericOp second);
  GenericOp replace(GenericOp first, GenericOp second, AffineMap loops, Operation *place);
  void addReads(GenericOp op);

  int64_t vectorBits;
  SmallVector<GenericOp> ops;
  /// Operations with effects, and how many of them come before an operation.
  SmallVector<Operation *> effects;
  DenseMap<Operation *, size_t> numEffects;
  /// Operations that read a tensor, the last ones of them.
  DenseMap<Value, SmallVector<GenericOp>> readers;
};
} // namespace

/// True if nothing between the two is in the way of computing the second one early. What is read in
/// place nobody writes until it was read last; but where the results go may be read, or written.
bool BlockFusion::mayCross(GenericOp first, GenericOp second) {
  size_t begin = numEffects[first], end = numEffects[second];
  if (end - begin > kMaxCrossed)
    return false;
  SmallVector<Value> destinations;
  for (Operation *user : second->getUsers())
    if (auto store = dyn_cast<MaterializeInDestinationOp>(user);
        store && isa<MemRefType>(store.getDest().getType()))
      destinations.push_back(store.getDest());
  return llvm::all_of(ArrayRef(effects).slice(begin, end - begin), [&](Operation *op) {
    return isa<MaterializeInDestinationOp, memref::AllocOp, memref::CopyOp, linalg::CopyOp>(op) &&
           llvm::none_of(destinations,
                         [&](Value destination) { return transforms::mayAccess(op, destination); });
  });
}

/// Where both may be computed: at the place of the first, of which that of the second needs
/// nothing, or at that of the second; null if there is none.
Operation *BlockFusion::findPlace(GenericOp first, GenericOp second) {
  if (mayCross(first, second))
    if (std::optional<SmallVector<Operation *>> moved = findMoved(second, first)) {
      for (Operation *op : *moved)
        op->moveBefore(first);
      return first;
    }
  bool isQuiet = numEffects[first] == numEffects[second];
  return isQuiet && areUsersBehind(first, second) ? second : nullptr;
}

GenericOp BlockFusion::replace(GenericOp first, GenericOp second, AffineMap loops,
                               Operation *place) {
  GenericOp both = SiblingFusion(first, second, loops, vectorBits).build(place);
  numEffects[both] = numEffects[place];
  first->replaceAllUsesWith(both.getResults().take_front(first.getNumResults()));
  second->replaceAllUsesWith(both.getResults().drop_front(first.getNumResults()));
  for (Value input : first.getInputs())
    llvm::erase(readers[input], first);
  for (GenericOp op : {first, second}) {
    numEffects.erase(op);
    op.erase();
  }
  return both;
}

/// One operation of `op` and one in front of it; null if there is none.
GenericOp BlockFusion::fuse(GenericOp op) {
  if (!isCandidate(op))
    return {};
  for (Value input : op.getInputs()) {
    SmallVector<GenericOp> known = readers.lookup(input);
    for (GenericOp other : llvm::reverse(known)) {
      std::optional<AffineMap> loops = alignSiblings(other, op);
      if (!loops || !SiblingFusion(other, op, *loops, vectorBits).isWorthwhile())
        continue;
      if (Operation *place = findPlace(other, op))
        return replace(other, op, *loops, place);
    }
  }
  return {};
}

void BlockFusion::addReads(GenericOp op) {
  if (!isCandidate(op))
    return;
  for (Value input : llvm::SetVector<Value>(op.getInputs().begin(), op.getInputs().end())) {
    SmallVector<GenericOp> &known = readers[input];
    if (known.size() == kMaxTried)
      known.erase(known.begin());
    known.push_back(op);
  }
}

void BlockFusion::run() {
  for (GenericOp op : ops) {
    while (GenericOp both = fuse(op))
      op = both;
    addReads(op);
  }
}

namespace {
struct FuseSiblingsPass : pypto::impl::FuseSiblingsBase<FuseSiblingsPass> {
  using FuseSiblingsBase::FuseSiblingsBase;

  LogicalResult initialize(MLIRContext *context) override {
    return OptionChecker(context, *this).vectorBits("vector-bits", vectorBits);
  }

  void runOnModule() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!isa_and_nonnull<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks)
      BlockFusion(*block, vectorBits).run();
  }
};
} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions end where all terms that follow leave them as they are, and so does what makes these.
#include "pypto/Loops/Conditions.h"
#include "pypto/Loops/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::loops;
using linalg::GenericOp;

namespace pypto {
#define GEN_PASS_DEF_BOUNDREDUCTIONS
#include "pypto/Loops/Passes.h.inc"
} // namespace pypto

//===- Terms --------------------------------------------------------------------===//

/// True if `combiner` with `value` leaves every number as it is, up to the sign of zero.
static bool isNeutral(Operation *combiner, Value value) {
  if (isa<arith::AddFOp>(combiner))
    return matchPattern(value, m_AnyZeroFloat());
  if (isa<arith::MulFOp>(combiner))
    return matchPattern(value, m_OneFloat());
  if (isa<arith::MaximumFOp>(combiner))
    return matchPattern(value, m_NegInfFloat());
  if (isa<arith::MinimumFOp>(combiner))
    return matchPattern(value, m_PosInfFloat());
  if (isa<arith::AddIOp, arith::OrIOp, arith::XOrIOp>(combiner))
    return matchPattern(value, m_Zero());
  return isa<arith::MulIOp>(combiner) && matchPattern(value, m_One());
}

/// The conditions without each of which `value` is neutral; in loops of the body that it is in.
static SmallVector<IndexSum> getConditions(Operation *combiner, Value value, Block *body) {
  SmallVector<IndexSum> sums;
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select || !isNeutral(combiner, select.getFalseValue()))
    return sums;
  SmallVector<Value> work = {select.getCondition()};
  while (!work.empty()) {
    Value condition = work.pop_back_val();
    if (auto both = condition.getDefiningOp<arith::AndIOp>())
      llvm::append_values(work, both.getLhs(), both.getRhs());
    else if (std::optional<IndexSum> sum = matchCondition(condition, body))
      sums.push_back(*sum);
  }
  return sums;
}

/// The same of what `term` is in the body of the operation that made the tensor it is an element
/// of.
static SmallVector<IndexSum> getProducerConditions(Operation *combiner, BlockArgument term,
                                                   GenericOp op) {
  SmallVector<IndexSum> sums;
  OpOperand *operand = op.getMatchingOpOperand(term);
  auto producer = operand->get().getDefiningOp<GenericOp>();
  if (!producer || op.isDpsInit(operand) || producer->getBlock() != op->getBlock() ||
      producer.getNumReductionLoops() != 0)
    return sums;
  unsigned result = cast<OpResult>(operand->get()).getResultNumber();
  AffineMap written = producer.getMatchingIndexingMap(producer.getDpsInitOperand(result));
  AffineMap read = op.getMatchingIndexingMap(operand);
  auto getLoop = [&](unsigned loop) -> std::optional<unsigned> {
    for (auto [from, to] : llvm::zip_equal(written.getResults(), read.getResults())) {
      auto own = dyn_cast<AffineDimExpr>(from), other = dyn_cast<AffineDimExpr>(to);
      if (own && other && own.getPosition() == loop)
        return other.getPosition();
    }
    return std::nullopt;
  };
  Value yielded = producer.getBody()->getTerminator()->getOperand(result);
  for (const IndexSum &sum : getConditions(combiner, yielded, producer.getBody()))
    if (std::optional<IndexSum> own = sum.replaceLoops(getLoop))
      sums.push_back(*own);
  return sums;
}

namespace {
/// A number of iterations: at most variables of loops around, times factors, plus a constant.
using Bound = IndexSum;
} // namespace

/// How far `loop` can go where the sum is not negative.
static std::optional<Bound> getBound(const IndexSum &sum, unsigned loop,
                                     ArrayRef<int64_t> extents) {
  if (sum.getFactor(loop) != -1)
    return std::nullopt;
  Bound bound;
  bound.outer = sum.outer;
  bound.constant = sum.constant + 1;
  for (auto [other, factor] : sum.loops) {
    if (other == loop || factor < 0)
      continue;
    if (ShapedType::isDynamic(extents[other]) ||
        !bound.add(factor * std::max<int64_t>(extents[other] - 1, 0)))
      return std::nullopt;
  }
  return bound;
}

/// How many iterations of its reduction loop `op` needs.
static std::optional<Bound> getBound(GenericOp op, unsigned loop) {
  std::optional<Bound> all;
  for (unsigned result = 0; result != op.getNumDpsInits(); ++result) {
    BlockArgument accumulator = op.getRegionOutputArgs()[result];
    Operation *combiner = op.getBody()->getTerminator()->getOperand(result).getDefiningOp();
    if (!combiner || combiner->getNumOperands() != 2 || !accumulator.hasOneUse() ||
        *accumulator.user_begin() != combiner)
      return std::nullopt;
    Value term = combiner->getOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
    SmallVector<IndexSum> conditions = getConditions(combiner, term, op.getBody());
    if (auto argument = dyn_cast<BlockArgument>(term);
        argument && argument.getOwner() == op.getBody())
      conditions = getProducerConditions(combiner, argument, op);
    std::optional<Bound> bound;
    for (const IndexSum &sum : conditions)
      if (!bound)
        bound = getBound(sum, loop, op.getStaticLoopRanges());
    // All results end together.
    if (!bound || (all && (all->outer != bound->outer || all->constant != bound->constant)))
      return std::nullopt;
    all = bound;
  }
  return all;
}

//===- Loops that go along each other -----------------------------------------------===//

namespace {
/// A loop of an operation.
using Loop = std::pair<Operation *, unsigned>;

/// The operations of one block.
class Bounding {
public:
  explicit Bounding(Block &block) : block(block) {}
  void run();

private:
  void collect();
  void connect(linalg::LinalgOp op);
  bool isVisible(Value tensor);
  std::optional<Bound> getBoundOf(ArrayRef<Loop> loops);
  void narrow(ArrayRef<Loop> loops, const Bound &bound);
  Value slice(OpBuilder &b, Value tensor, ArrayRef<unsigned> dims, OpFoldResult size);

  Block &block;
  SmallVector<linalg::LinalgOp> ops;
  llvm::EquivalenceClasses<Loop> classes;
  DenseSet<Loop> pinned;
};
} // namespace

/// True if something other than loops in this block sees the tensor.
bool Bounding::isVisible(Value tensor) {
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    return user->getBlock() != &block || !isa<GenericOp, linalg::FillOp>(user);
  });
}

/// Joins the loops of `op` with those that made what it reads.
void Bounding::connect(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
    bool isInside = producer && producer->getBlock() == &block;
    AffineMap written =
        isInside ? producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get())) : map;
    bool isNew = operand.get().getDefiningOp<tensor::EmptyOp>() != nullptr;
    bool isInit = op.isDpsInit(&operand);
    bool isPinned = isInit && ((!isInside && !isNew) || isVisible(op.getTiedOpResult(&operand)));
    for (auto [expr, other] : llvm::zip_equal(map.getResults(), written.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr), otherDim = dyn_cast<AffineDimExpr>(other);
      for (unsigned loop = 0; loop != op.getNumLoops(); ++loop)
        if (expr.isFunctionOfDim(loop) && (!dim || isPinned))
          pinned.insert({op, loop});
      if (!isInside)
        continue;
      for (unsigned loop = 0; loop != producer.getNumLoops(); ++loop)
        if (other.isFunctionOfDim(loop) && (!dim || !otherDim))
          pinned.insert({producer, loop});
      if (dim && otherDim)
        classes.unionSets(Loop{op, dim.getPosition()}, Loop{producer, otherDim.getPosition()});
    }
  }
}

void Bounding::collect() {
  for (Operation &op : block) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured || !structured.hasPureTensorSemantics())
      continue;
    ops.push_back(structured);
    for (unsigned loop = 0; loop != structured.getNumLoops(); ++loop) {
      classes.insert(Loop{&op, loop});
      if (!isa<GenericOp, linalg::FillOp>(op))
        pinned.insert({&op, loop});
    }
  }
  for (linalg::LinalgOp op : ops)
    connect(op);
}

/// The number of iterations after which no reduction of the class needs more.
std::optional<Bound> Bounding::getBoundOf(ArrayRef<Loop> loops) {
  std::optional<Bound> all;
  for (auto [op, loop] : loops) {
    auto structured = cast<linalg::LinalgOp>(op);
    if (pinned.contains({op, loop}) ||
        ShapedType::isDynamic(structured.getStaticLoopRanges()[loop]))
      return std::nullopt;
    if (structured.getIteratorTypesArray()[loop] != utils::IteratorType::reduction)
      continue;
    std::optional<Bound> bound = getBound(cast<GenericOp>(op), loop);
    if (!bound || (all && all->outer != bound->outer))
      return std::nullopt;
    if (all)
      bound->constant = std::max(bound->constant, all->constant);
    all = bound;
  }
  return all;
}

/// The first `size` elements of `tensor` along `dims`.
Value Bounding::slice(OpBuilder &b, Value tensor, ArrayRef<unsigned> dims, OpFoldResult size) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
      strides(type.getRank(), b.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(b, tensor.getLoc(), tensor);
  for (unsigned dim : dims)
    sizes[dim] = size;
  return tensor::ExtractSliceOp::create(b, tensor.getLoc(), tensor, offsets, sizes, strides);
}

void Bounding::narrow(ArrayRef<Loop> loops, const Bound &bound) {
  DenseSet<Operation *> members;
  for (auto [op, loop] : loops)
    members.insert(op);
  ImplicitLocOpBuilder b(block.front().getLoc(), &block, block.begin());
  int64_t extent = cast<linalg::LinalgOp>(loops[0].first).getStaticLoopRanges()[loops[0].second];
  Value size = getValueOrCreateConstantIndexOp(b, b.getLoc(), bound.emitOuter(b));
  size = b.createOrFold<arith::MinSIOp>(size, arith::ConstantIndexOp::create(b, extent));
  size = b.createOrFold<arith::MaxSIOp>(size, arith::ConstantIndexOp::create(b, 0));
  OpFoldResult folded = getAsOpFoldResult(size);
  for (linalg::LinalgOp op : ops) {
    if (!members.contains(op))
      continue;
    b.setInsertionPoint(op);
    for (OpOperand &operand : op->getOpOperands()) {
      SmallVector<unsigned> dims;
      for (auto [position, expr] :
           llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        for (auto [member, loop] : loops)
          if (member == op && expr == b.getAffineDimExpr(loop))
            dims.push_back(position);
      if (dims.empty())
        continue;
      // What a member made is as short already.
      Operation *producer = operand.get().getDefiningOp();
      if (!producer || !members.contains(producer))
        operand.set(slice(b, operand.get(), dims, folded));
      if (op.isDpsInit(&operand))
        op.getTiedOpResult(&operand).setType(operand.get().getType());
    }
  }
}

void Bounding::run() {
  collect();
  SmallVector<std::pair<SmallVector<Loop>, Bound>> found;
  for (const auto &each : classes) {
    if (!each->isLeader())
      continue;
    SmallVector<Loop> loops(classes.member_begin(*each), classes.member_end());
    if (std::optional<Bound> bound = getBoundOf(loops))
      found.emplace_back(std::move(loops), *bound);
  }
  for (auto &[loops, bound] : found)
    narrow(loops, bound);
}

namespace {
struct BoundReductionsPass : pypto::impl::BoundReductionsBase<BoundReductionsPass> {
  void runOnModule() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop.getOps<linalg::LinalgOp>().begin() != loop.getOps<linalg::LinalgOp>().end())
        blocks.push_back(loop.getBody());
    });
    for (Block *block : blocks)
      Bounding(*block).run();
  }
};
} // namespace

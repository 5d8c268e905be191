// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NestRebuilding.h"
#include "pypto/Rangeify/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_FOLDLOADS
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

namespace {
/// A reduction over one loop, taken apart.
struct Reduction {
  linalg::GenericOp nest;
  unsigned loop;
  int64_t extent;
  /// Joins the accumulator and `element`.
  Operation *combiner;
  Value element;
};
} // namespace

/// True if `value` depends on the loop.
static bool dependsOn(Value value, Reduction reduction) {
  SmallVector<Value> work{value};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!seen.insert(next).second || !op || !reduction.nest->isProperAncestor(op))
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(op); index && index.getDim() == reduction.loop)
      return true;
    llvm::append_range(work, op->getOperands());
    // What regions read counts as read by their op.
    op->walk([&](Operation *inner) { llvm::append_range(work, inner->getOperands()); });
  }
  return false;
}

static std::optional<Reduction> match(linalg::GenericOp nest) {
  SmallVector<unsigned> dims;
  nest.getReductionDims(dims);
  if (dims.size() != 1 || nest.getNumResults() != 1 || !isInRangeForm(nest))
    return std::nullopt;
  Value accumulator = nest.getRegionOutputArgs()[0];
  Operation *combiner = nest.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 || !accumulator.hasOneUse() ||
      *accumulator.user_begin() != combiner)
    return std::nullopt;
  unsigned other = combiner->getOperand(0) == accumulator ? 1 : 0;
  return Reduction{nest, dims[0], nest.getStaticLoopRanges()[dims[0]], combiner,
                   combiner->getOperand(other)};
}

/// The loop as it is compared: itself, or as an integer.
static bool isLoop(Value value, Reduction reduction) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index && index.getDim() == reduction.loop;
}

/// The nest without its reduction: `element` makes what is combined once; its argument clones what
/// an element needs with the loop at a given value.
static void replace(Reduction reduction,
                    llvm::function_ref<Value(OpBuilder &, IRMapping &)> element) {
  linalg::GenericOp nest = reduction.nest;
  OpBuilder b(nest);
  auto renumber = [&](unsigned loop) { return loop - (loop > reduction.loop); };
  SmallVector<utils::IteratorType> iterators = nest.getIteratorTypesArray();
  iterators.erase(iterators.begin() + reduction.loop);
  SmallVector<AffineExpr> results;
  OpOperand *init = nest.getDpsInitOperand(0);
  for (AffineExpr expr : nest.getMatchingIndexingMap(init).getResults())
    results.push_back(b.getAffineDimExpr(renumber(cast<AffineDimExpr>(expr).getPosition())));
  auto map = AffineMap::get(iterators.size(), 0, results, b.getContext());
  auto simple = linalg::GenericOp::create(
      b, nest.getLoc(), nest.getResultTypes(), ValueRange(), init->get(), map, iterators,
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(nest.getRegionOutputArgs()[0], arguments[0]);
        for (unsigned loop = 0; loop <= iterators.size(); ++loop)
          if (loop != reduction.loop) {
            Value value = linalg::IndexOp::create(body, loc, renumber(loop));
            for (auto index : nest.getBody()->getOps<linalg::IndexOp>())
              if (index.getDim() == loop)
                mapping.map(index.getResult(), value);
          }
        mapping.map(reduction.element, element(body, mapping));
        linalg::YieldOp::create(body, loc, body.clone(*reduction.combiner, mapping)->getResults());
      });
  nest.replaceAllUsesWith(simple);
  nest.erase();
}

/// Clones `value` and what it needs from the nest, as far as it is not mapped.
static Value cloneValue(OpBuilder &b, Value value, Reduction reduction, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || !reduction.nest->isProperAncestor(op))
    return value;
  SmallVector<Value> needed(op->getOperands());
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (operand.getParentBlock() == reduction.nest.getBody())
        needed.push_back(operand);
  });
  for (Value operand : needed)
    cloneValue(b, operand, reduction, mapping);
  b.clone(*op, mapping);
  return mapping.lookup(value);
}

/// An element that is the same in every iteration.
static bool foldUnused(Reduction reduction) {
  if (dependsOn(reduction.element, reduction) || reduction.extent == 0)
    return false;
  bool isSum = isa<arith::AddIOp>(reduction.combiner);
  if (!isSum &&
      !isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
           arith::MinUIOp, arith::AndIOp, arith::OrIOp>(reduction.combiner))
    return false;
  replace(reduction, [&](OpBuilder &b, IRMapping &mapping) -> Value {
    Value element = cloneValue(b, reduction.element, reduction, mapping);
    if (!isSum)
      return element;
    Location loc = reduction.nest.getLoc();
    Value count = arith::ConstantOp::create(
        b, loc,
        b.getIntegerAttr(element.getType(), APInt(element.getType().getIntOrFloatBitWidth(),
                                                  reduction.extent, false, true)));
    return arith::MulIOp::create(b, loc, element, count);
  });
  return true;
}

namespace {
/// An element that is `value` where `condition` holds, and else zero.
struct Guarded {
  arith::CmpIOp condition;
  Value value;
};
} // namespace

static std::optional<Guarded> matchGuarded(Value element) {
  if (auto select = element.getDefiningOp<arith::SelectOp>()) {
    auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
    if (compare && (matchPattern(select.getFalseValue(), m_Zero()) ||
                    matchPattern(select.getFalseValue(), m_PosZeroFloat())))
      return Guarded{compare, select.getTrueValue()};
  }
  // A condition that is counted.
  if (auto extend = element.getDefiningOp<arith::ExtUIOp>())
    if (auto compare = extend.getIn().getDefiningOp<arith::CmpIOp>())
      return Guarded{compare, Value()};
  return std::nullopt;
}

/// One iteration at most counts: the one that the loop is compared with. The element is read there.
static bool foldOneHot(Reduction reduction) {
  std::optional<Guarded> guarded = matchGuarded(reduction.element);
  if (!guarded || !guarded->value || !isa<arith::AddIOp, arith::AddFOp>(reduction.combiner) ||
      guarded->condition.getPredicate() != arith::CmpIPredicate::eq)
    return false;
  Value lhs = guarded->condition.getLhs(), rhs = guarded->condition.getRhs();
  if (isLoop(rhs, reduction))
    std::swap(lhs, rhs);
  if (!isLoop(lhs, reduction) || dependsOn(rhs, reduction))
    return false;
  replace(reduction, [&](OpBuilder &b, IRMapping &mapping) -> Value {
    Location loc = reduction.nest.getLoc();
    Value chosen = cloneValue(b, rhs, reduction, mapping);
    if (!chosen.getType().isIndex())
      chosen = arith::IndexCastOp::create(b, loc, b.getIndexType(), chosen);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value end = arith::ConstantIndexOp::create(b, loc, reduction.extent);
    Value isThere = arith::AndIOp::create(
        b, loc, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, chosen, zero),
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, chosen, end));
    auto branch = scf::IfOp::create(b, loc, reduction.element.getType(), isThere, true);
    OpBuilder then = OpBuilder::atBlockBegin(branch.thenBlock());
    for (auto index : reduction.nest.getBody()->getOps<linalg::IndexOp>())
      if (index.getDim() == reduction.loop)
        mapping.map(index.getResult(), chosen);
    IRMapping inside = mapping;
    scf::YieldOp::create(then, loc, cloneValue(then, guarded->value, reduction, inside));
    OpBuilder otherwise = OpBuilder::atBlockBegin(branch.elseBlock());
    Value none =
        arith::ConstantOp::create(otherwise, loc, b.getZeroAttr(reduction.element.getType()));
    scf::YieldOp::create(otherwise, loc, none);
    return branch.getResult(0);
  });
  return true;
}

/// The comparison with its sides exchanged.
static arith::CmpIPredicate turnRound(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return arith::CmpIPredicate::sgt;
  case arith::CmpIPredicate::sle:
    return arith::CmpIPredicate::sge;
  case arith::CmpIPredicate::sgt:
    return arith::CmpIPredicate::slt;
  case arith::CmpIPredicate::sge:
    return arith::CmpIPredicate::sle;
  default:
    return predicate;
  }
}

/// An integer that is added in the iterations in front of a limit, or from it on: a product.
static bool foldTriangle(Reduction reduction) {
  std::optional<Guarded> guarded = matchGuarded(reduction.element);
  if (!guarded || !isa<arith::AddIOp>(reduction.combiner) ||
      (guarded->value && dependsOn(guarded->value, reduction)))
    return false;
  arith::CmpIOp compare = guarded->condition;
  arith::CmpIPredicate predicate = compare.getPredicate();
  Value lhs = compare.getLhs(), limit = compare.getRhs();
  if (isLoop(limit, reduction)) {
    std::swap(lhs, limit);
    predicate = turnRound(predicate);
  }
  using Predicate = arith::CmpIPredicate;
  bool isInFront = predicate == Predicate::slt || predicate == Predicate::sle;
  bool isBehind = predicate == Predicate::sge || predicate == Predicate::sgt;
  if (!isLoop(lhs, reduction) || dependsOn(limit, reduction) || !(isInFront || isBehind))
    return false;
  // `<=` and `>` have the limit one further.
  bool isShifted = predicate == Predicate::sle || predicate == Predicate::sgt;
  replace(reduction, [&](OpBuilder &b, IRMapping &mapping) -> Value {
    Location loc = reduction.nest.getLoc();
    auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
    Value cut = cloneValue(b, limit, reduction, mapping);
    if (!cut.getType().isIndex())
      cut = arith::IndexCastOp::create(b, loc, b.getIndexType(), cut);
    // Clamped first: the limit may be the greatest number that there is.
    Value low = constant(isShifted ? -1 : 0), high = constant(reduction.extent - isShifted);
    cut = arith::MaxSIOp::create(b, loc, arith::MinSIOp::create(b, loc, cut, high), low);
    if (isShifted)
      cut = arith::AddIOp::create(b, loc, cut, constant(1));
    Value count = isInFront
                      ? cut
                      : arith::SubIOp::create(b, loc, constant(reduction.extent), cut).getResult();
    Value number = arith::IndexCastOp::create(b, loc, reduction.element.getType(), count);
    if (!guarded->value)
      return number;
    return arith::MulIOp::create(b, loc, cloneValue(b, guarded->value, reduction, mapping), number);
  });
  return true;
}

namespace {
struct FoldLoadsPass : pypto::rangeify::impl::FoldLoadsBase<FoldLoadsPass> {
  void runOnModule() override {
    SmallVector<linalg::GenericOp> nests;
    getOperation().walk([&](linalg::GenericOp nest) { nests.push_back(nest); });
    for (linalg::GenericOp nest : nests)
      if (std::optional<Reduction> reduction = match(nest))
        (void)(foldUnused(*reduction) || foldOneHot(*reduction) || foldTriangle(*reduction));
  }
};
} // namespace

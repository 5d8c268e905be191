// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ClosedForms.h"
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

static std::optional<Reduction> match(linalg::GenericOp nest, unsigned loop) {
  if (nest.getNumResults() != 1 || !isInRangeForm(nest) ||
      !nest.getMatchingIndexingMap(nest.getDpsInitOperand(0)).isProjectedPermutation())
    return std::nullopt;
  Value accumulator = nest.getRegionOutputArgs()[0];
  Operation *combiner = nest.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 || !accumulator.hasOneUse() ||
      *accumulator.user_begin() != combiner)
    return std::nullopt;
  unsigned other = combiner->getOperand(0) == accumulator ? 1 : 0;
  return Reduction{nest, loop, nest.getStaticLoopRanges()[loop], combiner,
                   combiner->getOperand(other)};
}

/// The nest without the loop: `element` makes what is combined once; its argument has what stands
/// for the other loops.
static linalg::GenericOp replace(const Reduction &reduction,
                                 llvm::function_ref<Value(OpBuilder &, IRMapping &)> element) {
  linalg::GenericOp nest = reduction.nest;
  OpBuilder b(nest);
  auto renumber = [&](unsigned loop) { return loop - (loop > reduction.loop); };
  SmallVector<utils::IteratorType> iterators = nest.getIteratorTypesArray();
  iterators.erase(iterators.begin() + reduction.loop);
  SmallVector<int64_t> extents = nest.getStaticLoopRanges(), reduced;
  extents.erase(extents.begin() + reduction.loop);
  SmallVector<AffineExpr> kept, results;
  for (auto [loop, kind] : llvm::enumerate(iterators))
    if (kind == utils::IteratorType::reduction) {
      kept.push_back(b.getAffineDimExpr(loop));
      reduced.push_back(extents[loop]);
    }
  OpOperand *init = nest.getDpsInitOperand(0);
  for (AffineExpr expr : nest.getMatchingIndexingMap(init).getResults())
    results.push_back(b.getAffineDimExpr(renumber(cast<AffineDimExpr>(expr).getPosition())));
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  if (!kept.empty()) {
    inputs.push_back(tensor::EmptyOp::create(b, nest.getLoc(), reduced, b.getI8Type()));
    maps.push_back(AffineMap::get(iterators.size(), 0, kept, b.getContext()));
  }
  maps.push_back(AffineMap::get(iterators.size(), 0, results, b.getContext()));
  auto simple = linalg::GenericOp::create(
      b, nest.getLoc(), nest.getResultTypes(), inputs, init->get(), maps, iterators,
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(nest.getRegionOutputArgs()[0], arguments.back());
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
  return simple;
}

/// An integer times itself, so many times.
static Value raise(OpBuilder &b, Location loc, Value base, int64_t exponent) {
  Value result;
  for (;; exponent >>= 1) {
    if (exponent & 1)
      result = result ? arith::MulIOp::create(b, loc, result, base).getResult() : base;
    if (exponent <= 1)
      return result;
    base = arith::MulIOp::create(b, loc, base, base);
  }
}

/// An element that is the same in every iteration, and is not added.
static linalg::GenericOp foldUnused(const Reduction &reduction) {
  bool isPower = isa<arith::MulIOp>(reduction.combiner),
       isParity = isa<arith::XOrIOp>(reduction.combiner);
  if (reduction.isUsedBy(reduction.element) || reduction.extent == 0 ||
      !(isPower || isParity ||
        isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
            arith::MinUIOp, arith::AndIOp, arith::OrIOp>(reduction.combiner)))
    return nullptr;
  return replace(reduction, [&](OpBuilder &b, IRMapping &mapping) -> Value {
    Location loc = reduction.combiner->getLoc();
    Value element = reduction.clone(b, reduction.element, mapping);
    if (isParity && reduction.extent % 2 == 0)
      return arith::ConstantOp::create(b, loc, b.getZeroAttr(element.getType()));
    return isPower ? raise(b, loc, element, reduction.extent) : element;
  });
}

namespace {
/// An element that is `value` where the loop is at `place`, and else zero.
struct OneHot {
  Value place, value;
};
} // namespace

static bool isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_PosZeroFloat());
}

static std::optional<OneHot> matchOneHot(const Reduction &reduction) {
  auto select = reduction.element.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  if (!compare)
    return std::nullopt;
  Value value = select.getTrueValue(), zero = select.getFalseValue();
  if (compare.getPredicate() == arith::CmpIPredicate::ne)
    std::swap(value, zero);
  else if (compare.getPredicate() != arith::CmpIPredicate::eq)
    return std::nullopt;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  if (reduction.isLoop(rhs))
    std::swap(lhs, rhs);
  if (!isZero(zero) || !reduction.isLoop(lhs) || reduction.isUsedBy(rhs))
    return std::nullopt;
  return OneHot{rhs, value};
}

/// One iteration at most counts: the one that the loop is compared with. The element is read there.
static linalg::GenericOp foldOneHot(const Reduction &reduction) {
  std::optional<OneHot> oneHot = matchOneHot(reduction);
  if (!oneHot || !isa<arith::AddIOp, arith::AddFOp>(reduction.combiner))
    return nullptr;
  return replace(reduction, [&](OpBuilder &b, IRMapping &mapping) -> Value {
    Location loc = reduction.combiner->getLoc();
    Type type = reduction.element.getType();
    Value chosen = reduction.clone(b, oneHot->place, mapping);
    if (!chosen.getType().isIndex())
      chosen = arith::IndexCastOp::create(b, loc, b.getIndexType(), chosen);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value end = arith::ConstantIndexOp::create(b, loc, reduction.extent);
    Value isThere = arith::AndIOp::create(
        b, loc, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, chosen, zero),
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, chosen, end));
    auto branch = scf::IfOp::create(b, loc, type, isThere, true);
    OpBuilder then = OpBuilder::atBlockBegin(branch.thenBlock());
    scf::YieldOp::create(then, loc, reduction.cloneAt(then, oneHot->value, chosen, mapping));
    OpBuilder otherwise = OpBuilder::atBlockBegin(branch.elseBlock());
    Value none = arith::ConstantOp::create(otherwise, loc, b.getZeroAttr(type));
    scf::YieldOp::create(otherwise, loc, none);
    return branch.getResult(0);
  });
}

static linalg::GenericOp foldSum(const Reduction &reduction) {
  ClosedSum sum(reduction);
  if (!isa<arith::AddIOp>(reduction.combiner) || !sum.exists())
    return nullptr;
  return replace(reduction,
                 [&](OpBuilder &b, IRMapping &mapping) { return sum.build(b, mapping); });
}

/// The nest without one of its reductions; null if none of them has a closed form.
static linalg::GenericOp foldOne(linalg::GenericOp nest) {
  SmallVector<unsigned> dims;
  nest.getReductionDims(dims);
  for (unsigned loop : llvm::reverse(dims)) {
    std::optional<Reduction> reduction = match(nest, loop);
    if (!reduction)
      return nullptr;
    for (auto fold : {foldUnused, foldOneHot, foldSum})
      if (linalg::GenericOp simple = fold(*reduction))
        return simple;
  }
  return nullptr;
}

namespace {
struct FoldLoadsPass : pypto::rangeify::impl::FoldLoadsBase<FoldLoadsPass> {
  void runOnModule() override {
    SmallVector<linalg::GenericOp> nests;
    getOperation().walk([&](linalg::GenericOp nest) { nests.push_back(nest); });
    for (linalg::GenericOp nest : nests)
      while (nest)
        nest = foldOne(nest);
  }
};
} // namespace

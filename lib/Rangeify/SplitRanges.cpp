// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopIndices.h"
#include "NestRebuilding.h"
#include "pypto/Rangeify/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_SPLITRANGES
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

namespace {
/// Loop `loop` becomes an outer one and an inner one of `factor` iterations.
struct Split {
  unsigned loop;
  int64_t factor;
};
} // namespace

/// A division of a loop, or remainder of it, by something that divides its extent.
static std::optional<Split> findSplit(AffineExpr expr, ArrayRef<int64_t> extents) {
  std::optional<Split> split;
  expr.walk([&](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    bool divides =
        part.getKind() == AffineExprKind::Mod || part.getKind() == AffineExprKind::FloorDiv;
    auto dim = binary && divides ? dyn_cast<AffineDimExpr>(binary.getLHS()) : nullptr;
    auto divisor = dim ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : nullptr;
    if (!divisor || dim.getPosition() >= extents.size())
      return;
    int64_t extent = extents[dim.getPosition()], factor = divisor.getValue();
    if (factor > 1 && factor < extent && extent % factor == 0)
      split = Split{dim.getPosition(), factor};
  });
  return split;
}

static std::optional<Split> findSplit(linalg::GenericOp nest) {
  LoopIndices loops(nest);
  SmallVector<int64_t> extents = nest.getStaticLoopRanges();
  std::optional<Split> split;
  nest.getBody()->walk([&](tensor::ExtractOp read) {
    for (Value position : read.getIndices())
      if (!split)
        split = findSplit(loops.getExpr(position), extents);
  });
  return split;
}

/// `shape` with the extent at `position` cut in two.
static SmallVector<int64_t> cut(ArrayRef<int64_t> shape, unsigned position, int64_t factor) {
  SmallVector<int64_t> result(shape);
  result[position] /= factor;
  result.insert(result.begin() + position + 1, factor);
  return result;
}

/// What a reduction starts from, in the new shape.
static Value cutInit(OpBuilder &b, Value init, unsigned position, int64_t factor) {
  auto type = cast<RankedTensorType>(init.getType());
  Location loc = init.getLoc();
  SmallVector<int64_t> shape = cut(type.getShape(), position, factor);
  if (init.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(b, loc, shape, type.getElementType());
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    Value empty = tensor::EmptyOp::create(b, loc, shape, type.getElementType());
    return linalg::FillOp::create(b, loc, fill.value(), empty).getResult(0);
  }
  return tensor::ExpandShapeOp::create(b, loc, RankedTensorType::get(shape, type.getElementType()),
                                       init, pairWithNext(type.getRank() + 1, position));
}

static linalg::GenericOp apply(linalg::GenericOp nest, Split split) {
  OpBuilder b(nest);
  NestShape shape;
  shape.iterators = nest.getIteratorTypesArray();
  shape.iterators.insert(shape.iterators.begin() + split.loop, shape.iterators[split.loop]);
  shape.extents = cut(nest.getStaticLoopRanges(), split.loop, split.factor);
  auto renumber = [&](unsigned loop) { return loop + (loop > split.loop); };
  SmallVector<std::optional<unsigned>> positions;
  for (OpOperand &init : nest.getDpsInitsMutable()) {
    SmallVector<AffineExpr> results;
    std::optional<unsigned> position;
    for (auto [i, expr] : llvm::enumerate(nest.getMatchingIndexingMap(&init).getResults())) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      results.push_back(b.getAffineDimExpr(renumber(loop)));
      if (loop == split.loop) {
        position = i;
        results.push_back(b.getAffineDimExpr(loop + 1));
      }
    }
    positions.push_back(position);
    shape.initMaps.push_back(AffineMap::get(shape.iterators.size(), 0, results, b.getContext()));
    shape.inits.push_back(position ? cutInit(b, init.get(), *position, split.factor) : init.get());
  }
  linalg::GenericOp result = rebuildNest(b, nest, shape, [&](OpBuilder &body, unsigned loop) {
    Location loc = nest.getLoc();
    Value outer = linalg::IndexOp::create(body, loc, renumber(loop));
    if (loop != split.loop)
      return outer;
    Value inner = linalg::IndexOp::create(body, loc, loop + 1);
    AffineExpr whole = b.getAffineDimExpr(0) * split.factor + b.getAffineDimExpr(1);
    return getValueOrCreateConstantIndexOp(
        body, loc,
        affine::makeComposedFoldedAffineApply(body, loc, AffineMap::get(2, 0, whole),
                                              {outer, inner}));
  });
  replaceNest(b, nest, result, positions);
  return result;
}

namespace {
struct SplitRangesPass : pypto::rangeify::impl::SplitRangesBase<SplitRangesPass> {
  void runOnModule() override {
    // Each division of an index splits a loop once at most; a loop has few of them.
    constexpr unsigned maxSplits = 8;
    SmallVector<linalg::GenericOp> nests;
    getOperation().walk([&](linalg::GenericOp nest) {
      bool isSimple = llvm::all_of(nest.getDpsInitsMutable(), [&](OpOperand &init) {
        return nest.getMatchingIndexingMap(&init).isProjectedPermutation();
      });
      if (isSimple && isInRangeForm(nest))
        nests.push_back(nest);
    });
    for (linalg::GenericOp nest : nests)
      for (unsigned n = 0; n < maxSplits; ++n) {
        std::optional<Split> split = findSplit(nest);
        if (!split)
          break;
        nest = apply(nest, *split);
      }
  }
};
} // namespace

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
#define GEN_PASS_DEF_MERGERANGES
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

static bool isOnlyReturned(Value tensor) {
  return llvm::all_of(tensor.getUsers(), [](Operation *user) {
    return isa<func::ReturnOp>(user) ||
           (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user) &&
            isOnlyReturned(user->getResult(0)));
  });
}

/// True if no other nest has to go along with the loops: one whose result this one reads, or that
/// reads a result of it, and may be computed in the same kernel.
static bool isAlone(linalg::GenericOp nest) {
  if (!llvm::all_of(nest.getResults(), isOnlyReturned))
    return false;
  return !nest.getBody()
              ->walk([](tensor::ExtractOp read) {
                return skipReshapes(read.getTensor()).getDefiningOp<linalg::LinalgOp>()
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// True if each tensor that is written has both loops next to each other, or none.
static bool areNeighbours(linalg::GenericOp nest, unsigned loop) {
  SmallVector<utils::IteratorType> kinds = nest.getIteratorTypesArray();
  if (kinds[loop] != kinds[loop + 1])
    return false;
  return llvm::all_of(nest.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = nest.getMatchingIndexingMap(&init);
    if (!map.isProjectedPermutation())
      return false;
    auto first = map.getResultPosition(getAffineDimExpr(loop, nest.getContext()));
    auto second = map.getResultPosition(getAffineDimExpr(loop + 1, nest.getContext()));
    return first.has_value() == second.has_value() && (!first || *second == *first + 1);
  });
}

static AffineExpr linearize(ArrayRef<AffineExpr> index, ArrayRef<int64_t> shape) {
  AffineExpr linear = index[0];
  for (size_t i = 1; i < index.size(); ++i)
    linear = linear * shape[i] + index[i];
  return linear;
}

namespace {
/// Counts the divisions of all indices in a nest, as it is and with two loops as one.
class DivisionCount {
public:
  explicit DivisionCount(linalg::GenericOp nest) : nest(nest), loops(nest) {}
  /// `merged`: the loop that becomes one with the next.
  int64_t count(std::optional<unsigned> merged);

private:
  int64_t countIn(Operation *op, std::optional<unsigned> merged);

  linalg::GenericOp nest;
  LoopIndices loops;
};
} // namespace

int64_t DivisionCount::countIn(Operation *op, std::optional<unsigned> merged) {
  SmallVector<AffineExpr> index;
  for (Value operand : op->getOperands())
    if (operand.getType().isIndex())
      index.push_back(loops.getExpr(operand));
  if (index.empty())
    return 0;
  SmallVector<Bounds> bounds = loops.getBounds(op);
  if (merged) {
    SmallVector<int64_t> extents = nest.getStaticLoopRanges();
    MLIRContext *context = nest.getContext();
    AffineExpr both = getAffineDimExpr(*merged, context);
    SmallVector<AffineExpr> replacements;
    for (unsigned i = 0; i < bounds.size(); ++i)
      replacements.push_back(i == *merged       ? both.floorDiv(extents[i + 1])
                             : i == *merged + 1 ? both % extents[i]
                                                : getAffineDimExpr(i - (i > *merged), context));
    for (AffineExpr &expr : index)
      expr = expr.replaceDims(replacements);
    bounds[*merged] = {0, extents[*merged] * extents[*merged + 1] - 1};
    bounds.erase(bounds.begin() + *merged + 1);
  }
  IndexSimplifier simplifier(nest.getContext(), bounds);
  int64_t count = 0;
  for (AffineExpr &expr : index) {
    expr = simplifier.simplify(expr);
    count += countDivisions(expr);
  }
  // What is in memory is read in the shape in which that is simplest.
  if (auto read = dyn_cast<tensor::ExtractOp>(op))
    if (read.getTensor().getType().hasStaticShape())
      count = std::min(count, countDivisions(simplifier.simplify(
                                  linearize(index, read.getTensor().getType().getShape()))));
  return count;
}

int64_t DivisionCount::count(std::optional<unsigned> merged) {
  int64_t count = 0;
  nest.getBody()->walk([&](Operation *op) {
    if (!isa<affine::AffineApplyOp>(op))
      count += countIn(op, merged);
  });
  return count;
}

static std::optional<unsigned> findMerge(linalg::GenericOp nest) {
  SmallVector<int64_t> extents = nest.getStaticLoopRanges();
  int64_t product;
  for (unsigned loop = 0; loop + 1 < extents.size(); ++loop)
    if (extents[loop] > 0 && extents[loop + 1] > 0 &&
        !llvm::MulOverflow(extents[loop], extents[loop + 1], product) &&
        areNeighbours(nest, loop)) {
      DivisionCount divisions(nest);
      if (divisions.count(loop) <= divisions.count(std::nullopt))
        return loop;
    }
  return std::nullopt;
}

static Value mergeInit(OpBuilder &b, Value init, unsigned position) {
  auto type = cast<RankedTensorType>(init.getType());
  Location loc = init.getLoc();
  SmallVector<int64_t> shape(type.getShape());
  shape[position] *= shape[position + 1];
  shape.erase(shape.begin() + position + 1);
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill && !init.getDefiningOp<tensor::EmptyOp>())
    return tensor::CollapseShapeOp::create(b, loc, init, pairWithNext(type.getRank(), position));
  Value empty = tensor::EmptyOp::create(b, loc, shape, type.getElementType());
  return fill ? linalg::FillOp::create(b, loc, fill.value(), empty).getResult(0) : empty;
}

static linalg::GenericOp merge(linalg::GenericOp nest, unsigned merged) {
  OpBuilder b(nest);
  NestShape shape;
  shape.iterators = nest.getIteratorTypesArray();
  shape.iterators.erase(shape.iterators.begin() + merged);
  shape.extents = nest.getStaticLoopRanges();
  int64_t inner = shape.extents[merged + 1];
  shape.extents[merged] *= inner;
  shape.extents.erase(shape.extents.begin() + merged + 1);
  auto renumber = [&](unsigned loop) { return loop - (loop > merged); };
  SmallVector<std::optional<unsigned>> positions;
  for (OpOperand &init : nest.getDpsInitsMutable()) {
    SmallVector<AffineExpr> results;
    std::optional<unsigned> position;
    for (auto [i, expr] : llvm::enumerate(nest.getMatchingIndexingMap(&init).getResults())) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      if (loop == merged)
        position = i;
      if (loop != merged + 1)
        results.push_back(b.getAffineDimExpr(renumber(loop)));
    }
    positions.push_back(position);
    shape.initMaps.push_back(AffineMap::get(shape.iterators.size(), 0, results, b.getContext()));
    shape.inits.push_back(position ? mergeInit(b, init.get(), *position) : init.get());
  }
  linalg::GenericOp result = rebuildNest(b, nest, shape, [&](OpBuilder &body, unsigned loop) {
    Location loc = nest.getLoc();
    Value index = linalg::IndexOp::create(body, loc, renumber(loop));
    AffineExpr both = b.getAffineDimExpr(0);
    if (loop != merged && loop != merged + 1)
      return index;
    AffineExpr part = loop == merged ? both.floorDiv(inner) : both % inner;
    return getValueOrCreateConstantIndexOp(
        body, loc,
        affine::makeComposedFoldedAffineApply(body, loc, AffineMap::get(1, 0, part), {index}));
  });
  replaceNest(b, nest, result, positions);
  return result;
}

namespace {
struct MergeRangesPass : pypto::rangeify::impl::MergeRangesBase<MergeRangesPass> {
  void runOnModule() override {
    SmallVector<linalg::GenericOp> nests;
    getOperation().walk([&](linalg::GenericOp nest) {
      if (isInRangeForm(nest) && isAlone(nest))
        nests.push_back(nest);
    });
    for (linalg::GenericOp nest : nests)
      while (std::optional<unsigned> loop = findMerge(nest))
        nest = merge(nest, *loop);
  }
};
} // namespace

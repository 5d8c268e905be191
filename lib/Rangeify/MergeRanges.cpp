// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopIndices.h"
#include "NestRebuilding.h"
#include "pypto/Rangeify/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/IntEqClasses.h"

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

/// True if the loop of a nest may become one with the next.
static bool canMerge(linalg::GenericOp nest, unsigned loop) {
  SmallVector<int64_t> extents = nest.getStaticLoopRanges();
  int64_t product;
  if (extents[loop] <= 0 || extents[loop + 1] <= 0 ||
      llvm::MulOverflow(extents[loop], extents[loop + 1], product) || !areNeighbours(nest, loop))
    return false;
  DivisionCount divisions(nest);
  return divisions.count(loop) <= divisions.count(std::nullopt);
}

/// A loop that may become one with the next in all of the nests, which have the same ranges.
static std::optional<unsigned> findMerge(MutableArrayRef<linalg::GenericOp> nests) {
  for (unsigned loop = 0; loop + 1 < nests.front().getNumLoops(); ++loop)
    if (llvm::all_of(nests, [&](linalg::GenericOp nest) { return canMerge(nest, loop); }))
      return loop;
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

//===- Siblings -----------------------------------------------------------------------===//

/// Rows that loops over their elements are as fast as one loop over everything.
static constexpr int64_t kLongRow = 256;
/// Ranges of nests that read one tensor that are looked at.
static constexpr size_t kMaxRanges = 8;

/// Nests that read the same tensor along the same ranges, and may become one later: their ranges
/// are merged together or not at all.
static SmallVector<SmallVector<linalg::GenericOp>>
collectSiblings(MutableArrayRef<linalg::GenericOp> nests) {
  llvm::IntEqClasses classes(nests.size());
  llvm::DenseMap<Value, SmallVector<std::pair<SmallVector<int64_t>, unsigned>>> readers;
  for (auto [index, nest] : llvm::enumerate(nests)) {
    SmallVector<int64_t> extents = nest.getStaticLoopRanges();
    if (extents.empty() || extents.back() < kLongRow)
      continue;
    nest.getBody()->walk([&, index = index](tensor::ExtractOp read) {
      auto &known = readers[skipReshapes(read.getTensor())];
      auto *found = llvm::find_if(
          known, [&](const auto &entry) { return llvm::equal(entry.first, extents); });
      if (found != known.end())
        classes.join(found->second, index);
      else if (known.size() < kMaxRanges)
        known.emplace_back(extents, static_cast<unsigned>(index));
    });
  }
  classes.compress();
  SmallVector<SmallVector<linalg::GenericOp>> siblings(classes.getNumClasses());
  for (auto [index, nest] : llvm::enumerate(nests))
    siblings[classes[index]].push_back(nest);
  return siblings;
}

namespace {
struct MergeRangesPass : pypto::rangeify::impl::MergeRangesBase<MergeRangesPass> {
  void runOnModule() override {
    SmallVector<linalg::GenericOp> nests;
    getOperation().walk([&](linalg::GenericOp nest) {
      if (isInRangeForm(nest))
        nests.push_back(nest);
    });
    for (SmallVector<linalg::GenericOp> &siblings : collectSiblings(nests)) {
      if (!llvm::all_of(siblings, isAlone))
        continue;
      while (std::optional<unsigned> loop = findMerge(siblings))
        for (linalg::GenericOp &nest : siblings)
          nest = merge(nest, *loop);
    }
  }
};
} // namespace

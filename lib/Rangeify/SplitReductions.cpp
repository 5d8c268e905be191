// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NestRebuilding.h"
#include "pypto/Properties/PassOptions.h"
#include "pypto/Rangeify/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

/// Most results of a reduction that is split: more of them keep all threads busy by themselves.
static constexpr int64_t kMaxResults = 64;
/// Most parts, and most of a reduction that is just long enough: what makes up for handing one out.
static constexpr int64_t kMaxParts = 64, kMaxPartsOfShortest = 16;

namespace {
/// The iterations of `loop` are dealt out to `parts`.
struct ReductionSplit {
  unsigned loop;
  int64_t parts;
  /// Joins the accumulator and `element`.
  Operation *combiner;
  Value element;
};
} // namespace

static int64_t multiply(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    if (llvm::MulOverflow(product, extent, product))
      return std::numeric_limits<int64_t>::max();
  return product;
}

/// What a combiner may start from in each part.
static TypedAttr getNeutral(Operation *combiner) {
  if (!isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp,
           arith::MulIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
           arith::AndIOp, arith::OrIOp, arith::XOrIOp>(combiner))
    return {};
  return arith::getNeutralElement(combiner).value_or(TypedAttr());
}

/// True if something computes with the result as often as the reduction runs: its passes belong
/// together, as those of a norm do.
static bool isUsedInLargeNest(Value result, int64_t iterations) {
  for (Operation *user : result.getUsers()) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user)) {
      if (isUsedInLargeNest(user->getResult(0), iterations))
        return true;
      continue;
    }
    auto nest = dyn_cast<linalg::LinalgOp>(user->getParentOp());
    nest = nest ? nest : dyn_cast<linalg::LinalgOp>(user);
    if (nest ? multiply(nest.getStaticLoopRanges()) >= iterations : !isa<func::ReturnOp>(user))
      return true;
  }
  return false;
}

static std::optional<ReductionSplit> findSplit(linalg::GenericOp nest, int64_t threshold) {
  if (nest.getNumResults() != 1 || !isInRangeForm(nest) ||
      !nest.getMatchingIndexingMap(nest.getDpsInitOperand(0)).isProjectedPermutation())
    return std::nullopt;
  SmallVector<unsigned> dims;
  nest.getReductionDims(dims);
  SmallVector<int64_t> extents = nest.getStaticLoopRanges(), reduced;
  for (unsigned dim : dims)
    reduced.push_back(extents[dim]);
  int64_t iterations = multiply(reduced), total = multiply(extents);
  if (iterations < threshold || total / iterations > kMaxResults ||
      total == std::numeric_limits<int64_t>::max() ||
      isUsedInLargeNest(nest.getResult(0), iterations))
    return std::nullopt;
  Value accumulator = nest.getRegionOutputArgs()[0];
  Operation *combiner = nest.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || !accumulator.hasOneUse() || *accumulator.user_begin() != combiner ||
      !getNeutral(combiner))
    return std::nullopt;
  Value element = combiner->getOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
  int64_t most = iterations / std::max<int64_t>(threshold / kMaxPartsOfShortest, 1);
  for (unsigned dim : dims)
    for (int64_t parts = std::min(kMaxParts, most); parts > 1; --parts)
      if (extents[dim] % parts == 0)
        return ReductionSplit{dim, parts, combiner, element};
  return std::nullopt;
}

/// The reduction of each part, along a new outermost loop.
static Value createParts(OpBuilder &b, linalg::GenericOp nest, const ReductionSplit &split) {
  Location loc = nest.getLoc();
  auto type = cast<RankedTensorType>(nest.getResult(0).getType());
  NestShape shape;
  shape.iterators = nest.getIteratorTypesArray();
  shape.iterators.insert(shape.iterators.begin(), utils::IteratorType::parallel);
  shape.extents = nest.getStaticLoopRanges();
  int64_t size = shape.extents[split.loop] /= split.parts;
  shape.extents.insert(shape.extents.begin(), split.parts);
  SmallVector<AffineExpr> results{b.getAffineDimExpr(0)};
  for (AffineExpr expr : nest.getMatchingIndexingMap(nest.getDpsInitOperand(0)).getResults())
    results.push_back(expr.shiftDims(shape.iterators.size() - 1, 1));
  shape.initMaps = {AffineMap::get(shape.iterators.size(), 0, results, b.getContext())};
  SmallVector<int64_t> partsShape{split.parts};
  llvm::append_range(partsShape, type.getShape());
  Value empty = tensor::EmptyOp::create(b, loc, partsShape, type.getElementType());
  Value neutral = arith::ConstantOp::create(b, loc, getNeutral(split.combiner));
  shape.inits = {linalg::FillOp::create(b, loc, neutral, empty).getResult(0)};
  return rebuildNest(b, nest, shape,
                     [&](OpBuilder &body, unsigned loop) {
                       Value inner = linalg::IndexOp::create(body, loc, loop + 1);
                       if (loop != split.loop)
                         return inner;
                       Value part = linalg::IndexOp::create(body, loc, 0);
                       AffineExpr whole = b.getAffineDimExpr(0) * size + b.getAffineDimExpr(1);
                       return getValueOrCreateConstantIndexOp(
                           body, loc,
                           affine::makeComposedFoldedAffineApply(
                               body, loc, AffineMap::get(2, 0, whole), {part, inner}));
                     })
      .getResult(0);
}

/// The reduction of what the parts give, in their order.
static Value joinParts(OpBuilder &b, linalg::GenericOp nest, const ReductionSplit &split,
                       Value parts) {
  Location loc = nest.getLoc();
  int64_t rank = cast<RankedTensorType>(nest.getResult(0).getType()).getRank();
  Value shape = tensor::EmptyOp::create(b, loc, ArrayRef(split.parts), b.getI8Type());
  SmallVector<AffineExpr> results;
  for (int64_t i = 0; i < rank; ++i)
    results.push_back(b.getAffineDimExpr(i));
  SmallVector<AffineMap> maps{AffineMap::get(rank + 1, 0, b.getAffineDimExpr(rank)),
                              AffineMap::get(rank + 1, 0, results, b.getContext())};
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             b, loc, nest.getResultTypes(), shape, nest.getDpsInits(), maps, iterators,
             [&](OpBuilder &body, Location, ValueRange arguments) {
               SmallVector<Value> index{linalg::IndexOp::create(body, loc, rank)};
               for (int64_t i = 0; i < rank; ++i)
                 index.push_back(linalg::IndexOp::create(body, loc, i));
               IRMapping mapping;
               mapping.map(split.element,
                           tensor::ExtractOp::create(body, loc, parts, index).getResult());
               mapping.map(nest.getRegionOutputArgs()[0], arguments[1]);
               linalg::YieldOp::create(body, loc,
                                       body.clone(*split.combiner, mapping)->getResults());
             })
      .getResult(0);
}

namespace {
struct SplitReductionsPass : pypto::rangeify::impl::SplitReductionsBase<SplitReductionsPass> {
  using SplitReductionsBase::SplitReductionsBase;

  LogicalResult initialize(MLIRContext *context) override {
    return pypto::OptionChecker(context, *this).range("threshold", threshold, 1);
  }

  void runOnModule() override {
    SmallVector<linalg::GenericOp> nests;
    getOperation().walk([&](linalg::GenericOp nest) { nests.push_back(nest); });
    for (linalg::GenericOp nest : nests)
      if (std::optional<ReductionSplit> split = findSplit(nest, threshold)) {
        OpBuilder b(nest);
        Value parts = createParts(b, nest, *split);
        nest.getResult(0).replaceAllUsesWith(joinParts(b, nest, *split, parts));
        nest.erase();
      }
  }
};
} // namespace

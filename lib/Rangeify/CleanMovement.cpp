// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elements.h"
#include "LoopIndices.h"
#include "pypto/Rangeify/Passes.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_CLEANMOVEMENT
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

static RankedTensorType getType(Value value) { return cast<RankedTensorType>(value.getType()); }
static bool hasStaticShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

//===- Flips ----------------------------------------------------------------------===//

namespace {
/// A tensor that is read backwards along some axes.
struct Flip {
  Value source;
  llvm::SmallBitVector axes;
};
} // namespace

/// The axes along which a tensor of this shape is read backwards at `index`; nothing if it is read
/// in another way.
static std::optional<llvm::SmallBitVector> matchFlippedAxes(ArrayRef<AffineExpr> index,
                                                            ArrayRef<int64_t> shape) {
  llvm::SmallBitVector axes(shape.size());
  for (auto [axis, expr] : llvm::enumerate(index)) {
    AffineExpr loop = getAffineDimExpr(axis, expr.getContext());
    if (expr == loop || (shape[axis] == 1 && expr == getAffineConstantExpr(0, expr.getContext())))
      continue;
    if (simplifyAffineExpr(expr + loop - (shape[axis] - 1), shape.size(), 0) != 0)
      return std::nullopt;
    axes.set(axis);
  }
  return axes;
}

/// Either form of a flip: a map that falls, or a read at an index that does.
static std::optional<Flip> matchFlip(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumResults() != 1 || op.getNumReductionLoops() != 0 || !hasStaticShape(value) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      !op.getRegionOutputArgs()[0].use_empty())
    return std::nullopt;
  Value yielded = op.getBody()->getTerminator()->getOperand(0), source;
  SmallVector<AffineExpr> index;
  if (op.getNumDpsInputs() == 1 && yielded == op.getRegionInputArgs()[0]) {
    source = op.getInputs()[0];
    index.assign(op.getMatchingIndexingMap(op.getDpsInputOperand(0)).getResults().begin(),
                 op.getMatchingIndexingMap(op.getDpsInputOperand(0)).getResults().end());
  } else if (auto read = yielded.getDefiningOp<tensor::ExtractOp>();
             read && op.getNumDpsInputs() == 0) {
    source = read.getTensor();
    if (op->isProperAncestor(source.getParentBlock()->getParentOp()))
      return std::nullopt;
    LoopIndices loops(op);
    for (Value position : read.getIndices())
      index.push_back(loops.getExpr(position));
  }
  if (!source || source.getType() != value.getType())
    return std::nullopt;
  auto axes = matchFlippedAxes(index, getType(value).getShape());
  return axes ? std::optional(Flip{source, *axes}) : std::nullopt;
}

static Value createFlip(OpBuilder &b, Location loc, Value source,
                        const llvm::SmallBitVector &axes) {
  RankedTensorType type = getType(source);
  SmallVector<AffineExpr> index;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    AffineExpr loop = b.getAffineDimExpr(axis);
    index.push_back(axes[axis] ? type.getDimSize(axis) - 1 - loop : loop);
  }
  SmallVector<AffineMap> maps{AffineMap::get(type.getRank(), 0, index, b.getContext()),
                              b.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  return linalg::GenericOp::create(b, loc, type, source, empty, maps, loops,
                                   [](OpBuilder &body, Location loc, ValueRange elements) {
                                     linalg::YieldOp::create(body, loc, elements[0]);
                                   })
      .getResult(0);
}

namespace {
/// A flip of a flip is one or none; a flip of nothing goes.
struct MergeFlips : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (op.getNumResults() != 1)
      return failure();
    std::optional<Flip> outer = matchFlip(op.getResult(0));
    if (!outer)
      return failure();
    Value source = outer->source;
    llvm::SmallBitVector axes = outer->axes;
    if (std::optional<Flip> inner = matchFlip(source)) {
      axes ^= inner->axes;
      source = inner->source;
    }
    for (int axis : axes.set_bits())
      if (getType(source).getDimSize(axis) <= 1)
        axes.reset(axis);
    if (axes.none()) {
      // Copies of results and of arguments are there for their memory.
      if (source == outer->source && outer->axes.none())
        return failure();
      rewriter.replaceOp(op, source);
      return success();
    }
    if (source == outer->source && axes == outer->axes)
      return failure();
    rewriter.replaceOp(op, createFlip(rewriter, op.getLoc(), source, axes));
    return success();
  }
};

//===- Reshapes -----------------------------------------------------------------------===//

/// A chain of reshapes that ends in the shape in which it begins goes; what takes its shape from a
/// value skips the reshapes in front of it.
template <typename Op> struct MergeReshapes : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Value source = op->getOperand(0);
    while (source.getType() != op.getType()) {
      Operation *definition = source.getDefiningOp();
      if (!isa_and_present<tensor::ReshapeOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
              definition) ||
          !isa<RankedTensorType>(definition->getOperand(0).getType()))
        break;
      source = definition->getOperand(0);
    }
    // Extents that are not known may be different ones.
    if (source.getType() == op.getType() && hasStaticShape(source)) {
      rewriter.replaceOp(op, source);
      return success();
    }
    if (!isa<tensor::ReshapeOp>(op) || source == op->getOperand(0))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, source); });
    return success();
  }
};

//===- Values that are the same everywhere --------------------------------------------===//

/// However one number is moved, it stays one.
template <typename Op> struct MoveUniform : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto constant = op->getOperand(0).template getDefiningOp<arith::ConstantOp>();
    auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
    // An op on buffers has no result.
    if (!splat || op->getNumResults() == 0 || !hasStaticShape(op->getResult(0)))
      return failure();
    Value result = op->getResult(0);
    auto value = DenseElementsAttr::get(getType(result), splat.template getSplatValue<Attribute>());
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value);
    return success();
  }
};

//===- Slices of padding ----------------------------------------------------------------===//

/// A slice that has nothing of the padding is a slice of what is padded.
struct TakeSliceOfPadded : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto pad = slice.getSource().getDefiningOp<tensor::PadOp>();
    if (!pad || !hasStaticShape(pad.getSource()) || !hasStaticShape(slice.getSource()) ||
        llvm::any_of(pad.getStaticLow(), ShapedType::isDynamic) ||
        llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic) ||
        llvm::any_of(slice.getStaticSizes(), ShapedType::isDynamic) ||
        llvm::any_of(slice.getStaticStrides(), ShapedType::isDynamic))
      return failure();
    SmallVector<OpFoldResult> offsets;
    for (auto [offset, size, stride, low, extent] :
         llvm::zip_equal(slice.getStaticOffsets(), slice.getStaticSizes(), slice.getStaticStrides(),
                         pad.getStaticLow(), getType(pad.getSource()).getShape())) {
      int64_t first = offset - low;
      if (size < 1 || first < 0 || first + (size - 1) * stride >= extent)
        return failure();
      offsets.push_back(rewriter.getIndexAttr(first));
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(slice, slice.getType(), pad.getSource(),
                                                        offsets, slice.getMixedSizes(),
                                                        slice.getMixedStrides());
    return success();
  }
};
} // namespace

//===- Movement behind elementwise ops --------------------------------------------------===//

namespace {
/// Moves the elements of any tensor of one shape in the same way.
struct Movement {
  Value source, result;
  std::optional<Flip> flip;
};
} // namespace

static std::optional<Movement> matchMovement(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !hasStaticShape(value))
    return std::nullopt;
  Movement movement{Value(), value, std::nullopt};
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp, linalg::TransposeOp,
          linalg::BroadcastOp>(op))
    movement.source = op->getOperand(0);
  else if ((movement.flip = matchFlip(value)) && movement.flip->axes.any())
    movement.source = movement.flip->source;
  if (!movement.source || !hasStaticShape(movement.source))
    return std::nullopt;
  return movement;
}

static bool isSame(const Movement &a, const Movement &b) {
  if (getType(a.source).getShape() != getType(b.source).getShape() ||
      a.flip.has_value() != b.flip.has_value())
    return false;
  if (a.flip)
    return a.flip->axes == b.flip->axes;
  Operation *x = a.result.getDefiningOp(), *y = b.result.getDefiningOp();
  auto isReshape = [](Operation *op) {
    return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp>(op);
  };
  if (isReshape(x) && isReshape(y))
    return true;
  if (x->getName() != y->getName())
    return false;
  return TypeSwitch<Operation *, bool>(x)
      .Case<linalg::TransposeOp>([&](auto op) {
        return op.getPermutation() == cast<linalg::TransposeOp>(y).getPermutation();
      })
      .Case<linalg::BroadcastOp>([&](auto op) {
        return op.getDimensions() == cast<linalg::BroadcastOp>(y).getDimensions();
      })
      .Default(false);
}

/// `value`, of the shape of the source, moved like it.
static Value moveLike(OpBuilder &b, Location loc, const Movement &movement, Value value) {
  if (movement.flip)
    return createFlip(b, loc, value, movement.flip->axes);
  auto type = RankedTensorType::get(getType(movement.result).getShape(),
                                    getElementTypeOrSelf(value.getType()));
  auto createEmpty = [&] {
    return tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  };
  return TypeSwitch<Operation *, Value>(movement.result.getDefiningOp())
      .Case<tensor::ExpandShapeOp>([&](auto op) {
        return tensor::ExpandShapeOp::create(b, loc, type, value, op.getReassociationIndices());
      })
      .Case<tensor::CollapseShapeOp>([&](auto op) {
        return tensor::CollapseShapeOp::create(b, loc, type, value, op.getReassociationIndices());
      })
      .Case<tensor::ReshapeOp>(
          [&](auto op) { return tensor::ReshapeOp::create(b, loc, type, value, op.getShape()); })
      .Case<linalg::TransposeOp>([&](auto op) {
        return linalg::TransposeOp::create(b, loc, value, createEmpty(), op.getPermutation())
            ->getResult(0);
      })
      .Case<linalg::BroadcastOp>([&](auto op) {
        return linalg::BroadcastOp::create(b, loc, value, createEmpty(), op.getDimensions())
            ->getResult(0);
      })
      .Default([](Operation *) -> Value { llvm_unreachable("moves nothing"); });
}

/// True for an elementwise op on tensors of one shape, as an op or as a loop nest.
static bool isElementwise(Operation *op) {
  if (op->getNumResults() != 1 || !hasStaticShape(op->getResult(0)))
    return false;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    return OpTrait::hasElementwiseMappableTraits(op);
  return generic.getNumDpsInputs() > 0 && generic.getRegionOutputArgs()[0].use_empty() &&
         llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap m) { return m.isIdentity(); }) &&
         llvm::all_of(*generic.getBody(), [](Operation &inner) {
           return inner.getNumRegions() == 0 && !isa<linalg::IndexOp, tensor::ExtractOp>(inner);
         });
}

/// `op` on other operands, all of this shape.
static Value rebuildElementwise(OpBuilder &b, Operation *op, ArrayRef<Value> operands,
                                ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(op->getResult(0).getType()));
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic) {
    IRMapping mapping;
    mapping.map(op->getOperands(), operands);
    Operation *copy = b.clone(*op, mapping);
    copy->getResult(0).setType(type);
    return copy->getResult(0);
  }
  Value empty = tensor::EmptyOp::create(b, op->getLoc(), shape, type.getElementType());
  SmallVector<AffineMap> maps(operands.size() + 1, b.getMultiDimIdentityMap(shape.size()));
  SmallVector<utils::IteratorType> loops(shape.size(), utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(b, op->getLoc(), type, operands, empty, maps, loops);
  IRMapping mapping;
  generic.getRegion().cloneInto(&copy.getRegion(), mapping);
  pypto::copySchedule(generic, copy);
  return copy.getResult(0);
}

namespace {
/// An elementwise op whose operands are all moved in the same way is computed first, and its result
/// moved.
struct SinkMovement : RewritePattern {
  explicit SinkMovement(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isElementwise(op))
      return failure();
    auto generic = dyn_cast<linalg::GenericOp>(op);
    SmallVector<Value> operands(op->getOperands());
    if (generic)
      operands.assign(generic.getInputs().begin(), generic.getInputs().end());
    std::optional<Movement> first;
    SmallVector<Value> sources;
    for (Value operand : operands) {
      auto constant = operand.getDefiningOp<arith::ConstantOp>();
      if (!isa<RankedTensorType>(operand.getType()) ||
          (constant && isa<SplatElementsAttr>(constant.getValue()))) {
        sources.push_back(operand);
        continue;
      }
      std::optional<Movement> movement = matchMovement(operand);
      if (!movement || (first && !isSame(*first, *movement)))
        return failure();
      sources.push_back(movement->source);
      if (!first)
        first = movement;
    }
    if (!first)
      return failure();
    ArrayRef<int64_t> shape = getType(first->source).getShape();
    for (auto [operand, source] : llvm::zip_equal(operands, sources))
      if (auto constant = source.getDefiningOp<arith::ConstantOp>();
          constant && source == operand && isa<SplatElementsAttr>(constant.getValue()))
        source = arith::ConstantOp::create(rewriter, constant.getLoc(),
                                           cast<SplatElementsAttr>(constant.getValue())
                                               .resizeSplat(getType(operand).clone(shape)));
    Value result = rebuildElementwise(rewriter, op, sources, shape);
    rewriter.replaceOp(op, moveLike(rewriter, op->getLoc(), *first, result));
    return success();
  }
};

struct CleanMovementPass : pypto::rangeify::impl::CleanMovementBase<CleanMovementPass> {
  void runOnModule() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::PadOp::getCanonicalizationPatterns(patterns, context);
    tensor::ReshapeOp::getCanonicalizationPatterns(patterns, context);
    linalg::TransposeOp::getCanonicalizationPatterns(patterns, context);
    linalg::BroadcastOp::getCanonicalizationPatterns(patterns, context);
    tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
    tensor::populateFoldTensorEmptyPatterns(patterns);
    patterns.add<MergeFlips, TakeSliceOfPadded, SinkMovement, MergeReshapes<tensor::ReshapeOp>,
                 MergeReshapes<tensor::ExpandShapeOp>, MergeReshapes<tensor::CollapseShapeOp>,
                 MoveUniform<tensor::ReshapeOp>, MoveUniform<tensor::ExpandShapeOp>,
                 MoveUniform<tensor::CollapseShapeOp>, MoveUniform<tensor::ExtractSliceOp>,
                 MoveUniform<linalg::TransposeOp>, MoveUniform<linalg::BroadcastOp>>(context);
    FrozenRewritePatternSet frozen(std::move(patterns));
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    for (auto graph : getOperation().getOps<func::FuncOp>())
      if (failed(applyPatternsGreedily(graph, frozen, config))) {
        graph.emitError("movement ops do not come to a fixed point");
        return signalPassFailure();
      }
  }
};
} // namespace

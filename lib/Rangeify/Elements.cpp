// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elements.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto::rangeify;

//===- Which ops have elements ----------------------------------------------------===//

bool pypto::rangeify::isReshape(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op);
}

bool pypto::rangeify::isMovementOp(Operation *op) {
  return isReshape(op) ||
         isa<tensor::ReshapeOp, tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::PadOp,
             tensor::ConcatOp, linalg::TransposeOp, linalg::BroadcastOp>(op);
}

static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1;
}

/// The dimensions of the result are the loops in some order.
static bool isInvertible(linalg::LinalgOp op, OpOperand &init) {
  return op.getMatchingIndexingMap(&init).isPermutation();
}

static bool hasElementForm(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 && op.hasPureTensorSemantics() &&
         llvm::all_of(op.getDpsInitsMutable(),
                      [&](OpOperand &init) { return isInvertible(op, init); });
}

bool pypto::rangeify::hasElementForm(Operation *op) {
  if (op->getNumResults() == 0 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return ::hasElementForm(structured);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
    return isa<RankedTensorType>(reshape.getSource().getType());
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getSource().getType());
  return isMovementOp(op) || isElementwise(op) ||
         isa<tensor::EmptyOp, tensor::SplatOp, tensor::GenerateOp>(op);
}

bool pypto::rangeify::isUniform(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (auto fill = dyn_cast_if_present<linalg::FillOp>(op))
    return true;
  if (auto constant = dyn_cast_if_present<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  return isa_and_present<tensor::EmptyOp, tensor::SplatOp>(op);
}

//===- Extents ----------------------------------------------------------------------===//

static OpFoldResult multiply(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> factors) {
  AffineExpr product = b.getAffineConstantExpr(1);
  for (unsigned i = 0; i < factors.size(); ++i)
    product = product * b.getAffineSymbolExpr(i);
  return affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(0, factors.size(), product, b.getContext()), factors);
}

static OpFoldResult add(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> terms) {
  AffineExpr sum = b.getAffineConstantExpr(0);
  for (unsigned i = 0; i < terms.size(); ++i)
    sum = sum + b.getAffineSymbolExpr(i);
  return affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(0, terms.size(), sum, b.getContext()), terms);
}

static SmallVector<OpFoldResult> getConcatSizes(OpBuilder &b, Location loc, tensor::ConcatOp op) {
  SmallVector<OpFoldResult> sizes = getSizes(b, loc, op.getInputs()[0]);
  SmallVector<OpFoldResult> parts;
  for (Value input : op.getInputs())
    parts.push_back(getSizes(b, loc, input)[op.getDim()]);
  sizes[op.getDim()] = add(b, loc, parts);
  return sizes;
}

static SmallVector<OpFoldResult> getReshapeSizes(OpBuilder &b, tensor::ReshapeOp op) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t i = 0, e = op.getType().getRank(); i < e; ++i) {
    Value position = arith::ConstantIndexOp::create(b, op.getLoc(), i);
    Value size = tensor::ExtractOp::create(b, op.getLoc(), op.getShape(), position);
    sizes.push_back(getValueOrCreateCastToIndexLike(b, op.getLoc(), b.getIndexType(), size));
  }
  return sizes;
}

static Value findSameShape(Value tensor);

/// True if a tensor that the loop carries has the same extents in all iterations.
static bool keepsShape(scf::ForOp loop, unsigned number) {
  return findSameShape(loop.getYieldedValues()[number]) == loop.getRegionIterArg(number);
}

/// The first one that has the extents of `tensor`, which ops and loops have changed since.
static Value findSameShape(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    unsigned number = cast<OpResult>(tensor).getResultNumber();
    Value next;
    if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
      next = insert.getDest();
    } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      next = insert.getDest();
    } else if (auto dps = dyn_cast<linalg::LinalgOp>(op)) {
      next = dps.getDpsInits()[number];
    } else if (auto loop = dyn_cast<scf::ForOp>(op); loop && keepsShape(loop, number)) {
      next = loop.getInitArgs()[number];
    } else if (auto region = dyn_cast<scf::ExecuteRegionOp>(op);
               region && region.getRegion().hasOneBlock()) {
      Value inside = findSameShape(region.getRegion().front().getTerminator()->getOperand(number));
      if (!region.getRegion().isAncestor(inside.getParentRegion()))
        next = inside;
    }
    if (!next)
      break;
    tensor = next;
  }
  return tensor;
}

SmallVector<OpFoldResult> pypto::rangeify::getSizes(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.hasStaticShape())
    return getAsIndexOpFoldResult(b.getContext(), type.getShape());
  Operation *op = tensor.getDefiningOp();
  auto known = [&]() -> SmallVector<OpFoldResult> {
    if (Value origin = findSameShape(tensor); origin != tensor)
      return getSizes(b, loc, origin);
    if (!op || !hasElementForm(op))
      return tensor::getMixedSizes(b, loc, tensor);
    return TypeSwitch<Operation *, SmallVector<OpFoldResult>>(op)
        .Case<tensor::EmptyOp>([&](auto op) { return op.getMixedSizes(); })
        .Case<tensor::ExpandShapeOp>([&](auto op) { return op.getMixedOutputShape(); })
        .Case<tensor::ExtractSliceOp>([&](auto op) {
          SmallVector<OpFoldResult> sizes;
          llvm::SmallBitVector dropped = op.getDroppedDims();
          for (auto [i, size] : llvm::enumerate(op.getMixedSizes()))
            if (!dropped[i])
              sizes.push_back(size);
          return sizes;
        })
        .Case<tensor::CastOp>([&](auto op) { return getSizes(b, loc, op.getSource()); })
        .Case<tensor::ReshapeOp>([&](auto op) { return getReshapeSizes(b, op); })
        .Case<tensor::ConcatOp>([&](auto op) { return getConcatSizes(b, loc, op); })
        .Case<tensor::CollapseShapeOp>([&](auto op) {
          SmallVector<OpFoldResult> from = getSizes(b, loc, op.getSrc()), sizes;
          for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
            SmallVector<OpFoldResult> factors;
            for (int64_t dim : group)
              factors.push_back(from[dim]);
            sizes.push_back(multiply(b, loc, factors));
          }
          return sizes;
        })
        .Case<tensor::PadOp>([&](auto op) {
          SmallVector<OpFoldResult> sizes;
          for (auto [size, low, high] : llvm::zip_equal(getSizes(b, loc, op.getSource()),
                                                        op.getMixedLowPad(), op.getMixedHighPad()))
            sizes.push_back(add(b, loc, {size, low, high}));
          return sizes;
        })
        .Case<tensor::SplatOp, tensor::GenerateOp>([&](Operation *op) {
          SmallVector<OpFoldResult> sizes;
          unsigned next = isa<tensor::SplatOp>(op) ? 1 : 0;
          for (int64_t extent : type.getShape())
            sizes.push_back(ShapedType::isDynamic(extent) ? OpFoldResult(op->getOperand(next++))
                                                          : b.getIndexAttr(extent));
          return sizes;
        })
        .Default([&](Operation *op) {
          for (Value operand : op->getOperands())
            if (isa<RankedTensorType>(operand.getType()))
              return getSizes(b, loc, operand);
          return tensor::getMixedSizes(b, loc, tensor);
        });
  };
  SmallVector<OpFoldResult> sizes = known();
  for (auto [size, extent] : llvm::zip_equal(sizes, type.getShape()))
    if (!ShapedType::isDynamic(extent))
      size = b.getIndexAttr(extent);
  return sizes;
}

//===- Small pieces -------------------------------------------------------------------===//

OpFoldResult ElementBuilder::apply(Location loc, AffineExpr expr, ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(operands.size(), 0, expr, b.getContext()), operands);
}

Value ElementBuilder::materialize(Location loc, OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}

Value ElementBuilder::buildIf(Location loc, Value condition, Type type,
                              llvm::function_ref<Value()> then,
                              llvm::function_ref<Value()> otherwise) {
  if (!condition)
    return then();
  auto op = scf::IfOp::create(b, loc, type, condition, /*withElseRegion=*/true);
  auto fill = [&](Block *block, llvm::function_ref<Value()> arm) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(block);
    scopes.emplace_back();
    Value value = arm();
    scopes.pop_back();
    scf::YieldOp::create(b, loc, value);
  };
  fill(op.thenBlock(), then);
  fill(op.elseBlock(), otherwise);
  return op.getResult(0);
}

Value ElementBuilder::buildInRange(Location loc, OpFoldResult index, OpFoldResult low,
                                   OpFoldResult high) {
  Value position = materialize(loc, index), result;
  auto require = [&](arith::CmpIPredicate predicate, OpFoldResult limit) {
    Value holds = arith::CmpIOp::create(b, loc, predicate, position, materialize(loc, limit));
    result = result ? arith::AndIOp::create(b, loc, result, holds) : holds;
  };
  require(arith::CmpIPredicate::sge, low);
  require(arith::CmpIPredicate::slt, high);
  return result;
}

//===- Elements -------------------------------------------------------------------------===//

Value ElementBuilder::build(Value tensor, ArrayRef<OpFoldResult> index) {
  Index key(index);
  for (Scope &scope : scopes)
    if (auto found = scope.find(tensor); found != scope.end())
      for (auto &[known, value] : found->second)
        if (known == key)
          return value;
  Value value = buildUncached(tensor, key);
  scopes.back()[tensor].push_back({std::move(key), value});
  return value;
}

/// One number in place of those of `sizes`: row-major.
static OpFoldResult linearize(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> index,
                              ArrayRef<OpFoldResult> sizes) {
  AffineExpr linear = b.getAffineConstantExpr(0);
  SmallVector<OpFoldResult> operands;
  for (auto [position, size] : llvm::zip_equal(index, sizes)) {
    unsigned n = operands.size();
    linear = linear * b.getAffineSymbolExpr(n) + b.getAffineSymbolExpr(n + 1);
    llvm::append_values(operands, size, position);
  }
  return affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(0, operands.size(), linear, b.getContext()), operands);
}

/// The inverse of `linearize`.
static SmallVector<OpFoldResult> delinearize(OpBuilder &b, Location loc, OpFoldResult linear,
                                             ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> index(sizes.size());
  AffineExpr number = b.getAffineSymbolExpr(0), size = b.getAffineSymbolExpr(1);
  auto apply = [&](AffineExpr expr, OpFoldResult rhs) {
    return affine::makeComposedFoldedAffineApply(b, loc, AffineMap::get(0, 2, expr, b.getContext()),
                                                 {linear, rhs});
  };
  for (size_t i = sizes.size(); i-- > 0;) {
    if (isOneInteger(sizes[i])) {
      index[i] = b.getIndexAttr(0);
      continue;
    }
    // The outermost extent that is not one needs no remainder.
    bool isOutermost = llvm::all_of(sizes.take_front(i), isOneInteger);
    index[i] = isOutermost ? linear : apply(number % size, sizes[i]);
    if (!isOutermost)
      linear = apply(number.floorDiv(size), sizes[i]);
    else
      linear = b.getIndexAttr(0);
  }
  return index;
}

Value ElementBuilder::buildElementwise(Operation *op, const Index &index) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      mapping.map(operand, build(operand, index));
  Operation *scalar = b.clone(*op, mapping);
  scalar->getResult(0).setType(getElementTypeOrSelf(op->getResult(0).getType()));
  return scalar->getResult(0);
}

void ElementBuilder::cloneBlock(Block &block, ArrayRef<OpFoldResult> loops, IRMapping &mapping,
                                bool withTerminator) {
  for (Operation &op : block) {
    if (&op == &block.back() && !withTerminator)
      return;
    if (auto indexOp = dyn_cast<linalg::IndexOp>(op)) {
      mapping.map(indexOp.getResult(), materialize(op.getLoc(), loops[indexOp.getDim()]));
      continue;
    }
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      Index index;
      for (Value position : extract.getIndices())
        index.push_back(getAsOpFoldResult(mapping.lookupOrDefault(position)));
      mapping.map(extract.getResult(), build(extract.getTensor(), index));
      continue;
    }
    if (op.getNumRegions() == 0) {
      b.clone(op, mapping);
      continue;
    }
    Operation *copy = op.cloneWithoutRegions(mapping);
    b.insert(copy);
    for (auto [from, to] : llvm::zip_equal(op.getRegions(), copy->getRegions()))
      for (Block &inner : from) {
        Block *block = b.createBlock(&to);
        for (BlockArgument argument : inner.getArguments())
          mapping.map(argument, block->addArgument(argument.getType(), argument.getLoc()));
        scopes.emplace_back();
        cloneBlock(inner, loops, mapping, /*withTerminator=*/true);
        scopes.pop_back();
        b.setInsertionPointAfter(copy);
      }
    for (auto [from, to] : llvm::zip_equal(op.getResults(), copy->getResults()))
      mapping.map(from, to);
    b.setInsertionPointAfter(copy);
  }
}

void ElementBuilder::cloneBody(Operation *op, ArrayRef<OpFoldResult> loops, IRMapping &mapping) {
  cloneBlock(op->getRegion(0).front(), loops, mapping, /*withTerminator=*/false);
}

Value ElementBuilder::buildStructured(Operation *op, unsigned result, const Index &index) {
  auto structured = cast<linalg::LinalgOp>(op);
  AffineMap output = structured.getMatchingIndexingMap(structured.getDpsInitOperand(result));
  SmallVector<OpFoldResult> loops(structured.getNumLoops());
  for (auto [expr, position] : llvm::zip_equal(output.getResults(), index))
    loops[cast<AffineDimExpr>(expr).getPosition()] = position;
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = structured.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    if (!isa<RankedTensorType>(operand.get().getType())) {
      mapping.map(argument, operand.get());
      continue;
    }
    SmallVector<OpFoldResult> positions;
    for (AffineExpr expr : structured.getMatchingIndexingMap(&operand).getResults())
      positions.push_back(apply(op->getLoc(), expr, loops));
    mapping.map(argument, build(operand.get(), positions));
  }
  cloneBody(op, loops, mapping);
  return mapping.lookupOrDefault(structured.getBlock()->getTerminator()->getOperand(result));
}

Value ElementBuilder::buildGenerate(Operation *op, const Index &index) {
  IRMapping mapping;
  Block &body = op->getRegion(0).front();
  for (auto [argument, position] : llvm::zip_equal(body.getArguments(), index))
    mapping.map(argument, materialize(op->getLoc(), position));
  cloneBlock(body, {}, mapping, /*withTerminator=*/false);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

Value ElementBuilder::buildPad(Operation *op, const Index &index) {
  auto pad = cast<tensor::PadOp>(op);
  Location loc = op->getLoc();
  AffineExpr a = b.getAffineDimExpr(0), c = b.getAffineDimExpr(1);
  Index inner;
  Value isInside;
  SmallVector<OpFoldResult> sizes = getSizes(b, loc, pad.getSource());
  for (auto [position, low, high, size] :
       llvm::zip_equal(index, pad.getMixedLowPad(), pad.getMixedHighPad(), sizes)) {
    inner.push_back(apply(loc, a - c, {position, low}));
    if (isZeroInteger(low) && isZeroInteger(high))
      continue;
    Value holds = buildInRange(loc, inner.back(), b.getIndexAttr(0), size);
    isInside = isInside ? arith::AndIOp::create(b, loc, isInside, holds) : holds;
  }
  return buildIf(
      loc, isInside, pad.getType().getElementType(), [&] { return build(pad.getSource(), inner); },
      [&] { return buildGenerate(op, index); });
}

Value ElementBuilder::buildInsertSlice(Operation *op, const Index &index) {
  auto insert = cast<tensor::InsertSliceOp>(op);
  Location loc = op->getLoc();
  AffineExpr i = b.getAffineDimExpr(0), low = b.getAffineDimExpr(1), step = b.getAffineDimExpr(2);
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  Index inner;
  Value isInside;
  auto require = [&](Value holds) {
    isInside = isInside ? arith::AndIOp::create(b, loc, isInside, holds) : holds;
  };
  for (auto [dim, position] : llvm::enumerate(index)) {
    OpFoldResult offset = insert.getMixedOffsets()[dim], stride = insert.getMixedStrides()[dim];
    OpFoldResult relative = apply(loc, (i - low).floorDiv(step), {position, offset, stride});
    require(buildInRange(loc, relative, b.getIndexAttr(0), insert.getMixedSizes()[dim]));
    if (!isOneInteger(stride)) {
      OpFoldResult rest = apply(loc, (i - low) % step, {position, offset, stride});
      require(buildInRange(loc, rest, b.getIndexAttr(0), b.getIndexAttr(1)));
    }
    if (!dropped[dim])
      inner.push_back(relative);
  }
  return buildIf(
      loc, isInside, insert.getType().getElementType(),
      [&] { return build(insert.getSource(), inner); },
      [&] { return build(insert.getDest(), index); });
}

Value ElementBuilder::buildConcat(Operation *op, const Index &index) {
  auto concat = cast<tensor::ConcatOp>(op);
  Location loc = op->getLoc();
  AffineExpr i = b.getAffineDimExpr(0), low = b.getAffineDimExpr(1);
  uint64_t dim = concat.getDim();
  std::function<Value(unsigned, OpFoldResult)> choose = [&](unsigned n, OpFoldResult offset) {
    Value input = concat.getInputs()[n];
    Index inner = index;
    inner[dim] = apply(loc, i - low, {index[dim], offset});
    if (n + 1 == concat.getInputs().size())
      return build(input, inner);
    OpFoldResult end = apply(loc, i + low, {getSizes(b, loc, input)[dim], offset});
    Value isHere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                         materialize(loc, index[dim]), materialize(loc, end));
    return buildIf(
        loc, isHere, concat.getType().getElementType(), [&] { return build(input, inner); },
        [&] { return choose(n + 1, end); });
  };
  return choose(0, b.getIndexAttr(0));
}

static Value buildExtract(OpBuilder &b, Location loc, Value tensor, ArrayRef<OpFoldResult> index) {
  return tensor::ExtractOp::create(b, loc, tensor, getValueOrCreateConstantIndexOp(b, loc, index));
}

Value ElementBuilder::buildUncached(Value tensor, const Index &index) {
  Operation *op = tensor.getDefiningOp();
  Location loc = tensor.getLoc();
  if (!op || isStored(tensor))
    return buildExtract(b, loc, tensor, index);
  Type elementType = getElementTypeOrSelf(tensor.getType());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    return arith::ConstantOp::create(b, loc, splat.getSplatValue<TypedAttr>());
  }
  if (isa<linalg::LinalgOp>(op))
    return buildStructured(op, cast<OpResult>(tensor).getResultNumber(), index);
  if (isElementwise(op))
    return buildElementwise(op, index);
  return TypeSwitch<Operation *, Value>(op)
      .Case<tensor::EmptyOp>(
          [&](auto) { return ub::PoisonOp::create(b, loc, elementType).getResult(); })
      .Case<tensor::SplatOp>([&](auto op) { return op.getInput(); })
      .Case<tensor::CastOp>([&](auto op) { return build(op.getSource(), index); })
      .Case<tensor::PadOp>([&](auto op) { return buildPad(op, index); })
      .Case<tensor::InsertSliceOp>([&](auto op) { return buildInsertSlice(op, index); })
      .Case<tensor::ConcatOp>([&](auto op) { return buildConcat(op, index); })
      .Case<tensor::GenerateOp>([&](auto op) { return buildGenerate(op, index); })
      .Case<tensor::ReshapeOp>([&](auto op) {
        OpFoldResult linear = linearize(b, loc, index, getSizes(b, loc, tensor));
        return build(op.getSource(), delinearize(b, loc, linear, getSizes(b, loc, op.getSource())));
      })
      .Case<tensor::ExpandShapeOp>([&](auto op) {
        SmallVector<OpFoldResult> sizes = getSizes(b, loc, tensor);
        Index inner;
        for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
          auto positions = ArrayRef(index).slice(group.front(), group.size());
          inner.push_back(
              linearize(b, loc, positions, ArrayRef(sizes).slice(group.front(), group.size())));
        }
        return build(op.getSrc(), inner);
      })
      .Case<tensor::CollapseShapeOp>([&](auto op) {
        SmallVector<OpFoldResult> sizes = getSizes(b, loc, op.getSrc());
        // Without groups every extent is one.
        Index inner(op.getSrcType().getRank(), b.getIndexAttr(0));
        for (auto [position, group] : llvm::zip_equal(index, op.getReassociationIndices()))
          llvm::copy(
              delinearize(b, loc, position, ArrayRef(sizes).slice(group.front(), group.size())),
              inner.begin() + group.front());
        return build(op.getSrc(), inner);
      })
      .Case<tensor::ExtractSliceOp>([&](auto op) {
        AffineExpr i = b.getAffineDimExpr(0), low = b.getAffineDimExpr(1),
                   step = b.getAffineDimExpr(2);
        llvm::SmallBitVector dropped = op.getDroppedDims();
        Index inner;
        const OpFoldResult *next = index.begin();
        for (auto [dim, offset, stride] :
             llvm::enumerate(op.getMixedOffsets(), op.getMixedStrides()))
          inner.push_back(dropped[dim] ? offset
                                       : apply(loc, i * step + low, {*next++, offset, stride}));
        return build(op.getSource(), inner);
      })
      .Default([](Operation *) -> Value { llvm_unreachable("has no element form"); });
}

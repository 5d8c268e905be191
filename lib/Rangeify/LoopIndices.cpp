// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopIndices.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace pypto::rangeify;

LoopIndices::LoopIndices(linalg::LinalgOp nest) : nest(nest), numLoops(nest.getNumLoops()) {
  for (int64_t extent : nest.getStaticLoopRanges())
    loopBounds.push_back(ShapedType::isDynamic(extent) ? Bounds{0, std::nullopt}
                                                       : Bounds{0, extent - 1});
}

AffineExpr LoopIndices::getExpr(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return getAffineConstantExpr(*constant, nest->getContext());
  return getExpr(cast<Value>(index));
}

AffineExpr LoopIndices::getExpr(Value index) {
  MLIRContext *context = nest->getContext();
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return getAffineConstantExpr(*constant, context);
  if (auto loop = index.getDefiningOp<linalg::IndexOp>();
      loop && loop->getParentOfType<linalg::LinalgOp>() == nest)
    return getAffineDimExpr(loop.getDim(), context);
  if (auto apply = index.getDefiningOp<affine::AffineApplyOp>()) {
    AffineMap map = apply.getAffineMap();
    SmallVector<AffineExpr> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(getExpr(operand));
    return map.getResult(0).replaceDimsAndSymbols(ArrayRef(operands).take_front(map.getNumDims()),
                                                  ArrayRef(operands).drop_front(map.getNumDims()));
  }
  auto *found = llvm::find(opaque, index);
  unsigned position = found - opaque.begin();
  if (found == opaque.end())
    opaque.push_back(index);
  return getAffineDimExpr(numLoops + position, context);
}

/// Tightens `bounds` by `factor * d + constant >= 0`, the one dimension being `expr` without them.
static void tighten(AffineExpr difference, SmallVectorImpl<Bounds> &bounds) {
  AffineExpr rest = difference;
  int64_t constant = 0, factor = 1;
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(rest);
      sum && sum.getKind() == AffineExprKind::Add && isa<AffineConstantExpr>(sum.getRHS())) {
    constant = cast<AffineConstantExpr>(sum.getRHS()).getValue();
    rest = sum.getLHS();
  }
  if (auto product = dyn_cast<AffineBinaryOpExpr>(rest);
      product && product.getKind() == AffineExprKind::Mul &&
      isa<AffineConstantExpr>(product.getRHS())) {
    factor = cast<AffineConstantExpr>(product.getRHS()).getValue();
    rest = product.getLHS();
  }
  auto dim = dyn_cast<AffineDimExpr>(rest);
  if (!dim || dim.getPosition() >= bounds.size() || (factor != 1 && factor != -1))
    return;
  Bounds &narrowed = bounds[dim.getPosition()];
  if (factor == 1)
    narrowed.low = narrowed.low ? std::max(*narrowed.low, -constant) : -constant;
  else
    narrowed.high = narrowed.high ? std::min(*narrowed.high, constant) : constant;
}

void LoopIndices::narrow(Value condition, SmallVectorImpl<Bounds> &bounds) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    narrow(both.getLhs(), bounds);
    narrow(both.getRhs(), bounds);
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIndex())
    return;
  AffineExpr lhs = getExpr(compare.getLhs()), rhs = getExpr(compare.getRhs());
  bounds.resize(numLoops + opaque.size());
  if (compare.getPredicate() == arith::CmpIPredicate::sge)
    tighten(lhs - rhs, bounds);
  if (compare.getPredicate() == arith::CmpIPredicate::slt)
    tighten(rhs - lhs - 1, bounds);
}

SmallVector<Bounds> LoopIndices::getBounds(Operation *op) {
  SmallVector<Bounds> bounds = loopBounds;
  bounds.resize(numLoops + opaque.size());
  for (Operation *inner = op; Operation *parent = inner->getParentOp(); inner = parent) {
    if (parent == nest)
      break;
    if (auto branch = dyn_cast<scf::IfOp>(parent);
        branch && inner->getBlock() == branch.thenBlock())
      narrow(branch.getCondition(), bounds);
  }
  bounds.resize(numLoops + opaque.size());
  return bounds;
}

/// The value of a loop, at the front of the body: nothing else may stand in a region inside of it.
Value LoopIndices::getLoop(Location loc, unsigned loop) {
  Block *body = nest.getBlock();
  for (auto index : body->getOps<linalg::IndexOp>())
    if (index.getDim() == loop) {
      index->moveBefore(body, body->begin());
      return index;
    }
  OpBuilder b = OpBuilder::atBlockBegin(body);
  return linalg::IndexOp::create(b, loc, loop);
}

Value LoopIndices::build(OpBuilder &b, Location loc, AffineExpr expr) {
  SmallVector<OpFoldResult> operands;
  for (unsigned i = 0; i < numLoops; ++i) {
    if (expr.isFunctionOfDim(i))
      operands.push_back(getLoop(loc, i));
    else
      operands.push_back(b.getIndexAttr(0));
  }
  llvm::append_range(operands, getAsOpFoldResult(opaque));
  AffineMap map = AffineMap::get(operands.size(), 0, expr);
  return getValueOrCreateConstantIndexOp(
      b, loc, affine::makeComposedFoldedAffineApply(b, loc, map, operands));
}

bool LoopIndices::isOfLoops(AffineExpr expr) const {
  bool onlyLoops = true;
  expr.walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      onlyLoops &= dim.getPosition() < numLoops;
    onlyLoops &= !isa<AffineSymbolExpr>(part);
  });
  return onlyLoops;
}

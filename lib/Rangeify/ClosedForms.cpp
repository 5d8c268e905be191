// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ClosedForms.h"
#include "LoopIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pypto::rangeify;
using Predicate = arith::CmpIPredicate;

//===- Reductions -----------------------------------------------------------------===//

bool Reduction::isUsedBy(Value value) const {
  SmallVector<Value> work{value};
  DenseSet<Value> seen;
  auto *self = const_cast<Reduction *>(this);
  while (!work.empty()) {
    Value next = work.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!seen.insert(next).second || !op || !self->nest->isProperAncestor(op))
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(op); index && index.getDim() == loop)
      return true;
    // What regions read counts as read by their op.
    op->walk([&](Operation *inner) { llvm::append_range(work, inner->getOperands()); });
  }
  return false;
}

bool Reduction::isLoop(Value value) const {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>()) {
    if (auto integer = dyn_cast<IntegerType>(cast.getType());
        integer && integer.getWidth() < 64 && extent > int64_t(1) << (integer.getWidth() - 1))
      return false;
    value = cast.getIn();
  }
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index && index.getDim() == loop;
}

Value Reduction::clone(OpBuilder &b, Value value, IRMapping &mapping) const {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  linalg::GenericOp owner = nest;
  if (!op || !owner->isProperAncestor(op))
    return value;
  SmallVector<Value> needed(op->getOperands());
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (operand.getParentBlock() == owner.getBody())
        needed.push_back(operand);
  });
  for (Value operand : needed)
    clone(b, operand, mapping);
  b.clone(*op, mapping);
  return mapping.lookup(value);
}

Value Reduction::cloneAt(OpBuilder &b, Value value, Value index, IRMapping mapping) const {
  linalg::GenericOp owner = nest;
  for (auto op : owner.getBody()->getOps<linalg::IndexOp>())
    if (op.getDim() == loop)
      mapping.map(op.getResult(), index);
  return clone(b, value, mapping);
}

//===- What has a sum ---------------------------------------------------------------===//

/// The loop, times `slope`, plus what `lhs - rhs` is without it, compared with zero.
struct ClosedSum::Bound {
  arith::CmpIOp compare;
  int64_t slope;
  Predicate predicate;
};

/// The comparison with its sides exchanged.
static Predicate turnRound(Predicate predicate) {
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  default:
    return predicate;
  }
}

static bool isOrdered(Predicate predicate) {
  return predicate == Predicate::slt || predicate == Predicate::sle ||
         predicate == Predicate::sgt || predicate == Predicate::sge || predicate == Predicate::eq;
}

/// The factor of the loop in an index that is a line in it, made of nothing that may overflow.
std::optional<int64_t> ClosedSum::getSlope(Value index) const {
  linalg::GenericOp nest = reduction.nest;
  LoopIndices loops(nest);
  AffineExpr expr = loops.getExpr(index);
  if (!loops.isOfLoops(expr))
    return std::nullopt;
  unsigned numLoops = loops.getNumLoops();
  AffineExpr loop = getAffineDimExpr(reduction.loop, nest.getContext());
  auto at = [&](int64_t value) {
    return simplifyAffineExpr(expr.replace(loop, getAffineConstantExpr(value, nest.getContext())),
                              numLoops, 0);
  };
  auto slope = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(at(1) - at(0), numLoops, 0));
  if (!slope || simplifyAffineExpr(expr - at(0) - loop * slope.getValue(), numLoops, 0) != 0)
    return std::nullopt;
  // Far from the ends of 64 bits, all that follows is exact.
  Bounds bounds = loops.getSimplifier(nest.getBody()->getTerminator()).getBounds(expr);
  constexpr int64_t limit = int64_t(1) << 31;
  if (!bounds.isAtLeast(-limit) || !bounds.isAtMost(limit))
    return std::nullopt;
  return slope.getValue();
}

std::optional<ClosedSum::Bound> ClosedSum::matchBound(Value condition) const {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || !isOrdered(compare.getPredicate()))
    return std::nullopt;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  // The loop and any number: it is clamped before it is computed with.
  if (reduction.isLoop(lhs) && !reduction.isUsedBy(rhs))
    return Bound{compare, 0, compare.getPredicate()};
  if (reduction.isLoop(rhs) && !reduction.isUsedBy(lhs))
    return Bound{compare, 0, turnRound(compare.getPredicate())};
  if (!lhs.getType().isIndex() || compare.getPredicate() == Predicate::eq)
    return std::nullopt;
  std::optional<int64_t> left = getSlope(lhs), right = getSlope(rhs);
  if (!left || !right || *left == *right)
    return std::nullopt;
  return Bound{compare, *left - *right, compare.getPredicate()};
}

bool ClosedSum::isInterval(Value condition) const {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return isInterval(both.getLhs()) && isInterval(both.getRhs());
  return matchBound(condition).has_value();
}

bool ClosedSum::hasSum(Value value) const {
  Type type = value.getType();
  if (!type.isIntOrIndex() || reduction.extent > int64_t(1) << 31)
    return false;
  if (!reduction.isUsedBy(value))
    return true;
  if (type.isIndex())
    return getSlope(value).has_value();
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return hasSum(op->getOperand(0)) && hasSum(op->getOperand(1));
  if (isa<arith::MulIOp>(op))
    for (unsigned side : {0u, 1u})
      if (!reduction.isUsedBy(op->getOperand(side)))
        return hasSum(op->getOperand(1 - side));
  if (isa<arith::MulIOp>(op))
    for (unsigned side : {0u, 1u})
      if (auto extend = op->getOperand(side).getDefiningOp<arith::ExtUIOp>();
          extend && extend.getIn().getType().isInteger(1))
        return isInterval(extend.getIn()) && hasSum(op->getOperand(1 - side));
  // What is cut off changes nothing in what is left of a sum.
  if (isa<arith::TruncIOp>(op) ||
      (isa<arith::IndexCastOp>(op) && op->getOperand(0).getType().isIndex()))
    return hasSum(op->getOperand(0));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return isInterval(select.getCondition()) && hasSum(select.getTrueValue()) &&
           hasSum(select.getFalseValue());
  if (auto extend = dyn_cast<arith::ExtUIOp>(op))
    return extend.getIn().getType().isInteger(1) && isInterval(extend.getIn());
  return false;
}

//===- Sums -------------------------------------------------------------------------===//

Value ClosedSum::constant(int64_t value) {
  return arith::ConstantIndexOp::create(*builder, reduction.combiner->getLoc(), value);
}

/// `index` as an integer of this type, cut off if need be.
static Value castTo(OpBuilder &b, Location loc, Type type, Value index) {
  return type.isIndex() ? index : b.createOrFold<arith::IndexCastOp>(loc, type, index);
}

Value ClosedSum::getCount(Type type, Interval over) {
  Location loc = reduction.combiner->getLoc();
  Value count = builder->createOrFold<arith::SubIOp>(loc, over.high, over.low);
  return castTo(*builder, loc, type, count);
}

/// The iterations of `over` in which `condition` holds.
ClosedSum::Interval ClosedSum::intersect(Value condition, Interval over) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return intersect(both.getRhs(), intersect(both.getLhs(), over));
  OpBuilder &b = *builder;
  Location loc = reduction.combiner->getLoc();
  Bound bound = *matchBound(condition);
  Predicate predicate = bound.predicate;
  Value limit;
  if (bound.slope == 0) {
    Value other =
        reduction.isLoop(bound.compare.getLhs()) ? bound.compare.getRhs() : bound.compare.getLhs();
    limit = reduction.clone(b, other, *mapping);
    if (!limit.getType().isIndex())
      limit = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), limit);
  } else {
    // slope * r + rest < 0 is r < -rest / slope, rounded up, or with a falling slope r > rest /
    // -slope.
    Value rest = b.createOrFold<arith::SubIOp>(
        loc, reduction.cloneAt(b, bound.compare.getLhs(), constant(0), *mapping),
        reduction.cloneAt(b, bound.compare.getRhs(), constant(0), *mapping));
    if (bound.slope > 0)
      rest = b.createOrFold<arith::SubIOp>(loc, constant(0), rest);
    else
      predicate = turnRound(predicate);
    Value divisor = constant(std::abs(bound.slope));
    bool roundsUp = predicate == Predicate::slt || predicate == Predicate::sge;
    limit = roundsUp ? b.createOrFold<arith::CeilDivSIOp>(loc, rest, divisor)
                     : b.createOrFold<arith::FloorDivSIOp>(loc, rest, divisor);
  }
  // Clamped first: the limit may be the greatest number that there is.
  auto clamp = [&](Value value, Value low, Value high) -> Value {
    return b.createOrFold<arith::MaxSIOp>(loc, b.createOrFold<arith::MinSIOp>(loc, value, high),
                                          low);
  };
  Value shifted = clamp(limit, constant(-1), constant(reduction.extent - 1));
  Value next = b.createOrFold<arith::AddIOp>(loc, shifted, constant(1));
  bool isWhole =
      getConstantIntValue(over.low) == 0 && getConstantIntValue(over.high) == reduction.extent;
  next = isWhole ? next : clamp(next, over.low, over.high);
  switch (predicate) {
  case Predicate::slt:
    return {over.low, clamp(limit, over.low, over.high)};
  case Predicate::sle:
    return {over.low, next};
  case Predicate::sge:
    return {clamp(limit, over.low, over.high), over.high};
  case Predicate::sgt:
    return {next, over.high};
  default:
    return {clamp(limit, over.low, over.high), next};
  }
}

/// value(0) * count + slope * (low + … + (high - 1)).
Value ClosedSum::sumOfLine(Value value, int64_t slope, Interval over) {
  OpBuilder &b = *builder;
  Location loc = reduction.combiner->getLoc();
  Value first = reduction.cloneAt(b, value, constant(0), *mapping);
  Value count = getCount(b.getIndexType(), over);
  Value ends = b.createOrFold<arith::SubIOp>(
      loc, b.createOrFold<arith::AddIOp>(loc, over.low, over.high), constant(1));
  // Of count and ends one is even, and no product is negative where there is an iteration.
  Value twice = b.createOrFold<arith::MulIOp>(loc, count, ends);
  Value steps = b.createOrFold<arith::ShRSIOp>(loc, twice, constant(1));
  return b.createOrFold<arith::AddIOp>(loc, b.createOrFold<arith::MulIOp>(loc, first, count),
                                       b.createOrFold<arith::MulIOp>(loc, steps, constant(slope)));
}

Value ClosedSum::sumOfSelect(Value condition, Value then, Value otherwise, Interval over) {
  OpBuilder &b = *builder;
  Location loc = reduction.combiner->getLoc();
  Interval inside = intersect(condition, over);
  Value result = sum(then, inside);
  if (matchPattern(otherwise, m_Zero()))
    return result;
  Value outside = b.createOrFold<arith::SubIOp>(loc, sum(otherwise, over), sum(otherwise, inside));
  return b.createOrFold<arith::AddIOp>(loc, result, outside);
}

Value ClosedSum::sum(Value value, Interval over) {
  OpBuilder &b = *builder;
  Location loc = reduction.combiner->getLoc();
  Type type = value.getType();
  if (!reduction.isUsedBy(value))
    return b.createOrFold<arith::MulIOp>(loc, reduction.clone(b, value, *mapping),
                                         getCount(type, over));
  if (type.isIndex())
    return sumOfLine(value, *getSlope(value), over);
  Operation *op = value.getDefiningOp();
  if (isa<arith::AddIOp>(op))
    return b.createOrFold<arith::AddIOp>(loc, sum(op->getOperand(0), over),
                                         sum(op->getOperand(1), over));
  if (isa<arith::SubIOp>(op))
    return b.createOrFold<arith::SubIOp>(loc, sum(op->getOperand(0), over),
                                         sum(op->getOperand(1), over));
  if (isa<arith::TruncIOp>(op))
    return b.createOrFold<arith::TruncIOp>(loc, type, sum(op->getOperand(0), over));
  if (isa<arith::IndexCastOp>(op))
    return castTo(b, loc, type, sum(op->getOperand(0), over));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return sumOfSelect(select.getCondition(), select.getTrueValue(), select.getFalseValue(), over);
  if (auto extend = dyn_cast<arith::ExtUIOp>(op))
    return getCount(type, intersect(extend.getIn(), over));
  for (unsigned side : {0u, 1u})
    if (!reduction.isUsedBy(op->getOperand(side)))
      return b.createOrFold<arith::MulIOp>(loc, sum(op->getOperand(1 - side), over),
                                           reduction.clone(b, op->getOperand(side), *mapping));
  for (unsigned side : {0u, 1u})
    if (auto extend = op->getOperand(side).getDefiningOp<arith::ExtUIOp>();
        extend && extend.getIn().getType().isInteger(1))
      return sum(op->getOperand(1 - side), intersect(extend.getIn(), over));
  llvm_unreachable("has no sum");
}

Value ClosedSum::build(OpBuilder &b, IRMapping &values) {
  builder = &b;
  mapping = &values;
  return sum(reduction.element, {constant(0), constant(reduction.extent)});
}

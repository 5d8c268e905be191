// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How results of a linalg operation are combined along a loop.
#include "Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pypto::loops;
using linalg::LinalgOp;

//===- Recognition --------------------------------------------------------------===//

static bool mayReassociate(Operation *op) {
  auto interface = dyn_cast<arith::ArithFastMathInterface>(op);
  return interface && arith::bitEnumContainsAll(interface.getFastMathFlagsAttr().getValue(),
                                                arith::FastMathFlags::reassoc);
}

/// `value`, computed in `block` from `element`, `best` and constants only: the operations.
static bool collectCone(Value value, Block *block, Value element, Value best,
                        SetVector<Operation *> &cone) {
  if (value == element || value == best)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block)
    return !llvm::is_contained(block->getArguments(), value);
  if (op->getNumRegions() != 0 || op->getNumResults() != 1 || isa<linalg::IndexOp>(op) ||
      (!op->hasTrait<OpTrait::ConstantLike>() && !OpTrait::hasElementwiseMappableTraits(op)))
    return false;
  for (Value operand : op->getOperands())
    if (!collectCone(operand, block, element, best, cone))
      return false;
  cone.insert(op);
  return true;
}

/// An element that replaces the best one if it is better, together with its number.
static std::optional<Combiner> matchSelection(LinalgOp op, unsigned result) {
  Operation *yield = op.getBlock()->getTerminator();
  for (unsigned other = 0, e = op.getNumDpsInits(); other != e; ++other) {
    auto element = yield->getOperand(result).getDefiningOp<arith::SelectOp>();
    auto number = yield->getOperand(other).getDefiningOp<arith::SelectOp>();
    BlockArgument best = op.getRegionOutputArgs()[result];
    BlockArgument bestNumber = op.getRegionOutputArgs()[other];
    SetVector<Operation *> cone;
    if (other == result || !element || !number || !element->hasOneUse() || !number->hasOneUse() ||
        element.getCondition() != number.getCondition() || element.getFalseValue() != best ||
        number.getFalseValue() != bestNumber || !bestNumber.hasOneUse() ||
        !isa<IntegerType>(bestNumber.getType()) ||
        !collectCone(element.getCondition(), op.getBlock(), element.getTrueValue(), best, cone))
      continue;
    // Nothing but the choice depends on the best element so far.
    if (!llvm::all_of(best.getUsers(),
                      [&](Operation *user) { return user == element || cone.contains(user); }))
      continue;
    Combiner combiner;
    combiner.results = {result, other};
    combiner.isBetter = element.getCondition();
    combiner.element = element.getTrueValue();
    combiner.number = number.getTrueValue();
    combiner.best = best;
    return combiner;
  }
  return std::nullopt;
}

/// An operation on the accumulator and a term, whose order is open.
static std::optional<Combiner> matchOperation(LinalgOp op, unsigned result) {
  BlockArgument accumulator = op.getRegionOutputArgs()[result];
  Operation *combiner = op.getBlock()->getTerminator()->getOperand(result).getDefiningOp();
  if (!combiner || combiner->getBlock() != op.getBlock() || combiner->getNumOperands() != 2 ||
      !accumulator.hasOneUse() || !llvm::is_contained(combiner->getOperands(), accumulator))
    return std::nullopt;
  if (isa<arith::AddFOp, arith::MulFOp>(combiner)) {
    if (!mayReassociate(combiner))
      return std::nullopt;
  } else if (!isa<arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp, arith::MulIOp, arith::AndIOp,
                  arith::OrIOp, arith::XOrIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
                  arith::MinUIOp>(combiner)) {
    return std::nullopt;
  }
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  if (!neutral)
    return std::nullopt;
  Combiner found;
  found.results = {result};
  found.op = combiner;
  found.term = combiner->getOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
  found.neutral = *neutral;
  return found;
}

std::optional<Combiner> pypto::loops::matchCombiner(LinalgOp op, unsigned result) {
  Operation *combiner = op.getBlock()->getTerminator()->getOperand(result).getDefiningOp();
  if (isa_and_nonnull<arith::SelectOp>(combiner))
    return matchSelection(op, result);
  if (!combiner || !combiner->hasOneUse())
    return std::nullopt;
  return matchOperation(op, result);
}

std::optional<Combiner> pypto::loops::matchScan(LinalgOp op, unsigned result) {
  std::optional<Combiner> scan = matchOperation(op, result);
  if (scan)
    scan->isScan = true;
  return scan;
}

//===- Emission -----------------------------------------------------------------===//

static Type getTypeLike(Type scalar, Type like) {
  auto vector = dyn_cast<VectorType>(like);
  return vector ? vector.clone(scalar) : scalar;
}

Value pypto::loops::emitIsBetter(ImplicitLocOpBuilder &b, const Combiner &combiner, Value element,
                                 Value best) {
  Block *block = combiner.best.getOwner();
  SetVector<Operation *> cone;
  collectCone(combiner.isBetter, block, combiner.element, combiner.best, cone);
  IRMapping values;
  values.map(combiner.element, element);
  values.map(combiner.best, best);
  for (Operation *op : cone) {
    if (op->hasTrait<OpTrait::ConstantLike>()) {
      b.clone(*op, values);
      continue;
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Value value = values.lookupOrDefault(operand);
      Type type = getTypeLike(operand.getType(), best.getType());
      operands.push_back(value.getType() == type ? value
                                                 : vector::BroadcastOp::create(b, type, value));
    }
    Type type = getTypeLike(op->getResult(0).getType(), best.getType());
    values.map(op->getResult(0), mlir::clone(b, op, type, operands)->getResult(0));
  }
  return values.lookup(combiner.isBetter);
}

SmallVector<Value> pypto::loops::combine(ImplicitLocOpBuilder &b, const Combiner &combiner,
                                         ValueRange x, ValueRange y) {
  if (!combiner.isSelection())
    return {mlir::clone(b, combiner.op, x[0].getType(), {x[0], y[0]})->getResult(0)};
  Value isBetter = emitIsBetter(b, combiner, y[0], x[0]);
  Value isWorse = emitIsBetter(b, combiner, x[0], y[0]);
  // Of equal ones the first.
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, y[1], x[1]);
  Value one = arith::ConstantOp::create(b, b.getOneAttr(isWorse.getType()));
  Value isEqual = arith::XOrIOp::create(b, isWorse, one);
  Value choice = arith::OrIOp::create(b, isBetter, arith::AndIOp::create(b, isEqual, isFirst));
  return {arith::SelectOp::create(b, choice, y[0], x[0]),
          arith::SelectOp::create(b, choice, y[1], x[1])};
}

SmallVector<Value> pypto::loops::combineLanes(ImplicitLocOpBuilder &b, const Combiner &combiner,
                                              ValueRange vectors) {
  SmallVector<Value> values(vectors);
  for (int64_t half = cast<VectorType>(values[0].getType()).getNumElements() / 2; half != 0;
       half /= 2) {
    auto lows = llvm::to_vector(llvm::seq<int64_t>(0, half));
    auto highs = llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
    SmallVector<Value> low, high;
    for (Value value : values) {
      low.push_back(vector::ShuffleOp::create(b, value, value, lows));
      high.push_back(vector::ShuffleOp::create(b, value, value, highs));
    }
    values = combine(b, combiner, low, high);
  }
  for (Value &value : values)
    value = vector::ExtractOp::create(b, value, 0);
  return values;
}

std::pair<Value, Value> pypto::loops::emitScan(ImplicitLocOpBuilder &b, const Combiner &combiner,
                                               Value known, Value term) {
  int64_t lanes = cast<VectorType>(term.getType()).getNumElements();
  for (int64_t half = 1; half < lanes; half *= 2) {
    SmallVector<int64_t> ends;
    SmallVector<bool> isSecond;
    for (int64_t lane = 0; lane != lanes; ++lane) {
      isSecond.push_back(lane / half % 2 != 0);
      ends.push_back(isSecond.back() ? lane / half * half - 1 : lane);
    }
    Value before = vector::ShuffleOp::create(b, term, term, ends);
    Value both = combine(b, combiner, before, term)[0];
    Value mask = arith::ConstantOp::create(
        b, DenseElementsAttr::get(VectorType::get(lanes, b.getI1Type()), isSecond));
    term = arith::SelectOp::create(b, mask, both, term);
  }
  SmallVector<int64_t> last(lanes, lanes - 1);
  Value total = vector::ShuffleOp::create(b, term, term, last);
  return {combine(b, combiner, known, term)[0], combine(b, combiner, known, total)[0]};
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of rows and columns, and rows and columns applied to a whole.
#include "Elementwise.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

/// What floats are accumulated in; integers wrap in their own type.
static Type getAccumulator(Type element) {
  return isa<FloatType>(element) ? getComputeElement(element) : element;
}

/// Sizes with a one in dimension `dim`.
static SmallVector<OpFoldResult> withOne(Lowering &l, ArrayRef<OpFoldResult> sizes, unsigned dim) {
  SmallVector<OpFoldResult> result(sizes);
  result[dim] = l.b.getIndexAttr(1);
  return result;
}

namespace {
/// The loop of a reduction.
struct ReductionLoop {
  AffineMap source, result;
  SmallVector<utils::IteratorType> iterators;
};
} // namespace

static ReductionLoop getLoop(Lowering &l, unsigned rank, unsigned dim) {
  ReductionLoop loop{l.b.getMultiDimIdentityMap(rank), {}, SmallVector<utils::IteratorType>(rank)};
  llvm::fill(loop.iterators, utils::IteratorType::parallel);
  loop.iterators[dim] = utils::IteratorType::reduction;
  SmallVector<AffineExpr> exprs(loop.source.getResults());
  exprs[dim] = l.b.getAffineConstantExpr(0);
  loop.result = AffineMap::get(rank, 0, exprs, l.b.getContext());
  return loop;
}

static LogicalResult lowerReduction(Lowering &l, Operation *op, BinaryKind kind, unsigned fromEnd) {
  Operand source = getOperand(l, op->getOperand(0));
  unsigned dim = source.getRank() - fromEnd;
  Type accumulator = getAccumulator(source.element);
  // The neutral element of the source's type: that type has the limits.
  Value neutral =
      emitCast(l.b, emitNeutral(l.b, kind, source.element), source.element, accumulator);
  Value init = emitFilled(l, withOne(l, source.valid, dim), accumulator, neutral);
  ReductionLoop loop = getLoop(l, source.getRank(), dim);
  Value value = emitGeneric(
      l, source.value, init, {loop.source, loop.result}, loop.iterators, [&](ValueRange v) {
        Value element = loadElement(l.b, v[0], source.element),
              sum = loadElement(l.b, v[1], accumulator);
        return storeElement(l.b, emitBinary(l.b, kind, accumulator, sum, element), accumulator);
      });
  value = convertElements(l, value, accumulator, source.element);
  mapComputed(l, op->getResult(0), value, withOne(l, source.physical, dim));
  return success();
}

static LogicalResult lowerArgReduction(Lowering &l, Operation *op, bool isMax, unsigned fromEnd) {
  ImplicitLocOpBuilder &b = l.b;
  Operand source = getOperand(l, op->getOperand(0));
  unsigned dim = source.getRank() - fromEnd;
  Type element = source.element, i32 = b.getI32Type();
  SmallVector<OpFoldResult> sizes = withOne(l, source.valid, dim);
  Value inits[] = {emitFilled(l, sizes, element, emitLimit(b, element, !isMax)),
                   emitFilled(l, sizes, i32, emitConstant(b, i32, 0.0))};
  ReductionLoop loop = getLoop(l, source.getRank(), dim);
  AffineMap maps[] = {loop.source, loop.result, loop.result};
  auto build = [&](OpBuilder &nested, Location, ValueRange v) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
    Value candidate = loadElement(b, v[0], element), best = loadElement(b, v[1], element);
    Value take = emitIsBetter(b, element, isMax, candidate, best);
    Value position = arith::IndexCastOp::create(b, i32, linalg::IndexOp::create(b, dim));
    Value newBest = arith::SelectOp::create(b, take, v[0], v[1]);
    Value newPosition = arith::SelectOp::create(b, take, position, v[2]);
    linalg::YieldOp::create(b, ValueRange{newBest, newPosition});
  };
  auto generic = linalg::GenericOp::create(b, ValueRange(inits).getTypes(), source.value, inits,
                                           maps, loop.iterators, build);
  l.noteSizes(generic.getResult(1), sizes);
  mapComputed(l, op->getResult(0), generic.getResult(1), withOne(l, source.physical, dim));
  return success();
}

//===- Expansions ------------------------------------------------------------------===//

/// `target` (or its shape alone) with `vector`, of extent one in a dimension and else of the
/// target's extents.
static LogicalResult lowerExpanded(Lowering &l, Operation *op, bool readsTarget, unsigned fromEnd,
                                   function_ref<Value(Type, ValueRange)> body) {
  Value target = op->getOperand(0);
  Operand operands[] = {readsTarget ? getOperand(l, target) : getShapeOperand(l, target),
                        getOperand(l, op->getOperand(1))};
  unifyExtents(l, operands, operands[0].getRank() - fromEnd);
  Type element = cast<ExtentTypeInterface>(op->getResult(0).getType()).getElementType();
  BroadcastShape shape = broadcast(l, operands);
  Value value = emitMap(l, operands, shape, element, [&](ValueRange values) {
    SmallVector<Value> converted;
    for (auto [v, operand] : llvm::zip_equal(values, ArrayRef(operands).take_back(values.size())))
      converted.push_back(emitCast(l.b, v, operand.element, element));
    return body(element, converted);
  });
  mapComputed(l, op->getResult(0), value, operands[0].physical);
  return success();
}

template <typename OpTy>
static void addReduction(LoweringTable &table, BinaryKind kind, unsigned fromEnd) {
  table.add<OpTy>([=](Lowering &l, Operation *op) { return lowerReduction(l, op, kind, fromEnd); });
}

template <typename OpTy>
static void addArgReduction(LoweringTable &table, bool isMax, unsigned fromEnd) {
  table.add<OpTy>(
      [=](Lowering &l, Operation *op) { return lowerArgReduction(l, op, isMax, fromEnd); });
}

template <typename OpTy> static void addExpand(LoweringTable &table, unsigned fromEnd) {
  table.add<OpTy>([=](Lowering &l, Operation *op) {
    return lowerExpanded(l, op, /*readsTarget=*/false, fromEnd,
                         [](Type, ValueRange values) { return values[0]; });
  });
}

template <typename OpTy>
static void addExpandBinary(LoweringTable &table, BinaryKind kind, unsigned fromEnd) {
  table.add<OpTy>([=](Lowering &l, Operation *op) {
    return lowerExpanded(l, op, /*readsTarget=*/true, fromEnd,
                         [&](Type element, ValueRange values) {
                           return emitBinary(l.b, kind, element, values[0], values[1]);
                         });
  });
}

template <typename OpTy> static void addExpdif(LoweringTable &table, unsigned fromEnd) {
  table.add<OpTy>([=](Lowering &l, Operation *op) {
    return lowerExpanded(
        l, op, /*readsTarget=*/true, fromEnd, [&](Type element, ValueRange values) {
          return emitUnary(l.b, UnaryKind::Exp, element,
                           emitBinary(l.b, BinaryKind::Sub, element, values[0], values[1]));
        });
  });
}

void lowering::addReductionLowerings(LoweringTable &table) {
#define PYPTO_AXIS(Level, Axis, FromEnd)                                                           \
  addReduction<Level::Axis##SumOp>(table, BinaryKind::Add, FromEnd);                               \
  addReduction<Level::Axis##ProdOp>(table, BinaryKind::Mul, FromEnd);                              \
  addReduction<Level::Axis##MaxOp>(table, BinaryKind::Maximum, FromEnd);                           \
  addReduction<Level::Axis##MinOp>(table, BinaryKind::Minimum, FromEnd);                           \
  addArgReduction<Level::Axis##ArgmaxOp>(table, /*isMax=*/true, FromEnd);                          \
  addArgReduction<Level::Axis##ArgminOp>(table, /*isMax=*/false, FromEnd);                         \
  addExpand<Level::Axis##ExpandOp>(table, FromEnd);                                                \
  addExpandBinary<Level::Axis##ExpandAddOp>(table, BinaryKind::Add, FromEnd);                      \
  addExpandBinary<Level::Axis##ExpandSubOp>(table, BinaryKind::Sub, FromEnd);                      \
  addExpandBinary<Level::Axis##ExpandMulOp>(table, BinaryKind::Mul, FromEnd);                      \
  addExpandBinary<Level::Axis##ExpandDivOp>(table, BinaryKind::Div, FromEnd);                      \
  addExpandBinary<Level::Axis##ExpandMaxOp>(table, BinaryKind::Maximum, FromEnd);                  \
  addExpandBinary<Level::Axis##ExpandMinOp>(table, BinaryKind::Minimum, FromEnd);                  \
  addExpdif<Level::Axis##ExpandExpdifOp>(table, FromEnd);
  PYPTO_AXIS(pl, Row, 1)
  PYPTO_AXIS(pl, Col, 2)
  PYPTO_AXIS(tile, Row, 1)
  PYPTO_AXIS(tile, Col, 2)
#undef PYPTO_AXIS
}

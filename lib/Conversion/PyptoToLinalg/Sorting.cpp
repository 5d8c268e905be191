// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting by rank: how many elements come before an element is where it goes.
#include "Elementwise.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

namespace {
/// One row that is sorted in blocks.
struct Row {
  Value values, indices;
  /// Null: the position is the index.
  Type valueElement, indexElement;
  /// Position of the row in the dimensions before the last one.
  SmallVector<Value> outer;
};
} // namespace

static Value getConstant(Lowering &l, int64_t value) { return l.asValue(l.b.getIndexAttr(value)); }

static Value extract(Lowering &l, const Row &row, Value values, Value position) {
  SmallVector<Value> at(row.outer);
  at.push_back(position);
  return tensor::ExtractOp::create(l.b, values, at);
}

static Value loadValue(Lowering &l, const Row &row, Value position) {
  return loadElement(l.b, extract(l, row, row.values, position), row.valueElement);
}

/// True if `lhs` is greater: a NaN is greater than any number.
static Value isGreater(ImplicitLocOpBuilder &b, Type element, Value lhs, Value rhs) {
  Value greater = emitCompare(b, CmpKind::GT, element, lhs, rhs);
  if (!isa<FloatType>(element))
    return greater;
  Value isNaN = emitCompare(b, CmpKind::NE, element, lhs, lhs);
  Value otherIsNumber = emitCompare(b, CmpKind::EQ, element, rhs, rhs);
  return arith::OrIOp::create(b, greater, arith::AndIOp::create(b, isNaN, otherIsNumber));
}

/// `count` elements from `start` on: how many come before the one at `position`, which is
/// `element`.
static Value countBefore(Lowering &l, const Row &row, Value start, int64_t count, Value position,
                         Value element) {
  ImplicitLocOpBuilder &b = l.b;
  Value zero = getConstant(l, 0), one = getConstant(l, 1);
  auto loop = scf::ForOp::create(b, zero, getConstant(l, count), one, zero);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value at = arith::AddIOp::create(b, start, loop.getInductionVar());
  Value other = loadValue(l, row, at);
  Value before = isGreater(b, row.valueElement, other, element);
  Value isEqual = arith::XOrIOp::create(b, isGreater(b, row.valueElement, element, other),
                                        arith::ConstantOp::create(b, b.getBoolAttr(true)));
  Value isEarlier = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at, position);
  before = arith::OrIOp::create(b, before, arith::AndIOp::create(b, isEqual, isEarlier));
  Value next = arith::AddIOp::create(b, loop.getRegionIterArg(0), one);
  scf::YieldOp::create(
      b, ValueRange{arith::SelectOp::create(b, before, next, loop.getRegionIterArg(0))});
  return loop.getResult(0);
}

/// In a sorted run of `count` elements from `start` on: how many come before `element`, an equal
/// one if `takesEqual`. Bisection.
static Value countBeforeInRun(Lowering &l, const Row &row, Value start, Value count, Value element,
                              Value takesEqual) {
  ImplicitLocOpBuilder &b = l.b;
  Value zero = getConstant(l, 0), one = getConstant(l, 1);
  Type index = b.getIndexType();
  auto loop = scf::WhileOp::create(b, TypeRange{index, index}, ValueRange{zero, count});
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, {index, index}, {b.getLoc(), b.getLoc()});
  Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, before->getArgument(0),
                                     before->getArgument(1));
  scf::ConditionOp::create(b, more, before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, {index, index}, {b.getLoc(), b.getLoc()});
  Value low = after->getArgument(0), high = after->getArgument(1);
  Value middle = arith::ShRUIOp::create(b, arith::AddIOp::create(b, low, high), one);
  Value other = loadValue(l, row, arith::AddIOp::create(b, start, middle));
  Value greater = isGreater(b, row.valueElement, other, element);
  Value notLess = arith::XOrIOp::create(b, isGreater(b, row.valueElement, element, other),
                                        arith::ConstantOp::create(b, b.getBoolAttr(true)));
  Value comesBefore = arith::SelectOp::create(b, takesEqual, notLess, greater);
  Value above = arith::AddIOp::create(b, middle, one);
  scf::YieldOp::create(b, ValueRange{arith::SelectOp::create(b, comesBefore, above, low),
                                     arith::SelectOp::create(b, comesBefore, high, middle)});
  return loop.getResult(0);
}

/// Where the element at `position` goes when up to four runs of `run` elements around it are
/// merged.
static Value getMergedPosition(Lowering &l, const Row &row, int64_t run, Value total,
                               Value position, Value element) {
  ImplicitLocOpBuilder &b = l.b;
  Value length = getConstant(l, run), zero = getConstant(l, 0), one = getConstant(l, 1);
  Value own = arith::DivUIOp::create(b, position, length);
  Value first = arith::MulIOp::create(b, arith::DivUIOp::create(b, own, getConstant(l, 4)),
                                      getConstant(l, 4));
  Value runs = arith::DivUIOp::create(b, total, length);
  Value last = arith::MinUIOp::create(b, runs, arith::AddIOp::create(b, first, getConstant(l, 4)));
  auto loop = scf::ForOp::create(b, first, last, one,
                                 arith::RemUIOp::create(b, position, length).getResult());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value other = loop.getInductionVar();
  Value isOwn = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, other, own);
  Value isEarlier = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, other, own);
  Value count = arith::SelectOp::create(b, isOwn, zero, length);
  Value start = arith::MulIOp::create(b, other, length);
  Value before = countBeforeInRun(l, row, start, count, element, isEarlier);
  scf::YieldOp::create(b, ValueRange{arith::AddIOp::create(b, loop.getRegionIterArg(0), before)});
  b.setInsertionPointAfter(loop);
  Value base = arith::MulIOp::create(b, first, length);
  return arith::AddIOp::create(b, base, loop.getResult(0));
}

using PositionFn = function_ref<Value(const Row &, Value position, Value element)>;

/// Writes each element and its index to the place that `getPosition` gives for it.
static void emitSort(Lowering &l, Operation *op, Value valuesOperand, Value indicesOperand,
                     PositionFn getPosition) {
  ImplicitLocOpBuilder &b = l.b;
  Operand values = getOperand(l, valuesOperand);
  std::optional<Operand> indices;
  if (indicesOperand)
    indices = getOperand(l, indicesOperand);
  Type i32 = b.getI32Type();
  Row row{values.value,
          indices ? indices->value : Value(),
          values.element,
          indices ? indices->element : i32,
          {}};
  SmallVector<int64_t> shape(cast<RankedTensorType>(values.value.getType()).getShape());
  auto makeBuffer = [&](Type element) {
    SmallVector<Value> dynamic;
    for (auto [size, extent] : llvm::zip_equal(values.valid, shape))
      if (ShapedType::isDynamic(extent))
        dynamic.push_back(l.asValue(size));
    return memref::AllocOp::create(b, MemRefType::get(shape, getStorageElement(element)), dynamic)
        .getResult();
  };
  Value sortedValues = makeBuffer(values.element), sortedIndices = makeBuffer(row.indexElement);
  SmallVector<Value> lower(shape.size(), getConstant(l, 0)), upper,
      step(shape.size(), getConstant(l, 1));
  for (OpFoldResult size : values.valid)
    upper.push_back(l.asValue(size));
  scf::buildLoopNest(
      b, b.getLoc(), lower, upper, step, [&](OpBuilder &nested, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
        row.outer.assign(at.begin(), std::prev(at.end()));
        Value position = at.back();
        Value to = getPosition(row, position, loadValue(l, row, position));
        SmallVector<Value> target(row.outer);
        target.push_back(to);
        memref::StoreOp::create(b, extract(l, row, row.values, position), sortedValues, target);
        Value index = row.indices ? extract(l, row, row.indices, position)
                                  : arith::IndexCastOp::create(b, i32, position).getResult();
        memref::StoreOp::create(b, index, sortedIndices, target);
      });
  for (auto [result, buffer] :
       llvm::zip_equal(op->getResults(), ValueRange{sortedValues, sortedIndices})) {
    auto type = cast<MemRefType>(buffer.getType());
    auto tensorType = RankedTensorType::get(type.getShape(), type.getElementType());
    Value value = bufferization::ToTensorOp::create(b, tensorType, buffer, /*restrict=*/true,
                                                    /*writable=*/true);
    l.noteSizes(value, values.valid);
    mapComputed(l, result, value, values.physical);
  }
}

template <typename OpTy> static LogicalResult lowerSort32(Lowering &l, OpTy op) {
  static constexpr int64_t kRun = 32;
  emitSort(
      l, op, op.getValues(), op.getIndices(), [&](const Row &row, Value position, Value element) {
        Value run = getConstant(l, kRun);
        Value start = arith::MulIOp::create(l.b, arith::DivUIOp::create(l.b, position, run), run);
        return arith::AddIOp::create(l.b, start,
                                     countBefore(l, row, start, kRun, position, element))
            .getResult();
      });
  return success();
}

template <typename OpTy> static LogicalResult lowerMergeSort(Lowering &l, OpTy op) {
  emitSort(l, op, op.getValues(), op.getIndices(),
           [&](const Row &row, Value position, Value element) {
             Value total = l.asValue(l.getSizes(row.values).back());
             return getMergedPosition(l, row, op.getRun(), total, position, element);
           });
  return success();
}

void lowering::addSortLowerings(LoweringTable &table) {
  table.add<pl::Sort32Op>(lowerSort32<pl::Sort32Op>);
  table.add<tile::Sort32Op>(lowerSort32<tile::Sort32Op>);
  table.add<pl::MrgsortOp>(lowerMergeSort<pl::MrgsortOp>);
  table.add<tile::MrgsortOp>(lowerMergeSort<tile::MrgsortOp>);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting by merging runs of 1, 2, 4, … elements.
#include "Exporter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::lazy;

namespace {
/// Sorts one row: its elements together with where they come from.
class RowSorter {
public:
  RowSorter(ImplicitLocOpBuilder &b, Type element, bool descending, Value size)
      : b(b), element(element), descending(descending), size(size) {
    zero = arith::ConstantIndexOp::create(b, 0);
    one = arith::ConstantIndexOp::create(b, 1);
    two = arith::ConstantIndexOp::create(b, 2);
  }

  /// The indices in order, of `most` elements at most; `load` reads the one at a position.
  Value sort(OpFoldResult extent, int64_t most, llvm::function_ref<Value(Value)> load);

private:
  Value comesBefore(Value lhs, Value rhs);
  SmallVector<Value> mergeRuns(ValueRange source, Value width, OpFoldResult extent);
  SmallVector<Value> mergePair(ValueRange source, ValueRange target, Value begin, Value width);
  SmallVector<Value> emitFor(Value low, Value high, Value step, ValueRange init,
                             llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body);
  SmallVector<Value> createRow(OpFoldResult extent, Type stored) {
    return {tensor::EmptyOp::create(b, extent, stored),
            tensor::EmptyOp::create(b, extent, b.getI64Type())};
  }
  Value read(Value row, Value position) { return tensor::ExtractOp::create(b, row, position); }
  Value write(Value value, Value row, Value position) {
    return tensor::InsertOp::create(b, value, row, position);
  }

  ImplicitLocOpBuilder &b;
  Type element;
  bool descending;
  Value size, zero, one, two;
};
} // namespace

SmallVector<Value>
RowSorter::emitFor(Value low, Value high, Value step, ValueRange init,
                   llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(b, low, high, step, init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b, body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

/// Whether an element has to come before another that is in front of it. A NaN is greater than any
/// number.
Value RowSorter::comesBefore(Value lhs, Value rhs) {
  Value x = lowering::loadElement(b, lhs, element), y = lowering::loadElement(b, rhs, element);
  if (descending)
    std::swap(x, y);
  Value isLess = lowering::emitCompare(b, pl::CmpKind::LT, element, x, y);
  if (!isa<FloatType>(element))
    return isLess;
  Value isNumber = lowering::emitCompare(b, pl::CmpKind::EQ, element, x, x);
  Value isNaN = lowering::emitCompare(b, pl::CmpKind::NE, element, y, y);
  return arith::OrIOp::create(b, isLess, arith::AndIOp::create(b, isNumber, isNaN));
}

/// The runs [begin, begin + width) and what follows, together in `target`.
SmallVector<Value> RowSorter::mergePair(ValueRange source, ValueRange target, Value begin,
                                        Value width) {
  Value middle = arith::MinSIOp::create(b, arith::AddIOp::create(b, begin, width), size);
  Value end = arith::MinSIOp::create(b, arith::AddIOp::create(b, middle, width), size);
  Value last = arith::SubIOp::create(b, size, one);
  SmallVector<Value> init{begin, middle};
  llvm::append_range(init, target);
  auto body = [&](Value to, ValueRange carried) -> SmallVector<Value> {
    Value left = carried[0], right = carried[1];
    // Reads past a run are not used.
    Value x = read(source[0], arith::MinSIOp::create(b, left, last));
    Value y = read(source[0], arith::MinSIOp::create(b, right, last));
    auto isBelow = [&](Value a, Value limit) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, a, limit);
    };
    Value hasRight = isBelow(right, end);
    Value isFirst = arith::AndIOp::create(b, hasRight, comesBefore(y, x));
    Value always = arith::ConstantOp::create(b, b.getBoolAttr(true));
    Value isLeftDone = arith::XOrIOp::create(b, isBelow(left, middle), always);
    Value takesRight = arith::OrIOp::create(b, isFirst, isLeftDone);
    Value from = arith::SelectOp::create(b, takesRight, right, left);
    Value value = arith::SelectOp::create(b, takesRight, y, x);
    Value step = arith::IndexCastUIOp::create(b, b.getIndexType(), takesRight);
    Value index = read(source[1], arith::MinSIOp::create(b, from, last));
    return {arith::AddIOp::create(b, left, arith::SubIOp::create(b, one, step)),
            arith::AddIOp::create(b, right, step), write(value, carried[2], to),
            write(index, carried[3], to)};
  };
  SmallVector<Value> results = emitFor(begin, end, one, init, body);
  return {results[2], results[3]};
}

SmallVector<Value> RowSorter::mergeRuns(ValueRange source, Value width, OpFoldResult extent) {
  Type stored = cast<RankedTensorType>(source[0].getType()).getElementType();
  Value both = arith::MulIOp::create(b, width, two);
  return emitFor(zero, size, both, createRow(extent, stored),
                 [&](Value begin, ValueRange target) -> SmallVector<Value> {
                   return mergePair(source, target, begin, width);
                 });
}

Value RowSorter::sort(OpFoldResult extent, int64_t most, llvm::function_ref<Value(Value)> load) {
  Type stored =
      lowering::storeElement(b, lowering::emitConstant(b, element, 0.0), element).getType();
  SmallVector<Value> row =
      emitFor(zero, size, one, createRow(extent, stored),
              [&](Value at, ValueRange carried) -> SmallVector<Value> {
                Value index = arith::IndexCastOp::create(b, b.getI64Type(), at);
                return {write(load(at), carried[0], at), write(index, carried[1], at)};
              });
  // Runs of 1, 2, 4, … elements, until one run is the row.
  Value levels = arith::ConstantIndexOp::create(b, llvm::Log2_64_Ceil(std::max<int64_t>(most, 1)));
  return emitFor(zero, levels, one, row, [&](Value level, ValueRange source) {
    Value width = arith::ShLIOp::create(b, one, level);
    SmallVector<Value> next;
    // Back to where they were, so that the loop hands on the same memory.
    for (auto [merged, target] : llvm::zip_equal(mergeRuns(source, width, extent), source))
      next.push_back(linalg::CopyOp::create(b, merged, target).getResult(0));
    return next;
  })[1];
}

Value Exporter::emitArgSort(const Node &node, Value operand) {
  unsigned axis = node.shape.size() - 1;
  Value size = getSize(node.shape, axis);
  OpFoldResult extent = getSizes(node.shape)[axis];
  Shape rows(node.shape);
  rows.pop_back();
  RowSorter sorter(b, getElement(node.operands[0]->dtype), node.attributes[0] != 0, size);
  Value one = arith::ConstantIndexOp::create(b, 1), zero = arith::ConstantIndexOp::create(b, 0);
  return emitLoops(rows, createEmpty(node), [&](ValueRange row, Value result) -> Value {
    auto at = [&](Value position) {
      SmallVector<Value> index(row);
      index.push_back(position);
      return index;
    };
    Value order = sorter.sort(extent, node.shape[axis].max, [&](Value position) -> Value {
      return tensor::ExtractOp::create(b, operand, at(position));
    });
    auto loop = scf::ForOp::create(b, zero, size, one, result);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value position = loop.getInductionVar();
    Value index = tensor::ExtractOp::create(b, order, position);
    Value changed = tensor::InsertOp::create(b, index, loop.getRegionIterArg(0), at(position));
    scf::YieldOp::create(b, changed);
    return loop.getResult(0);
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building blocks of the lowerings of compute operations.
#include "Elementwise.h"

#include "pypto/Dialect/Orchestration/IR/Windows.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

OpFoldResult lowering::minimum(Lowering &l, OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs), right = getConstantIntValue(rhs);
  if (left && right)
    return l.b.getIndexAttr(std::min(*left, *right));
  if (lhs == rhs)
    return lhs;
  return arith::MinSIOp::create(l.b, l.asValue(lhs), l.asValue(rhs)).getResult();
}

Value lowering::emitFilled(Lowering &l, ArrayRef<OpFoldResult> sizes, Type element, Value filling) {
  Value empty = tensor::EmptyOp::create(l.b, sizes, getStorageElement(element));
  Value filled =
      linalg::FillOp::create(l.b, storeElement(l.b, filling, element), empty).getResult(0);
  l.noteSizes(filled, sizes);
  return filled;
}

Value lowering::emitNarrowed(Lowering &l, Value value, ArrayRef<OpFoldResult> sizes) {
  if (ArrayRef<OpFoldResult>(l.getSizes(value)) == sizes)
    return value;
  SmallVector<OpFoldResult> zeros(sizes.size(), l.b.getIndexAttr(0));
  Value narrowed = orchestration::createExtractSlice(l.b, l.b.getLoc(), value, zeros, sizes);
  l.noteSizes(narrowed, sizes);
  return narrowed;
}

Value lowering::emitResized(Lowering &l, Value value, ArrayRef<OpFoldResult> sizes, Type element,
                            Value filling) {
  SmallVector<OpFoldResult> kept;
  for (auto [old, wanted] : llvm::zip_equal(l.getSizes(value), sizes))
    kept.push_back(minimum(l, old, wanted));
  Value narrowed = emitNarrowed(l, value, kept);
  if (ArrayRef<OpFoldResult>(kept) == sizes)
    return narrowed;
  SmallVector<OpFoldResult> zeros(sizes.size(), l.b.getIndexAttr(0));
  Value filled = emitFilled(l, sizes, element, filling);
  Value resized =
      orchestration::createInsertSlice(l.b, l.b.getLoc(), narrowed, filled, zeros, kept);
  l.noteSizes(resized, sizes);
  return resized;
}

Value lowering::emitPhysical(Lowering &l, const Operand &operand) {
  return emitResized(l, operand.value, operand.physical, operand.element,
                     emitConstant(l.b, operand.element, 0.0));
}

Value lowering::emitGeneric(Lowering &l, ValueRange inputs, Value init, ArrayRef<AffineMap> maps,
                            ArrayRef<utils::IteratorType> iterators,
                            function_ref<Value(ValueRange)> body) {
  auto build = [&](OpBuilder &nested, Location, ValueRange arguments) {
    OpBuilder::InsertionGuard guard(l.b);
    l.b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
    linalg::YieldOp::create(l.b, body(arguments));
  };
  Value result =
      linalg::GenericOp::create(l.b, init.getType(), inputs, init, maps, iterators, build)
          .getResult(0);
  l.noteSizes(result, l.getSizes(init));
  return result;
}

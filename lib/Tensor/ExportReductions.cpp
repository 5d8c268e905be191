// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that combine the elements along axes: reductions, and scans, which keep what they have.
#include "Exporter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::lazy;

Value Exporter::emitReduce(const Node &node, Value operand) {
  Type element = getElement(node.dtype);
  lowering::BinaryKind kind = getBinaryKind(node.op);
  Shape kept;
  for (auto [axis, extent] : llvm::enumerate(node.shape))
    if (!llvm::is_contained(node.attributes, static_cast<int64_t>(axis)))
      kept.push_back(extent);
  Value neutral = lowering::emitNeutral(b, kind, element);
  // What leaves each number as it is may be minus zero; a sum of no numbers is zero.
  bool isEmpty = llvm::any_of(node.attributes, [&](int64_t axis) {
    const Extent &extent = node.operands[0]->shape[axis];
    return extent.isStatic() && extent.max == 0;
  });
  if (isEmpty && kind == lowering::BinaryKind::Add)
    neutral = arith::ConstantOp::create(b, b.getZeroAttr(element));
  neutral = lowering::storeElement(b, neutral, element);
  Value init =
      linalg::FillOp::create(b, neutral, createEmpty(kept, getStored(node.dtype))).getResult(0);
  auto combine = [&](OpBuilder &nested, Location loc, ValueRange elements) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
    Value x = lowering::loadElement(b, elements[1], element);
    Value y = lowering::loadElement(b, elements[0], element);
    Value result = lowering::emitBinary(b, kind, element, x, y);
    linalg::YieldOp::create(b, lowering::storeElement(b, result, element));
  };
  Value reduced = linalg::ReduceOp::create(b, ValueRange(operand), ValueRange(init),
                                           ArrayRef<int64_t>(node.attributes), combine)
                      .getResult(0);
  return reshape(reduced, kept, node.shape);
}

/// One pass over elements and their numbers: of two equal ones the first is kept.
Value Exporter::emitArgReduce(const Node &node, Value operand) {
  Type element = getElement(node.operands[0]->dtype), stored = getStored(node.operands[0]->dtype);
  bool isMax = node.op == OpKind::ArgMax;
  int64_t axis = node.attributes[0];
  unsigned rank = node.shape.size();
  Shape kept(node.shape);
  kept.erase(kept.begin() + axis);
  auto fill = [&](Type type, Value scalar) {
    return linalg::FillOp::create(b, scalar, createEmpty(kept, type)).getResult(0);
  };
  // What is worst comes first of all that are as bad.
  Value worst = lowering::storeElement(b, lowering::emitLimit(b, element, !isMax), element);
  Value first = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
  Value inits[] = {fill(stored, worst), fill(b.getI64Type(), first)};
  AffineMap whole = b.getMultiDimIdentityMap(rank), outer = whole.dropResult(axis);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops[axis] = utils::IteratorType::reduction;
  auto build = [&](OpBuilder &nested, Location loc, ValueRange elements) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
    Value candidate = lowering::loadElement(b, elements[0], element);
    Value best = lowering::loadElement(b, elements[1], element);
    Value isBetter = lowering::emitIsBetter(b, element, isMax, candidate, best);
    Value number =
        arith::IndexCastOp::create(b, b.getI64Type(), linalg::IndexOp::create(b, axis).getResult());
    Value newBest = arith::SelectOp::create(b, isBetter, elements[0], elements[1]);
    Value newNumber = arith::SelectOp::create(b, isBetter, number, elements[2]);
    linalg::YieldOp::create(b, ValueRange{newBest, newNumber});
  };
  Value number = linalg::GenericOp::create(b, ValueRange(inits).getTypes(), operand, inits,
                                           ArrayRef<AffineMap>{whole, outer, outer}, loops, build)
                     .getResult(1);
  return reshape(number, kept, node.shape);
}

/// A reduction that also yields what it has so far: its loop is in the map of the second result, so
/// its order counts.
Value Exporter::emitScan(const Node &node, Value operand) {
  Type element = getElement(node.dtype);
  lowering::BinaryKind kind = getBinaryKind(node.op);
  int64_t axis = node.attributes[0];
  unsigned rank = node.shape.size();
  Shape kept(node.shape);
  kept.erase(kept.begin() + axis);
  Value neutral = lowering::storeElement(b, lowering::emitNeutral(b, kind, element), element);
  Type stored = getStored(node.dtype);
  Value init = linalg::FillOp::create(b, neutral, createEmpty(kept, stored)).getResult(0);
  AffineMap whole = b.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops[axis] = utils::IteratorType::reduction;
  auto build = [&](OpBuilder &nested, Location loc, ValueRange elements) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
    Value x = lowering::loadElement(b, elements[0], element);
    Value y = lowering::loadElement(b, elements[1], element);
    Value sum = lowering::storeElement(b, lowering::emitBinary(b, kind, element, y, x), element);
    linalg::YieldOp::create(b, ValueRange{sum, sum});
  };
  return linalg::GenericOp::create(b, TypeRange{init.getType(), getType(node)}, operand,
                                   ValueRange{init, createEmpty(node)},
                                   ArrayRef<AffineMap>{whole, whole.dropResult(axis), whole}, loops,
                                   build)
      .getResult(1);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes with indices as elements: gathers, scatters.
#include "Exporter.h"
#include "pypto/Tensor/Tensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::lazy;

//===- Elements at indices ----------------------------------------------------------===//

/// `index`, counted from the end if it is negative, and whether there is such an element.
static std::pair<Value, Value> resolveIndex(ImplicitLocOpBuilder &b, Value index, Value size) {
  index = arith::IndexCastOp::create(b, b.getIndexType(), index);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value isNegative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, index, zero);
  Value fromEnd = arith::AddIOp::create(b, index, size);
  index = arith::SelectOp::create(b, isNegative, fromEnd, index);
  return {index, arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, size)};
}

Value Exporter::readAt(Value operand, Value index, Value size, SmallVector<Value> position,
                       unsigned axis, DType dtype) {
  auto [chosen, isThere] = resolveIndex(b, index, size);
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  Value last = arith::SubIOp::create(b, size, one);
  position[axis] = arith::MaxSIOp::create(b, arith::MinSIOp::create(b, chosen, last), zero);
  Value element = tensor::ExtractOp::create(b, operand, position);
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(getStored(dtype)));
  return arith::SelectOp::create(b, isThere, element, none);
}

/// True if there is nothing to read along `axis`, whatever the variables are.
static bool isEmptyAlong(const Node &operand, unsigned axis) {
  return operand.shape[axis].max == 0;
}

Value Exporter::emitTake(const Node &node, Value operand, Value indices) {
  const Shape &from = node.operands[0]->shape, &at = node.operands[1]->shape;
  unsigned axis = node.attributes[0], rank = node.shape.size();
  if (isEmptyAlong(*node.operands[0], axis))
    return createFill(node, arith::ConstantOp::create(b, b.getZeroAttr(getStored(node.dtype))));
  return emitGeneric(node, {}, [&](ValueRange) -> Value {
    SmallVector<Value> position, loops;
    for (unsigned i = 0; i < rank; ++i)
      loops.push_back(linalg::IndexOp::create(b, i));
    Value chosen = tensor::ExtractOp::create(b, indices, ArrayRef(loops).slice(axis, at.size()));
    llvm::append_range(position, ArrayRef(loops).take_front(axis));
    position.push_back(Value());
    llvm::append_range(position, ArrayRef(loops).drop_front(axis + at.size()));
    return readAt(operand, chosen, getSize(from, axis), position, axis, node.dtype);
  });
}

Value Exporter::emitGather(const Node &node, Value operand, Value indices) {
  unsigned axis = node.attributes[0], rank = node.shape.size();
  if (isEmptyAlong(*node.operands[0], axis))
    return createFill(node, arith::ConstantOp::create(b, b.getZeroAttr(getStored(node.dtype))));
  return emitGeneric(node, indices, [&](ValueRange elements) -> Value {
    SmallVector<Value> loops;
    for (unsigned i = 0; i < rank; ++i)
      loops.push_back(linalg::IndexOp::create(b, i));
    Value size = getSize(node.operands[0]->shape, axis);
    return readAt(operand, elements[0], size, loops, axis, node.dtype);
  });
}

Value Exporter::emitLoops(ArrayRef<Extent> shape, Value init,
                          llvm::function_ref<Value(ValueRange, Value)> body) {
  // A loop of a graph is one of its host: these are all inside one operation.
  auto region = scf::ExecuteRegionOp::create(b, init.getType());
  OpBuilder::InsertionGuard outside(b);
  b.createBlock(&region.getRegion());
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<Value> sizes;
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    sizes.push_back(getSize(shape, axis));
  SmallVector<Value> zeros(sizes.size(), zero), ones(sizes.size(), one);
  // Of no dimension there is one position.
  scf::LoopNest nest = scf::buildLoopNest(
      b, b.getLoc(), zeros, sizes, ones, init,
      [&](OpBuilder &nested, Location, ValueRange position, ValueRange carried) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
        return scf::ValueVector{body(position, carried[0])};
      });
  b.setInsertionPointToEnd(&region.getRegion().front());
  scf::YieldOp::create(b, nest.results[0]);
  return region.getResult(0);
}

//===- Scatters -----------------------------------------------------------------------===//

static std::optional<lowering::BinaryKind> getKind(ScatterMode mode) {
  switch (mode) {
  case ScatterMode::Set:
    return std::nullopt;
  case ScatterMode::Add:
    return lowering::BinaryKind::Add;
  case ScatterMode::Mul:
    return lowering::BinaryKind::Mul;
  case ScatterMode::Max:
    return lowering::BinaryKind::Maximum;
  case ScatterMode::Min:
    return lowering::BinaryKind::Minimum;
  }
  llvm_unreachable("an unknown mode");
}

/// One element after the other: several may go to one place.
Value Exporter::emitScatter(const Node &node, Value operand, Value indices, Value updates) {
  unsigned axis = node.attributes[0];
  Type element = getElement(node.dtype);
  std::optional<lowering::BinaryKind> kind = getKind(static_cast<ScatterMode>(node.attributes[1]));
  Value size = getSize(node.shape, axis);
  // The tensor itself stays as it is.
  Value copy = emitGeneric(node, operand, [](ValueRange elements) { return elements[0]; });
  return emitLoops(node.operands[1]->shape, copy, [&](ValueRange loops, Value target) -> Value {
    Value index = tensor::ExtractOp::create(b, indices, loops);
    auto [chosen, isThere] = resolveIndex(b, index, size);
    SmallVector<Value> position(loops);
    position[axis] = chosen;
    auto branch = scf::IfOp::create(b, target.getType(), isThere, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(branch.thenBlock());
    Value value = tensor::ExtractOp::create(b, updates, loops);
    if (kind) {
      Value old = lowering::loadElement(b, tensor::ExtractOp::create(b, target, position), element);
      Value joined =
          lowering::emitBinary(b, *kind, element, old, lowering::loadElement(b, value, element));
      value = lowering::storeElement(b, joined, element);
    }
    Value changed = tensor::InsertOp::create(b, value, target, position);
    scf::YieldOp::create(b, changed);
    b.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(b, target);
    return branch.getResult(0);
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Exporter.h"
#include "OpBuilding.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::lazy;

//===- Order ----------------------------------------------------------------------===//

/// Appends numbers to a key.
static void append(std::string &key, ArrayRef<int64_t> numbers) {
  key.append(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(int64_t));
}

GraphOrder::GraphOrder(ArrayRef<NodeRef> roots) : roots(roots) {
  llvm::DenseMap<const Node *, int64_t> numbers;
  llvm::DenseMap<const Buffer *, int64_t> slots;
  auto getVariable = [&](const VariableRef &variable) -> int64_t {
    if (!variable)
      return -1;
    auto *found = llvm::find(variables, variable);
    if (found == variables.end()) {
      variables.push_back(variable);
      return variables.size() - 1;
    }
    return found - variables.begin();
  };
  auto add = [&](const NodeRef &node, const BufferRef &buffer) {
    numbers[node.get()] = nodes.size();
    nodes.push_back(node);
    buffers.push_back(buffer);
    append(key, {static_cast<int64_t>(buffer ? OpKind::Buffer : node->op),
                 static_cast<int64_t>(node->dtype), static_cast<int64_t>(node->shape.size())});
    for (const Extent &extent : node->shape)
      append(key, {extent.max, extent.variable ? extent.variable->min : -1,
                   getVariable(extent.variable), extent.scale, extent.offset});
    if (buffer) {
      auto [slot, isNew] = slots.try_emplace(buffer.get(), inputs.size());
      append(key, slot->second);
      if (isNew)
        inputs.push_back({node.get(), buffer});
      return;
    }
    append(key, node->attributes);
    for (const NodeRef &operand : node->operands)
      append(key, numbers.lookup(operand.get()));
  };
  SmallVector<NodeRef> work(llvm::reverse(roots));
  while (!work.empty()) {
    NodeRef node = work.back();
    if (numbers.contains(node.get())) {
      work.pop_back();
      continue;
    }
    BufferRef buffer = node->getRealized();
    bool isReady = true;
    if (!buffer)
      for (const NodeRef &operand : llvm::reverse(node->operands))
        if (!numbers.contains(operand.get())) {
          work.push_back(operand);
          isReady = false;
        }
    if (!isReady)
      continue;
    work.pop_back();
    add(node, buffer);
  }
  for (const NodeRef &root : roots)
    append(key, numbers.lookup(root.get()));
}

//===- Types ------------------------------------------------------------------------===//

Type pypto::lazy::getElementType(MLIRContext *context, DType dtype) {
  Builder b(context);
  switch (dtype) {
  case DType::Bool:
    return b.getI1Type();
  case DType::F16:
    return b.getF16Type();
  case DType::BF16:
    return b.getBF16Type();
  case DType::F32:
    return b.getF32Type();
  case DType::F64:
    return b.getF64Type();
  default:
    return IntegerType::get(context, getSize(dtype) * 8,
                            isUnsigned(dtype) ? IntegerType::Unsigned : IntegerType::Signless);
  }
}

Type pypto::lazy::getStoredType(MLIRContext *context, DType dtype) {
  Type element = getElementType(context, dtype);
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(context, integer.getWidth());
  return element;
}

RankedTensorType pypto::lazy::getTensorType(MLIRContext *context, const Node &node) {
  SmallVector<int64_t> shape;
  for (const Extent &extent : node.shape)
    shape.push_back(extent.isStatic() ? extent.max : ShapedType::kDynamic);
  return RankedTensorType::get(shape, getStoredType(context, node.dtype));
}

//===- Nodes ------------------------------------------------------------------------===//

SmallVector<OpFoldResult> Exporter::getSizes(ArrayRef<Extent> shape) {
  SmallVector<OpFoldResult> sizes;
  for (const Extent &extent : shape)
    sizes.push_back(extent.isStatic() ? OpFoldResult(b.getIndexAttr(extent.max))
                                      : OpFoldResult(getSize(extent)));
  return sizes;
}

Value Exporter::getSize(const Extent &extent) {
  Value variable = variables.lookup(extent.variable.get());
  if (extent.scale == 1 && extent.offset == 0)
    return variable;
  Value &size = sums[{extent.variable.get(), {extent.scale, extent.offset}}];
  if (!size) {
    // In front of all that may want it.
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfterValue(variable);
    AffineExpr sum = b.getAffineSymbolExpr(0) * extent.scale + extent.offset;
    size = affine::AffineApplyOp::create(b, AffineMap::get(0, 1, sum), variable);
  }
  return size;
}

Value Exporter::getSize(ArrayRef<Extent> shape, unsigned axis) {
  return getValueOrCreateConstantIndexOp(b, b.getLoc(), getSizes(shape)[axis]);
}

Value Exporter::createEmpty(ArrayRef<Extent> shape, Type type) {
  return tensor::EmptyOp::create(b, getSizes(shape), type);
}

Value Exporter::createFill(const Node &node, Value scalar) {
  return linalg::FillOp::create(b, scalar, createEmpty(node)).getResult(0);
}

Value Exporter::emitGeneric(const Node &node, ValueRange operands,
                            llvm::function_ref<Value(ValueRange)> body) {
  unsigned rank = node.shape.size();
  SmallVector<AffineMap> maps(operands.size() + 1, b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto build = [&](OpBuilder &nested, Location loc, ValueRange arguments) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
    linalg::YieldOp::create(b, body(arguments.drop_back()));
  };
  return linalg::GenericOp::create(b, getType(node), operands, createEmpty(node), maps, loops,
                                   build)
      .getResult(0);
}

Value Exporter::emitConstant(const Node &node) {
  Type type = getStored(node.dtype);
  TypedAttr value;
  if (isFloat(node.dtype))
    value = b.getFloatAttr(type, getConstantValue(node));
  else
    value = b.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(), node.attributes[0],
                                         /*isSigned=*/true,
                                         /*implicitTrunc=*/true));
  return arith::ConstantOp::create(b, DenseElementsAttr::get(getType(node), value));
}

Value Exporter::emitIota(const Node &node) {
  return emitGeneric(node, {}, [&](ValueRange) -> Value {
    Value index = linalg::IndexOp::create(b, node.attributes[0]);
    return arith::IndexCastOp::create(b, getStored(node.dtype), index);
  });
}

static Value emitMath(ImplicitLocOpBuilder &b, OpKind op, Value x) {
  switch (op) {
  case OpKind::Abs:
    return math::AbsFOp::create(b, x);
  case OpKind::Neg:
    return arith::NegFOp::create(b, x);
  case OpKind::Sqrt:
    return math::SqrtOp::create(b, x);
  case OpKind::Rsqrt:
    return math::RsqrtOp::create(b, x);
  case OpKind::Cbrt:
    return math::CbrtOp::create(b, x);
  case OpKind::Exp:
    return math::ExpOp::create(b, x);
  case OpKind::Exp2:
    return math::Exp2Op::create(b, x);
  case OpKind::Log:
    return math::LogOp::create(b, x);
  case OpKind::Log2:
    return math::Log2Op::create(b, x);
  case OpKind::Log10:
    return math::Log10Op::create(b, x);
  case OpKind::Sin:
    return math::SinOp::create(b, x);
  case OpKind::Cos:
    return math::CosOp::create(b, x);
  case OpKind::Tan:
    return math::TanOp::create(b, x);
  case OpKind::Asin:
    return math::AsinOp::create(b, x);
  case OpKind::Acos:
    return math::AcosOp::create(b, x);
  case OpKind::Atan:
    return math::AtanOp::create(b, x);
  case OpKind::Sinh:
    return math::SinhOp::create(b, x);
  case OpKind::Cosh:
    return math::CoshOp::create(b, x);
  case OpKind::Tanh:
    return math::TanhOp::create(b, x);
  case OpKind::Asinh:
    return math::AsinhOp::create(b, x);
  case OpKind::Acosh:
    return math::AcoshOp::create(b, x);
  case OpKind::Atanh:
    return math::AtanhOp::create(b, x);
  case OpKind::Erf:
    return math::ErfOp::create(b, x);
  case OpKind::Erfc:
    return math::ErfcOp::create(b, x);
  case OpKind::Floor:
    return math::FloorOp::create(b, x);
  case OpKind::Ceil:
    return math::CeilOp::create(b, x);
  case OpKind::Round:
    return math::RoundEvenOp::create(b, x);
  case OpKind::Trunc:
    return math::TruncOp::create(b, x);
  default:
    llvm_unreachable("no function of one float");
  }
}

/// Wide floats need no conversions: their ops stand on tensors as they are.
static bool isWideFloat(DType dtype) { return dtype == DType::F32 || dtype == DType::F64; }

Value Exporter::emitUnary(const Node &node, Value operand) {
  if (isWideFloat(node.dtype))
    return emitMath(b, node.op, operand);
  Type element = getElement(node.dtype);
  return emitGeneric(node, operand, [&](ValueRange elements) -> Value {
    Value x = lowering::loadElement(b, elements[0], element), result;
    if (isFloat(node.dtype))
      result = emitMath(b, node.op, x);
    else
      result = lowering::emitUnary(b,
                                   node.op == OpKind::Neg   ? lowering::UnaryKind::Neg
                                   : node.op == OpKind::Abs ? lowering::UnaryKind::Abs
                                                            : lowering::UnaryKind::Not,
                                   element, x);
    return lowering::storeElement(b, result, element);
  });
}

lowering::BinaryKind pypto::lazy::getBinaryKind(OpKind op) {
  using Kind = lowering::BinaryKind;
  switch (op) {
  case OpKind::Add:
  case OpKind::ReduceAdd:
  case OpKind::ScanAdd:
    return Kind::Add;
  case OpKind::Sub:
    return Kind::Sub;
  case OpKind::Mul:
  case OpKind::ReduceMul:
  case OpKind::ScanMul:
    return Kind::Mul;
  case OpKind::Div:
    return Kind::Div;
  case OpKind::Rem:
    return Kind::Fmod;
  case OpKind::Max:
  case OpKind::ReduceMax:
  case OpKind::ScanMax:
    return Kind::Maximum;
  case OpKind::Min:
  case OpKind::ReduceMin:
  case OpKind::ScanMin:
    return Kind::Minimum;
  case OpKind::And:
    return Kind::And;
  case OpKind::Or:
    return Kind::Or;
  case OpKind::Xor:
    return Kind::Xor;
  case OpKind::Shl:
    return Kind::Shl;
  case OpKind::Shr:
    return Kind::Shr;
  default:
    llvm_unreachable("no op of two numbers");
  }
}

Value Exporter::emitBinary(const Node &node, Value lhs, Value rhs) {
  if (isWideFloat(node.dtype)) {
    switch (node.op) {
    case OpKind::Add:
      return arith::AddFOp::create(b, lhs, rhs);
    case OpKind::Sub:
      return arith::SubFOp::create(b, lhs, rhs);
    case OpKind::Mul:
      return arith::MulFOp::create(b, lhs, rhs);
    case OpKind::Div:
      return arith::DivFOp::create(b, lhs, rhs);
    case OpKind::Rem:
      return arith::RemFOp::create(b, lhs, rhs);
    case OpKind::Max:
      return arith::MaximumFOp::create(b, lhs, rhs);
    case OpKind::Min:
      return arith::MinimumFOp::create(b, lhs, rhs);
    default:
      break;
    }
  }
  Type element = getElement(node.dtype);
  return emitGeneric(node, {lhs, rhs}, [&](ValueRange elements) -> Value {
    Value x = lowering::loadElement(b, elements[0], element);
    Value y = lowering::loadElement(b, elements[1], element);
    Value result = node.op == OpKind::Pow ? math::PowFOp::create(b, x, y).getResult()
                   : node.op == OpKind::Atan2
                       ? math::Atan2Op::create(b, x, y).getResult()
                       : lowering::emitBinary(b, getBinaryKind(node.op), element, x, y);
    return lowering::storeElement(b, result, element);
  });
}

Value Exporter::emitCompare(const Node &node, Value lhs, Value rhs) {
  Type element = getElement(node.operands[0]->dtype);
  pl::CmpKind kind = node.op == OpKind::Less        ? pl::CmpKind::LT
                     : node.op == OpKind::LessEqual ? pl::CmpKind::LE
                     : node.op == OpKind::Equal     ? pl::CmpKind::EQ
                                                    : pl::CmpKind::NE;
  return emitGeneric(node, {lhs, rhs}, [&](ValueRange elements) {
    Value x = lowering::loadElement(b, elements[0], element);
    Value y = lowering::loadElement(b, elements[1], element);
    return lowering::emitCompare(b, kind, element, x, y);
  });
}

Value Exporter::emitCast(const Node &node, Value operand) {
  Type from = getElement(node.operands[0]->dtype), to = getElement(node.dtype);
  return emitGeneric(node, operand, [&](ValueRange elements) {
    Value x = lowering::loadElement(b, elements[0], from);
    return lowering::storeElement(b, lowering::emitCast(b, x, from, to, pl::RoundMode::Trunc), to);
  });
}

//===- Movement -----------------------------------------------------------------------===//

Value Exporter::reshape(Value tensor, ArrayRef<Extent> from, ArrayRef<Extent> to) {
  auto getExtents = [](ArrayRef<Extent> shape) {
    SmallVector<int64_t> extents;
    for (const Extent &extent : shape)
      extents.push_back(extent.isStatic() ? extent.max : ShapedType::kDynamic);
    return extents;
  };
  auto type = cast<RankedTensorType>(tensor.getType());
  RankedTensorType target = RankedTensorType::get(getExtents(to), type.getElementType());
  if (type == target)
    return tensor;
  if (to.size() < from.size())
    if (auto groups = getReassociationIndicesForCollapse(type.getShape(), target.getShape()))
      return tensor::CollapseShapeOp::create(b, target, tensor, *groups);
  if (to.size() > from.size())
    if (auto groups = getReassociationIndicesForCollapse(target.getShape(), type.getShape()))
      return tensor::ExpandShapeOp::create(b, target, tensor, *groups, getSizes(to));
  SmallVector<Extent> flat;
  // Variables keep their place between the groups that are made one.
  for (const Extent &extent : from) {
    if (extent.isStatic() && !flat.empty() && flat.back().isStatic())
      flat.back().max *= extent.max;
    else
      flat.push_back(extent);
  }
  if (flat.size() == from.size() || flat.size() == to.size()) {
    // A dimension of one makes room: (N) -> (1, N) -> (N, 1).
    SmallVector<Value> sizes;
    for (OpFoldResult size : getSizes(to))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, b.getLoc(), size));
    auto shapeType = RankedTensorType::get({static_cast<int64_t>(to.size())}, b.getIndexType());
    Value shape = tensor::FromElementsOp::create(b, shapeType, sizes);
    return tensor::ReshapeOp::create(b, target, tensor, shape);
  }
  return reshape(reshape(tensor, from, flat), flat, to);
}

Value Exporter::emitReshape(const Node &node, Value operand) {
  return reshape(operand, node.operands[0]->shape, node.shape);
}

Value Exporter::emitExpand(const Node &node, Value operand) {
  const Shape &from = node.operands[0]->shape;
  SmallVector<int64_t> added;
  Shape kept;
  for (auto [axis, extent] : llvm::enumerate(node.shape)) {
    if (from[axis] != extent)
      added.push_back(axis);
    else
      kept.push_back(extent);
  }
  Value source = reshape(operand, from, kept);
  return linalg::BroadcastOp::create(b, source, createEmpty(node), added).getResult()[0];
}

Value Exporter::emitPad(const Node &node, Value operand) {
  unsigned rank = node.shape.size();
  auto low = getAsIndexOpFoldResult(b.getContext(), ArrayRef(node.attributes).take_front(rank));
  auto high = getAsIndexOpFoldResult(b.getContext(), ArrayRef(node.attributes).drop_front(rank));
  Value filler = tensor::ExtractOp::create(b, values.lookup(node.operands[1].get()), ValueRange());
  return tensor::PadOp::create(b, getType(node), operand, low, high, filler);
}

Value Exporter::emitShrink(const Node &node, Value operand) {
  // No slice may begin behind the last element, not even one without elements.
  if (llvm::is_contained(node.shape, Extent(0)))
    return createFill(node, arith::ConstantOp::create(b, b.getZeroAttr(getStored(node.dtype))));
  auto offsets = getAsIndexOpFoldResult(b.getContext(), ArrayRef<int64_t>(node.attributes));
  SmallVector<OpFoldResult> strides(node.shape.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, getType(node), operand, offsets, getSizes(node.shape),
                                        strides);
}

/// Reads backwards: an index that falls.
Value Exporter::emitFlip(const Node &node, Value operand) {
  unsigned rank = node.shape.size();
  return emitGeneric(node, {}, [&](ValueRange) -> Value {
    SmallVector<Value> index;
    for (unsigned axis = 0; axis < rank; ++axis) {
      Value position = linalg::IndexOp::create(b, axis);
      if (llvm::is_contained(node.attributes, static_cast<int64_t>(axis))) {
        AffineExpr flipped = b.getAffineSymbolExpr(0) - 1 - b.getAffineDimExpr(0);
        OpFoldResult result = affine::makeComposedFoldedAffineApply(
            b, b.getLoc(), AffineMap::get(1, 1, flipped), {position, getSizes(node.shape)[axis]});
        position = getValueOrCreateConstantIndexOp(b, b.getLoc(), result);
      }
      index.push_back(position);
    }
    return tensor::ExtractOp::create(b, operand, index);
  });
}

/// Windows overlap: an index that is a sum.
Value Exporter::emitUnfold(const Node &node, Value operand) {
  unsigned rank = node.shape.size() - 1;
  int64_t axis = node.attributes[0], step = node.attributes[1], dilation = node.attributes[2];
  return emitGeneric(node, {}, [&](ValueRange) -> Value {
    SmallVector<Value> index;
    for (unsigned i = 0; i < rank; ++i)
      index.push_back(linalg::IndexOp::create(b, i));
    AffineExpr sum = b.getAffineDimExpr(0) * step + b.getAffineDimExpr(1) * dilation;
    Value inside = linalg::IndexOp::create(b, rank);
    index[axis] = affine::AffineApplyOp::create(b, AffineMap::get(2, 0, sum),
                                                ValueRange{index[axis], inside});
    return tensor::ExtractOp::create(b, operand, index);
  });
}

//===- The graph ------------------------------------------------------------------------===//

Value Exporter::emit(const Node &node) {
  SmallVector<Value> operands;
  for (const NodeRef &operand : node.operands)
    operands.push_back(values.lookup(operand.get()));
  if (isReduction(node.op))
    return emitReduce(node, operands[0]);
  if (node.op == OpKind::ArgMax || node.op == OpKind::ArgMin)
    return emitArgReduce(node, operands[0]);
  if (isScan(node.op))
    return emitScan(node, operands[0]);
  switch (node.op) {
  case OpKind::Buffer:
    llvm_unreachable("an argument");
  case OpKind::Constant:
    return emitConstant(node);
  case OpKind::Iota:
    return emitIota(node);
  case OpKind::Cast:
    return emitCast(node, operands[0]);
  case OpKind::Bitcast:
    if (getType(node) == operands[0].getType())
      return operands[0];
    return arith::BitcastOp::create(b, getType(node), operands[0]);
  case OpKind::Less:
  case OpKind::LessEqual:
  case OpKind::Equal:
  case OpKind::NotEqual:
    return emitCompare(node, operands[0], operands[1]);
  case OpKind::Where:
    return arith::SelectOp::create(b, operands[0], operands[1], operands[2]);
  case OpKind::Reshape:
    return emitReshape(node, operands[0]);
  case OpKind::Permute:
    return linalg::TransposeOp::create(b, operands[0], createEmpty(node), node.attributes)
        ->getResult(0);
  case OpKind::Expand:
    return emitExpand(node, operands[0]);
  case OpKind::Pad:
    return emitPad(node, operands[0]);
  case OpKind::Shrink:
    return emitShrink(node, operands[0]);
  case OpKind::Flip:
    return emitFlip(node, operands[0]);
  case OpKind::Concat:
    return tensor::ConcatOp::create(b, getType(node), node.attributes[0], operands);
  case OpKind::Unfold:
    return emitUnfold(node, operands[0]);
  case OpKind::Take:
    return emitTake(node, operands[0], operands[1]);
  case OpKind::Gather:
    return emitGather(node, operands[0], operands[1]);
  case OpKind::Scatter:
    return emitScatter(node, operands[0], operands[1], operands[2]);
  case OpKind::ArgSort:
    return emitArgSort(node, operands[0]);
  case OpKind::Contiguous:
    return emitGeneric(node, operands[0], [](ValueRange elements) { return elements[0]; });
  default:
    return operands.size() == 1 ? emitUnary(node, operands[0])
                                : emitBinary(node, operands[0], operands[1]);
  }
}

void Exporter::build() {
  SmallVector<Type> inputs, results;
  for (auto &[node, buffer] : order.inputs)
    inputs.push_back(getType(*node));
  inputs.append(order.variables.size(), b.getIndexType());
  for (const NodeRef &root : order.roots)
    results.push_back(getType(*root));
  auto main = func::FuncOp::create(b, "main", b.getFunctionType(inputs, results));
  Block *body = main.addEntryBlock();
  b.setInsertionPointToStart(body);
  llvm::DenseMap<const Buffer *, std::pair<const Node *, Value>> arguments;
  for (auto [input, argument] : llvm::zip(order.inputs, body->getArguments()))
    arguments[input.second.get()] = {input.first, argument};
  for (auto [variable, argument] :
       llvm::zip_equal(order.variables, body->getArguments().drop_front(order.inputs.size())))
    variables[variable.get()] = argument;
  for (auto [node, buffer] : llvm::zip_equal(order.nodes, order.buffers)) {
    if (buffer) {
      auto [owner, argument] = arguments.lookup(buffer.get());
      values[node.get()] = reshape(argument, owner->shape, node->shape);
      continue;
    }
    values[node.get()] = emit(*node);
  }
  SmallVector<Value> returned;
  for (const NodeRef &root : order.roots)
    returned.push_back(values.lookup(root.get()));
  func::ReturnOp::create(b, returned);
}

OwningOpRef<ModuleOp> pypto::lazy::exportGraph(MLIRContext *context, const GraphOrder &order) {
  Location loc = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  ImplicitLocOpBuilder b(loc, context);
  b.setInsertionPointToStart(module->getBody());
  Exporter(b, order).build();
  return module;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations of both levels: operands are broadcast and converted, one `linalg.generic`
// computes.
#include "Elementwise.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

Operand lowering::getShapeOperand(Lowering &l, Value value) {
  auto shaped = cast<ExtentTypeInterface>(value.getType());
  Operand operand{{}, shaped.getElementType(), true, llvm::to_vector(shaped.getExtents()), {}, {}};
  if (isa<pl::TensorType>(value.getType())) {
    Handle handle = l.getHandle(value);
    operand.physical = l.getSizes(handle.memref);
    operand.valid = handle.valid;
    return operand;
  }
  for (ExtentAttr extent : shaped.getExtents())
    operand.physical.push_back(l.b.getIndexAttr(extent.getConstant()));
  operand.valid = l.getSizes(l.lookupOne(value));
  return operand;
}

Operand lowering::getOperand(Lowering &l, Value value, Type scalarElement) {
  if (!isa<ExtentTypeInterface>(value.getType()))
    return {l.lookupOne(value), scalarElement, false, {}, {}, {}};
  Operand operand = getShapeOperand(l, value);
  operand.value =
      isa<pl::TensorType>(value.getType()) ? l.read(l.getHandle(value)) : l.lookupOne(value);
  return operand;
}

Operand lowering::makeOperand(Lowering &l, Value value, Type element) {
  SmallVector<ExtentAttr> extents;
  for (int64_t extent : cast<RankedTensorType>(value.getType()).getShape())
    extents.push_back(ShapedType::isDynamic(extent) ? ExtentAttr::getDynamic(l.b.getContext())
                                                    : ExtentAttr::get(l.b.getContext(), extent));
  SmallVector<OpFoldResult> sizes = l.getSizes(value);
  return {value, element, true, std::move(extents), sizes, sizes};
}

void lowering::unifyExtents(Lowering &l, MutableArrayRef<Operand> operands,
                            std::optional<unsigned> except) {
  for (unsigned dim = 0, rank = operands.front().getRank(); dim != rank; ++dim) {
    if (except == dim)
      continue;
    // A name of this dimension stands for what is not constant.
    ExtentAttr extent = ExtentAttr::getSymbol(l.b.getStringAttr("d" + Twine(dim)));
    OpFoldResult physical = operands.front().physical[dim];
    for (const Operand &operand : operands)
      if (operand.extents[dim].isConstant()) {
        extent = operand.extents[dim];
        physical = operand.physical[dim];
      }
    for (Operand &operand : operands) {
      operand.extents[dim] = extent;
      operand.physical[dim] = physical;
    }
  }
}

static bool isOne(ExtentAttr extent) { return extent.isConstant() && extent.getConstant() == 1; }

/// How an operand's dimension relates to the result's.
enum class DimKind { Same, One, Unknown };

static DimKind classify(ExtentAttr extent, ArrayRef<Operand> operands, unsigned fromRight) {
  if (extent.isConstant() && extent.getConstant() != 1)
    return DimKind::Same;
  bool isKnownSame = true;
  unsigned count = 0;
  for (const Operand &other : operands) {
    if (!other.isShaped || fromRight >= other.extents.size())
      continue;
    ++count;
    isKnownSame &=
        !extent.isDynamic() && other.extents[other.extents.size() - 1 - fromRight] == extent;
  }
  if (isKnownSame || count == 1)
    return DimKind::Same;
  return isOne(extent) ? DimKind::One : DimKind::Unknown;
}

namespace {
/// Extents of the result in one dimension, so far.
struct ResultDim {
  OpFoldResult physical, valid;
  bool mayGiveWay = false;
};
} // namespace

static OpFoldResult select(Lowering &l, Value condition, OpFoldResult yes, OpFoldResult no) {
  return arith::SelectOp::create(l.b, condition, l.asValue(yes), l.asValue(no)).getResult();
}

/// NumPy's rule on numbers: an extent of one gives way. Valid extents of operands that do not give
/// way are met.
static ResultDim meet(Lowering &l, const ResultDim &lhs, const ResultDim &rhs) {
  ResultDim result{lhs.mayGiveWay ? rhs.physical : lhs.physical, minimum(l, lhs.valid, rhs.valid),
                   lhs.mayGiveWay && rhs.mayGiveWay};
  OpFoldResult one = l.b.getIndexAttr(1);
  auto giveWay = [&](const ResultDim &giver, const ResultDim &other) {
    if (!giver.mayGiveWay)
      return;
    Value gives = arith::CmpIOp::create(l.b, arith::CmpIPredicate::eq, l.asValue(giver.physical),
                                        l.asValue(one));
    result.valid = select(l, gives, other.valid, result.valid);
    if (other.mayGiveWay)
      result.physical = select(l, gives, other.physical, result.physical);
  };
  giveWay(lhs, rhs);
  giveWay(rhs, lhs);
  return result;
}

static ResultDim broadcastDim(Lowering &l, ArrayRef<Operand> operands, unsigned fromRight) {
  std::optional<ResultDim> dim;
  for (const Operand &operand : operands) {
    if (!operand.isShaped || fromRight >= operand.extents.size())
      continue;
    unsigned index = operand.extents.size() - 1 - fromRight;
    DimKind kind = classify(operand.extents[index], operands, fromRight);
    if (kind == DimKind::One)
      continue;
    ResultDim own{operand.physical[index], operand.valid[index], kind == DimKind::Unknown};
    dim = dim ? meet(l, *dim, own) : own;
  }
  OpFoldResult one = l.b.getIndexAttr(1);
  return dim.value_or(ResultDim{one, one});
}

BroadcastShape lowering::broadcast(Lowering &l, ArrayRef<Operand> operands) {
  size_t rank = 0;
  for (const Operand &operand : operands)
    rank = std::max(rank, operand.extents.size());
  BroadcastShape shape;
  shape.physical.resize(rank);
  shape.valid.resize(rank);
  for (unsigned fromRight = 0; fromRight != rank; ++fromRight) {
    ResultDim dim = broadcastDim(l, operands, fromRight);
    shape.physical[rank - 1 - fromRight] = dim.physical;
    shape.valid[rank - 1 - fromRight] = dim.valid;
  }
  return shape;
}

namespace {
/// An operand brought to the result's shape: what the generic takes, or what its body reads by
/// index.
struct Aligned {
  Value value;
  AffineMap map;
  /// Not empty: per dimension, whether it gives way; the body computes the indices.
  SmallVector<Value> givesWay;
};
} // namespace

/// Cuts `operand` to the valid sizes of the result and finds the map from the loop to its elements.
static Aligned alignOperand(Lowering &l, const Operand &operand, ArrayRef<Operand> operands,
                            const BroadcastShape &shape) {
  ImplicitLocOpBuilder &b = l.b;
  unsigned rank = shape.valid.size(), own = operand.extents.size(), missing = rank - own;
  SmallVector<OpFoldResult> sizes = operand.valid;
  SmallVector<AffineExpr> exprs;
  SmallVector<Value> givesWay(own);
  bool isUnknown = false, isCut = false;
  for (unsigned dim = 0; dim != own; ++dim) {
    DimKind kind = classify(operand.extents[dim], operands, own - 1 - dim);
    exprs.push_back(kind == DimKind::One ? b.getAffineConstantExpr(0)
                                         : b.getAffineDimExpr(missing + dim));
    if (kind == DimKind::Unknown) {
      isUnknown = true;
      givesWay[dim] =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, l.asValue(operand.physical[dim]),
                                l.asValue(b.getIndexAttr(1)));
    } else if (kind == DimKind::Same && sizes[dim] != shape.valid[missing + dim]) {
      sizes[dim] = shape.valid[missing + dim];
      isCut = true;
    }
  }
  Value value = operand.value;
  if (isUnknown)
    return {value, AffineMap::get(rank, 0, exprs, b.getContext()), std::move(givesWay)};
  if (isCut)
    value = emitNarrowed(l, value, sizes);
  return {value, AffineMap::get(rank, 0, exprs, b.getContext()), {}};
}

/// The element that the loop is at, of an operand some of whose dimensions may give way.
static Value extractElement(Lowering &l, const Aligned &aligned) {
  ImplicitLocOpBuilder &b = l.b;
  SmallVector<Value> indices;
  for (auto [expr, givesWay] : llvm::zip_equal(aligned.map.getResults(), aligned.givesWay)) {
    Value zero = arith::ConstantIndexOp::create(b, 0);
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim) {
      indices.push_back(zero);
      continue;
    }
    Value index = linalg::IndexOp::create(b, dim.getPosition());
    indices.push_back(givesWay ? arith::SelectOp::create(b, givesWay, zero, index).getResult()
                               : index);
  }
  return tensor::ExtractOp::create(b, aligned.value, indices);
}

Value lowering::emitMap(Lowering &l, ArrayRef<Operand> operands, const BroadcastShape &shape,
                        Type resultElement, function_ref<Value(ValueRange)> body) {
  ImplicitLocOpBuilder &b = l.b;
  unsigned rank = shape.valid.size();
  SmallVector<Aligned> aligned(operands.size());
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (auto [operand, part] : llvm::zip_equal(operands, aligned)) {
    if (!operand.isShaped || !operand.value)
      continue;
    part = alignOperand(l, operand, operands, shape);
    if (part.givesWay.empty()) {
      inputs.push_back(part.value);
      maps.push_back(part.map);
    }
  }
  Value init = tensor::EmptyOp::create(b, shape.valid, getStorageElement(resultElement));
  l.noteSizes(init, shape.valid);
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return emitGeneric(l, inputs, init, maps, iterators, [&](ValueRange arguments) {
    SmallVector<Value> elements;
    for (auto [operand, part] : llvm::zip_equal(operands, aligned)) {
      if (!operand.value)
        continue;
      if (!operand.isShaped) {
        elements.push_back(scalarToCompute(b, operand.value, operand.element));
        continue;
      }
      Value stored;
      if (part.givesWay.empty()) {
        stored = arguments.front();
        arguments = arguments.drop_front();
      } else {
        stored = extractElement(l, part);
      }
      elements.push_back(loadElement(b, stored, operand.element));
    }
    return storeElement(b, body(elements), resultElement);
  });
}

Value lowering::convertElements(Lowering &l, Value value, Type from, Type to) {
  if (from == to)
    return value;
  Operand operand = makeOperand(l, value, from);
  return emitMap(l, operand, broadcast(l, operand), to,
                 [&](ValueRange elements) { return emitCast(l.b, elements.front(), from, to); });
}

void lowering::mapComputed(Lowering &l, Value result, Value value,
                           ArrayRef<OpFoldResult> physical) {
  auto type = cast<ExtentTypeInterface>(result.getType());
  value = l.castTensor(value, getValueType(type));
  if (auto tensor = dyn_cast<pl::TensorType>(result.getType()))
    return l.map(result, l.materializeTensor(value, tensor, physical));
  l.map(result, value);
}

/// Operands of `op`, the element type of a scalar one being that of the first.
static SmallVector<Operand> getOperands(Lowering &l, Operation *op) {
  SmallVector<Operand> operands;
  Type element = cast<ExtentTypeInterface>(op->getOperand(0).getType()).getElementType();
  for (Value value : op->getOperands())
    operands.push_back(getOperand(l, value, element));
  return operands;
}

static LogicalResult lowerMap(Lowering &l, Operation *op,
                              function_ref<Value(ArrayRef<Operand>, ValueRange)> body) {
  SmallVector<Operand> operands = getOperands(l, op);
  BroadcastShape shape = broadcast(l, operands);
  Type element = cast<ExtentTypeInterface>(op->getResult(0).getType()).getElementType();
  Value value = emitMap(l, operands, shape, element,
                        [&](ValueRange elements) { return body(operands, elements); });
  mapComputed(l, op->getResult(0), value, shape.physical);
  return success();
}

static bool isShift(BinaryKind kind) { return kind == BinaryKind::Shl || kind == BinaryKind::Shr; }

/// The number of bits as an unsigned number in the type of what is shifted; too large stays too
/// large.
static Value convertAmount(ImplicitLocOpBuilder &b, Value amount, Type from, Type to) {
  unsigned fromWidth = amount.getType().getIntOrFloatBitWidth(),
           width = getComputeElement(to).getIntOrFloatBitWidth();
  if (fromWidth > width) {
    Value limit = emitConstant(b, from, width);
    amount = arith::MinUIOp::create(b, amount, limit);
  }
  return emitCast(b, amount, from, to);
}

template <typename OpTy> static void addBinary(LoweringTable &table, BinaryKind kind) {
  table.add<OpTy>([kind](Lowering &l, Operation *op) {
    Type element = cast<ExtentTypeInterface>(op->getResult(0).getType()).getElementType();
    return lowerMap(l, op, [&](ArrayRef<Operand> operands, ValueRange values) {
      Value lhs = emitCast(l.b, values[0], operands[0].element, element);
      Value rhs = isShift(kind) ? convertAmount(l.b, values[1], operands[1].element, element)
                                : emitCast(l.b, values[1], operands[1].element, element);
      return emitBinary(l.b, kind, element, lhs, rhs);
    });
  });
}

template <typename OpTy> static void addUnary(LoweringTable &table, UnaryKind kind) {
  table.add<OpTy>([kind](Lowering &l, Operation *op) {
    return lowerMap(l, op, [&](ArrayRef<Operand> operands, ValueRange values) {
      return emitUnary(l.b, kind, operands[0].element, values[0]);
    });
  });
}

template <typename OpTy> static LogicalResult lowerCompare(Lowering &l, OpTy op) {
  return lowerMap(l, op, [&](ArrayRef<Operand> operands, ValueRange values) {
    Type element = promote(operands[0].element, operands[1].element);
    Value lhs = emitCast(l.b, values[0], operands[0].element, element);
    Value rhs = emitCast(l.b, values[1], operands[1].element, element);
    return emitCompare(l.b, op.getKind(), element, lhs, rhs);
  });
}

template <typename OpTy> static LogicalResult lowerCast(Lowering &l, OpTy op) {
  return lowerMap(l, op, [&](ArrayRef<Operand> operands, ValueRange values) {
    return emitCast(l.b, values[0], operands[0].element, op.getElementType(), op.getMode());
  });
}

template <typename OpTy> static LogicalResult lowerSelect(Lowering &l, OpTy op) {
  auto left = cast<ExtentTypeInterface>(op.getLhs().getType());
  Type element = cast<ExtentTypeInterface>(op.getResult().getType()).getElementType();
  Operand operands[] = {getOperand(l, op.getMask()), getOperand(l, op.getLhs()),
                        getOperand(l, op.getRhs(), left.getElementType())};
  BroadcastShape shape = broadcast(l, operands);
  Value value = emitMap(l, operands, shape, element, [&](ValueRange values) {
    Value lhs = emitCast(l.b, values[1], operands[1].element, element);
    Value rhs = emitCast(l.b, values[2], operands[2].element, element);
    return arith::SelectOp::create(l.b, values[0], lhs, rhs);
  });
  mapComputed(l, op.getResult(), value, shape.physical);
  return success();
}

void lowering::addElementwiseLowerings(LoweringTable &table) {
#define PYPTO_BINARY(Name)                                                                         \
  addBinary<pl::Name##Op>(table, BinaryKind::Name);                                                \
  addBinary<tile::Name##Op>(table, BinaryKind::Name);
  PYPTO_BINARY(Add)
  PYPTO_BINARY(Sub)
  PYPTO_BINARY(Mul)
  PYPTO_BINARY(Div)
  PYPTO_BINARY(Fmod)
  PYPTO_BINARY(Maximum)
  PYPTO_BINARY(Minimum)
  PYPTO_BINARY(And)
  PYPTO_BINARY(Or)
  PYPTO_BINARY(Xor)
  PYPTO_BINARY(Shl)
  PYPTO_BINARY(Shr)
#undef PYPTO_BINARY
#define PYPTO_UNARY(Name)                                                                          \
  addUnary<pl::Name##Op>(table, UnaryKind::Name);                                                  \
  addUnary<tile::Name##Op>(table, UnaryKind::Name);
  PYPTO_UNARY(Exp)
  PYPTO_UNARY(Log)
  PYPTO_UNARY(Sqrt)
  PYPTO_UNARY(Rsqrt)
  PYPTO_UNARY(Recip)
  PYPTO_UNARY(Sin)
  PYPTO_UNARY(Cos)
  PYPTO_UNARY(Neg)
  PYPTO_UNARY(Abs)
  PYPTO_UNARY(Relu)
  PYPTO_UNARY(Not)
#undef PYPTO_UNARY
  table.add<pl::CmpOp>(lowerCompare<pl::CmpOp>);
  table.add<tile::CmpOp>(lowerCompare<tile::CmpOp>);
  table.add<pl::CastOp>(lowerCast<pl::CastOp>);
  table.add<tile::CastOp>(lowerCast<tile::CastOp>);
  table.add<pl::SelOp>(lowerSelect<pl::SelOp>);
  table.add<tile::SelOp>(lowerSelect<tile::SelOp>);
}

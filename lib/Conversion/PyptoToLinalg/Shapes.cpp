// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that move elements: transposes, concatenations, windows, filling; and numbers in
// sequence.
#include "Elementwise.h"

#include "pypto/Dialect/Orchestration/IR/Windows.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

static SmallVector<OpFoldResult> getOnes(Lowering &l, size_t count) {
  return SmallVector<OpFoldResult>(count, l.b.getIndexAttr(1));
}

static SmallVector<OpFoldResult> getZeros(Lowering &l, size_t count) {
  return SmallVector<OpFoldResult>(count, l.b.getIndexAttr(0));
}

static Value emitEmpty(Lowering &l, ArrayRef<OpFoldResult> sizes, Type element) {
  Value empty = tensor::EmptyOp::create(l.b, sizes, getStorageElement(element));
  l.noteSizes(empty, sizes);
  return empty;
}

static OpFoldResult add(Lowering &l, OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs), right = getConstantIntValue(rhs);
  if (left && right)
    return l.b.getIndexAttr(*left + *right);
  return arith::AddIOp::create(l.b, l.asValue(lhs), l.asValue(rhs)).getResult();
}

//===- Transposes and concatenations ----------------------------------------------===//

template <typename OpTy> static LogicalResult lowerTranspose(Lowering &l, OpTy op) {
  Operand source = getOperand(l, op.getSource());
  unsigned rank = source.getRank();
  SmallVector<OpFoldResult> sizes = source.valid, physical = source.physical;
  std::swap(sizes[op.getAxis1()], sizes[op.getAxis2()]);
  std::swap(physical[op.getAxis1()], physical[op.getAxis2()]);
  AffineMap identity = l.b.getMultiDimIdentityMap(rank);
  SmallVector<AffineExpr> exprs(identity.getResults());
  std::swap(exprs[op.getAxis1()], exprs[op.getAxis2()]);
  AffineMap maps[] = {AffineMap::get(rank, 0, exprs, l.b.getContext()), identity};
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  Value value = emitGeneric(l, source.value, emitEmpty(l, sizes, source.element), maps, iterators,
                            [](ValueRange values) { return values.front(); });
  mapComputed(l, op.getResult(), value, physical);
  return success();
}

template <typename OpTy> static LogicalResult lowerConcat(Lowering &l, OpTy op) {
  Operand lhs = getOperand(l, op.getLhs()), rhs = getOperand(l, op.getRhs());
  unsigned axis = op.getConcatAxis();
  // The other dimensions have equal extents, and are valid where both are.
  SmallVector<OpFoldResult> left, right, sizes, physical, offsets = getZeros(l, lhs.getRank());
  for (unsigned dim = 0; dim != lhs.getRank(); ++dim) {
    OpFoldResult both = minimum(l, lhs.valid[dim], rhs.valid[dim]);
    left.push_back(dim == axis ? lhs.valid[dim] : both);
    right.push_back(dim == axis ? rhs.valid[dim] : both);
    sizes.push_back(dim == axis ? add(l, lhs.valid[dim], rhs.valid[dim]) : both);
    OpFoldResult extent = isa<Attribute>(rhs.physical[dim]) ? rhs.physical[dim] : lhs.physical[dim];
    physical.push_back(dim == axis ? add(l, lhs.physical[dim], rhs.physical[dim]) : extent);
  }
  Value value = emitEmpty(l, sizes, lhs.element);
  auto insert = [&](Value part, ArrayRef<OpFoldResult> partSizes) {
    value = orchestration::createInsertSlice(l.b, l.b.getLoc(), emitNarrowed(l, part, partSizes),
                                             value, offsets, partSizes);
  };
  insert(lhs.value, left);
  offsets[axis] = left[axis];
  insert(rhs.value, right);
  l.noteSizes(value, sizes);
  mapComputed(l, op.getResult(), value, physical);
  return success();
}

//===- Filling ---------------------------------------------------------------------===//

template <typename OpTy> static LogicalResult lowerFillpad(Lowering &l, OpTy op) {
  Operand source = getOperand(l, op.getSource());
  Value filling = op.getPad() == Pad::Zero
                      ? emitConstant(l.b, source.element, 0.0)
                      : emitLimit(l.b, source.element, op.getPad() == Pad::Max);
  Value value = emitResized(l, source.value, source.physical, source.element, filling);
  mapComputed(l, op.getResult(), value, source.physical);
  return success();
}

/// `start`, `start + 1`, … along the last dimension.
static Value emitSequence(Lowering &l, ArrayRef<OpFoldResult> sizes, Type element, Value start,
                          bool isDescending) {
  ImplicitLocOpBuilder &b = l.b;
  unsigned rank = sizes.size();
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  Value first = scalarToCompute(b, start, element);
  return emitGeneric(l, {}, emitEmpty(l, sizes, element), b.getMultiDimIdentityMap(rank), iterators,
                     [&](ValueRange) {
                       Type i64 = b.getI64Type();
                       Value index =
                           arith::IndexCastOp::create(b, i64, linalg::IndexOp::create(b, rank - 1));
                       Value step = emitCast(b, index, i64, element);
                       BinaryKind kind = isDescending ? BinaryKind::Sub : BinaryKind::Add;
                       return storeElement(b, emitBinary(b, kind, element, first, step), element);
                     });
}

static LogicalResult lowerArange(Lowering &l, pl::ArangeOp op) {
  pl::TensorType type = op.getResult().getType();
  ValueRange dynamic = op.getSizes();
  SmallVector<OpFoldResult> physical = l.materialize(type.getExtents(), dynamic);
  SmallVector<OpFoldResult> sizes =
      type.getValid().empty() ? physical : l.materialize(type.getValid(), dynamic);
  Value value =
      emitSequence(l, sizes, type.getElementType(), l.lookupOne(op.getStart()), op.getDescending());
  mapComputed(l, op.getResult(), value, physical);
  return success();
}

static LogicalResult lowerTileArange(Lowering &l, tile::ArangeOp op) {
  tile::TileType type = op.getResult().getType();
  ValueRange dynamic = op.getValid();
  SmallVector<OpFoldResult> sizes = l.materialize(type.getValidOrExtents(), dynamic);
  Value value =
      emitSequence(l, sizes, type.getElementType(), l.lookupOne(op.getStart()), op.getDescending());
  mapComputed(l, op.getResult(), value, {});
  return success();
}

/// Each operand is filled with what changes nothing, then both are combined.
template <typename OpTy> static void addPart(LoweringTable &table, BinaryKind kind) {
  table.add<OpTy>([kind](Lowering &l, Operation *op) {
    Operand operands[] = {getOperand(l, op->getOperand(0)), getOperand(l, op->getOperand(1))};
    unifyExtents(l, operands);
    Type element = operands[0].element;
    SmallVector<OpFoldResult> sizes;
    for (auto [left, right] : llvm::zip_equal(operands[0].valid, operands[1].valid)) {
      std::optional<int64_t> a = getConstantIntValue(left), b = getConstantIntValue(right);
      if (a && b)
        sizes.push_back(l.b.getIndexAttr(std::max(*a, *b)));
      else if (left == right)
        sizes.push_back(left);
      else
        sizes.push_back(arith::MaxSIOp::create(l.b, l.asValue(left), l.asValue(right)).getResult());
    }
    Value neutral = emitNeutral(l.b, kind, element);
    for (Operand &operand : operands) {
      operand.value = emitResized(l, operand.value, sizes, element, neutral);
      operand.valid = sizes;
    }
    BroadcastShape shape{operands[0].physical, sizes};
    Value value = emitMap(l, operands, shape, element, [&](ValueRange values) {
      return emitBinary(l.b, kind, element, values[0], values[1]);
    });
    mapComputed(l, op->getResult(0), value, shape.physical);
    return success();
  });
}

//===- Windows of tiles ---------------------------------------------------------------===//

/// Sizes with ones in front, for a window of fewer dimensions.
static SmallVector<OpFoldResult> withLeadingOnes(Lowering &l, ArrayRef<OpFoldResult> sizes,
                                                 unsigned rank) {
  SmallVector<OpFoldResult> result = getOnes(l, rank - sizes.size());
  llvm::append_range(result, sizes);
  return result;
}

template <typename OpTy> static LogicalResult lowerWindow(Lowering &l, OpTy op) {
  Operand source = getOperand(l, op.getSource());
  tile::TileType type = op.getResult().getType();
  ValueRange dynamic = op.getValid();
  SmallVector<OpFoldResult> sizes = l.materialize(type.getValidOrExtents(), dynamic);
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(isa<Attribute>(size) ? *getConstantIntValue(size) : ShapedType::kDynamic);
  // The window may reach past what is valid.
  Value value = emitPhysical(l, source);
  SmallVector<OpFoldResult> offsets = l.getMixed(op.getOffsets(), op.getStaticOffsets());
  auto windowType = RankedTensorType::get(shape, getStorageElement(type.getElementType()));
  Value window = orchestration::createExtractSlice(
      l.b, l.b.getLoc(), value, offsets, withLeadingOnes(l, sizes, source.getRank()), windowType);
  l.noteSizes(window, sizes);
  mapComputed(l, op.getResult(), window, {});
  return success();
}

static LogicalResult lowerAssemble(Lowering &l, tile::AssembleOp op) {
  Operand source = getOperand(l, op.getSource()), target = getOperand(l, op.getTarget());
  // Into the whole extents, so that a window past what is valid does no harm; then what is valid of
  // that.
  Value value = emitPhysical(l, target);
  SmallVector<OpFoldResult> offsets = l.getMixed(op.getOffsets(), op.getStaticOffsets());
  value = orchestration::createInsertSlice(l.b, l.b.getLoc(), source.value, value, offsets,
                                           withLeadingOnes(l, source.valid, target.getRank()));
  l.noteSizes(value, target.physical);
  mapComputed(l, op.getResult(), emitNarrowed(l, value, target.valid), {});
  return success();
}

static SmallVector<Value> getIndices(Lowering &l, ValueRange dynamic, ArrayRef<int64_t> fixed) {
  SmallVector<Value> indices;
  for (OpFoldResult index : l.getMixed(dynamic, fixed))
    indices.push_back(l.asValue(index));
  return indices;
}

static LogicalResult lowerRead(Lowering &l, tile::ReadOp op) {
  Operand source = getOperand(l, op.getSource());
  Value stored = tensor::ExtractOp::create(l.b, emitPhysical(l, source),
                                           getIndices(l, op.getIndices(), op.getStaticIndices()));
  l.map(op.getResult(),
        computeToScalar(l.b, loadElement(l.b, stored, source.element), source.element));
  return success();
}

static LogicalResult lowerWrite(Lowering &l, tile::WriteOp op) {
  Operand target = getOperand(l, op.getTarget());
  Value stored = storeElement(l.b, scalarToCompute(l.b, l.lookupOne(op.getValue()), target.element),
                              target.element);
  Value value = tensor::InsertOp::create(l.b, stored, emitPhysical(l, target),
                                         getIndices(l, op.getIndices(), op.getStaticIndices()));
  l.noteSizes(value, target.physical);
  mapComputed(l, op.getResult(), emitNarrowed(l, value, target.valid), {});
  return success();
}

static LogicalResult lowerReshape(Lowering &l, tile::ReshapeOp op) {
  Operand source = getOperand(l, op.getSource());
  tile::TileType type = op.getResult().getType();
  Value value = emitPhysical(l, source);
  // Through one dimension: both reassociations exist whatever the extents are.
  auto flatten = [](int64_t rank) {
    SmallVector<ReassociationIndices> groups(rank == 0 ? 0 : 1);
    if (rank != 0)
      groups.front() = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    return groups;
  };
  auto whole = RankedTensorType::get(type.getShape(), getStorageElement(type.getElementType()));
  auto flat = RankedTensorType::get({whole.getNumElements()}, whole.getElementType());
  if (source.getRank() != 1)
    value = source.getRank() == 0
                ? tensor::ExpandShapeOp::create(l.b, flat, value, flatten(0)).getResult()
                : tensor::CollapseShapeOp::create(l.b, flat, value, flatten(source.getRank()))
                      .getResult();
  if (type.getRank() != 1)
    value =
        type.getRank() == 0
            ? tensor::CollapseShapeOp::create(l.b, whole, value, flatten(0)).getResult()
            : tensor::ExpandShapeOp::create(l.b, whole, value, flatten(type.getRank())).getResult();
  ValueRange dynamic = op.getValid();
  value = emitNarrowed(l, value, l.materialize(type.getValidOrExtents(), dynamic));
  mapComputed(l, op.getResult(), value, {});
  return success();
}

void lowering::addShapeLowerings(LoweringTable &table) {
  table.add<pl::TransposeOp>(lowerTranspose<pl::TransposeOp>);
  table.add<tile::TransposeOp>(lowerTranspose<tile::TransposeOp>);
  table.add<pl::ConcatOp>(lowerConcat<pl::ConcatOp>);
  table.add<tile::ConcatOp>(lowerConcat<tile::ConcatOp>);
  table.add<pl::FillpadOp>(lowerFillpad<pl::FillpadOp>);
  table.add<tile::FillpadOp>(lowerFillpad<tile::FillpadOp>);
  table.add<pl::ArangeOp>(lowerArange);
  table.add<tile::ArangeOp>(lowerTileArange);
#define PYPTO_PART(Name, Kind)                                                                     \
  addPart<pl::Part##Name##Op>(table, BinaryKind::Kind);                                            \
  addPart<tile::Part##Name##Op>(table, BinaryKind::Kind);
  PYPTO_PART(Add, Add)
  PYPTO_PART(Mul, Mul)
  PYPTO_PART(Max, Maximum)
  PYPTO_PART(Min, Minimum)
#undef PYPTO_PART
  table.add<tile::SliceOp>(lowerWindow<tile::SliceOp>);
  table.add<tile::ExtractOp>(lowerWindow<tile::ExtractOp>);
  table.add<tile::AssembleOp>(lowerAssemble);
  table.add<tile::ReadOp>(lowerRead);
  table.add<tile::WriteOp>(lowerWrite);
  table.add<tile::ReshapeOp>(lowerReshape);
}

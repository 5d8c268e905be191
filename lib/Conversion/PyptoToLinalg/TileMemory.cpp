// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles: loads and stores, tiles from nothing, valid shapes.
#include "Elementwise.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

static SmallVector<OpFoldResult> getZeros(Lowering &l, size_t count) {
  return SmallVector<OpFoldResult>(count, l.b.getIndexAttr(0));
}

static SmallVector<OpFoldResult> getOnes(Lowering &l, size_t count) {
  return SmallVector<OpFoldResult>(count, l.b.getIndexAttr(1));
}

static LogicalResult lowerLoad(Lowering &l, tile::LoadOp op) {
  tile::TileType type = op.getResult().getType();
  ValueRange dynamic = op.getValid();
  SmallVector<OpFoldResult> sizes = l.materialize(type.getValidOrExtents(), dynamic);
  SmallVector<OpFoldResult> offsets = l.getMixed(op.getOffsets(), op.getStaticOffsets());
  l.map(op.getResult(),
        l.readWindow(l.lookup(op.getSource()).front(), offsets, sizes, getValueType(type)));
  return success();
}

static LogicalResult lowerStore(Lowering &l, tile::StoreOp op) {
  Handle destination = l.getHandle(op.getDestination());
  Type element = destination.type.getElementType();
  l.writeWindow(l.lookupOne(op.getSource()), destination.memref,
                l.getMixed(op.getOffsets(), op.getStaticOffsets()),
                op.getAtomic() ? element : Type());
  l.map(op.getResult(), l.retype(destination, op.getResult().getType()));
  return success();
}

/// A tile whose elements are not written yet.
static Value createTile(Lowering &l, tile::TileType type, ValueRange dynamic) {
  SmallVector<OpFoldResult> sizes = l.materialize(type.getValidOrExtents(), dynamic);
  return tensor::EmptyOp::create(l.b, sizes, getStorageElement(type.getElementType()));
}

static LogicalResult lowerCreate(Lowering &l, tile::CreateOp op) {
  tile::TileType type = op.getResult().getType();
  l.map(op.getResult(), l.castTensor(createTile(l, type, op.getValid()), getValueType(type)));
  return success();
}

static Value fill(Lowering &l, Value element, Type elementType, Value destination) {
  Value stored = storeElement(l.b, element, elementType);
  return linalg::FillOp::create(l.b, stored, destination).getResult(0);
}

static LogicalResult lowerFull(Lowering &l, tile::FullOp op) {
  tile::TileType type = op.getResult().getType();
  Value element = scalarToCompute(l.b, l.lookupOne(op.getValue()), type.getElementType());
  Value filled = fill(l, element, type.getElementType(), createTile(l, type, op.getValid()));
  l.map(op.getResult(), l.castTensor(filled, getValueType(type)));
  return success();
}

static LogicalResult lowerMove(Lowering &l, tile::MoveOp op) {
  l.map(op.getResult(), l.lookup(op.getSource()));
  return success();
}

static LogicalResult lowerCastValid(Lowering &l, tile::CastValidOp op) {
  l.map(op.getResult(),
        l.castTensor(l.lookupOne(op.getSource()), getValueType(op.getResult().getType())));
  return success();
}

/// Narrows by a slice. Where it may get wider, what is new is zero: reading it is undefined, but
/// nothing is worse than a wrong number.
static LogicalResult lowerSetValidShape(Lowering &l, tile::SetValidShapeOp op) {
  ImplicitLocOpBuilder &b = l.b;
  tile::TileType type = op.getResult().getType();
  Value source = l.lookupOne(op.getSource());
  SmallVector<OpFoldResult> from = l.getSizes(source),
                            to = l.getMixed(op.getValid(), op.getStaticValid());
  SmallVector<OpFoldResult> kept;
  bool mayWiden = false;
  for (auto [old, wanted, full] : llvm::zip_equal(from, to, type.getExtents())) {
    std::optional<int64_t> oldSize = getConstantIntValue(old), size = getConstantIntValue(wanted);
    bool isNarrower = oldSize && ((size && *size <= *oldSize) || *oldSize == full.getConstant());
    mayWiden |= !isNarrower;
    kept.push_back(isNarrower
                       ? wanted
                       : arith::MinSIOp::create(b, l.asValue(old), l.asValue(wanted)).getResult());
  }
  SmallVector<OpFoldResult> zeros = getZeros(l, to.size()), ones = getOnes(l, to.size());
  Value value = tensor::ExtractSliceOp::create(b, source, zeros, kept, ones);
  if (mayWiden) {
    Value empty = tensor::EmptyOp::create(b, to, getStorageElement(type.getElementType()));
    Value filled =
        fill(l, emitConstant(b, type.getElementType(), 0.0), type.getElementType(), empty);
    value = tensor::InsertSliceOp::create(b, value, filled, zeros, kept, ones);
  }
  l.map(op.getResult(), l.castTensor(value, getValueType(type)));
  return success();
}

void lowering::addTileMemoryLowerings(LoweringTable &table) {
  table.add<tile::LoadOp>(lowerLoad);
  table.add<tile::StoreOp>(lowerStore);
  table.add<tile::CreateOp>(lowerCreate);
  table.add<tile::FullOp>(lowerFull);
  table.add<tile::MoveOp>(lowerMove);
  table.add<tile::CastValidOp>(lowerCastValid);
  table.add<tile::SetValidShapeOp>(lowerSetValidShape);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles: loads and stores, tiles from nothing, valid shapes.
#include "Elementwise.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

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
  l.map(op.getResult(), l.retypeWritten(destination, op.getResult().getType()));
  return success();
}

/// A tile whose elements are not written yet.
static Value createTile(Lowering &l, tile::TileType type, ValueRange dynamic) {
  SmallVector<OpFoldResult> sizes = l.materialize(type.getValidOrExtents(), dynamic);
  Value empty = tensor::EmptyOp::create(l.b, sizes, getStorageElement(type.getElementType()));
  l.noteSizes(empty, sizes);
  return empty;
}

static LogicalResult lowerCreate(Lowering &l, tile::CreateOp op) {
  tile::TileType type = op.getResult().getType();
  l.map(op.getResult(), l.castTensor(createTile(l, type, op.getValid()), getValueType(type)));
  return success();
}

static LogicalResult lowerFull(Lowering &l, tile::FullOp op) {
  tile::TileType type = op.getResult().getType();
  Value element = scalarToCompute(l.b, l.lookupOne(op.getValue()), type.getElementType());
  ValueRange dynamic = op.getValid();
  SmallVector<OpFoldResult> sizes = l.materialize(type.getValidOrExtents(), dynamic);
  Value filled = emitFilled(l, sizes, type.getElementType(), element);
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

static LogicalResult lowerSetValidShape(Lowering &l, tile::SetValidShapeOp op) {
  tile::TileType type = op.getResult().getType();
  Value source = l.lookupOne(op.getSource());
  SmallVector<OpFoldResult> sizes = l.getMixed(op.getValid(), op.getStaticValid());
  // From a whole tile it can only get narrower.
  bool isWhole =
      ArrayRef<int64_t>(type.getShape()) == cast<RankedTensorType>(source.getType()).getShape();
  // What a wider valid shape adds is undefined; it is zero here.
  Value zero = isWhole ? Value() : emitConstant(l.b, type.getElementType(), 0.0);
  Value value = isWhole ? emitNarrowed(l, source, sizes)
                        : emitResized(l, source, sizes, type.getElementType(), zero);
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

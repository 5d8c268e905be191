// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors in global memory: allocation, views, writes, element access. And arrays.
#include "Elementwise.h"

#include "pypto/Dialect/Orchestration/IR/Windows.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

/// Extents and valid extents of `type`, the `?` among them given by `sizes`.
static std::pair<SmallVector<OpFoldResult>, SmallVector<OpFoldResult>>
getExtents(Lowering &l, pl::TensorType type, ValueRange sizes) {
  SmallVector<OpFoldResult> extents = l.materialize(type.getExtents(), sizes);
  SmallVector<OpFoldResult> valid =
      type.getValid().empty() ? extents : l.materialize(type.getValid(), sizes);
  return {extents, valid};
}

static LogicalResult lowerCreate(Lowering &l, pl::CreateOp op) {
  auto [extents, valid] = getExtents(l, op.getResult().getType(), op.getSizes());
  l.map(op.getResult(), l.allocate(op.getResult().getType(), extents, valid));
  return success();
}

static LogicalResult lowerFull(Lowering &l, pl::FullOp op) {
  pl::TensorType type = op.getResult().getType();
  auto [extents, valid] = getExtents(l, type, op.getSizes());
  Handle handle = l.allocate(type, extents, valid);
  Value element = scalarToCompute(l.b, l.lookupOne(op.getValue()), type.getElementType());
  linalg::FillOp::create(l.b, storeElement(l.b, element, type.getElementType()), handle.memref);
  l.map(op.getResult(), handle);
  return success();
}

//===- Views -------------------------------------------------------------------===//

static LogicalResult lowerSlice(Lowering &l, SliceOp op) {
  pl::TensorType type = op.getResult().getType();
  Value source = l.lookup(op.getSource()).front();
  auto [extents, valid] = getExtents(l, type, op.getSizes());
  int64_t rank = op.getSource().getType().getRank();
  SmallVector<OpFoldResult> sizes(rank, l.b.getIndexAttr(1));
  for (auto [dim, extent] : llvm::zip_equal(op.getKeptDims(), extents))
    sizes[dim] = extent;
  Value view = orchestration::createSubView(l.b, l.b.getLoc(), source,
                                            l.getMixed(op.getOffsets(), op.getStaticOffsets()),
                                            sizes, getHandleType(type));
  l.noteSizes(view, extents);
  l.map(op.getResult(), Handle{type, view, valid});
  return success();
}

static LogicalResult lowerReshape(Lowering &l, ReshapeOp op) {
  if (!l.info.isContiguous(op.getSource()))
    return emitUnsupported(
        op, "a source that is known to be dense in row-major order: a whole tensor, or a slice of "
            "whole rows");
  pl::TensorType type = op.getResult().getType();
  Value source = l.lookup(op.getSource()).front();
  auto [extents, valid] = getExtents(l, type, op.getSizes());
  auto metadata = memref::ExtractStridedMetadataOp::create(l.b, source);
  SmallVector<OpFoldResult> strides(extents.size());
  OpFoldResult stride = l.b.getIndexAttr(1);
  for (int64_t dim = static_cast<int64_t>(extents.size()) - 1; dim >= 0; --dim) {
    // As values: the type of a handle has dynamic strides.
    strides[dim] = l.asValue(stride);
    if (dim)
      stride = arith::MulIOp::create(l.b, l.asValue(stride), l.asValue(extents[dim])).getResult();
  }
  Value view = memref::ReinterpretCastOp::create(
      l.b, getHandleType(type), source, OpFoldResult(metadata.getOffset()), extents, strides);
  l.noteSizes(view, extents);
  l.map(op.getResult(), Handle{type, view, valid});
  return success();
}

static LogicalResult lowerCastShape(Lowering &l, CastShapeOp op) {
  l.map(op.getResult(), l.retype(l.getHandle(op.getSource()), op.getResult().getType()));
  return success();
}

static LogicalResult lowerSetValidShape(Lowering &l, pl::SetValidShapeOp op) {
  Handle handle = l.getHandle(op.getSource());
  handle.valid = l.getMixed(op.getValid(), op.getStaticValid());
  l.map(op.getResult(), l.retype(handle, op.getResult().getType()));
  return success();
}

static LogicalResult lowerDim(Lowering &l, DimOp op) {
  l.map(op.getResult(), l.asValue(l.getSizes(l.lookup(op.getSource()).front())[op.getAxis()]));
  return success();
}

//===- Writes and element access -------------------------------------------------===//

static LogicalResult lowerAssemble(Lowering &l, AssembleOp op) {
  Handle destination = l.getHandle(op.getDestination());
  Value value = l.read(l.getHandle(op.getSource()));
  Type element = destination.type.getElementType();
  l.writeWindow(value, destination.memref, l.getMixed(op.getOffsets(), op.getStaticOffsets()),
                op.getAtomic() ? element : Type());
  l.map(op.getResult(), l.retypeWritten(destination, op.getResult().getType()));
  return success();
}

static LogicalResult lowerRead(Lowering &l, ReadOp op) {
  Handle source = l.getHandle(op.getSource());
  Type element = source.type.getElementType();
  Value stored = memref::LoadOp::create(l.b, source.memref, l.lookupAll(op.getIndices()));
  l.map(op.getResult(), computeToScalar(l.b, loadElement(l.b, stored, element), element));
  return success();
}

static LogicalResult lowerWrite(Lowering &l, WriteScalarOp op) {
  Handle destination = l.getHandle(op.getDestination());
  Type element = destination.type.getElementType();
  Value value =
      storeElement(l.b, scalarToCompute(l.b, l.lookupOne(op.getValue()), element), element);
  memref::StoreOp::create(l.b, value, destination.memref, l.lookupAll(op.getIndices()));
  l.map(op.getResult(), destination);
  return success();
}

void lowering::addStorageLowerings(LoweringTable &table) {
  table.add<pl::CreateOp>(lowerCreate);
  table.add<pl::FullOp>(lowerFull);
  table.add<SliceOp>(lowerSlice);
  table.add<ReshapeOp>(lowerReshape);
  table.add<CastShapeOp>(lowerCastShape);
  table.add<pl::SetValidShapeOp>(lowerSetValidShape);
  table.add<DimOp>(lowerDim);
  table.add<AssembleOp>(lowerAssemble);
  table.add<ReadOp>(lowerRead);
  table.add<WriteScalarOp>(lowerWrite);
}

//===- Arrays -----------------------------------------------------------------------===//

static LogicalResult lowerArrayCreate(Lowering &l, ArrayCreateOp op) {
  auto type = cast<VectorType>(convertType(op.getResult().getType())->front());
  l.map(op.getResult(),
        vector::BroadcastOp::create(l.b, type, l.lookupOne(op.getValue())).getResult());
  return success();
}

static LogicalResult lowerArrayGet(Lowering &l, ArrayGetOp op) {
  SmallVector<OpFoldResult> position{l.lookupOne(op.getIndex())};
  l.map(op.getResult(),
        vector::ExtractOp::create(l.b, l.lookupOne(op.getArray()), position).getResult());
  return success();
}

static LogicalResult lowerArrayUpdate(Lowering &l, ArrayUpdateOp op) {
  SmallVector<OpFoldResult> position{l.lookupOne(op.getIndex())};
  Value updated = vector::InsertOp::create(l.b, l.lookupOne(op.getValue()),
                                           l.lookupOne(op.getArray()), position);
  l.map(op.getResult(), updated);
  return success();
}

void lowering::addArrayLowerings(LoweringTable &table) {
  table.add<ArrayCreateOp>(lowerArrayCreate);
  table.add<ArrayGetOp>(lowerArrayGet);
  table.add<ArrayUpdateOp>(lowerArrayUpdate);
}

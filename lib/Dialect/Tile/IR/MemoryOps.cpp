// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores, tiles from nothing, retyping.
#include "pypto/Dialect/Tile/IR/TileOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::tile;

/// C2 of loads and stores.
static LogicalResult verifyElements(Operation *op, pl::TensorType tensor, TileType tile) {
  if (tensor.getElementType() != tile.getElementType())
    return op->emitOpError() << "C2: expects element type " << tensor.getElementType()
                             << ", but got " << tile.getElementType();
  return success();
}

LogicalResult LoadOp::verify() {
  pl::TensorType source = getSource().getType();
  TileType tile = getResult().getType();
  return failure(failed(verifyElements(*this, source, tile)) ||
                 failed(verifyWindow(*this, {getStaticOffsets(), getOffsets().size()},
                                     source.getExtents(), tile.getValidOrExtents())) ||
                 failed(verifyDynamicValid(*this, "C3", tile, getValid().size())));
}

void StoreOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getDestinationMutable());
  if (getAtomic())
    effects.emplace_back(MemoryEffects::Read::get(), &getDestinationMutable());
}

LogicalResult StoreOp::verify() {
  pl::TensorType destination = getDestination().getType();
  if (!areCompatible(destination, getResult().getType()))
    return emitOpError() << "C3: expects a result compatible with " << destination << ", but got "
                         << getResult().getType();
  return failure(
      failed(verifyElements(*this, destination, getSource().getType())) ||
      failed(verifyWindow(*this, {getStaticOffsets(), getOffsets().size()},
                          destination.getExtents(), getSource().getType().getValidOrExtents())));
}

LogicalResult tile::CreateOp::verify() {
  return verifyDynamicValid(*this, "C1", getResult().getType(), getValid().size());
}

LogicalResult tile::FullOp::verify() {
  if (failed(verifyDynamicValid(*this, "C1", getResult().getType(), getValid().size())))
    return failure();
  return verifyScalarOf(*this, getValue().getType(), getResult().getType());
}

LogicalResult MoveOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  if (result.getSpace() == MemorySpace::Any || source.withSpace(result.getSpace()) != result)
    return emitOpError() << "C1: expects types that differ in the memory space only, but got "
                         << source << " and " << result;
  return success();
}

LogicalResult CastValidOp::verify() {
  if (!areCompatible(getSource().getType(), getResult().getType()))
    return emitOpError() << "C1: expects compatible types, but got " << getSource().getType()
                         << " and " << getResult().getType();
  return success();
}

LogicalResult tile::SetValidShapeOp::verify() {
  return verifySetValidShape(*this, getSource().getType(), getResult().getType(),
                             {getStaticValid(), getValid().size()});
}

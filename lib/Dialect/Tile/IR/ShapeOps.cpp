// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows, element access, reshapes, scatters: verification.
#include "pypto/Dialect/Tile/IR/TileOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::tile;

/// Windows of a tile: offsets, element type, and where constant, bounds.
static LogicalResult verifyTileWindow(Operation *op, MixedIndices offsets, TileType whole,
                                      TileType window, ArrayRef<ExtentAttr> sizes) {
  if (whole.getElementType() != window.getElementType())
    return op->emitOpError() << "C2: expects element type " << whole.getElementType()
                             << ", but got " << window.getElementType();
  return verifyWindow(op, offsets, whole.getExtents(), sizes);
}

LogicalResult tile::SliceOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  if (failed(verifyTileWindow(*this, {getStaticOffsets(), getOffsets().size()}, source, result,
                              result.getExtents())) ||
      failed(verifyDynamicValid(*this, "C3", result, getValid().size())))
    return failure();
  if (source.getSpace() != result.getSpace())
    return emitOpError() << "C5: expects a result in the space of " << source << ", but got "
                         << result;
  return success();
}

LogicalResult ExtractOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  return failure(failed(verifyTileWindow(*this, {getStaticOffsets(), getOffsets().size()}, source,
                                         result, result.getExtents())) ||
                 failed(verifyDynamicValid(*this, "C3", result, getValid().size())));
}

LogicalResult tile::AssembleOp::verify() {
  TileType source = getSource().getType(), target = getTarget().getType();
  if (!source.isPlacementCompatible(target))
    return emitOpError() << "C3: expects tiles in one memory space, but got " << source << " and "
                         << target;
  return verifyTileWindow(*this, {getStaticOffsets(), getOffsets().size()}, target, source,
                          source.getValidOrExtents());
}

LogicalResult tile::ReadOp::verify() {
  return verifyElementIndices(*this, {getStaticIndices(), getIndices().size()},
                              getSource().getType());
}

LogicalResult WriteOp::verify() {
  return verifyElementIndices(*this, {getStaticIndices(), getIndices().size()},
                              getTarget().getType());
}

LogicalResult tile::ReshapeOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  if (failed(verifyReshape(*this, source, result)) ||
      failed(verifyDynamicValid(*this, "C3", result, getValid().size())))
    return failure();
  if (source.getSpace() != result.getSpace())
    return emitOpError() << "C4: expects a result in the space of " << source << ", but got "
                         << result;
  return success();
}

LogicalResult tile::ArangeOp::verify() {
  if (failed(verifyDynamicValid(*this, "C1", getResult().getType(), getValid().size())))
    return failure();
  return verifyArange(*this, getStart().getType(), getResult().getType());
}

LogicalResult tile::ScatterOp::verify() {
  return verifyScatter(*this, getSource().getType(), getIndices().getType(), getTarget().getType(),
                       getDim());
}

LogicalResult tile::ScatterUpdateOp::verify() {
  return verifyScatterUpdate(*this, getSource().getType(), getIndices().getType(),
                             getTarget().getType());
}

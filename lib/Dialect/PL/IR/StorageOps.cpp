// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation, views, writes, element access.
#include "pypto/Dialect/PL/IR/PLOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

//===- Allocation -----------------------------------------------------------------===//

LogicalResult CreateOp::verify() {
  return verifyDynamicSizes(*this, "C1", getResult().getType(), getSizes().size());
}

LogicalResult FullOp::verify() {
  if (failed(verifyDynamicSizes(*this, "C1", getResult().getType(), getSizes().size())))
    return failure();
  return verifyScalarOf(*this, getValue().getType(), getResult().getType());
}

//===- Views ------------------------------------------------------------------------===//

SmallVector<int64_t> SliceOp::getKeptDims() {
  SmallVector<int64_t> kept;
  ArrayRef<int64_t> dropped = getDropped().value_or(ArrayRef<int64_t>());
  for (int64_t dim = 0, rank = getSource().getType().getRank(); dim != rank; ++dim)
    if (!llvm::is_contained(dropped, dim))
      kept.push_back(dim);
  return kept;
}

LogicalResult SliceOp::verify() {
  pl::TensorType source = getSource().getType(), result = getResult().getType();
  int64_t previous = -1;
  for (int64_t dim : getDropped().value_or(ArrayRef<int64_t>())) {
    if (dim <= previous || dim >= source.getRank())
      return emitOpError() << "C5: expects dropped dimensions that are sorted and less than "
                           << source.getRank() << ", but got " << dim;
    previous = dim;
  }
  if (source.getElementType() != result.getElementType())
    return emitOpError() << "C2: expects element type " << source.getElementType() << ", but got "
                         << result.getElementType();
  SmallVector<int64_t> kept = getKeptDims();
  if (static_cast<int64_t>(kept.size()) != result.getRank())
    return emitOpError() << "C2: expects a result of rank " << kept.size() << ", but got "
                         << result.getRank();
  SmallVector<ExtentAttr> window(source.getRank(), ExtentAttr::get(getContext(), 1));
  for (auto [dim, extent] : llvm::zip_equal(kept, result.getExtents()))
    window[dim] = extent;
  return failure(failed(verifyWindow(*this, {getStaticOffsets(), getOffsets().size()},
                                     source.getExtents(), window)) ||
                 failed(verifyDynamicSizes(*this, "C3", result, getSizes().size())));
}

LogicalResult ReshapeOp::verify() {
  if (failed(verifyReshape(*this, getSource().getType(), getResult().getType())))
    return failure();
  return verifyDynamicSizes(*this, "C3", getResult().getType(), getSizes().size());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  // `?` is not known to be the same number on both sides.
  bool isSame =
      getSource().getType() == getResult().getType() && getNumDynamic(getResult().getType()) == 0;
  return isSame ? getSource() : Value();
}

LogicalResult CastShapeOp::verify() {
  if (!areCompatible(getSource().getType(), getResult().getType()))
    return emitOpError() << "C1: expects compatible types, but got " << getSource().getType()
                         << " and " << getResult().getType();
  return success();
}

OpFoldResult CastShapeOp::fold(FoldAdaptor) { return foldRetypeOfRetype(*this); }

LogicalResult SetValidShapeOp::verify() {
  return verifySetValidShape(*this, getSource().getType(), getResult().getType(),
                             {getStaticValid(), getValid().size()});
}

OpFoldResult SetValidShapeOp::fold(FoldAdaptor) {
  bool isSame = getSource().getType() == getResult().getType() &&
                getNumDynamic(getResult().getType().getValid()) == 0;
  return isSame ? getSource() : Value();
}

/// The operand that gave the extent `axis` of `tensor`, which is `?`, to the operation that made
/// it, or null.
static Value getSizeOperand(TypedValue<pl::TensorType> tensor, size_t axis) {
  Operation *maker = tensor.getDefiningOp();
  if (!maker)
    return {};
  ValueRange sizes;
  llvm::TypeSwitch<Operation *>(maker).Case<CreateOp, FullOp, SliceOp, ReshapeOp, ArangeOp>(
      [&](auto op) { sizes = op.getSizes(); });
  unsigned position = getNumDynamic(tensor.getType().getExtents().take_front(axis));
  return position < sizes.size() ? sizes[position] : Value();
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  ExtentAttr extent = getSource().getType().getExtents()[getAxis()];
  if (extent.isConstant())
    return IntegerAttr::get(IndexType::get(getContext()), extent.getConstant());
  if (extent.isDynamic())
    if (Value size = getSizeOperand(getSource(), getAxis()))
      return size;
  // Another name of a storage has its extents.
  auto source = dyn_cast<OpResult>(getSource());
  auto alias =
      source ? dyn_cast<StorageAliasOpInterface>(source.getOwner()) : StorageAliasOpInterface();
  OpOperand *aliased = alias ? alias.getAliasedOperand(source) : nullptr;
  auto type = aliased ? dyn_cast<pl::TensorType>(aliased->get().getType()) : pl::TensorType();
  if (!type || type.getRank() != getSource().getType().getRank())
    return {};
  getSourceMutable().assign(aliased->get());
  return getResult();
}

LogicalResult DimOp::verify() {
  int64_t rank = getSource().getType().getRank();
  if (static_cast<int64_t>(getAxis()) >= rank || static_cast<int64_t>(getAxis()) < 0)
    return emitOpError() << "C1: expects an axis less than " << rank << ", but got " << getAxis();
  return success();
}

//===- Writes and element access ------------------------------------------------------===//

void AssembleOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getDestinationMutable());
  if (getAtomic())
    effects.emplace_back(MemoryEffects::Read::get(), &getDestinationMutable());
}

LogicalResult AssembleOp::verify() {
  pl::TensorType source = getSource().getType(), destination = getDestination().getType();
  if (source.getElementType() != destination.getElementType())
    return emitOpError() << "C2: expects element type " << destination.getElementType()
                         << ", but got " << source.getElementType();
  if (!areCompatible(destination, getResult().getType()))
    return emitOpError() << "C3: expects a result compatible with " << destination << ", but got "
                         << getResult().getType();
  return verifyWindow(*this, {getStaticOffsets(), getOffsets().size()}, destination.getExtents(),
                      source.getValidOrExtents());
}

static LogicalResult verifyIndices(Operation *op, pl::TensorType type, size_t count) {
  if (static_cast<int64_t>(count) != type.getRank())
    return op->emitOpError() << "C1: expects one index per dimension (" << type.getRank()
                             << "), but got " << count;
  return success();
}

LogicalResult ReadOp::verify() {
  return verifyIndices(*this, getSource().getType(), getIndices().size());
}
LogicalResult WriteScalarOp::verify() {
  return verifyIndices(*this, getDestination().getType(), getIndices().size());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of lowered programs, and what stands for those that have no element or are not reached.
#include "pypto/Dialect/Orchestration/IR/Windows.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace pypto;

/// False if a window has constants that MLIR accepts of no window.
template <typename OpTy> static bool isAccepted(OpTy op, ShapedType whole) {
  return verifyInBoundsSlice(whole.getShape(), op.getStaticOffsets(), op.getStaticSizes(),
                             op.getStaticStrides())
      .isValid;
}

static SmallVector<OpFoldResult> getOnes(OpBuilder &b, size_t rank) {
  return SmallVector<OpFoldResult>(rank, b.getIndexAttr(1));
}

/// The numbers of a list that belong to dimensions of the result.
static SmallVector<OpFoldResult> dropDims(ArrayRef<OpFoldResult> numbers,
                                          const llvm::SmallBitVector &dropped) {
  SmallVector<OpFoldResult> kept;
  for (auto [dim, number] : llvm::enumerate(numbers))
    if (!dropped.test(dim))
      kept.push_back(number);
  return kept;
}

//===- Memory ---------------------------------------------------------------------===//

/// Memory of the type and sizes of `view`, no element of which is accessed.
static Value createUntouchedView(OpBuilder &b, memref::SubViewOp view) {
  Location loc = view.getLoc();
  MemRefType type = view.getType();
  llvm::SmallBitVector dropped = view.getDroppedDims();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return {};
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, view.getSource());
  // What the type says, else what a window in bounds has: types and numbers go on to agree.
  auto choose = [&](int64_t fixed, OpFoldResult number) {
    return ShapedType::isDynamic(fixed) ? number : OpFoldResult(b.getIndexAttr(fixed));
  };
  SmallVector<OpFoldResult> sizes = dropDims(view.getMixedSizes(), dropped);
  SmallVector<OpFoldResult> steps = dropDims(getAsOpFoldResult(metadata.getStrides()), dropped);
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    sizes[dim] = choose(extent, sizes[dim]);
    steps[dim] = choose(strides[dim], steps[dim]);
  }
  return memref::ReinterpretCastOp::create(b, loc, type, view.getSource(),
                                           choose(offset, metadata.getOffset()), sizes, steps);
}

Value orchestration::createSubView(OpBuilder &b, Location loc, Value source,
                                   ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                                   MemRefType type) {
  SmallVector<OpFoldResult> ones = getOnes(b, sizes.size());
  auto view = memref::SubViewOp::create(b, loc, type, source, offsets, sizes, ones);
  if (isAccepted(view, view.getSourceType()))
    return view;
  Value untouched = createUntouchedView(b, view);
  view.erase();
  return untouched;
}

Value orchestration::createSubView(OpBuilder &b, Location loc, Value source,
                                   ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                                   ArrayRef<int64_t> shape) {
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      shape, cast<MemRefType>(source.getType()), offsets, sizes, getOnes(b, sizes.size()));
  return createSubView(b, loc, source, offsets, sizes, type);
}

namespace {
/// Where a cast is folded into a window, the window may turn out to be one of those.
struct ReplaceEmptySubView : OpRewritePattern<memref::SubViewOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::SubViewOp view, PatternRewriter &rewriter) const override {
    if (isAccepted(view, view.getSourceType()))
      return failure();
    Value untouched = createUntouchedView(rewriter, view);
    if (!untouched)
      return failure();
    rewriter.replaceOp(view, untouched);
    return success();
  }
};
} // namespace

void orchestration::populateEmptyWindowPatterns(RewritePatternSet &patterns) {
  patterns.add<ReplaceEmptySubView>(patterns.getContext());
}

//===- Tensors --------------------------------------------------------------------===//

Value orchestration::createExtractSlice(OpBuilder &b, Location loc, Value source,
                                        ArrayRef<OpFoldResult> offsets,
                                        ArrayRef<OpFoldResult> sizes, RankedTensorType type) {
  auto slice = tensor::ExtractSliceOp::create(b, loc, type, source, offsets, sizes,
                                              getOnes(b, sizes.size()));
  if (isAccepted(slice, slice.getSourceType()))
    return slice;
  SmallVector<Value> dynamic;
  for (auto [extent, size] :
       llvm::zip_equal(slice.getType().getShape(), dropDims(sizes, slice.getDroppedDims())))
    if (ShapedType::isDynamic(extent))
      dynamic.push_back(getValueOrCreateConstantIndexOp(b, loc, size));
  Value empty = tensor::EmptyOp::create(b, loc, slice.getType(), dynamic);
  slice.erase();
  return empty;
}

Value orchestration::createInsertSlice(OpBuilder &b, Location loc, Value source, Value target,
                                       ArrayRef<OpFoldResult> offsets,
                                       ArrayRef<OpFoldResult> sizes) {
  // The type may not know what the sizes do.
  auto type = cast<RankedTensorType>(source.getType());
  if (type.getRank() == int64_t(sizes.size())) {
    SmallVector<int64_t> extents;
    for (auto [size, known] : llvm::zip_equal(sizes, type.getShape()))
      extents.push_back(ShapedType::isDynamic(known)
                            ? getConstantIntValue(size).value_or(ShapedType::kDynamic)
                            : known);
    if (auto wanted = type.clone(extents); wanted != type)
      source = tensor::CastOp::create(b, loc, wanted, source);
  }
  auto slice = tensor::InsertSliceOp::create(b, loc, source, target, offsets, sizes,
                                             getOnes(b, sizes.size()));
  if (isAccepted(slice, slice.getDestType()))
    return slice;
  slice.erase();
  return target;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace pypto::loops;
using linalg::LinalgOp;

int64_t pypto::loops::getWork(LinalgOp op) {
  int64_t work = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    work = llvm::MulOverflow(work, ShapedType::isDynamic(extent) ? kUnknownExtent : extent, work)
               ? std::numeric_limits<int64_t>::max()
               : work;
  return work;
}

int64_t pypto::loops::getNumParts(int64_t work, int64_t numIterations, const LoopTarget &target) {
  int64_t total;
  if (llvm::MulOverflow(work, numIterations, total))
    total = std::numeric_limits<int64_t>::max();
  return std::min({total / target.partWork, target.maxParts, numIterations});
}

Value Parts::getSize(ImplicitLocOpBuilder &b) const {
  return getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
}

std::optional<Parts> pypto::loops::emitParts(ImplicitLocOpBuilder &b, OpFoldResult extent,
                                             int64_t numParts) {
  if (numParts <= 1)
    return std::nullopt;
  Location loc = b.getLoc();
  // Whole vectors and cache lines, where there are enough of them.
  std::optional<int64_t> known = getConstantIntValue(extent);
  int64_t unit = known && *known >= 64 * numParts ? 64 : 1;
  AffineExpr n = b.getAffineDimExpr(0), size = b.getAffineSymbolExpr(0);
  OpFoldResult each =
      affine::makeComposedFoldedAffineApply(b, loc, n.ceilDiv(numParts * unit) * unit, extent);
  // No part where there is nothing: its size would be none either.
  if (known == 0)
    each = b.getIndexAttr(1);
  else if (!known)
    each = arith::MaxSIOp::create(b, getValueOrCreateConstantIndexOp(b, loc, each),
                                  arith::ConstantIndexOp::create(b, 1))
               .getResult();
  OpFoldResult count = affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(1, 1, n.ceilDiv(size)), {extent, each});
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  Parts parts;
  parts.loop =
      scf::ParallelOp::create(b, zero, getValueOrCreateConstantIndexOp(b, loc, count), one);
  b.setInsertionPointToStart(parts.loop.getBody());
  Value eachValue = getValueOrCreateConstantIndexOp(b, loc, each);
  parts.first = arith::MulIOp::create(b, parts.loop.getInductionVars()[0], eachValue);
  parts.size = each;
  if (!known || *known % *getConstantIntValue(each) != 0) {
    Value rest =
        arith::SubIOp::create(b, getValueOrCreateConstantIndexOp(b, loc, extent), parts.first);
    parts.size = arith::MinSIOp::create(b, rest, eachValue).getResult();
  }
  return parts;
}

bool pypto::loops::hasParts(OpOperand &operand, unsigned loop) {
  auto op = cast<LinalgOp>(operand.getOwner());
  unsigned count = 0;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    if (++count > 1 || !isa<AffineDimExpr>(expr))
      return false;
  }
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  return !type || type.isStrided();
}

Value pypto::loops::getPart(ImplicitLocOpBuilder &b, OpOperand &operand, unsigned loop, Value first,
                            OpFoldResult size) {
  auto op = cast<LinalgOp>(operand.getOwner());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || !map.isFunctionOfDim(loop))
    return operand.get();
  SmallVector<OpFoldResult> offsets, sizes = memref::getMixedSizes(b, b.getLoc(), operand.get());
  for (auto [expr, extent] : llvm::zip_equal(map.getResults(), sizes)) {
    bool isSplit = expr.isFunctionOfDim(loop);
    offsets.push_back(isSplit ? OpFoldResult(first) : b.getIndexAttr(0));
    extent = isSplit ? size : extent;
  }
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  return memref::SubViewOp::create(b, operand.get(), offsets, sizes, strides);
}

/// A line of the cache for each part, so that threads do not share them.
static constexpr int64_t kLineElements = 16;

Value pypto::loops::createPartials(ImplicitLocOpBuilder &b, Type element, int64_t numParts) {
  auto type = MemRefType::get({numParts, kLineElements}, element);
  return memref::AllocaOp::create(b, type, b.getI64IntegerAttr(64));
}

Value pypto::loops::getPartial(ImplicitLocOpBuilder &b, Value partials, Value part, int64_t rank) {
  SmallVector<OpFoldResult> ones(2, b.getIndexAttr(1));
  SmallVector<OpFoldResult> offsets = {part, b.getIndexAttr(0)};
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      SmallVector<int64_t>(rank, 1), cast<MemRefType>(partials.getType()), offsets, ones, ones);
  return memref::SubViewOp::create(b, type, partials, offsets, ones, ones);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "VectorLoop.h"
#include "Streaming.h"
#include "VectorSelection.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace pypto::loops;
using linalg::LinalgOp;

SmallVector<unsigned> pypto::loops::getOuterLoops(LinalgOp op, unsigned loop) {
  SmallVector<unsigned> loops;
  for (utils::IteratorType type : {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (auto [index, other] : llvm::enumerate(op.getIteratorTypesArray()))
      if (index != loop && other == type)
        loops.push_back(index);
  return loops;
}

//===- Along vectors ------------------------------------------------------------------===//

bool pypto::loops::hasOpenOrder(LinalgOp op, int64_t vectorBits) {
  if (op.getNumReductionLoops() == 0 || llvm::none_of(op.getDpsInits(), [](Value init) {
        return isa<FloatType>(getElementTypeOrSelf(init.getType()));
      }))
    return false;
  return !chooseVectorBody(op, vectorBits);
}

bool pypto::loops::hasFixedLanes(const VectorBody &body) {
  return llvm::any_of(body.getCombiners(), [](const Combiner &combiner) {
    return isa<FloatType>(combiner.isSelection() ? combiner.element.getType()
                                                 : combiner.term.getType());
  });
}

bool pypto::loops::isFloatExtreme(const VectorBody &body) {
  ArrayRef<Combiner> combiners = body.getCombiners();
  return combiners.size() == 1 &&
         isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp>(combiners[0].op);
}

/// Fewest vectors of a row in which an extreme is looked for block by block.
static constexpr int64_t kMinSelectionVectors = 64;

bool pypto::loops::isBlockedSelection(const VectorBody &body) {
  return isExtremeSelection(body) && (ShapedType::isDynamic(body.getExtent()) ||
                                      body.getExtent() >= kMinSelectionVectors * body.getLanes());
}

int64_t pypto::loops::chooseUnroll(const VectorBody &body, int64_t numRows) {
  int64_t unroll = body.getNumVectors(numRows);
  while (!ShapedType::isDynamic(body.getExtent()) && unroll > 1 &&
         body.getExtent() < body.getLanes() * unroll)
    unroll /= 2;
  return unroll;
}

int64_t pypto::loops::getNumAccumulators(const VectorBody &body) {
  return body.isScan() ? 1 : chooseUnroll(body, /*numRows=*/1);
}

//===- Rows ---------------------------------------------------------------------------===//

bool pypto::loops::canBlockRows(LinalgOp op, const VectorBody &body, unsigned outer) {
  auto iterators = op.getIteratorTypesArray();
  if (iterators[outer] != utils::IteratorType::reduction ||
      iterators[body.getLoop()] != utils::IteratorType::parallel)
    return false;
  // Others are written row by row, and not read.
  bool isCarried = false;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    bool isOwn = op.getMatchingIndexingMap(&init).isFunctionOfDim(outer);
    isCarried |= !isOwn;
    if (isOwn && !op.getMatchingBlockArgument(&init).use_empty())
      return false;
  }
  return isCarried;
}

/// True if each iteration writes an element of its own.
static bool isWrittenOnce(LinalgOp op, unsigned result) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  return llvm::all_of(llvm::seq<unsigned>(0, extents.size()),
                      [&](unsigned dim) { return extents[dim] == 1 || map.isFunctionOfDim(dim); });
}

std::optional<int64_t> pypto::loops::getStreamBytes(LinalgOp op, const VectorBody &body,
                                                    unsigned result) {
  bool isRead = !op.getRegionOutputArgs()[result].use_empty();
  // A row that begins in the middle of a vector has no vector where memory has one.
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  bool isWhole = map.getNumResults() != 0 && isa<AffineDimExpr>(map.getResults().back());
  if (!isWrittenOnce(op, result) || isRead || body.isCombined(result) || !isWhole)
    return std::nullopt;
  return getUncachedBytes(op.getDpsInits()[result], body.getLanes());
}

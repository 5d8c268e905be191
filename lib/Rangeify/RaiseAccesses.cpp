// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopIndices.h"
#include "pypto/Rangeify/Passes.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"

using namespace mlir;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_RAISEACCESSES
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

/// True if a linalg op may read a dimension of this extent at `expr`: a loop over all of it, a
/// constant, or an expression that grows with the loops and stays inside.
static bool isRaisable(AffineExpr expr, int64_t extent, ArrayRef<int64_t> loopExtents,
                       const IndexSimplifier &simplifier) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return loopExtents[dim.getPosition()] == extent && !ShapedType::isDynamic(extent);
  if (countDivisions(expr) != 0 || ShapedType::isDynamic(extent))
    return false;
  bool grows = true;
  expr.walk([&](AffineExpr part) {
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(part);
        binary && part.getKind() == AffineExprKind::Mul) {
      auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      grows &= factor && factor.getValue() > 0;
    }
  });
  Bounds bounds = simplifier.getBounds(expr);
  return grows && bounds.isAtLeast(0) && bounds.isAtMost(extent - 1);
}

/// The map of a read that can be an operand of `nest`.
static std::optional<AffineMap> getRaisedMap(tensor::ExtractOp read, linalg::GenericOp nest) {
  if (read->getParentOp() != nest ||
      nest->isProperAncestor(read.getTensor().getParentBlock()->getParentOp()))
    return std::nullopt;
  LoopIndices loops(nest);
  SmallVector<int64_t> loopExtents = nest.getStaticLoopRanges();
  // A loop that never runs says nothing about what is inside.
  if (llvm::is_contained(loopExtents, 0))
    return std::nullopt;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(read.getTensor().getType()).getShape();
  SmallVector<AffineExpr> results;
  for (auto [position, extent] : llvm::zip_equal(read.getIndices(), shape)) {
    AffineExpr expr = loops.getExpr(position);
    if (!loops.isOfLoops(expr) || !isRaisable(expr, extent, loopExtents, loops.getSimplifier(read)))
      return std::nullopt;
    results.push_back(expr);
  }
  return AffineMap::get(loops.getNumLoops(), 0, results, nest->getContext());
}

/// True if the operands give every loop its extent.
static bool coversLoops(ArrayRef<AffineMap> maps) {
  return static_cast<bool>(inversePermutation(concatAffineMaps(maps, maps[0].getContext())));
}

/// Erases arithmetic that nobody needs any more.
static void eraseDead(linalg::GenericOp nest) {
  nest.getBody()->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

static void raise(linalg::GenericOp nest) {
  SmallVector<Value> inputs = nest.getInputs();
  SmallVector<AffineMap> inputMaps, initMaps;
  for (OpOperand *input : nest.getDpsInputOperands())
    inputMaps.push_back(nest.getMatchingIndexingMap(input));
  for (OpOperand &init : nest.getDpsInitsMutable())
    initMaps.push_back(nest.getMatchingIndexingMap(&init));
  Block *body = nest.getBody();
  unsigned numRaised = 0;
  for (auto read : llvm::make_early_inc_range(body->getOps<tensor::ExtractOp>())) {
    std::optional<AffineMap> map = getRaisedMap(read, nest);
    if (!map)
      continue;
    size_t position = 0;
    while (position < inputs.size() &&
           (inputs[position] != read.getTensor() || inputMaps[position] != *map))
      ++position;
    if (position == inputs.size()) {
      inputs.push_back(read.getTensor());
      inputMaps.push_back(*map);
      body->insertArgument(position, read.getType(), read.getLoc());
    }
    read.replaceAllUsesWith(Value(body->getArgument(position)));
    read.erase();
    ++numRaised;
  }
  // Operands that only told extents, if others do now.
  for (size_t i = inputs.size(); i-- > 0;) {
    SmallVector<AffineMap> others = inputMaps;
    others.erase(others.begin() + i);
    llvm::append_range(others, initMaps);
    if (!body->getArgument(i).use_empty() || others.empty() || !coversLoops(others))
      continue;
    inputs.erase(inputs.begin() + i);
    inputMaps.erase(inputMaps.begin() + i);
    body->eraseArgument(i);
    ++numRaised;
  }
  if (numRaised == 0) {
    eraseDead(nest);
    return;
  }
  llvm::append_range(inputMaps, initMaps);
  OpBuilder b(nest);
  auto raised =
      linalg::GenericOp::create(b, nest.getLoc(), nest.getResultTypes(), inputs, nest.getOutputs(),
                                inputMaps, nest.getIteratorTypesArray());
  raised.getRegion().takeBody(nest.getRegion());
  pypto::copySchedule(nest, raised);
  nest.replaceAllUsesWith(raised);
  nest.erase();
  eraseDead(raised);
}

namespace {
struct RaiseAccessesPass : pypto::rangeify::impl::RaiseAccessesBase<RaiseAccessesPass> {
  void runOnModule() override {
    for (auto graph : getOperation().getOps<func::FuncOp>()) {
      SmallVector<linalg::GenericOp> nests;
      graph.walk([&](linalg::GenericOp nest) {
        if (nest.hasPureTensorSemantics())
          nests.push_back(nest);
      });
      for (linalg::GenericOp nest : nests)
        raise(nest);
      graph.walk<WalkOrder::PostOrder, ReverseIterator>([](tensor::EmptyOp empty) {
        if (empty->use_empty())
          empty.erase();
      });
    }
  }
};
} // namespace

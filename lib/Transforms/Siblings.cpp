// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Transforms/Siblings.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using linalg::GenericOp;

/// True if each result is a loop of its own, or zero.
static bool isPlain(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      if (seen.test(dim.getPosition()))
        return false;
      seen.set(dim.getPosition());
    } else if (!isa<AffineConstantExpr>(expr) || cast<AffineConstantExpr>(expr).getValue() != 0) {
      return false;
    }
  }
  return map.getNumSymbols() == 0;
}

/// True if each result has an element for each iteration of the parallel loops.
static bool isPlain(GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumLoops() == 0 || op.getNumResults() == 0 ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return isPlain(map); }))
    return false;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (OpOperand &init : op.getDpsInitsMutable())
    for (auto [loop, kind] : llvm::enumerate(iterators))
      if (kind == utils::IteratorType::parallel &&
          !op.getMatchingIndexingMap(&init).isFunctionOfDim(loop))
        return false;
  return true;
}

/// The loops of an operation that reads a tensor by `other`, in those of one that reads it by
/// `map`.
static AffineMap alignReads(AffineMap map, AffineMap other) {
  auto all = llvm::seq<unsigned>(0, map.getNumDims());
  if (map.getNumDims() != other.getNumDims() ||
      !llvm::all_of(all, [&](unsigned loop) { return map.isFunctionOfDim(loop); }))
    return {};
  if (map == other)
    return AffineMap::getMultiDimIdentityMap(map.getNumDims(), map.getContext());
  return map.isPermutation() && other.isPermutation() ? inversePermutation(other).compose(map)
                                                      : AffineMap();
}

/// True if the loops that are summed along are the same, or if there are some in one operation
/// only.
static bool haveSameReductions(GenericOp op, GenericOp other, AffineMap loops) {
  if (op.getNumReductionLoops() == 0 || other.getNumReductionLoops() == 0)
    return true;
  SmallVector<utils::IteratorType> own = op.getIteratorTypesArray();
  for (auto [kind, expr] : llvm::zip_equal(other.getIteratorTypesArray(), loops.getResults()))
    if (own[cast<AffineDimExpr>(expr).getPosition()] != kind)
      return false;
  return true;
}

/// True if the two are one tensor, or the same view of it.
static bool isSameTensor(Value value, Value other) {
  if (value == other)
    return true;
  auto *op = value.getDefiningOp(), *view = other.getDefiningOp();
  return op && view && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
         OperationEquivalence::isEquivalentTo(
             op, view, [](Value lhs, Value rhs) { return success(isSameTensor(lhs, rhs)); },
             /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

std::optional<AffineMap> pypto::alignSiblings(GenericOp op, GenericOp other) {
  if (op.getNumLoops() != other.getNumLoops() || !isPlain(op) || !isPlain(other))
    return std::nullopt;
  for (OpOperand *operand : op.getDpsInputOperands())
    for (OpOperand *read : other.getDpsInputOperands()) {
      if (!isa<RankedTensorType>(read->get().getType()) ||
          !isSameTensor(operand->get(), read->get()))
        continue;
      AffineMap loops =
          alignReads(op.getMatchingIndexingMap(operand), other.getMatchingIndexingMap(read));
      if (loops && haveSameReductions(op, other, loops))
        return loops;
    }
  return std::nullopt;
}

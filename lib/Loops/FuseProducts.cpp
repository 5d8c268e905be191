// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix product and what its left factor is computed from run block by block.
#include "pypto/Loops/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace pypto;
using linalg::LinalgOp;

namespace pypto {
#define GEN_PASS_DEF_FUSEPRODUCTS
#include "pypto/Loops/Passes.h.inc"
} // namespace pypto

/// True if `op` sums products of two tensors.
static bool isProduct(LinalgOp op) {
  return op.hasPureTensorSemantics() && op.getNumReductionLoops() == 1 &&
         op.getNumDpsInputs() == 2 && op.getNumDpsInits() == 1 &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isProjectedPermutation(); });
}

static int64_t getNumElements(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

namespace {
class ProductFusion {
public:
  ProductFusion(LinalgOp product, int64_t rows, int64_t minElements)
      : product(product), maxRows(rows), minElements(minElements) {}

  bool run();

private:
  bool chooseTiles();
  bool dependsOnProduct();

  LinalgOp product;
  int64_t maxRows, minElements;
  /// Of the loops of the product: one for those outside of rows, the rows of a block, none.
  SmallVector<int64_t> tiles;
  int64_t numTiles = 1;
};
} // namespace

/// A block has some rows of the factor: iterations of the innermost loop that only it has.
bool ProductFusion::chooseTiles() {
  AffineMap lhs = product.getMatchingIndexingMap(product.getDpsInputOperand(0));
  AffineMap rhs = product.getMatchingIndexingMap(product.getDpsInputOperand(1));
  SmallVector<int64_t> extents = product.getStaticLoopRanges();
  tiles.assign(extents.size(), 0);
  bool hasRows = false;
  for (unsigned loop = extents.size(); loop-- != 0;) {
    if (product.getIteratorTypesArray()[loop] == utils::IteratorType::reduction ||
        !lhs.isFunctionOfDim(loop))
      continue;
    if (ShapedType::isDynamic(extents[loop]))
      return false;
    if (!rhs.isFunctionOfDim(loop) && !hasRows) {
      // Equal blocks have extents that are known.
      for (int64_t rows = std::min(maxRows, extents[loop]); rows > 0 && !tiles[loop]; --rows)
        if (extents[loop] % rows == 0)
          tiles[loop] = rows;
      hasRows = true;
    } else {
      tiles[loop] = 1;
    }
    numTiles *= extents[loop] / tiles[loop];
  }
  return hasRows && numTiles > 1;
}

/// True if the factor is what is worth fusing: it comes from a product itself, and has no use but
/// this.
bool ProductFusion::dependsOnProduct() {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return op->getBlock() == product->getBlock(); };
  Operation *factor = product.getDpsInputs()[0].getDefiningOp();
  if (!factor || failed(getBackwardSlice(factor, &slice, options)))
    return false;
  bool hasProduct = false;
  for (Operation *op : slice) {
    auto linalgOp = dyn_cast<LinalgOp>(op);
    if (!linalgOp)
      continue;
    hasProduct |= isProduct(linalgOp);
    if (!isa<linalg::FillOp>(op) && llvm::any_of(op->getUsers(), [&](Operation *user) {
          return user != product && !slice.contains(user);
        }))
      return false;
  }
  return hasProduct;
}

bool ProductFusion::run() {
  if (!isProduct(product) || getNumElements(product.getDpsInputs()[0]) < minElements ||
      !chooseTiles() || !dependsOnProduct())
    return false;
  IRRewriter rewriter(product->getContext());
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(getAsIndexOpFoldResult(product->getContext(), tiles));
  // Nothing is computed twice: all blocks together are the whole.
  options.fusionControlFn =
      [&](tensor::ExtractSliceOp slice, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
    if (getNumElements(slice.getResult()) * numTiles != getNumElements(producer))
      return std::nullopt;
    return scf::SCFTileAndFuseOptions::ControlFnResult{};
  };
  rewriter.setInsertionPoint(product);
  FailureOr<scf::SCFTileAndFuseResult> fused = scf::tileConsumerAndFuseProducersUsingSCF(
      rewriter, cast<TilingInterface>(product.getOperation()), options);
  if (failed(fused) || fused->loops.empty())
    return false;
  Operation *outermost = fused->loops.front();
  outermost->setAttr(kRowsAttribute, rewriter.getUnitAttr());
  // Memory for a block, not for the whole.
  outermost->walk([&](tensor::ExtractSliceOp slice) {
    RankedTensorType type = slice.getType();
    if (!slice.getSource().getDefiningOp<tensor::EmptyOp>() || !type.hasStaticShape())
      return;
    rewriter.setInsertionPoint(slice);
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(slice, type.getShape(), type.getElementType());
  });
  for (OpResult result : product->getResults())
    rewriter.replaceAllUsesWith(result, fused->replacements.lookup(result));
  rewriter.eraseOp(product);
  return true;
}

namespace {
struct FuseProductsPass : pypto::impl::FuseProductsBase<FuseProductsPass> {
  using FuseProductsBase::FuseProductsBase;

  void runOnModule() override {
    SmallVector<LinalgOp> ops;
    getOperation().walk([&](LinalgOp op) {
      if (isa_and_nonnull<func::FuncOp>(op->getParentOp()))
        ops.push_back(op);
    });
    for (LinalgOp op : ops)
      (void)ProductFusion(op, rows, minElements).run();
  }
};
} // namespace

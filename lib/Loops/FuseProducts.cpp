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
      : product(product), root(product), maxRows(rows), minElements(minElements) {}

  /// The operation that is replaced, which may be one behind the product; null if all stays.
  Operation *run();

private:
  bool chooseTiles();
  int64_t getMostRows(ArrayRef<int64_t> extents);
  bool isPrivate();
  void findRoot();
  SmallVector<int64_t> getRootTiles();
  void moveForward(const scf::SCFTileAndFuseResult &fused);

  /// The product, and what runs in the loop last: it, or what is elementwise on its result.
  LinalgOp product, root;
  int64_t maxRows, minElements;
  /// Of the loops of the product: one for those outside of rows, the rows of a block, none.
  SmallVector<int64_t> tiles;
  int64_t numTiles = 1;
};
} // namespace

/// Bytes of a block of the factor that stays in the second cache; rows along which vectors can go.
static constexpr int64_t kBlockBytes = 512 << 10, kLeastRows = 32;

/// The most rows of a block: `maxRows`, or fewer where they are long.
int64_t ProductFusion::getMostRows(ArrayRef<int64_t> extents) {
  Type element = getElementTypeOrSelf(product.getDpsInputs()[0].getType());
  int64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  for (auto [extent, kind] : llvm::zip_equal(extents, product.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      bytes *= std::max<int64_t>(extent, 1);
  return std::min(maxRows, std::max(kLeastRows, kBlockBytes / bytes));
}

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
      for (int64_t rows = std::min(getMostRows(extents), extents[loop]); rows > 0 && !tiles[loop];
           --rows)
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

/// `value` and what it is computed from in the block of `op`.
static bool collectSlice(Value value, LinalgOp op, SetVector<Operation *> &slice) {
  Operation *producer = value.getDefiningOp();
  if (!producer || producer->getBlock() != op->getBlock() || slice.contains(producer))
    return true;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *other) { return other->getBlock() == op->getBlock(); };
  return succeeded(getBackwardSlice(producer, &slice, options));
}

/// True if the factor is what is worth fusing: it comes from a product itself.
static bool dependsOnProduct(LinalgOp product) {
  SetVector<Operation *> slice;
  return collectSlice(product.getDpsInputs()[0], product, slice) &&
         llvm::any_of(slice, [](Operation *op) {
           auto linalgOp = dyn_cast<LinalgOp>(op);
           return linalgOp && isProduct(linalgOp);
         });
}

/// True if nothing but the loop uses what the factor comes from, and what `root` adds to it.
bool ProductFusion::isPrivate() {
  SetVector<Operation *> slice;
  if (!collectSlice(product.getDpsInputs()[0], product, slice))
    return false;
  for (Value input : root.getDpsInputs())
    if (root != product && input.getDefiningOp() != product && !collectSlice(input, root, slice))
      return false;
  slice.insert(product);
  return llvm::all_of(slice, [&](Operation *op) {
    return !isa<LinalgOp>(op) || isa<linalg::FillOp>(op) || op == root ||
           llvm::all_of(op->getUsers(),
                        [&](Operation *user) { return user == root || slice.contains(user); });
  });
}

/// Looks for what is elementwise on the result, and alone reads it.
void ProductFusion::findRoot() {
  while (root->hasOneUse()) {
    OpOperand &use = *root->use_begin();
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!user || user->getBlock() != root->getBlock() || user.isDpsInit(&use) ||
        !user.hasPureTensorSemantics() || user.getNumDpsInits() != 1 ||
        user.getNumParallelLoops() != user.getNumLoops() ||
        !user.getMatchingIndexingMap(&use).isIdentity() ||
        !user.getMatchingIndexingMap(user.getDpsInitOperand(0)).isIdentity())
      break;
    root = user;
  }
  if (root != product && !isPrivate())
    root = product;
}

/// The tiles of the product in loops of `root`.
SmallVector<int64_t> ProductFusion::getRootTiles() {
  if (root == product)
    return tiles;
  SmallVector<int64_t> result;
  for (AffineExpr expr : product.getMatchingIndexingMap(product.getDpsInitOperand(0)).getResults())
    result.push_back(tiles[cast<AffineDimExpr>(expr).getPosition()]);
  return result;
}

/// What does not need the product comes before it: sums of the factor go along with what makes it.
void ProductFusion::moveForward(const scf::SCFTileAndFuseResult &fused) {
  Operation *tiled = nullptr;
  for (Operation *op : fused.tiledAndFusedOps)
    if (auto linalgOp = dyn_cast<LinalgOp>(op);
        linalgOp && isProduct(linalgOp) && dependsOnProduct(linalgOp))
      tiled = op;
  if (!tiled)
    return;
  DenseSet<Operation *> behind = {tiled};
  Operation *next = nullptr;
  for (Operation *op = tiled->getNextNode(); op && !op->hasTrait<OpTrait::IsTerminator>();
       op = next) {
    next = op->getNextNode();
    bool needsIt = !isMemoryEffectFree(op);
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        needsIt |= behind.contains(operand.getDefiningOp());
    });
    if (needsIt)
      behind.insert(op);
    else
      op->moveBefore(tiled);
  }
}

Operation *ProductFusion::run() {
  if (!isProduct(product) || getNumElements(product.getDpsInputs()[0]) < minElements ||
      !chooseTiles() || !dependsOnProduct(product))
    return nullptr;
  findRoot();
  if (!isPrivate())
    return nullptr;
  IRRewriter rewriter(product->getContext());
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(getAsIndexOpFoldResult(product->getContext(), getRootTiles()));
  // Nothing is computed twice: all blocks together are the whole.
  options.fusionControlFn =
      [&](tensor::ExtractSliceOp slice, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
    if (getNumElements(slice.getResult()) * numTiles != getNumElements(producer))
      return std::nullopt;
    return scf::SCFTileAndFuseOptions::ControlFnResult{};
  };
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTileAndFuseResult> fused = scf::tileConsumerAndFuseProducersUsingSCF(
      rewriter, cast<TilingInterface>(root.getOperation()), options);
  if (failed(fused) || fused->loops.empty())
    return nullptr;
  moveForward(*fused);
  Operation *outermost = fused->loops.front();
  for (LoopLikeOpInterface loop : fused->loops)
    loop->setAttr(kRowsAttribute, rewriter.getUnitAttr());
  // Memory for a block, not for the whole.
  outermost->walk([&](tensor::ExtractSliceOp slice) {
    RankedTensorType type = slice.getType();
    if (!slice.getSource().getDefiningOp<tensor::EmptyOp>() || !type.hasStaticShape())
      return;
    rewriter.setInsertionPoint(slice);
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(slice, type.getShape(), type.getElementType());
  });
  for (OpResult result : root->getResults())
    rewriter.replaceAllUsesWith(result, fused->replacements.lookup(result));
  Operation *replaced = root;
  rewriter.eraseOp(replaced);
  return replaced;
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
    // One behind a product may be gone with it.
    DenseSet<Operation *> erased;
    for (LinalgOp op : ops)
      if (!erased.contains(op))
        erased.insert(ProductFusion(op, rows, minElements).run());
  }
};
} // namespace

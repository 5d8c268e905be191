// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix product and what its left factor is computed from run block by block.
#include "pypto/Loops/Passes.h"
#include "pypto/Properties/PassOptions.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

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
  ProductFusion(LinalgOp product, int64_t rows, int64_t minElements,
                SmallVectorImpl<scf::ForOp> &loops)
      : product(product), root(product), maxRows(rows), minElements(minElements), loops(loops) {}

  /// The operation that is replaced, which may be one behind the product; null if all stays.
  Operation *run();

private:
  bool chooseTiles();
  int64_t chooseRows(int64_t extent, int64_t most);
  int64_t getMostRows(ArrayRef<int64_t> extents);
  bool weighsByExponentials();
  bool isPrivate();
  void findRoot();
  SmallVector<int64_t> getRootTiles();
  void moveForward(const scf::SCFTileAndFuseResult &fused);
  /// The product, and what runs in the loop last: it, or what is elementwise on its result.
  LinalgOp product, root;
  int64_t maxRows, minElements;
  /// What products became, where the last block has fewer rows.
  SmallVectorImpl<scf::ForOp> &loops;
  /// Of the loops of the product: one for those outside of rows, the rows of a block, none.
  SmallVector<int64_t> tiles;
  int64_t numTiles = 1;
  /// The last block has fewer rows.
  bool hasRest = false;
};
} // namespace

/// Bytes of a block of the factor that stays in the second cache; rows along which vectors can go,
/// and rows that are whole vectors.
static constexpr int64_t kBlockBytes = 512 << 10, kLeastRows = 32, kVectorRows = 16;
/// Bytes of a right factor that each block reads from memory, for twice as many rows.
static constexpr int64_t kFarBytes = 4 << 20;

/// The most rows of a block: `maxRows`, or fewer where they are long and stay whole.
int64_t ProductFusion::getMostRows(ArrayRef<int64_t> extents) {
  Type element = getElementTypeOrSelf(product.getDpsInputs()[0].getType());
  int64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8), farBytes = bytes;
  AffineMap lhs = product.getMatchingIndexingMap(product.getDpsInputOperand(0));
  for (auto [loop, kind] : llvm::enumerate(product.getIteratorTypesArray())) {
    bool isSum = kind == utils::IteratorType::reduction;
    bytes *= isSum ? std::max<int64_t>(extents[loop], 1) : 1;
    farBytes *= isSum || !lhs.isFunctionOfDim(loop) ? std::max<int64_t>(extents[loop], 1) : 1;
  }
  if (weighsByExponentials())
    return farBytes >= kFarBytes ? 2 * maxRows : maxRows;
  return std::min(maxRows, std::max(kLeastRows, kBlockBytes / bytes));
}

/// True if the factor is made of exponentials of what is below a maximum, which `--block-softmax`
/// cuts into blocks.
bool ProductFusion::weighsByExponentials() {
  auto powers = product.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>();
  return powers && !powers.getBody()->getOps<math::ExpOp>().empty() &&
         llvm::any_of(powers.getDpsInputs(), [](Value input) {
           auto maximum = input.getDefiningOp<linalg::GenericOp>();
           return maximum && maximum.getNumReductionLoops() == 1 &&
                  !maximum.getBody()->getOps<arith::MaximumFOp>().empty();
         });
}

/// Equal blocks, if there are large ones; else as many rows as there can be, and a rest.
int64_t ProductFusion::chooseRows(int64_t extent, int64_t most) {
  if (extent <= most)
    return std::max<int64_t>(extent, 1);
  for (int64_t rows = most; 4 * rows >= 3 * most; --rows)
    if (extent % rows == 0 && (rows == most || rows % kVectorRows == 0))
      return rows;
  hasRest = true;
  return most;
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
      tiles[loop] = chooseRows(extents[loop], getMostRows(extents));
      hasRows = true;
    } else {
      tiles[loop] = 1;
    }
    numTiles *= llvm::divideCeil(extents[loop], tiles[loop]);
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

/// True if `slice` has something of its own in each iteration of the loops around it.
static bool isOwnOfIteration(tensor::ExtractSliceOp slice) {
  SmallVector<Value> work;
  for (OpFoldResult offset : slice.getMixedOffsets())
    if (auto value = dyn_cast<Value>(offset))
      work.push_back(value);
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
      llvm::append_range(work, apply.getOperands());
    seen.insert(value);
  }
  for (auto loop = slice->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (!seen.contains(loop.getInductionVar()) && (!trips || !trips->isOne()))
      return false;
  }
  return true;
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
    if (!isOwnOfIteration(slice) ||
        (!hasRest && getNumElements(slice.getResult()) * numTiles != getNumElements(producer)))
      return std::nullopt;
    return scf::SCFTileAndFuseOptions::ControlFnResult{};
  };
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTileAndFuseResult> fused = scf::tileConsumerAndFuseProducersUsingSCF(
      rewriter, cast<TilingInterface>(root.getOperation()), options);
  if (failed(fused) || fused->loops.empty())
    return nullptr;
  moveForward(*fused);
  for (LoopLikeOpInterface loop : fused->loops) {
    loop->setAttr(kRowsAttribute, rewriter.getUnitAttr());
    if (hasRest)
      loops.push_back(cast<scf::ForOp>(loop.getOperation()));
  }
  for (OpResult result : root->getResults())
    rewriter.replaceAllUsesWith(result, fused->replacements.lookup(result));
  Operation *replaced = root;
  rewriter.eraseOp(replaced);
  return replaced;
}

/// Blocks that are whole have extents that are known, the rest is a loop of its own.
static void splitOffRests(RewriterBase &rewriter, ModuleOp module, ArrayRef<scf::ForOp> loops) {
  for (scf::ForOp loop : loops) {
    scf::ForOp rest;
    if (succeeded(scf::peelForLoopAndSimplifyBounds(rewriter, loop, rest)) &&
        rest.getStaticTripCount() == APInt(64, 1))
      rewriter.replaceAllUsesWith(rest.getInductionVar(), rest.getLowerBound());
  }
  MLIRContext *context = module->getContext();
  RewritePatternSet patterns(context);
  context->getLoadedDialect<linalg::LinalgDialect>()->getCanonicalizationPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::CastOp::getCanonicalizationPatterns(patterns, context);
  tensor::EmptyOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns, context);
  tensor::InsertSliceOp::getCanonicalizationPatterns(patterns, context);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  affine::AffineMinOp::getCanonicalizationPatterns(patterns, context);
  // Where a pattern does not apply an extent stays unknown, which is right, too.
  [[maybe_unused]] LogicalResult isFixed = applyPatternsGreedily(module, std::move(patterns));
}

/// Memory for a block, not for the whole.
static void shrinkEmpties(RewriterBase &rewriter, ModuleOp module) {
  module->walk([&](tensor::ExtractSliceOp slice) {
    RankedTensorType type = slice.getType();
    if (!slice.getSource().getDefiningOp<tensor::EmptyOp>() ||
        type.getRank() != slice.getSourceType().getRank() || !slice->getParentOfType<scf::ForOp>())
      return;
    rewriter.setInsertionPoint(slice);
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(slice, slice.getMixedSizes(),
                                                 type.getElementType());
  });
}

/// Operands whose only index along a dimension is zero go along the loop of one iteration that they
/// do not have: one head of attention has blocks as many heads have.
static void nameUnitLoops(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics())
    return;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [operand, map] : llvm::zip_equal(op->getOperands(), maps)) {
    SmallVector<AffineExpr> exprs(map.getResults());
    unsigned loop = 0;
    for (auto [dim, expr] : llvm::enumerate(exprs)) {
      if (!isa<AffineConstantExpr>(expr) ||
          cast<RankedTensorType>(operand.getType()).getDimSize(dim) != 1)
        continue;
      while (loop != extents.size() && (extents[loop] != 1 || map.isFunctionOfDim(loop)))
        ++loop;
      if (loop != extents.size())
        expr = getAffineDimExpr(loop++, op.getContext());
    }
    map = AffineMap::get(map.getNumDims(), 0, exprs, op.getContext());
  }
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

namespace {
struct FuseProductsPass : pypto::impl::FuseProductsBase<FuseProductsPass> {
  using FuseProductsBase::FuseProductsBase;

  LogicalResult initialize(MLIRContext *context) override {
    return pypto::OptionChecker(context, *this)
        .range("rows", rows, 1)
        .range("min-elements", minElements, 0);
  }

  void runOnModule() override {
    SmallVector<LinalgOp> ops;
    getOperation().walk([&](LinalgOp op) {
      if (!isa_and_nonnull<func::FuncOp>(op->getParentOp()))
        return;
      ops.push_back(op);
      if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
        nameUnitLoops(generic);
    });
    // One behind a product may be gone with it.
    DenseSet<Operation *> erased;
    SmallVector<scf::ForOp> loops;
    bool hasChanged = false;
    for (LinalgOp op : ops)
      if (!erased.contains(op))
        if (Operation *replaced = ProductFusion(op, rows, minElements, loops).run()) {
          erased.insert(replaced);
          hasChanged = true;
        }
    if (!hasChanged)
      return;
    IRRewriter rewriter(&getContext());
    if (!loops.empty())
      splitOffRests(rewriter, getOperation(), loops);
    shrinkEmpties(rewriter, getOperation());
  }
};
} // namespace

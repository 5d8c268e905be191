// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of products are kept transposed where that makes their large factor need no copy.
#include "pypto/Loops/Passes.h"
#include "pypto/Properties/PassOptions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pypto;
using linalg::GenericOp;

namespace pypto {
#define GEN_PASS_DEF_TRANSPOSEPRODUCTS
#include "pypto/Loops/Passes.h.inc"
} // namespace pypto

/// The loop that the result at `position` of `map` is, counted from its end.
static std::optional<unsigned> getLoopFromEnd(AffineMap map, unsigned position) {
  if (map.getNumResults() <= position)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResult(map.getNumResults() - 1 - position));
  return dim ? std::optional<unsigned>(dim.getPosition()) : std::nullopt;
}

static AffineMap swapLast(AffineMap map) {
  SmallVector<AffineExpr> exprs(map.getResults());
  std::swap(exprs.back(), exprs[exprs.size() - 2]);
  return AffineMap::get(map.getNumDims(), 0, exprs, map.getContext());
}

namespace {
/// The tensors that a product and what reads it have in a block.
class Transposition {
public:
  explicit Transposition(GenericOp product) : product(product) {}

  bool collect(int64_t minRows);
  void apply();

private:
  bool isWorthIt(int64_t minRows);
  bool add(OpResult tensor);
  bool visit(OpOperand &use);
  void transposeInit(OpBuilder &b, OpOperand &init);

  GenericOp product;
  SetVector<Value> tensors;
};
} // namespace

/// True if both factors go along the sum, the right one is the larger, and vectors go along the
/// rows of the left one.
bool Transposition::isWorthIt(int64_t minRows) {
  if (product.getNumReductionLoops() != 1 || product.getNumDpsInputs() != 2 ||
      product.getNumDpsInits() != 1 || !product.hasPureTensorSemantics())
    return false;
  AffineMap out = product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  std::optional<unsigned> column = getLoopFromEnd(out, 0), row = getLoopFromEnd(out, 1);
  SmallVector<int64_t> extents = product.getStaticLoopRanges();
  if (!column || !row || !out.isProjectedPermutation() || ShapedType::isDynamic(extents[*row]) ||
      ShapedType::isDynamic(extents[*column]))
    return false;
  bool hasLeft = false, hasRight = false;
  for (OpOperand *input : product.getDpsInputOperands()) {
    AffineMap map = product.getMatchingIndexingMap(input);
    std::optional<unsigned> last = getLoopFromEnd(map, 0);
    bool alongSum =
        last && product.getIteratorTypesArray()[*last] == utils::IteratorType::reduction;
    bool isLeft = map.isFunctionOfDim(*row), isRight = map.isFunctionOfDim(*column);
    if (!alongSum || isLeft == isRight)
      return false;
    hasLeft |= isLeft;
    hasRight |= isRight;
  }
  return hasLeft && hasRight && extents[*row] >= minRows && 2 * extents[*row] <= extents[*column];
}

/// The tensor is to be transposed: made of nothing, and read by what can read it so.
bool Transposition::add(OpResult tensor) {
  if (!tensors.insert(tensor))
    return true;
  auto owner = cast<GenericOp>(tensor.getOwner());
  Value init = owner.getDpsInits()[tensor.getResultNumber()];
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getOutputs()[0];
  if (!init.getDefiningOp<tensor::EmptyOp>())
    return false;
  return llvm::all_of(tensor.getUses(), [&](OpOperand &use) { return visit(use); });
}

bool Transposition::visit(OpOperand &use) {
  auto user = dyn_cast<GenericOp>(use.getOwner());
  if (!user || user->getBlock() != product->getBlock() || user.isDpsInit(&use) ||
      !user.hasPureTensorSemantics())
    return false;
  AffineMap map = user.getMatchingIndexingMap(&use);
  std::optional<unsigned> column = getLoopFromEnd(map, 0), row = getLoopFromEnd(map, 1);
  if (!row || !column || !map.isProjectedPermutation())
    return false;
  for (OpOperand &operand : user->getOpOperands()) {
    AffineMap other = user.getMatchingIndexingMap(&operand);
    if (!other.isFunctionOfDim(*row) || !other.isFunctionOfDim(*column))
      continue;
    if (!other.isProjectedPermutation() || getLoopFromEnd(other, 0) != column ||
        getLoopFromEnd(other, 1) != row)
      return false;
    OpResult producer = user.isDpsInit(&operand) ? user.getTiedOpResult(&operand)
                                                 : dyn_cast<OpResult>(operand.get());
    if (!producer || !isa<GenericOp>(producer.getOwner()) ||
        producer.getOwner()->getBlock() != product->getBlock() || !add(producer))
      return false;
  }
  return true;
}

bool Transposition::collect(int64_t minRows) {
  return isWorthIt(minRows) && add(cast<OpResult>(product->getResult(0)));
}

static Value swapEmpty(OpBuilder &b, tensor::EmptyOp empty) {
  SmallVector<OpFoldResult> sizes = empty.getMixedSizes();
  std::swap(sizes.back(), sizes[sizes.size() - 2]);
  return tensor::EmptyOp::create(b, empty.getLoc(), sizes, empty.getType().getElementType());
}

void Transposition::transposeInit(OpBuilder &b, OpOperand &init) {
  if (auto fill = init.get().getDefiningOp<linalg::FillOp>()) {
    Value empty = swapEmpty(b, fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>());
    init.set(linalg::FillOp::create(b, fill.getLoc(), fill.value(), empty).getResult(0));
  } else {
    init.set(swapEmpty(b, init.get().getDefiningOp<tensor::EmptyOp>()));
  }
}

void Transposition::apply() {
  SetVector<Operation *> ops;
  for (Value tensor : tensors) {
    ops.insert(tensor.getDefiningOp());
    for (Operation *user : tensor.getUsers())
      ops.insert(user);
  }
  for (Operation *op : ops) {
    auto generic = cast<GenericOp>(op);
    IRRewriter rewriter(generic);
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    for (OpOperand &operand : op->getOpOperands()) {
      bool isInit = generic.isDpsInit(&operand);
      Value tensor = isInit ? Value(generic.getTiedOpResult(&operand)) : operand.get();
      if (!tensors.contains(tensor))
        continue;
      AffineMap &map = maps[operand.getOperandNumber()];
      map = swapLast(map);
      if (!isInit)
        continue;
      transposeInit(rewriter, operand);
      tensor.setType(operand.get().getType());
    }
    generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    // Loops in the order of memory.
    AffineMap out = maps.back();
    if (generic.getNumParallelLoops() != generic.getNumLoops() || !out.isPermutation() ||
        !tensors.contains(generic->getResult(0)))
      continue;
    SmallVector<unsigned> order;
    for (AffineExpr expr : out.getResults())
      order.push_back(cast<AffineDimExpr>(expr).getPosition());
    [[maybe_unused]] FailureOr<GenericOp> ordered =
        linalg::interchangeGenericOp(rewriter, generic, order);
    assert(succeeded(ordered) && "a permutation of the loops");
  }
}

namespace {
struct TransposeProductsPass : pypto::impl::TransposeProductsBase<TransposeProductsPass> {
  using TransposeProductsBase::TransposeProductsBase;

  LogicalResult initialize(MLIRContext *context) override {
    return pypto::OptionChecker(context, *this).range("min-rows", minRows, 1);
  }

  void runOnModule() override {
    SetVector<GenericOp> ops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr(kRowsAttribute))
        loop.walk([&](GenericOp op) { ops.insert(op); });
    });
    for (GenericOp op : ops) {
      Transposition transposition(op);
      if (transposition.collect(minRows))
        transposition.apply();
    }
  }
};
} // namespace

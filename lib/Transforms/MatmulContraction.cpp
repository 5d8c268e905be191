// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MatmulContraction.h"
#include "Storage.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::matmul;

//===- The product ----------------------------------------------------------===//

/// The block argument that `value` is a chain of casts of; the casts in order.
static BlockArgument getCastArgument(Value value, SmallVectorImpl<Operation *> &casts) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<CastOpInterface>(op) || !OpTrait::hasElementwiseMappableTraits(op))
      return {};
    casts.insert(casts.begin(), op);
    value = op->getOperand(0);
  }
  return dyn_cast<BlockArgument>(value);
}

static bool hasSimpleMap(AffineMap map) {
  return llvm::all_of(map.getResults(),
                      [](AffineExpr expr) { return isa<AffineDimExpr, AffineConstantExpr>(expr); });
}

static bool isSupportedFactor(const Factor &factor) {
  auto type = dyn_cast<MemRefType>(factor.memref.getType());
  bool isTensor = isa<RankedTensorType>(factor.memref.getType());
  return (isTensor || (type && type.isStrided())) && hasSimpleMap(factor.map);
}

static bool isAccumulator(Type type) {
  return type.isF32() || type.isF64() || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64);
}

/// The product in `term`, or in `condition ? product : 0`, which leaves a sum as it is elsewhere.
static Operation *findProduct(Value term, Contraction &product) {
  auto select = term.getDefiningOp<arith::SelectOp>();
  if (select) {
    Value otherwise = select.getFalseValue();
    product.limit = loops::matchCondition(select.getCondition(), product.op.getBlock());
    if (!product.limit || !term.hasOneUse() ||
        !(matchPattern(otherwise, m_AnyZeroFloat()) || matchPattern(otherwise, m_Zero())))
      return nullptr;
    term = select.getTrueValue();
  }
  Operation *multiply = term.getDefiningOp();
  return isa_and_nonnull<arith::MulFOp, arith::MulIOp>(multiply) && term.hasOneUse() ? multiply
                                                                                     : nullptr;
}

/// What computes a condition on loops.
static bool isIndexArithmetic(Operation &op) {
  return isa<linalg::IndexOp, arith::IndexCastOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::CmpIOp, arith::ConstantOp, affine::AffineApplyOp>(op);
}

/// Finds `yield out + cast(a) * cast(b)`.
static bool matchBody(Contraction &product) {
  Block *body = product.op.getBlock();
  Operation *add = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return false;
  BlockArgument out = product.op.getRegionOutputArgs()[0];
  Value scaled = add->getOperand(0) == out ? add->getOperand(1) : add->getOperand(0);
  if (scaled == out || !llvm::is_contained(add->getOperands(), out) || !out.hasOneUse())
    return false;
  Operation *multiply = findProduct(scaled, product);
  if (!multiply)
    return false;
  BlockArgument arguments[2];
  Factor *factors[] = {&product.lhs, &product.rhs};
  for (unsigned i = 0; i != 2; ++i) {
    arguments[i] = getCastArgument(multiply->getOperand(i), factors[i]->casts);
    if (!arguments[i] || arguments[i] == out || arguments[i].getOwner() != body)
      return false;
    OpOperand *operand = product.op.getMatchingOpOperand(arguments[i]);
    factors[i]->memref = operand->get();
    factors[i]->map = product.op.getMatchingIndexingMap(operand);
  }
  // Nothing else may stand there, or work would be lost.
  DenseSet<Operation *> known = {add, multiply, scaled.getDefiningOp(), body->getTerminator()};
  for (Factor *factor : factors)
    known.insert_range(factor->casts);
  bool areDistinct = arguments[0] != arguments[1] || product.lhs.casts.empty();
  return areDistinct && llvm::all_of(*body, [&](Operation &op) {
           return known.contains(&op) || (product.limit && isIndexArithmetic(op));
         });
}

static bool uses(const Factor &factor, unsigned loop) { return factor.map.isFunctionOfDim(loop); }

/// Chooses `m`, `n` and `k`. The loop along the rows of the output becomes `n`.
static bool assignLoops(Contraction &product) {
  SmallVector<int64_t> sizes = product.op.getStaticLoopRanges();
  std::optional<unsigned> n;
  for (AffineExpr expr : llvm::reverse(product.out.map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && sizes[dim.getPosition()] != 1) {
      n = dim.getPosition();
      break;
    }
  }
  if (!n || uses(product.lhs, *n) == uses(product.rhs, *n))
    return false;
  if (uses(product.lhs, *n))
    std::swap(product.lhs, product.rhs);
  product.n = *n;
  SmallVector<utils::IteratorType> iterators = product.op.getIteratorTypesArray();
  for (unsigned loop = iterators.size(); loop-- != 0;) {
    if (loop == *n)
      continue;
    bool inLhs = uses(product.lhs, loop), inRhs = uses(product.rhs, loop);
    bool isReduction = iterators[loop] == utils::IteratorType::reduction;
    if (!isReduction && !uses(product.out, loop))
      return false;
    if (isReduction && uses(product.out, loop))
      return false;
    if (isReduction && !product.k && inLhs && inRhs && sizes[loop] != 1)
      product.k = loop;
    else if (!isReduction && !product.m && inLhs && !inRhs && sizes[loop] != 1)
      product.m = loop;
    else
      (isReduction ? product.outerReduction : product.outerParallel)
          .insert((isReduction ? product.outerReduction : product.outerParallel).begin(), loop);
  }
  return product.k.has_value();
}

/// True if the sums of a row go from the first number to one that follows from the row.
static bool isSupportedLimit(const Contraction &product) {
  if (!product.limit)
    return true;
  return product.outerReduction.empty() && product.limit->getFactor(*product.k) == -1 &&
         llvm::all_of(product.limit->loops, [&](auto term) {
           return term.first == *product.k || (term.first == product.m && term.second == 1);
         });
}

std::optional<Contraction> matmul::matchContraction(linalg::LinalgOp op) {
  if (!(op.hasPureBufferSemantics() || op.hasPureTensorSemantics()) || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return std::nullopt;
  Contraction product;
  product.op = op;
  OpOperand *out = op.getDpsInitOperand(0);
  product.out = {out->get(), op.getMatchingIndexingMap(out), {}};
  if (!matchBody(product) || !isSupportedFactor(product.lhs) || !isSupportedFactor(product.rhs) ||
      !isSupportedFactor(product.out) || !isAccumulator(product.getAccumulator()) ||
      !assignLoops(product) || !isSupportedLimit(product))
    return std::nullopt;
  return product;
}

//===- What surrounds it ----------------------------------------------------===//

/// The allocation of this function that `memref` is a view of.
static memref::AllocOp getAllocation(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref.getDefiningOp<memref::AllocOp>();
}

/// True if both are known to be different storage: different allocations, or one that never gets
/// out of view.
static bool areDistinct(Value a, Value b) {
  memref::AllocOp first = getAllocation(a), second = getAllocation(b);
  if (first && second)
    return first != second;
  auto getRoot = [](Value value) {
    while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
      value = view.getViewSource();
    return value;
  };
  if (!transforms::mayAlias(a, b))
    return true;
  return (first && isa<BlockArgument>(getRoot(b)) &&
          isa<FunctionOpInterface>(cast<BlockArgument>(getRoot(b)).getOwner()->getParentOp())) ||
         (second && isa<BlockArgument>(getRoot(a)) &&
          isa<FunctionOpInterface>(cast<BlockArgument>(getRoot(a)).getOwner()->getParentOp()));
}

/// True if `op` may touch `memref`.
static bool mayTouch(Operation *op, Value memref) {
  if (isMemoryEffectFree(op))
    return false;
  // A new buffer is no other one.
  if (isa<memref::AllocOp>(op))
    return false;
  if (!isa<linalg::LinalgOp, memref::CopyOp, memref::DeallocOp, memref::LoadOp, memref::StoreOp>(
          op))
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<BaseMemRefType>(operand.getType()) && !areDistinct(operand, memref);
  });
}

static Operation *findFill(const Contraction &product) {
  Value out = product.out.memref;
  linalg::LinalgOp multiply = product.op;
  for (Operation *op = multiply->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto fill = dyn_cast<linalg::FillOp>(op); fill && fill.getOutputs()[0] == out) {
      Attribute value;
      bool isZero = matchPattern(fill.getInputs()[0], m_Constant(&value)) &&
                    (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
                     matchPattern(fill.getInputs()[0], m_Zero()));
      return isZero && product.outerReduction.empty() &&
                     product.out.map.getNumResults() == multiply.getNumParallelLoops() &&
                     llvm::all_of(product.out.map.getResults(),
                                  [](AffineExpr e) { return isa<AffineDimExpr>(e); })
                 ? op
                 : nullptr;
    }
    if (mayTouch(op, out))
      return nullptr;
  }
  return nullptr;
}

static bool isVectorizable(Operation &op) {
  return OpTrait::hasElementwiseMappableTraits(&op) || isa<arith::ConstantOp, linalg::IndexOp>(op);
}

/// True if `generic` maps the loops of the output of `product`, in their order, and computes on
/// whole vectors.
static bool isElementwiseOn(const Contraction &product, linalg::GenericOp generic,
                            unsigned &position) {
  MLIRContext *context = generic.getContext();
  unsigned rank = product.out.map.getNumResults();
  if (generic.getNumLoops() != rank || generic.getNumParallelLoops() != rank ||
      generic.getNumDpsInits() != 1 || !generic.hasPureBufferSemantics() ||
      !llvm::all_of(generic.getBody()->without_terminator(), isVectorizable))
    return false;
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, context);
  bool isFound = false;
  for (OpOperand &operand : generic->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    AffineMap map = generic.getMatchingIndexingMap(&operand);
    if (!type || !type.isStrided() || !hasSimpleMap(map))
      return false;
    if (operand.get() == product.out.memref && generic.isDpsInput(&operand)) {
      position = operand.getOperandNumber();
      isFound = map == identity;
      if (!isFound)
        return false;
    }
  }
  return isFound && generic.getMatchingIndexingMap(generic.getDpsInitOperand(0)) == identity;
}

/// The strides of `memref` are so that vectors can be read along its last dimension.
static bool hasRows(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  return !strides.empty() && strides.back() == 1;
}

static linalg::GenericOp findEpilogue(const Contraction &product, unsigned &position) {
  Value out = product.out.memref;
  // All operands of the product have to stay as they are until then.
  Value operands[] = {product.lhs.memref, product.rhs.memref, out};
  for (Operation *op = product.op->getNextNode(); op; op = op->getNextNode()) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (generic && isElementwiseOn(product, generic, position)) {
      Value result = generic.getOutputs()[0];
      if (!hasRows(result) || (result != out && !areDistinct(result, out)))
        return {};
      for (Value operand : {product.lhs.memref, product.rhs.memref})
        if (!areDistinct(result, operand))
          return {};
      for (OpOperand *input : generic.getDpsInputOperands()) {
        AffineMap map = generic.getMatchingIndexingMap(input);
        bool alongRows = map.isFunctionOfDim(map.getNumDims() - 1);
        if (input->get() != out && !areDistinct(result, input->get()))
          return {};
        if (alongRows &&
            (!hasRows(input->get()) ||
             map.getResults().back() != getAffineDimExpr(map.getNumDims() - 1, op->getContext())))
          return {};
      }
      return generic;
    }
    for (Value operand : operands)
      if (mayTouch(op, operand))
        return {};
  }
  return {};
}

Surroundings matmul::matchSurroundings(const Contraction &product) {
  Surroundings around;
  around.fill = findFill(product);
  AffineMap map = product.out.map;
  linalg::LinalgOp op = product.op;
  bool isWhole = product.outerReduction.empty() &&
                 map.getNumResults() == op.getNumParallelLoops() && map.getNumResults() != 0 &&
                 map.getResults().back() == getAffineDimExpr(product.n, map.getContext()) &&
                 llvm::all_of(map.getResults(), [](AffineExpr e) { return isa<AffineDimExpr>(e); });
  if (!isWhole || !hasRows(product.out.memref))
    return around;
  around.epilogue = findEpilogue(product, around.epilogueOperand);
  auto allocation = product.out.memref.getDefiningOp<memref::AllocOp>();
  around.isPrivate = around.epilogue && around.fill && allocation &&
                     llvm::all_of(allocation->getUsers(), [&](Operation *user) {
                       return user == around.fill || user == product.op ||
                              user == around.epilogue || isa<memref::DeallocOp>(user);
                     });
  return around;
}

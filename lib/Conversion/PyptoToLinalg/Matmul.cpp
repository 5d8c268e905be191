// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products.
#include "Elementwise.h"

#include "pypto/Dialect/Orchestration/IR/Windows.h"
#include "pypto/Transforms/Schedule.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

namespace {
/// A product of two operands, and what is added to it.
struct Product {
  Operand lhs, rhs;
  bool transposeLhs = false, transposeRhs = false;
  /// What the sum is made in.
  Type accumulator;
  /// Of the batches.
  BroadcastShape batch;
  /// Sizes of the valid part.
  OpFoldResult m, n, k;
  /// Physical extents.
  OpFoldResult fullM, fullN;
  /// What asks for it.
  Operation *op = nullptr;

  unsigned getBatchRank() const { return batch.valid.size(); }
  SmallVector<OpFoldResult> getValid() const {
    SmallVector<OpFoldResult> sizes(batch.valid);
    sizes.append({m, n});
    return sizes;
  }
  SmallVector<OpFoldResult> getPhysical() const {
    SmallVector<OpFoldResult> sizes(batch.physical);
    sizes.append({fullM, fullN});
    return sizes;
  }
};
} // namespace

static Operand getBatch(const Operand &operand) {
  Operand batch = operand;
  batch.value = {};
  for (unsigned i = 0; i != 2; ++i) {
    batch.extents.pop_back();
    batch.physical.pop_back();
    batch.valid.pop_back();
  }
  return batch;
}

/// Batch extents that may turn out to be one would need a loop of their own.
static LogicalResult checkBatches(Operation *op, const Operand &lhs, const Operand &rhs) {
  for (auto [left, right] : llvm::zip(llvm::reverse(lhs.extents), llvm::reverse(rhs.extents)))
    if ((!left.isConstant() || !right.isConstant()) && (left != right || left.isDynamic()))
      return emitUnsupported(op, "batch extents that are constant, or the same name on both sides");
  return success();
}

static Type getAccumulator(const Operand &lhs, const Operand &rhs, Type result) {
  if (!isa<FloatType>(result))
    return result;
  MLIRContext *context = result.getContext();
  bool isDouble = isa<Float64Type>(lhs.element) || isa<Float64Type>(rhs.element);
  return isDouble ? Type(Float64Type::get(context)) : Type(Float32Type::get(context));
}

static FailureOr<Product> getProduct(Lowering &l, Operation *op, Value lhs, Value rhs,
                                     bool transposeLhs, bool transposeRhs, Type result) {
  Product product{getOperand(l, lhs),
                  getOperand(l, rhs),
                  transposeLhs,
                  transposeRhs,
                  {},
                  {},
                  {},
                  {},
                  {},
                  {},
                  {}};
  Operand batches[] = {getBatch(product.lhs), getBatch(product.rhs)};
  if (failed(checkBatches(op, batches[0], batches[1])))
    return failure();
  product.accumulator = getAccumulator(product.lhs, product.rhs, result);
  product.batch = broadcast(l, batches);
  unsigned left = product.lhs.getRank(), right = product.rhs.getRank();
  unsigned m = left - (transposeLhs ? 1 : 2), leftK = left - (transposeLhs ? 2 : 1);
  unsigned n = right - (transposeRhs ? 2 : 1), rightK = right - (transposeRhs ? 1 : 2);
  product.m = product.lhs.valid[m];
  product.n = product.rhs.valid[n];
  product.k = minimum(l, product.lhs.valid[leftK], product.rhs.valid[rightK]);
  product.fullM = product.lhs.physical[m];
  product.fullN = product.rhs.physical[n];
  product.op = op;
  return product;
}

/// `operand` cut to the loop's sizes; its map from (batch…, m, k, n).
static std::pair<Value, AffineMap> alignOperand(Lowering &l, const Product &product, bool isLhs) {
  const Operand &operand = isLhs ? product.lhs : product.rhs;
  unsigned batchRank = product.getBatchRank(), own = operand.getRank() - 2;
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> exprs;
  for (unsigned dim = 0; dim != own; ++dim) {
    unsigned loop = batchRank - own + dim;
    bool isOne = operand.extents[dim].isConstant() && operand.extents[dim].getConstant() == 1;
    sizes.push_back(isOne ? operand.valid[dim] : product.batch.valid[loop]);
    exprs.push_back(isOne ? l.b.getAffineConstantExpr(0) : l.b.getAffineDimExpr(loop));
  }
  AffineExpr m = l.b.getAffineDimExpr(batchRank), k = l.b.getAffineDimExpr(batchRank + 1),
             n = l.b.getAffineDimExpr(batchRank + 2);
  auto append = [&](bool swap, AffineExpr first, AffineExpr second, OpFoldResult firstSize,
                    OpFoldResult secondSize) {
    exprs.push_back(swap ? second : first);
    exprs.push_back(swap ? first : second);
    sizes.push_back(swap ? secondSize : firstSize);
    sizes.push_back(swap ? firstSize : secondSize);
  };
  if (isLhs)
    append(product.transposeLhs, m, k, product.m, product.k);
  else
    append(product.transposeRhs, k, n, product.k, product.n);
  return {emitNarrowed(l, operand.value, sizes),
          AffineMap::get(batchRank + 3, 0, exprs, l.b.getContext())};
}

/// `init`, of accumulator elements and the product's valid sizes, plus the product. The columns are
/// the inner loop, so that it runs along rows in memory.
static Value emitProduct(Lowering &l, const Product &product, Value init) {
  unsigned batchRank = product.getBatchRank();
  auto [lhs, lhsMap] = alignOperand(l, product, /*isLhs=*/true);
  auto [rhs, rhsMap] = alignOperand(l, product, /*isLhs=*/false);
  SmallVector<AffineExpr> exprs;
  for (unsigned dim = 0; dim != batchRank + 1; ++dim)
    exprs.push_back(l.b.getAffineDimExpr(dim));
  exprs.push_back(l.b.getAffineDimExpr(batchRank + 2));
  AffineMap initMap = AffineMap::get(batchRank + 3, 0, exprs, l.b.getContext());
  SmallVector<utils::IteratorType> iterators(batchRank + 3, utils::IteratorType::parallel);
  iterators[batchRank + 1] = utils::IteratorType::reduction;
  Type sum = product.accumulator;
  auto addProduct = [&](ValueRange v) {
    Value a = emitCast(l.b, loadElement(l.b, v[0], product.lhs.element), product.lhs.element, sum);
    Value b = emitCast(l.b, loadElement(l.b, v[1], product.rhs.element), product.rhs.element, sum);
    Value scaled = emitBinary(l.b, BinaryKind::Mul, sum, a, b);
    return storeElement(
        l.b, emitBinary(l.b, BinaryKind::Add, sum, loadElement(l.b, v[2], sum), scaled), sum);
  };
  Value result = emitGeneric(l, {lhs, rhs}, init, {lhsMap, rhsMap, initMap}, iterators, addProduct);
  if (auto generic = result.getDefiningOp<linalg::GenericOp>())
    copySchedule(product.op, generic);
  return result;
}

static LogicalResult lowerProduct(Lowering &l, Operation *op, const Product &product, Value init) {
  Type element = cast<ExtentTypeInterface>(op->getResult(0).getType()).getElementType();
  Value value = convertElements(l, emitProduct(l, product, init), product.accumulator, element);
  mapComputed(l, op->getResult(0), value, product.getPhysical());
  return success();
}

static Value emitZeros(Lowering &l, const Product &product) {
  return emitFilled(l, product.getValid(), product.accumulator,
                    emitConstant(l.b, product.accumulator, 0.0));
}

static LogicalResult lowerMatmul(Lowering &l, pl::MatmulOp op) {
  FailureOr<Product> product =
      getProduct(l, op, op.getLhs(), op.getRhs(), op.getATrans(), op.getBTrans(),
                 op.getResult().getType().getElementType());
  return failed(product) ? failure() : lowerProduct(l, op, *product, emitZeros(l, *product));
}

static LogicalResult lowerTileMatmul(Lowering &l, tile::MatmulOp op) {
  FailureOr<Product> product = getProduct(l, op, op.getLhs(), op.getRhs(), false, false,
                                          op.getResult().getType().getElementType());
  return failed(product) ? failure() : lowerProduct(l, op, *product, emitZeros(l, *product));
}

static LogicalResult lowerTileMatmulBias(Lowering &l, tile::MatmulBiasOp op) {
  Type element = op.getResult().getType().getElementType();
  FailureOr<Product> product = getProduct(l, op, op.getLhs(), op.getRhs(), false, false, element);
  if (failed(product))
    return failure();
  // The row, and the shape that it is repeated to.
  Operand bias = getOperand(l, op.getBias());
  product->n = minimum(l, product->n, bias.valid.back());
  bias.value = emitNarrowed(l, bias.value, {l.b.getIndexAttr(1), product->n});
  bias.valid.back() = product->n;
  Operand shape = makeOperand(l, emitZeros(l, *product), product->accumulator);
  Operand operands[] = {shape, bias};
  operands[0].value = {};
  BroadcastShape repeated{product->getValid(), product->getValid()};
  // Of equal extents but for the rows.
  for (unsigned fromRight = 0; fromRight != bias.getRank(); ++fromRight)
    if (fromRight != 1)
      operands[1].extents.rbegin()[fromRight] = operands[0].extents.rbegin()[fromRight] =
          ExtentAttr::getSymbol(l.b.getStringAttr("n"));
  Value init = emitMap(l, operands, repeated, product->accumulator, [&](ValueRange values) {
    return emitCast(l.b, values[0], bias.element, product->accumulator);
  });
  return lowerProduct(l, op, *product, init);
}

/// The accumulator, or zero where `init` says so, and its part that the product is added to.
static Value getAccumulated(Lowering &l, Product &product, const Operand &acc, Value init) {
  product.m = minimum(l, product.m, acc.valid.end()[-2]);
  product.n = minimum(l, product.n, acc.valid.back());
  Value part = emitNarrowed(l, acc.value, product.getValid());
  Operand operand = makeOperand(l, part, acc.element);
  if (!init)
    return convertElements(l, part, acc.element, product.accumulator);
  return emitMap(l, operand, broadcast(l, operand), product.accumulator, [&](ValueRange values) {
    Value old = emitCast(l.b, values[0], acc.element, product.accumulator);
    return arith::SelectOp::create(l.b, init, emitConstant(l.b, product.accumulator, 0.0), old);
  });
}

static LogicalResult lowerMatmulAcc(Lowering &l, pl::MatmulAccOp op) {
  Type element = op.getAcc().getType().getElementType();
  FailureOr<Product> product =
      getProduct(l, op, op.getLhs(), op.getRhs(), op.getATrans(), op.getBTrans(), element);
  if (failed(product))
    return failure();
  Operand acc = getOperand(l, op.getAcc());
  Value init = op.getInit() ? l.lookupOne(op.getInit()) : Value();
  Value sum = emitProduct(l, *product, getAccumulated(l, *product, acc, init));
  Handle handle = l.getHandle(op.getAcc());
  SmallVector<OpFoldResult> offsets(acc.getRank(), l.b.getIndexAttr(0));
  l.writeWindow(convertElements(l, sum, product->accumulator, element), handle.memref, offsets);
  l.map(op.getResult(), handle);
  return success();
}

static LogicalResult lowerTileMatmulAcc(Lowering &l, tile::MatmulAccOp op) {
  tile::TileType type = op.getResult().getType();
  FailureOr<Product> product =
      getProduct(l, op, op.getLhs(), op.getRhs(), false, false, type.getElementType());
  if (failed(product))
    return failure();
  Operand acc = getOperand(l, op.getAcc());
  Value init = op.getInit() ? l.lookupOne(op.getInit()) : Value();
  Value sum = emitProduct(l, *product, getAccumulated(l, *product, acc, init));
  sum = convertElements(l, sum, product->accumulator, type.getElementType());
  SmallVector<OpFoldResult> sizes = product->getValid();
  if (sizes != acc.valid) {
    // Where the product is not valid the accumulator stays, or is the zero that it counts as.
    Value base = acc.value;
    if (init) {
      Operand operand = makeOperand(l, base, acc.element);
      base = emitMap(l, operand, broadcast(l, operand), acc.element, [&](ValueRange values) {
        return arith::SelectOp::create(l.b, init, emitConstant(l.b, acc.element, 0.0), values[0]);
      });
    }
    SmallVector<OpFoldResult> zeros(sizes.size(), l.b.getIndexAttr(0));
    sum = orchestration::createInsertSlice(l.b, l.b.getLoc(), sum, base, zeros, sizes);
    l.noteSizes(sum, acc.valid);
  }
  mapComputed(l, op.getResult(), sum, {});
  return success();
}

void lowering::addMatmulLowerings(LoweringTable &table) {
  table.add<pl::MatmulOp>(lowerMatmul);
  table.add<pl::MatmulAccOp>(lowerMatmulAcc);
  table.add<tile::MatmulOp>(lowerTileMatmul);
  table.add<tile::MatmulBiasOp>(lowerTileMatmulBias);
  table.add<tile::MatmulAccOp>(lowerTileMatmulAcc);
}

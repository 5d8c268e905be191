// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/KernelCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

//===- Counts ----------------------------------------------------------------------===//

Count &Count::operator+=(const Count &other) {
  isKnown &= other.isKnown;
  terms.append(other.terms);
  return *this;
}

std::optional<int64_t> Count::evaluate(llvm::function_ref<int64_t(unsigned)> getParameter) const {
  if (!isKnown)
    return std::nullopt;
  int64_t sum = 0;
  for (const Term &term : terms) {
    int64_t product = term.coefficient;
    for (unsigned factor : term.factors)
      product *= getParameter(factor);
    sum += product;
  }
  return sum;
}

namespace {
/// A product, or nothing where a factor is not known.
using Product = std::optional<Count::Term>;

/// Looks at one kernel.
class CostEstimator {
public:
  explicit CostEstimator(func::FuncOp kernel) : kernel(kernel) {}
  KernelCost run();

private:
  Product getExtent(Value shaped, unsigned dim);
  Product getExtent(OpFoldResult size);
  Product getElements(Value shaped);
  Product getIterations(linalg::LinalgOp op, llvm::function_ref<bool(unsigned)> isCounted);
  void countOp(Operation *op);
  void countReads(Value shaped, unsigned parameter);
  void countRead(Operation *user, OpOperand &use, unsigned parameter);

  func::FuncOp kernel;
  KernelCost cost;
};
} // namespace

static void multiply(Product &product, const Product &factor) {
  if (!product || !factor) {
    product.reset();
    return;
  }
  product->coefficient *= factor->coefficient;
  product->factors.append(factor->factors);
}

static Count toCount(Product product, int64_t factor) {
  if (!product)
    return Count::unknown();
  product->coefficient *= factor;
  return Count(*product);
}

static int64_t getElementBytes(Value shaped) {
  Type element = getElementTypeOrSelf(shaped.getType());
  return element.isIndex() ? 8 : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8U);
}

//===- Extents -----------------------------------------------------------------------===//

Product CostEstimator::getExtent(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return Count::Term{*constant, {}};
  Value value = cast<Value>(size);
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == &kernel.getBody().front())
    return Count::Term{1, {argument.getArgNumber()}};
  if (auto dim = value.getDefiningOp<tensor::DimOp>())
    if (std::optional<int64_t> index = dim.getConstantIndex())
      return getExtent(dim.getSource(), *index);
  return std::nullopt;
}

Product CostEstimator::getExtent(Value shaped, unsigned dim) {
  auto type = cast<ShapedType>(shaped.getType());
  if (!type.isDynamicDim(dim))
    return Count::Term{type.getDimSize(dim), {}};
  Operation *op = shaped.getDefiningOp();
  if (!op)
    return std::nullopt;
  return TypeSwitch<Operation *, Product>(op)
      .Case<bufferization::ToTensorOp>([&](auto op) { return getExtent(op.getBuffer(), dim); })
      .Case<memref::ReinterpretCastOp, tensor::EmptyOp>(
          [&](auto op) { return getExtent(op.getMixedSizes()[dim]); })
      .Case<tensor::ExpandShapeOp>(
          [&](auto op) { return getExtent(op.getMixedOutputShape()[dim]); })
      .Case<tensor::ExtractSliceOp>([&](auto op) -> Product {
        return op.getDroppedDims().any() ? std::nullopt : getExtent(op.getMixedSizes()[dim]);
      })
      .Case<tensor::CollapseShapeOp>([&](auto op) {
        Product product = Count::Term{};
        for (int64_t source : op.getReassociationIndices()[dim])
          multiply(product, getExtent(op.getSrc(), source));
        return product;
      })
      .Default([&](Operation *op) -> Product {
        auto destination = dyn_cast<DestinationStyleOpInterface>(op);
        auto result = cast<OpResult>(shaped);
        return destination ? getExtent(destination.getTiedOpOperand(result)->get(), dim)
                           : std::nullopt;
      });
}

Product CostEstimator::getElements(Value shaped) {
  Product product = Count::Term{};
  for (int64_t dim = 0, e = cast<ShapedType>(shaped.getType()).getRank(); dim != e; ++dim)
    multiply(product, getExtent(shaped, dim));
  return product;
}

/// The product of the loops for which `isCounted` says so.
Product CostEstimator::getIterations(linalg::LinalgOp op,
                                     llvm::function_ref<bool(unsigned)> isCounted) {
  Product product = Count::Term{};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (unsigned loop = 0, e = op.getNumLoops(); loop != e; ++loop) {
    if (!isCounted(loop))
      continue;
    Product extent;
    for (auto [operand, map] : llvm::zip_equal(op->getOperands(), maps))
      for (auto [position, expr] : llvm::enumerate(map.getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && dim.getPosition() == loop && !extent)
          extent = getExtent(operand, position);
    multiply(product, extent);
  }
  return product;
}

//===- Work --------------------------------------------------------------------------===//

static int64_t countFlops(Operation *op) {
  if (op->getNumResults() != 1 || !isa<FloatType>(getElementTypeOrSelf(op->getResult(0))) ||
      op->hasTrait<OpTrait::ConstantLike>() || isa<CastOpInterface>(op) || isa<arith::SelectOp>(op))
    return 0;
  if (isa<math::FmaOp>(op))
    return 2;
  return isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect());
}

/// Of one iteration.
static int64_t countFlops(Region &body) {
  int64_t flops = 0;
  body.walk([&](Operation *op) { flops += countFlops(op); });
  return flops;
}

void CostEstimator::countOp(Operation *op) {
  if (auto nest = dyn_cast<linalg::LinalgOp>(op)) {
    if (int64_t flops = countFlops(op->getRegion(0)))
      cost.flops += toCount(getIterations(nest, [](unsigned) { return true; }), flops);
    return;
  }
  if (op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()))
    if (int64_t flops = countFlops(op))
      cost.flops += toCount(getElements(op->getResult(0)), flops);
}

//===- Traffic -----------------------------------------------------------------------===//

/// A use of the buffer of `parameter`, or of a view of it.
void CostEstimator::countRead(Operation *user, OpOperand &use, unsigned parameter) {
  KernelCost::Traffic &traffic = cost.traffic[parameter];
  int64_t bytes = getElementBytes(use.get());
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp, memref::ReinterpretCastOp,
          bufferization::ToTensorOp>(user))
    return countReads(user->getResult(0), parameter);
  if (isa<tensor::DimOp, memref::DimOp>(user))
    return;
  if (auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(user)) {
    if (use.get() == store.getDest())
      traffic.written += toCount(getElements(use.get()), bytes);
    else
      traffic.read += toCount(getElements(use.get()), bytes);
    return;
  }
  if (auto nest = dyn_cast<linalg::LinalgOp>(user)) {
    AffineMap map = nest.getMatchingIndexingMap(&use);
    traffic.read += toCount(
        getIterations(nest, [&](unsigned loop) { return map.isFunctionOfDim(loop); }), bytes);
    return;
  }
  // In the body of a nest: once in each iteration.
  if (isa<tensor::ExtractOp>(user))
    if (auto nest = user->getParentOfType<linalg::LinalgOp>()) {
      traffic.read += toCount(getIterations(nest, [](unsigned) { return true; }), bytes);
      return;
    }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
    traffic.read += toCount(getElements(slice.getResult()), bytes);
    return;
  }
  traffic.read += toCount(getElements(use.get()), bytes);
}

void CostEstimator::countReads(Value shaped, unsigned parameter) {
  for (OpOperand &use : shaped.getUses())
    countRead(use.getOwner(), use, parameter);
}

KernelCost CostEstimator::run() {
  cost.traffic.resize(kernel.getNumArguments());
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    countOp(op);
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  for (BlockArgument argument : kernel.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    unsigned number = argument.getArgNumber();
    countReads(argument, number);
    // The size is that of the cast to it where the type of the parameter does not have it.
    Value sized = argument;
    for (Operation *user : argument.getUsers())
      if (isa<memref::ReinterpretCastOp>(user))
        sized = user->getResult(0);
    cost.traffic[number].size = toCount(getElements(sized), getElementBytes(argument));
  }
  return std::move(cost);
}

KernelCost pypto::execution::estimateCost(func::FuncOp kernel) {
  return CostEstimator(kernel).run();
}

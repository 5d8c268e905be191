// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Loops/Conditions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace pypto::loops;
using Predicate = arith::CmpIPredicate;

//===- Sums ---------------------------------------------------------------------===//

/// Loops are within buffers, so that sums of a few of them times such factors do not overflow.
static constexpr int64_t kMaxFactor = int64_t(1) << 12, kMaxConstant = int64_t(1) << 48;

template <typename Key>
static bool addTo(SmallVectorImpl<std::pair<Key, int64_t>> &terms, Key key, int64_t factor) {
  auto *found = llvm::find_if(terms, [&](auto &term) { return term.first == key; });
  if (found == terms.end())
    found = &terms.emplace_back(key, 0);
  found->second += factor;
  bool fits = std::abs(found->second) <= kMaxFactor;
  if (found->second == 0)
    terms.erase(found);
  return fits;
}

int64_t IndexSum::getFactor(unsigned loop) const {
  const auto *found = llvm::find_if(loops, [&](auto &term) { return term.first == loop; });
  return found == loops.end() ? 0 : found->second;
}

bool IndexSum::add(unsigned loop, int64_t factor) { return addTo(loops, loop, factor); }

bool IndexSum::add(Value variable, int64_t factor) { return addTo(outer, variable, factor); }

bool IndexSum::add(int64_t value) {
  return !llvm::AddOverflow(constant, value, constant) && std::abs(constant) <= kMaxConstant;
}

std::optional<IndexSum>
IndexSum::replaceLoops(llvm::function_ref<std::optional<unsigned>(unsigned)> get) const {
  IndexSum result;
  result.outer = outer;
  result.constant = constant;
  for (auto [loop, factor] : loops) {
    std::optional<unsigned> other = get(loop);
    if (!other || !result.add(*other, factor))
      return std::nullopt;
  }
  return result;
}

OpFoldResult IndexSum::emitOuter(ImplicitLocOpBuilder &b) const {
  AffineExpr expr = b.getAffineConstantExpr(constant);
  SmallVector<OpFoldResult> operands;
  for (auto [index, term] : llvm::enumerate(outer)) {
    expr = expr + b.getAffineDimExpr(index) * term.second;
    operands.push_back(term.first);
  }
  return affine::makeComposedFoldedAffineApply(b, b.getLoc(),
                                               AffineMap::get(operands.size(), 0, expr), operands);
}

//===- Matching -------------------------------------------------------------------===//

static bool isLoopVariable(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp())
                       : LoopLikeOpInterface();
  std::optional<SmallVector<Value>> variables = loop ? loop.getLoopInductionVars() : std::nullopt;
  return variables && llvm::is_contained(*variables, value);
}

static bool addTerms(IndexSum &sum, Value value, int64_t factor, Block *body);

static bool addExpr(IndexSum &sum, AffineExpr expr, affine::AffineApplyOp apply, int64_t factor,
                    Block *body) {
  unsigned numDims = apply.getAffineMap().getNumDims();
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    int64_t scaled;
    return !llvm::MulOverflow(constant.getValue(), factor, scaled) && sum.add(scaled);
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return addTerms(sum, apply.getMapOperands()[dim.getPosition()], factor, body);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return addTerms(sum, apply.getMapOperands()[numDims + symbol.getPosition()], factor, body);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    return addExpr(sum, binary.getLHS(), apply, factor, body) &&
           addExpr(sum, binary.getRHS(), apply, factor, body);
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && scale &&
         std::abs(scale.getValue()) <= kMaxFactor &&
         addExpr(sum, binary.getLHS(), apply, factor * scale.getValue(), body);
}

/// Adds `value` times `factor`.
static bool addTerms(IndexSum &sum, Value value, int64_t factor, Block *body) {
  if (std::abs(factor) > kMaxFactor)
    return false;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    int64_t scaled;
    return constant.getSignificantBits() <= 64 &&
           !llvm::MulOverflow(constant.getSExtValue(), factor, scaled) && sum.add(scaled);
  }
  if (isLoopVariable(value))
    return sum.add(value, factor);
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return op->getBlock() == body && sum.add(static_cast<unsigned>(index.getDim()), factor);
  if (auto cast = dyn_cast<arith::IndexCastOp>(op)) {
    auto isWide = [](Type type) { return type.isIndex() || type.isInteger(64); };
    return isWide(cast.getType()) && isWide(cast.getIn().getType()) &&
           addTerms(sum, cast.getIn(), factor, body);
  }
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return addTerms(sum, op->getOperand(0), factor, body) &&
           addTerms(sum, op->getOperand(1), isa<arith::SubIOp>(op) ? -factor : factor, body);
  if (isa<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    return constant.abs().ule(kMaxFactor) &&
           addTerms(sum, op->getOperand(0), factor * constant.getSExtValue(), body);
  auto apply = dyn_cast<affine::AffineApplyOp>(op);
  return apply && addExpr(sum, apply.getAffineMap().getResult(0), apply, factor, body);
}

std::optional<IndexSum> pypto::loops::matchCondition(Value condition, Block *body) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare ||
      !(compare.getLhs().getType().isIndex() || compare.getLhs().getType().isInteger(64)))
    return std::nullopt;
  Value small = compare.getLhs(), large = compare.getRhs();
  Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::sgt || predicate == Predicate::sge)
    std::swap(small, large);
  else if (predicate != Predicate::slt && predicate != Predicate::sle)
    return std::nullopt;
  bool isStrict = predicate == Predicate::slt || predicate == Predicate::sgt;
  IndexSum sum;
  if (!addTerms(sum, large, 1, body) || !addTerms(sum, small, -1, body) ||
      !sum.add(isStrict ? int64_t(-1) : int64_t(0)))
    return std::nullopt;
  return sum;
}

//===- Forms on vectors -------------------------------------------------------------===//

void pypto::loops::expandIndices(linalg::LinalgOp op) {
  for (Operation &nested : llvm::make_early_inc_range(*op.getBlock())) {
    auto apply = dyn_cast<affine::AffineApplyOp>(nested);
    if (!apply)
      continue;
    OpBuilder b(apply);
    std::optional<SmallVector<Value, 8>> values = affine::expandAffineMap(
        b, apply.getLoc(), apply.getAffineMap(), llvm::to_vector(apply.getOperands()));
    if (!values)
      continue;
    apply.replaceAllUsesWith(values->front());
    apply.erase();
  }
}

/// Extents of which all indices, and sums of two of them, fit into 32 bits.
static constexpr int64_t kMaxIndex = int64_t(1) << 29;

Value pypto::loops::emitConditionMask(ImplicitLocOpBuilder &b, const IndexSum &sum, unsigned loop,
                                      ArrayRef<OpFoldResult> indices, int64_t extent,
                                      int64_t lanes) {
  int64_t slope = sum.getFactor(loop);
  if (std::abs(slope) != 1 || ShapedType::isDynamic(extent) || extent > kMaxIndex)
    return {};
  // What is the same for all iterations; beyond the extent it does not matter how much it is.
  AffineExpr expr = b.getAffineDimExpr(0);
  SmallVector<OpFoldResult> operands = {sum.emitOuter(b)};
  for (auto [other, factor] : sum.loops) {
    if (other == loop)
      continue;
    expr = expr + b.getAffineDimExpr(operands.size()) * factor;
    operands.push_back(indices[other]);
  }
  Value rest = getValueOrCreateConstantIndexOp(
      b, b.getLoc(),
      affine::makeComposedFoldedAffineApply(b, b.getLoc(), AffineMap::get(operands.size(), 0, expr),
                                            operands));
  rest = b.createOrFold<arith::MaxSIOp>(rest, arith::ConstantIndexOp::create(b, -kMaxIndex - 1));
  rest = b.createOrFold<arith::MinSIOp>(rest, arith::ConstantIndexOp::create(b, kMaxIndex + 1));
  auto type = VectorType::get(lanes, b.getI32Type());
  auto splat = [&](Value index) -> Value {
    return vector::BroadcastOp::create(
        b, type, arith::IndexCastOp::create(b, b.getI32Type(), index).getResult());
  };
  SmallVector<int32_t> numbers;
  for (int64_t lane = 0; lane != lanes; ++lane)
    numbers.push_back(static_cast<int32_t>(lane));
  Value lane = arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef(numbers)));
  Value first = getValueOrCreateConstantIndexOp(b, b.getLoc(), indices[loop]);
  Value index = arith::AddIOp::create(b, splat(first), lane);
  if (slope < 0)
    return arith::CmpIOp::create(b, Predicate::sle, index, splat(rest));
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  Value least = arith::SubIOp::create(b, zero, splat(rest));
  return arith::CmpIOp::create(b, Predicate::sge, index, least);
}

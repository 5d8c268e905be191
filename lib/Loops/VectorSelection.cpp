// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "VectorSelection.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pypto::loops;

/// Vectors of a block, and accumulators of its extreme.
static constexpr int64_t kBlockVectors = 16, kAccumulators = 4;
/// Most operations of a body that is there for each vector of a block.
static constexpr unsigned kMaxOps = 16;

//===- Recognition --------------------------------------------------------------===//

/// The operation that gives the extreme of two elements; none if `combiner` chooses in another way.
static std::optional<arith::AtomicRMWKind> getExtremeKind(const Combiner &combiner) {
  using Kind = arith::AtomicRMWKind;
  if (auto compare = combiner.isBetter.getDefiningOp<arith::CmpIOp>()) {
    if (compare.getLhs() != combiner.element || compare.getRhs() != combiner.best)
      return std::nullopt;
    switch (compare.getPredicate()) {
    case arith::CmpIPredicate::sgt:
      return Kind::maxs;
    case arith::CmpIPredicate::slt:
      return Kind::mins;
    case arith::CmpIPredicate::ugt:
      return Kind::maxu;
    case arith::CmpIPredicate::ult:
      return Kind::minu;
    default:
      return std::nullopt;
    }
  }
  // Better, or the first that is no number.
  auto both = combiner.isBetter.getDefiningOp<arith::AndIOp>();
  auto compare = both ? both.getLhs().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  auto isNumber = both ? both.getRhs().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  if (!compare || !isNumber || compare.getLhs() != combiner.element ||
      compare.getRhs() != combiner.best || isNumber.getPredicate() != arith::CmpFPredicate::ORD ||
      isNumber.getLhs() != combiner.best || isNumber.getRhs() != combiner.best)
    return std::nullopt;
  if (compare.getPredicate() == arith::CmpFPredicate::UGT)
    return Kind::maximumf;
  if (compare.getPredicate() == arith::CmpFPredicate::ULT)
    return Kind::minimumf;
  return std::nullopt;
}

/// True if `value` follows from indices and what is outside of the body.
static bool isOfIndices(Value value, Block *block) {
  Operation *op = value.getDefiningOp();
  if (value.getParentBlock() != block)
    return true;
  return op && (isa<linalg::IndexOp>(op) || (isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
                                             llvm::all_of(op->getOperands(), [&](Value operand) {
                                               return isOfIndices(operand, block);
                                             })));
}

bool pypto::loops::isExtremeSelection(const VectorBody &body) {
  ArrayRef<Combiner> combiners = body.getCombiners();
  return combiners.size() == 1 && combiners[0].isSelection() && body.getNumOps() <= kMaxOps &&
         getExtremeKind(combiners[0]) &&
         isOfIndices(combiners[0].number, combiners[0].best.getOwner());
}

//===- Emission -------------------------------------------------------------------===//

namespace {
class SelectionEmitter {
public:
  SelectionEmitter(ImplicitLocOpBuilder &b, const VectorBody &body, ArrayRef<Value> indices,
                   ArrayRef<Value> ahead, OpFoldResult size)
      : b(b), body(body), combiner(body.getCombiners()[0]), kind(*getExtremeKind(combiner)),
        indices(indices), ahead(ahead), extent(size),
        size(getValueOrCreateConstantIndexOp(b, b.getLoc(), size)),
        uniform(body.emitUniform(b, indices)), type(body.getVector(combiner.element.getType())),
        lanes(type.getNumElements()), numbers(body.getVector(b.getI32Type())) {}

  SmallVector<Value> emit(ValueRange known);

private:
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value splat(int32_t value) {
    return arith::ConstantOp::create(b, DenseElementsAttr::get(numbers, value));
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value getElements(Value index, Value mask);
  Value getMask(Value index, Value end) {
    return vector::CreateMaskOp::create(b, body.getVector(b.getI1Type()),
                                        Value(arith::SubIOp::create(b, end, index)));
  }
  Value getNeutral() {
    TypedAttr value = arith::getIdentityValueAttr(kind, combiner.element.getType(), b, b.getLoc());
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, Attribute(value)));
  }
  Value choose(Value x, Value y) { return arith::getReductionOp(kind, b, b.getLoc(), x, y); }
  Value emitWholeBlock(Value begin);
  Value emitRest(Value begin);
  SmallVector<Value> compare(Value extremes, Value number, ValueRange best);
  std::pair<Value, Value> combineLanes(ValueRange best);
  Value find(Value best, Value begin, bool isMasked);
  Value getNumber(Value index);

  ImplicitLocOpBuilder &b;
  const VectorBody &body;
  const Combiner &combiner;
  arith::AtomicRMWKind kind;
  SmallVector<Value> indices, ahead;
  OpFoldResult extent;
  Value size;
  IRMapping uniform;
  VectorType type;
  int64_t lanes;
  VectorType numbers;
};
} // namespace

Value SelectionEmitter::getElements(Value index, Value mask) {
  indices[body.getLoop()] = index;
  return body.emitValue(b, combiner.element, indices, mask, uniform);
}

/// The extremes of the lanes of a block without an end in it.
Value SelectionEmitter::emitWholeBlock(Value begin) {
  SmallVector<Value> extremes(kAccumulators);
  for (int64_t i = 0; i != kBlockVectors; ++i) {
    Value index = add(begin, constant(i * lanes));
    if (!ahead.empty()) {
      ahead[body.getLoop()] = index;
      body.emitPrefetch(b, ahead);
    }
    Value elements = getElements(index, /*mask=*/{});
    Value &extreme = extremes[i % kAccumulators];
    extreme = extreme ? choose(extreme, elements) : elements;
  }
  for (int64_t half = kAccumulators / 2; half != 0; half /= 2)
    for (int64_t i = 0; i != half; ++i)
      extremes[i] = choose(extremes[i], extremes[i + half]);
  return extremes[0];
}

/// The extremes of the lanes of the last block, which is shorter.
Value SelectionEmitter::emitRest(Value begin) {
  auto steps = scf::ForOp::create(b, begin, size, constant(lanes), getNeutral());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(steps.getBody());
  Value index = steps.getInductionVar(), mask = getMask(index, size);
  Value elements = getElements(index, mask);
  elements = arith::SelectOp::create(b, mask, elements, getNeutral());
  scf::YieldOp::create(b, choose(steps.getRegionIterArg(0), elements));
  return steps.getResult(0);
}

/// The extremes of a block beside what is best so far, and the number of its block.
SmallVector<Value> SelectionEmitter::compare(Value extremes, Value number, ValueRange best) {
  Value isBetter = emitIsBetter(b, combiner, extremes, best[0]);
  Value own = vector::BroadcastOp::create(
      b, numbers, Value(arith::IndexCastOp::create(b, b.getI32Type(), number)));
  return {arith::SelectOp::create(b, isBetter, extremes, best[0]),
          arith::SelectOp::create(b, isBetter, own, best[1])};
}

/// What is best of all lanes, and the first block that has it.
std::pair<Value, Value> SelectionEmitter::combineLanes(ValueRange best) {
  Value extreme = best[0];
  for (int64_t half = lanes / 2; half != 0; half /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, half));
    auto high = llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
    extreme = choose(vector::ShuffleOp::create(b, extreme, extreme, low),
                     vector::ShuffleOp::create(b, extreme, extreme, high));
  }
  extreme = vector::ExtractOp::create(b, extreme, 0);
  Value all = vector::BroadcastOp::create(b, type, extreme);
  Value none = splat(std::numeric_limits<int32_t>::max());
  Value blocks = arith::SelectOp::create(b, emitIsBetter(b, combiner, all, best[0]), none, best[1]);
  return {extreme, vector::ReductionOp::create(b, vector::CombiningKind::MINSI, blocks)};
}

/// The first index in the block from `begin` on at which an element is as good as `best`.
Value SelectionEmitter::find(Value best, Value begin, bool isMasked) {
  Value all = vector::BroadcastOp::create(b, type, best);
  // For each lane the vector: of several the first, which is looked at last.
  Value first = splat(kBlockVectors);
  for (int64_t i = kBlockVectors; i-- != 0;) {
    Value index = add(begin, constant(i * lanes));
    Value mask = isMasked ? getMask(index, size) : Value();
    Value isWorse = emitIsBetter(b, combiner, all, getElements(index, mask));
    Value found = arith::SelectOp::create(b, isWorse, first, splat(i));
    first = mask ? Value(arith::SelectOp::create(b, mask, found, first)) : found;
  }
  SmallVector<int32_t> each = llvm::to_vector(llvm::seq<int32_t>(0, lanes));
  Value own = arith::ConstantOp::create(b, DenseElementsAttr::get(numbers, ArrayRef(each)));
  Value position = add(arith::MulIOp::create(b, first, splat(lanes)), own);
  position = vector::ReductionOp::create(b, vector::CombiningKind::MINSI, position);
  return add(begin, arith::IndexCastOp::create(b, b.getIndexType(), position));
}

/// The number of the element at `index`.
Value SelectionEmitter::getNumber(Value index) {
  indices[body.getLoop()] = index;
  return body.emitIndexValue(b, combiner.number, indices);
}

SmallVector<Value> SelectionEmitter::emit(ValueRange known) {
  int64_t block = kBlockVectors * lanes;
  AffineExpr blocks = b.getAffineDimExpr(0).floorDiv(block);
  Value numWhole = getValueOrCreateConstantIndexOp(
      b, b.getLoc(), affine::makeComposedFoldedAffineApply(b, b.getLoc(), blocks, extent));
  std::optional<int64_t> count = getConstantIntValue(extent);
  bool hasRest = !count || *count % block != 0;
  auto whole =
      scf::ForOp::create(b, constant(0), numWhole, constant(1),
                         ValueRange{vector::BroadcastOp::create(b, type, known[0]), splat(-1)});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(whole.getBody());
    Value number = whole.getInductionVar();
    Value begin = arith::MulIOp::create(b, number, constant(block));
    scf::YieldOp::create(b, compare(emitWholeBlock(begin), number, whole.getRegionIterArgs()));
  }
  SmallVector<Value> best(whole.getResults());
  if (hasRest) {
    Value begin = arith::MulIOp::create(b, numWhole, constant(block));
    best = compare(emitRest(begin), numWhole, best);
  }
  auto [extreme, bestBlock] = combineLanes(best);
  // What was known before is in no block.
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  Value isFound = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, bestBlock, zero);
  auto branch = scf::IfOp::create(b, known.getTypes(), isFound, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, known);
  b.setInsertionPointToEnd(branch.thenBlock());
  Value number = arith::IndexCastOp::create(b, b.getIndexType(), bestBlock);
  Value begin = arith::MulIOp::create(b, number, constant(block));
  scf::YieldOp::create(b, ValueRange{extreme, getNumber(find(extreme, begin, hasRest))});
  return SmallVector<Value>(branch.getResults());
}

SmallVector<Value> pypto::loops::emitExtremeSelection(ImplicitLocOpBuilder &b,
                                                      const VectorBody &body,
                                                      ArrayRef<Value> indices,
                                                      ArrayRef<Value> ahead, OpFoldResult size,
                                                      ValueRange known) {
  return SelectionEmitter(b, body, indices, ahead, size).emit(known);
}

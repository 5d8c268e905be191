// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linalg operation on buffers becomes loops, the innermost over vectors.
#include "VectorBody.h"
#include "pypto/Loops/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::loops;
using linalg::LinalgOp;

namespace pypto {
#define GEN_PASS_DEF_VECTORIZEELEMENTS
#include "pypto/Loops/Passes.h.inc"
} // namespace pypto

//===- Stores past the caches -------------------------------------------------------===//

/// True if `value` is known to be a multiple of `divisor`.
static bool isMultiple(OpFoldResult value, int64_t divisor) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant % divisor == 0;
  auto known = dyn_cast<Value>(value);
  if (!known)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(known)) {
    auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    std::optional<SmallVector<Value>> variables = loop ? loop.getLoopInductionVars() : std::nullopt;
    auto *found = variables ? llvm::find(*variables, known) : nullptr;
    if (!variables || found == variables->end())
      return false;
    size_t index = found - variables->begin();
    return isMultiple((*loop.getLoopLowerBounds())[index], divisor) &&
           isMultiple((*loop.getLoopSteps())[index], divisor);
  }
  if (auto multiply = known.getDefiningOp<arith::MulIOp>())
    return isMultiple(multiply.getLhs(), divisor) || isMultiple(multiply.getRhs(), divisor);
  if (auto add = known.getDefiningOp<arith::AddIOp>())
    return isMultiple(add.getLhs(), divisor) && isMultiple(add.getRhs(), divisor);
  if (auto apply = known.getDefiningOp<affine::AffineApplyOp>())
    return apply.getAffineMap().getResult(0).isMultipleOf(divisor);
  return false;
}

/// The parameter that `memref` is a part of, if rows of the part begin at multiples of `unit`
/// elements; null if they may not.
static BlockArgument getAlignedBase(Value memref, int64_t unit) {
  while (auto view = memref.getDefiningOp<memref::SubViewOp>()) {
    SmallVector<OpFoldResult> offsets = view.getMixedOffsets();
    auto [strides, offset] = view.getSourceType().getStridesAndOffset();
    for (auto [position, stride] : llvm::zip_equal(offsets, strides))
      if (ShapedType::isDynamic(stride) ||
          (stride % unit != 0 && (unit % stride != 0 || !isMultiple(position, unit / stride))))
        return {};
    memref = view.getSource();
  }
  auto argument = dyn_cast<BlockArgument>(memref);
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!argument || !type || !type.getLayout().isIdentity())
    return {};
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto alignment = function ? function.getArgAttrOfType<IntegerAttr>(
                                  argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName())
                            : IntegerAttr();
  bool isAligned =
      alignment && alignment.getInt() * 8 % (unit * type.getElementTypeBitWidth()) == 0;
  return isAligned ? argument : BlockArgument();
}

/// True if the lines of `memref` are written once, have their place in memory at multiples of
/// vectors, and leave the caches anyway.
static bool outgrowsCache(Value memref, int64_t lanes, int64_t minBytes) {
  BlockArgument base = getAlignedBase(memref, lanes);
  auto type = base ? cast<MemRefType>(base.getType()) : MemRefType();
  if (!base || !type.hasStaticShape() ||
      type.getNumElements() * type.getElementTypeBitWidth() / 8 < minBytes)
    return false;
  auto [strides, offset] = cast<MemRefType>(memref.getType()).getStridesAndOffset();
  return llvm::all_of(ArrayRef(strides).drop_back(),
                      [&](int64_t stride) { return stride % lanes == 0; });
}

//===- One operation ------------------------------------------------------------------===//

namespace {
class Vectorizer {
public:
  Vectorizer(LinalgOp op, int64_t vectorBits, int64_t streamBytes)
      : op(op), vectorBits(vectorBits), streamBytes(streamBytes), b(op.getLoc(), op) {}

  /// False if it has to stay as it is.
  bool run();
  /// True if it was given stores that others see only after a fence.
  bool streams() const { return llvm::is_contained(nonTemporal, true); }

private:
  bool choose();
  void emitOuter(ArrayRef<unsigned> loops);
  void emitOuterLoop(unsigned outer, Value from, Value to, int64_t count, ArrayRef<unsigned> rest);
  SmallVector<Value> getAddress(unsigned result);
  void findNextRows();
  void appendStart(const Combiner &combiner, SmallVectorImpl<Value> &accumulators);
  void finish(ArrayRef<Value> accumulators);
  void emitInner();
  SmallVector<Value> emitSteps(Value from, Value to, unsigned unroll, bool isMasked,
                               ValueRange accumulators);

  LinalgOp op;
  int64_t vectorBits, streamBytes;
  ImplicitLocOpBuilder b;
  std::optional<VectorBody> body;
  unsigned loop = 0;
  int64_t lanes = 0;
  SmallVector<Range> ranges;
  SmallVector<bool> nonTemporal;
  /// Rows of parameters that the next iteration of a loop around this one reads.
  struct NextRow {
    Value base;
    SmallVector<Value> address;
  };
  SmallVector<NextRow> nextRows;
  /// The indices of the rows that one step works on, and what is the same for all of a row.
  SmallVector<SmallVector<Value>> rows;
  SmallVector<IRMapping> uniforms;
};
} // namespace

/// As many lanes as elements of the narrowest type of at least 32 bits fit into a vector.
static int64_t getNumLanes(LinalgOp op, int64_t vectorBits) {
  unsigned bits = 64;
  for (Value operand : op->getOperands()) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (element.isIntOrFloat())
      bits = std::min(bits, std::max(element.getIntOrFloatBitWidth(), 32u));
  }
  return vectorBits / bits;
}

/// Index arithmetic of the body as operations that have a form on vectors.
static void expandIndices(LinalgOp op) {
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

bool Vectorizer::choose() {
  expandIndices(op);
  lanes = getNumLanes(op, vectorBits);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (unsigned candidate = op.getNumLoops(); candidate-- != 0;) {
    if (extents[candidate] == 1)
      continue;
    loop = candidate;
    body.emplace(op, candidate, lanes);
    if (body->collectCombiners() && body->isSupported())
      return ShapedType::isDynamic(extents[candidate]) || extents[candidate] >= lanes / 2;
  }
  return false;
}

/// Steps of `unroll` vectors, each with accumulators of its own.
SmallVector<Value> Vectorizer::emitSteps(Value from, Value to, unsigned unroll, bool isMasked,
                                         ValueRange accumulators) {
  Value step = arith::ConstantIndexOp::create(b, lanes * unroll);
  auto steps = scf::ForOp::create(b, from, to, step, accumulators);
  OpBuilder::InsertionGuard guard(b);
  if (accumulators.empty())
    b.setInsertionPoint(steps.getBody()->getTerminator());
  else
    b.setInsertionPointToStart(steps.getBody());
  SmallVector<Value> next;
  auto accumulator = steps.getRegionIterArgs().begin();
  for (unsigned part = 0; part != unroll; ++part) {
    Value index = steps.getInductionVar();
    if (part != 0)
      index =
          arith::AddIOp::create(b, index, arith::ConstantIndexOp::create(b, int64_t(part) * lanes));
    Value mask;
    if (isMasked)
      mask = vector::CreateMaskOp::create(b, body->getVector(b.getI1Type()),
                                          Value(arith::SubIOp::create(b, to, index)));
    SmallVector<Value> results(op.getNumDpsInits());
    for (const Combiner &combiner : body->getCombiners())
      for (unsigned result : combiner.results)
        results[result] = *accumulator++;
    for (SmallVector<Value> &row : rows)
      row[loop] = index;
    for (NextRow &next : nextRows) {
      next.address.back() = index;
      if (!mask)
        memref::PrefetchOp::create(b, next.base, next.address, /*isWrite=*/false,
                                   /*localityHint=*/3, /*isDataCache=*/true);
    }
    body->loadResults(b, rows.front(), mask, results);
    for (auto [row, uniform] : llvm::zip_equal(rows, uniforms))
      body->emit(b, row, mask, results, uniform);
    body->storeResults(b, rows.front(), mask, results, nonTemporal);
    for (const Combiner &combiner : body->getCombiners())
      for (unsigned result : combiner.results)
        next.push_back(results[result]);
  }
  if (!accumulators.empty())
    scf::YieldOp::create(b, next);
  return SmallVector<Value>(steps.getResults());
}

/// Fewest operations of a body during which memory has time to bring the next row.
static constexpr unsigned kPrefetchOps = 12;

/// Operands that are a row of a parameter, the one of an iteration of the loop around.
void Vectorizer::findNextRows() {
  auto around = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!around || body->getNumOps() < kPrefetchOps)
    return;
  Value next;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto view = operand->get().getDefiningOp<memref::SubViewOp>();
    if (!view || !isa<BlockArgument>(view.getSource()) ||
        view.getType().getRank() != view.getSourceType().getRank() ||
        getAccessKind(operand->get(), op.getMatchingIndexingMap(operand), loop) !=
            AccessKind::Contiguous)
      continue;
    SmallVector<OpFoldResult> offsets = view.getMixedOffsets();
    auto *row = llvm::find_if(offsets, [&](OpFoldResult offset) {
      return dyn_cast<Value>(offset) == around.getInductionVar();
    });
    if (row == offsets.end() || getConstantIntValue(offsets.back()) != 0)
      continue;
    if (!next) {
      // The last row again where there is no other.
      Value one = arith::ConstantIndexOp::create(b, 1);
      Value last = arith::SubIOp::create(b, around.getUpperBound(), one);
      next = arith::MinSIOp::create(
          b, arith::AddIOp::create(b, around.getInductionVar(), around.getStep()), last);
    }
    *row = next;
    NextRow &found = nextRows.emplace_back();
    found.base = view.getSource();
    for (OpFoldResult offset : offsets)
      found.address.push_back(getValueOrCreateConstantIndexOp(b, b.getLoc(), offset));
  }
}

/// Where a result that is combined is.
SmallVector<Value> Vectorizer::getAddress(unsigned result) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  SmallVector<Value> address;
  for (unsigned position = 0; position != map.getNumResults(); ++position)
    address.push_back(getValueOrCreateConstantIndexOp(
        b, b.getLoc(),
        affine::makeComposedFoldedAffineApply(b, b.getLoc(), map.getSubMap({position}),
                                              getAsOpFoldResult(rows.front()))));
  return address;
}

/// What the lanes of `combiner` start from: what leaves everything as it is, or what is known.
void Vectorizer::appendStart(const Combiner &combiner, SmallVectorImpl<Value> &accumulators) {
  for (unsigned result : combiner.results) {
    Value init = op.getDpsInits()[result];
    VectorType type = body->getVector(getElementTypeOrSelf(init.getType()));
    if (combiner.isSelection()) {
      Value known = memref::LoadOp::create(b, init, getAddress(result));
      accumulators.push_back(vector::BroadcastOp::create(b, type, known));
      continue;
    }
    accumulators.push_back(
        arith::ConstantOp::create(b, DenseElementsAttr::get(type, Attribute(combiner.neutral))));
  }
}

/// Puts what the lanes have to what is known.
void Vectorizer::finish(ArrayRef<Value> accumulators) {
  for (const Combiner &combiner : body->getCombiners()) {
    size_t count = combiner.results.size();
    SmallVector<Value> lanes = combineLanes(b, combiner, accumulators.take_front(count));
    accumulators = accumulators.drop_front(count);
    SmallVector<Value> known;
    for (unsigned result : combiner.results)
      known.push_back(memref::LoadOp::create(b, op.getDpsInits()[result], getAddress(result)));
    for (auto [result, value] :
         llvm::zip_equal(combiner.results, combine(b, combiner, known, lanes)))
      memref::StoreOp::create(b, value, op.getDpsInits()[result], getAddress(result));
  }
}

/// The loop over vectors: whole ones, then what is left under a mask.
void Vectorizer::emitInner() {
  // A few vectors at once hide the latency of what combines them.
  unsigned numOps = body->getNumOps() * rows.size();
  unsigned unroll = numOps <= 6 ? 4 : numOps <= 12 ? 2 : 1;
  std::optional<int64_t> extent = getConstantIntValue(ranges[loop].size);
  while (extent && unroll > 1 && *extent < lanes * unroll)
    unroll /= 2;
  Value zero = arith::ConstantIndexOp::create(b, 0);
  uniforms.clear();
  for (SmallVector<Value> &row : rows) {
    row[loop] = zero;
    uniforms.push_back(body->emitUniform(b, row));
  }
  ArrayRef<Combiner> combiners = body->getCombiners();
  SmallVector<Value> accumulators;
  for (unsigned part = 0; part != unroll; ++part)
    for (const Combiner &combiner : combiners)
      appendStart(combiner, accumulators);
  Value end = getValueOrCreateConstantIndexOp(b, b.getLoc(), ranges[loop].size);
  AffineExpr whole = b.getAffineDimExpr(0).floorDiv(lanes * unroll) * (lanes * unroll);
  OpFoldResult middle =
      affine::makeComposedFoldedAffineApply(b, b.getLoc(), whole, ranges[loop].size);
  Value begin = getValueOrCreateConstantIndexOp(b, b.getLoc(), middle);
  std::optional<int64_t> numWhole = getConstantIntValue(middle);
  if (numWhole != 0)
    accumulators = emitSteps(zero, begin, unroll, /*isMasked=*/false, accumulators);
  size_t width = accumulators.size() / unroll;
  for (unsigned distance = width ? unroll / 2 : 0; distance != 0; distance /= 2)
    for (unsigned part = 0; part != distance; ++part) {
      Value *first = &accumulators[part * width], *second = first + distance * width;
      for (const Combiner &combiner : combiners) {
        size_t count = combiner.results.size();
        SmallVector<Value> both = combine(b, combiner, ValueRange(ArrayRef(first, count)),
                                          ValueRange(ArrayRef(second, count)));
        first = std::copy(both.begin(), both.end(), first);
        second += count;
      }
    }
  accumulators.resize(width);
  if (!numWhole || numWhole != extent)
    accumulators = emitSteps(begin, end, /*unroll=*/1, /*isMasked=*/true, accumulators);
  for (SmallVector<Value> &row : rows)
    row[loop] = zero;
  finish(accumulators);
}

/// Rows that are added up side by side: their sums stay in registers from one to the next.
static constexpr int64_t kRowBlock = 8;

/// The loop `outer` from `from` to `to`, `count` iterations in a step.
void Vectorizer::emitOuterLoop(unsigned outer, Value from, Value to, int64_t count,
                               ArrayRef<unsigned> rest) {
  auto steps = scf::ForOp::create(b, from, to, arith::ConstantIndexOp::create(b, count));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(steps.getBody());
  rows.resize(1);
  rows[0][outer] = steps.getInductionVar();
  for (int64_t i = 1; i != count; ++i) {
    rows.push_back(rows[0]);
    rows[i][outer] =
        arith::AddIOp::create(b, steps.getInductionVar(), arith::ConstantIndexOp::create(b, i));
  }
  emitOuter(rest);
  rows.resize(1);
}

void Vectorizer::emitOuter(ArrayRef<unsigned> loops) {
  if (loops.empty())
    return emitInner();
  unsigned outer = loops.front();
  const Range &range = ranges[outer];
  Value zero = arith::ConstantIndexOp::create(b, 0);
  std::optional<int64_t> extent = getConstantIntValue(range.size);
  if (extent == 1) {
    rows[0][outer] = zero;
    return emitOuter(loops.drop_front());
  }
  Value end = getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size);
  auto iterators = op.getIteratorTypesArray();
  bool isBlocked = loops.size() == 1 && iterators[outer] == utils::IteratorType::reduction &&
                   iterators[loop] == utils::IteratorType::parallel && body->getNumOps() <= 6 &&
                   (!extent || *extent >= kRowBlock) &&
                   llvm::none_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
                     return op.getMatchingIndexingMap(&init).isFunctionOfDim(outer);
                   });
  if (!isBlocked)
    return emitOuterLoop(outer, zero, end, 1, loops.drop_front());
  AffineExpr blocks = b.getAffineDimExpr(0).floorDiv(kRowBlock) * kRowBlock;
  Value middle = getValueOrCreateConstantIndexOp(
      b, b.getLoc(), affine::makeComposedFoldedAffineApply(b, b.getLoc(), blocks, range.size));
  emitOuterLoop(outer, zero, middle, kRowBlock, loops.drop_front());
  if (!extent || *extent % kRowBlock != 0)
    emitOuterLoop(outer, middle, end, 1, loops.drop_front());
}

bool Vectorizer::run() {
  if (!op.hasPureBufferSemantics() || op.getNumLoops() == 0 || !choose())
    return false;
  ranges = op.createLoopRanges(b, b.getLoc());
  rows.emplace_back(ranges.size());
  // Sums along other loops go from element to element in their order.
  SmallVector<unsigned> loops;
  for (utils::IteratorType type : {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (auto [index, other] : llvm::enumerate(op.getIteratorTypesArray()))
      if (index != loop && other == type)
        loops.push_back(index);
  bool isWrittenOnce = op.getNumReductionLoops() == 0 ||
                       (op.getNumReductionLoops() == 1 &&
                        op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction);
  for (unsigned i = 0, e = op.getNumDpsInits(); i != e; ++i) {
    bool isRead = !op.getRegionOutputArgs()[i].use_empty();
    nonTemporal.push_back(isWrittenOnce && !isRead && !body->isCombined(i) &&
                          outgrowsCache(op.getDpsInits()[i], lanes, streamBytes));
  }
  findNextRows();
  emitOuter(loops);
  op.erase();
  return true;
}

namespace {
struct VectorizeElementsPass : pypto::impl::VectorizeElementsBase<VectorizeElementsPass> {
  using VectorizeElementsBase::VectorizeElementsBase;

  void runOnModule() override {
    SmallVector<LinalgOp> ops;
    getOperation().walk([&](LinalgOp op) { ops.push_back(op); });
    for (LinalgOp op : ops) {
      // Once behind all loops that run one iteration after the other.
      Operation *outer = op;
      while (isa<scf::ForOp>(outer->getParentOp()))
        outer = outer->getParentOp();
      Operation *next = outer->getNextNode();
      Vectorizer vectorizer(op, vectorBits, streamBytes);
      if (!vectorizer.run() || !vectorizer.streams() || isa<LLVM::FenceOp>(next))
        continue;
      OpBuilder b(next);
      LLVM::FenceOp::create(b, next->getLoc(), LLVM::AtomicOrdering::seq_cst, "");
    }
  }
};
} // namespace

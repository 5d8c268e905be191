// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linalg operation on buffers becomes loops, the innermost over vectors.
#include "VectorLoop.h"
#include "VectorSelection.h"
#include "pypto/Loops/Conditions.h"
#include "pypto/Loops/LoopSchedule.h"
#include "pypto/Loops/Passes.h"
#include "pypto/Properties/PassOptions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
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

//===- One operation ------------------------------------------------------------------===//

namespace {
class Vectorizer {
public:
  Vectorizer(LinalgOp op, const LoopTarget &target) : op(op), target(target), b(op.getLoc(), op) {}

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
  SmallVector<Value> loadKnown(const Combiner &combiner);
  void lookAhead();
  void storeKnown(const Combiner &combiner, ArrayRef<Value> values);
  void finish(ArrayRef<Value> accumulators);
  void emitInner();
  void emitWhole(int64_t unroll, Value &from, SmallVectorImpl<Value> &accumulators);
  void combineSets(SmallVectorImpl<Value> &accumulators, size_t numSets);
  SmallVector<Value> emitSteps(Value from, Value to, int64_t unroll, bool isMasked,
                               ValueRange accumulators);
  void emitStep(Value index, Value end, bool isMasked, MutableArrayRef<Value> accumulators);
  /// True if each of the rows that are worked on side by side has elements of its own.
  bool hasOwnRows(unsigned result) {
    return blockedLoop &&
           op.getMatchingIndexingMap(op.getDpsInitOperand(result)).isFunctionOfDim(*blockedLoop);
  }
  void chooseStores();

  LinalgOp op;
  const LoopTarget &target;
  ImplicitLocOpBuilder b;
  LoopSchedule schedule;
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
  /// The loop over these rows, if there are several.
  std::optional<unsigned> blockedLoop;
  /// The loop around the one over vectors, and where its next iteration is.
  std::optional<unsigned> rowLoop;
  SmallVector<Value> ahead;
};
} // namespace

bool Vectorizer::choose() {
  expandIndices(op);
  schedule = makeSchedule(op, getGivenSchedule(op), target);
  body = chooseVectorBody(op, schedule.vectorBits);
  if (!body)
    return false;
  loop = body->getLoop();
  lanes = body->getLanes();
  return true;
}

/// Steps of `unroll` vectors, each with accumulators of its own.
SmallVector<Value> Vectorizer::emitSteps(Value from, Value to, int64_t unroll, bool isMasked,
                                         ValueRange accumulators) {
  Value step = arith::ConstantIndexOp::create(b, lanes * unroll);
  auto steps = scf::ForOp::create(b, from, to, step, accumulators);
  OpBuilder::InsertionGuard guard(b);
  if (accumulators.empty())
    b.setInsertionPoint(steps.getBody()->getTerminator());
  else
    b.setInsertionPointToStart(steps.getBody());
  // A scan goes on from one vector to the next, a sum has accumulators for some of them.
  SmallVector<Value> all(steps.getRegionIterArgs());
  size_t width = 0;
  for (const Combiner &combiner : body->getCombiners())
    width += combiner.results.size();
  for (int64_t part = 0; part != unroll; ++part) {
    Value index = steps.getInductionVar();
    if (part != 0)
      index = arith::AddIOp::create(b, index, arith::ConstantIndexOp::create(b, part * lanes));
    size_t first = width == 0 ? 0 : part * width % all.size();
    emitStep(index, to, isMasked, MutableArrayRef(all).slice(first, width));
  }
  if (!accumulators.empty())
    scf::YieldOp::create(b, all);
  return SmallVector<Value>(steps.getResults());
}

/// One vector at `index` of a row that ends at `end`.
void Vectorizer::emitStep(Value index, Value end, bool isMasked,
                          MutableArrayRef<Value> accumulators) {
  Value mask;
  if (isMasked)
    mask = vector::CreateMaskOp::create(b, body->getVector(b.getI1Type()),
                                        Value(arith::SubIOp::create(b, end, index)));
  SmallVector<Value> results(op.getNumDpsInits());
  auto *accumulator = accumulators.begin();
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
  if (!ahead.empty() && !mask) {
    ahead[loop] = index;
    body->emitPrefetch(b, ahead);
  }
  body->loadResults(b, rows.front(), mask, results);
  // No load waits for a store of another row, which often is as far into a page.
  SmallVector<SmallVector<Value>> ofRows;
  for (auto [row, uniform] : llvm::zip_equal(rows, uniforms)) {
    body->emit(b, row, mask, results, uniform);
    ofRows.push_back(results);
  }
  for (auto [row, own] : llvm::zip_equal(rows, ofRows))
    body->storeResults(b, row, mask, own, nonTemporal,
                       [&](unsigned result) { return hasOwnRows(result); });
  body->storeResults(b, rows.front(), mask, results, nonTemporal,
                     [&](unsigned result) { return !hasOwnRows(result); });
  accumulator = accumulators.begin();
  for (const Combiner &combiner : body->getCombiners())
    for (unsigned result : combiner.results)
      *accumulator++ = results[result];
}

/// Operands that are a row of a parameter, the one of an iteration of the loop around.
void Vectorizer::findNextRows() {
  auto around = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!around || !schedule.prefetch)
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
    if (combiner.isSelection() || combiner.isScan) {
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
    if (combiner.isScan) {
      Value last = vector::ExtractOp::create(b, accumulators.front(), 0);
      unsigned result = combiner.results.front();
      memref::StoreOp::create(b, last, op.getDpsInits()[result], getAddress(result));
      return;
    }
    SmallVector<Value> lanes = combineLanes(b, combiner, accumulators.take_front(count));
    accumulators = accumulators.drop_front(count);
    storeKnown(combiner, combine(b, combiner, loadKnown(combiner), lanes));
  }
}

/// Loads the results of `combiner`, or stores them.
SmallVector<Value> Vectorizer::loadKnown(const Combiner &combiner) {
  SmallVector<Value> known;
  for (unsigned result : combiner.results)
    known.push_back(memref::LoadOp::create(b, op.getDpsInits()[result], getAddress(result)));
  return known;
}
void Vectorizer::storeKnown(const Combiner &combiner, ArrayRef<Value> values) {
  for (auto [result, value] : llvm::zip_equal(combiner.results, values))
    memref::StoreOp::create(b, value, op.getDpsInits()[result], getAddress(result));
}

/// The next row of the operation.
void Vectorizer::lookAhead() {
  ahead.clear();
  if (!rowLoop || !schedule.prefetch || rows.size() != 1)
    return;
  ahead = rows.front();
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value end = getValueOrCreateConstantIndexOp(b, b.getLoc(), ranges[*rowLoop].size);
  ahead[*rowLoop] = arith::MinSIOp::create(b, arith::AddIOp::create(b, ahead[*rowLoop], one),
                                           arith::SubIOp::create(b, end, one));
}

/// The loop over vectors: whole ones, then what is left under a mask.
void Vectorizer::emitInner() {
  lookAhead();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  if (isBlockedSelection(*body)) {
    const Combiner &combiner = body->getCombiners()[0];
    rows.front()[loop] = zero;
    storeKnown(combiner, emitExtremeSelection(b, *body, rows.front(), ahead, ranges[loop].size,
                                              loadKnown(combiner)));
    return;
  }
  uniforms.clear();
  for (SmallVector<Value> &row : rows) {
    row[loop] = zero;
    uniforms.push_back(body->emitUniform(b, row));
  }
  SmallVector<Value> accumulators;
  size_t numSets = getNumAccumulators(*body);
  for (size_t set = 0; set != numSets; ++set)
    for (const Combiner &combiner : body->getCombiners())
      appendStart(combiner, accumulators);
  std::optional<int64_t> extent = getConstantIntValue(ranges[loop].size);
  Value end = getValueOrCreateConstantIndexOp(b, b.getLoc(), ranges[loop].size);
  Value from = zero;
  emitWhole(schedule.unroll, from, accumulators);
  // So that each accumulator gets the same elements however many vectors a step has.
  if (!accumulators.empty() && !body->isScan() && size_t(schedule.unroll) != numSets)
    emitWhole(numSets, from, accumulators);
  combineSets(accumulators, numSets);
  if (!extent || getConstantIntValue(from) != extent)
    accumulators = emitSteps(from, end, /*unroll=*/1, /*isMasked=*/true, accumulators);
  for (SmallVector<Value> &row : rows)
    row[loop] = zero;
  finish(accumulators);
}

/// Steps of `unroll` vectors from `from` on, as long as there are so many; moves `from`.
void Vectorizer::emitWhole(int64_t unroll, Value &from, SmallVectorImpl<Value> &accumulators) {
  AffineExpr whole = b.getAffineDimExpr(0).floorDiv(lanes * unroll) * (lanes * unroll);
  Value to = getValueOrCreateConstantIndexOp(
      b, b.getLoc(),
      affine::makeComposedFoldedAffineApply(b, b.getLoc(), whole, ranges[loop].size));
  std::optional<int64_t> begin = getConstantIntValue(from), end = getConstantIntValue(to);
  if (!end || begin != end) {
    SmallVector<Value> all = emitSteps(from, to, unroll, /*isMasked=*/false, accumulators);
    accumulators.assign(all.begin(), all.end());
  }
  from = to;
}

/// Halves of the sets of accumulators with each other, so that one set is left.
void Vectorizer::combineSets(SmallVectorImpl<Value> &accumulators, size_t numSets) {
  size_t width = accumulators.size() / numSets;
  for (size_t distance = width ? numSets / 2 : 0; distance != 0; distance /= 2)
    for (size_t part = 0; part != distance; ++part) {
      Value *first = &accumulators[part * width], *second = first + distance * width;
      for (const Combiner &combiner : body->getCombiners()) {
        size_t count = combiner.results.size();
        SmallVector<Value> both = combine(b, combiner, ValueRange(ArrayRef(first, count)),
                                          ValueRange(ArrayRef(second, count)));
        first = std::copy(both.begin(), both.end(), first);
        second += count;
      }
    }
  accumulators.resize(width);
}

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
  if (count > 1)
    blockedLoop = outer;
  rowLoop = outer;
  emitOuter(rest);
  blockedLoop.reset();
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
  int64_t block = schedule.rowBlock;
  if (loops.size() != 1 || block == 1)
    return emitOuterLoop(outer, zero, end, 1, loops.drop_front());
  AffineExpr blocks = b.getAffineDimExpr(0).floorDiv(block) * block;
  Value middle = getValueOrCreateConstantIndexOp(
      b, b.getLoc(), affine::makeComposedFoldedAffineApply(b, b.getLoc(), blocks, range.size));
  emitOuterLoop(outer, zero, middle, block, loops.drop_front());
  if (!extent || *extent % block != 0)
    emitOuterLoop(outer, middle, end, 1, loops.drop_front());
}

/// Results that outgrow the caches go past them; all that can if none does.
void Vectorizer::chooseStores() {
  SmallVector<std::optional<int64_t>> bytes;
  for (unsigned i = 0, e = op.getNumDpsInits(); i != e; ++i)
    bytes.push_back(getStreamBytes(op, *body, i));
  auto outgrows = [&](std::optional<int64_t> size) { return size && *size >= target.streamBytes; };
  bool isAnyLarge = llvm::any_of(bytes, outgrows);
  for (std::optional<int64_t> size : bytes)
    nonTemporal.push_back(schedule.stream && size && (!isAnyLarge || outgrows(size)));
}

/// What a scan has on its way is added in the order of its code from here on: where the term does
/// not change, LLVM would compute it as the start plus a multiple, and zero times infinity is NaN.
static void keepOrderOfScans(LinalgOp op) {
  for (Value value : op.getBlock()->getTerminator()->getOperands()) {
    auto combiner = value.getDefiningOp<arith::ArithFastMathInterface>();
    if (!combiner || value.hasOneUse())
      continue;
    // An op that none were given for has no attribute.
    arith::FastMathFlagsAttr given = combiner.getFastMathFlagsAttr();
    if (!given)
      continue;
    auto flags = arith::bitEnumClear(given.getValue(), arith::FastMathFlags::reassoc);
    combiner->setAttr(combiner.getFastMathAttrName(),
                      arith::FastMathFlagsAttr::get(op.getContext(), flags));
  }
}

bool Vectorizer::run() {
  bool hasVectors = op.hasPureBufferSemantics() && op.getNumLoops() != 0 && choose();
  keepOrderOfScans(op);
  if (!hasVectors)
    return false;
  ranges = op.createLoopRanges(b, b.getLoc());
  rows.emplace_back(ranges.size());
  chooseStores();
  SmallVector<unsigned> outer = getOuterLoops(op, loop);
  if (llvm::all_of(outer, [&](unsigned other) { return op.getStaticLoopRanges()[other] == 1; }))
    findNextRows();
  emitOuter(outer);
  op.erase();
  return true;
}

namespace {
struct VectorizeElementsPass : pypto::impl::VectorizeElementsBase<VectorizeElementsPass> {
  using VectorizeElementsBase::VectorizeElementsBase;

  LogicalResult initialize(MLIRContext *context) override {
    return pypto::OptionChecker(context, *this)
        .vectorBits("vector-bits", vectorBits)
        .range("stream-bytes", streamBytes, 0);
  }

  void runOnModule() override {
    LoopTarget target{.vectorBits = vectorBits, .streamBytes = streamBytes};
    SmallVector<LinalgOp> ops;
    getOperation().walk([&](LinalgOp op) { ops.push_back(op); });
    for (LinalgOp op : ops) {
      if (failed(verifySchedule(op)))
        return signalPassFailure();
      // Once behind all loops that run one iteration after the other.
      Operation *outer = op;
      while (isa<scf::ForOp>(outer->getParentOp()))
        outer = outer->getParentOp();
      Operation *next = outer->getNextNode();
      Vectorizer vectorizer(op, target);
      if (!vectorizer.run() || !vectorizer.streams() || isa<LLVM::FenceOp>(next))
        continue;
      OpBuilder b(next);
      LLVM::FenceOp::create(b, next->getLoc(), LLVM::AtomicOrdering::seq_cst, "");
    }
  }
};
} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Heuristics.h"
#include "Parts.h"
#include "VectorLoop.h"
#include "pypto/Loops/Passes.h"
#include "pypto/Properties/PassOptions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::loops;

namespace pypto {
#define GEN_PASS_DEF_PARALLELIZEROWS
#include "pypto/Loops/Passes.h.inc"
} // namespace pypto

/// Iterations of the innermost loops in one iteration of `loop`.
static int64_t getWork(scf::ForOp loop) {
  int64_t work = 1;
  loop.walk([&](linalg::LinalgOp op) {
    int64_t own = loops::getWork(op);
    for (Operation *outer = op->getParentOp(); outer != loop; outer = outer->getParentOp())
      if (auto inner = dyn_cast<scf::ForOp>(outer))
        own *= inner.getStaticTripCount().value_or(llvm::APInt(64, 1)).getSExtValue();
    work = std::max(work, own);
  });
  return work;
}

static std::optional<int64_t> getTrips(scf::ForOp loop) {
  std::optional<llvm::APInt> trips = loop.getStaticTripCount();
  return trips ? std::optional(trips->getSExtValue()) : std::nullopt;
}

/// True if iterations are counted from zero, which parts need.
static bool hasParts(scf::ForOp loop) {
  return loop.getNumResults() == 0 && matchPattern(loop.getLowerBound(), m_Zero()) &&
         (matchPattern(loop.getStep(), m_One()) || getTrips(loop));
}

/// The loop over rows that is all of the body of `loop`.
static scf::ForOp getOnlyLoop(scf::ForOp loop) {
  auto inner = dyn_cast<scf::ForOp>(loop.getBody()->front());
  bool isOnly = inner && inner->hasAttr(kRowsAttribute) &&
                inner->getNextNode() == loop.getBody()->getTerminator();
  return isOnly && hasParts(inner) && getTrips(inner) &&
                 llvm::all_of(inner->getOperands(),
                              [&](Value bound) { return loop.isDefinedOutsideOfLoop(bound); })
             ? inner
             : scf::ForOp();
}

/// Lets `loop` have `size` of its iterations, from `first` on.
static void restrict(ImplicitLocOpBuilder &b, scf::ForOp loop, Value first, Value size) {
  Value step = loop.getStep();
  loop.setUpperBound(
      b.createOrFold<arith::MulIOp>(b.createOrFold<arith::AddIOp>(first, size), step));
  loop.setLowerBound(b.createOrFold<arith::MulIOp>(first, step));
}

/// Parts of the inner loop of each iteration of the outer one.
static void parallelizeBoth(scf::ForOp outer, scf::ForOp inner, int64_t numInnerParts) {
  ImplicitLocOpBuilder b(outer.getLoc(), outer);
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, value); };
  int64_t trips = *getTrips(inner), each = llvm::divideCeil(trips, numInnerParts);
  int64_t count = llvm::divideCeil(trips, each);
  auto parts = scf::ParallelOp::create(b, ValueRange{constant(0)},
                                       ValueRange{constant(*getTrips(outer) * count)},
                                       ValueRange{constant(1)});
  b.setInsertionPointToStart(parts.getBody());
  Value part = parts.getInductionVars()[0];
  Value iteration = arith::DivUIOp::create(b, part, constant(count));
  Value first =
      arith::MulIOp::create(b, arith::RemUIOp::create(b, part, constant(count)), constant(each));
  Value size = constant(each);
  if (trips % each != 0)
    size = arith::MinSIOp::create(b, size, arith::SubIOp::create(b, constant(trips), first));
  outer->moveBefore(parts.getBody()->getTerminator());
  b.setInsertionPoint(outer);
  restrict(b, inner, first, size);
  restrict(b, outer, iteration, constant(1));
}

/// True if `value` is another one in each iteration of `loop`.
static bool varies(Value value, scf::ForOp loop) {
  if (value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && loop->isAncestor(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) { return varies(operand, loop); });
}

/// True if what is written to `memref`, at `indices`, is memory of one iteration of `loop`.
static bool isOwn(Value memref, ValueRange indices, scf::ForOp loop) {
  if (llvm::any_of(indices, [&](Value index) { return varies(index, loop); }))
    return true;
  Operation *op = memref.getDefiningOp();
  // A part, or memory that is made in the loop.
  if (!op || !loop->isAncestor(op))
    return false;
  auto view = dyn_cast<ViewLikeOpInterface>(op);
  if (!view)
    return true;
  auto offsets = op->getOperands().drop_front();
  return isOwn(view.getViewSource(), offsets, loop);
}

/// True if iterations write to memory of their own: buffers that several share would be written by
/// several threads.
static bool isIndependent(scf::ForOp loop) {
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    bool isOk = true;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      for (Value out : linalgOp.getDpsInits())
        isOk &= !isa<MemRefType>(out.getType()) || isOwn(out, {}, loop);
    else if (auto copy = dyn_cast<memref::CopyOp>(op))
      isOk = isOwn(copy.getTarget(), {}, loop);
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      isOk = isOwn(store.getMemRef(), store.getIndices(), loop);
    return isOk ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

PartsChoice pypto::loops::chooseParts(scf::ForOp loop, const LoopTarget &target) {
  if (loop->getParentOfType<scf::ForOp>() || loop->getParentOfType<scf::ParallelOp>() ||
      !::hasParts(loop) || !isIndependent(loop))
    return {};
  std::optional<int64_t> trips = getTrips(loop);
  int64_t work = ::getWork(loop), most = trips.value_or(kUnknownExtent);
  if (scf::ForOp inner = trips ? getOnlyLoop(loop) : scf::ForOp()) {
    int64_t innerTrips = *getTrips(inner);
    work /= std::max<int64_t>(innerTrips, 1);
    most *= innerTrips;
  }
  auto result = loop.walk([&](linalg::LinalgOp op) {
    return hasOpenOrder(op, target.vectorBits) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return {std::max<int64_t>(getNumParts(work, most, target), 1),
          result.wasInterrupted() ? 1 : most};
}

static void parallelize(scf::ForOp loop, int64_t numParts) {
  std::optional<int64_t> trips = getTrips(loop);
  scf::ForOp inner = trips ? getOnlyLoop(loop) : scf::ForOp();
  if (inner && *trips > 0 && numParts > *trips)
    return parallelizeBoth(loop, inner, llvm::divideCeil(numParts, *trips));
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  OpFoldResult extent =
      trips ? OpFoldResult(b.getIndexAttr(*trips)) : getAsOpFoldResult(loop.getUpperBound());
  std::optional<Parts> parts = emitParts(b, extent, numParts);
  if (!parts)
    return;
  loop->moveBefore(parts->loop.getBody()->getTerminator());
  b.setInsertionPoint(loop);
  restrict(b, loop, parts->first, parts->getSize(b));
}

namespace {
struct ParallelizeRowsPass : pypto::impl::ParallelizeRowsBase<ParallelizeRowsPass> {
  using ParallelizeRowsBase::ParallelizeRowsBase;

  LogicalResult initialize(MLIRContext *context) override {
    return pypto::OptionChecker(context, *this)
        .range("part-work", partWork, 1)
        .range("max-parts", maxParts, 1, 1 << 20);
  }

  void runOnModule() override {
    SmallVector<scf::ForOp> loops, marked;
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop->hasAttr(kRowsAttribute))
        return;
      marked.push_back(loop);
      if (!loop->getParentOfType<scf::ForOp>() && !loop->getParentOfType<scf::ParallelOp>())
        loops.push_back(loop);
    });
    LoopTarget target{.partWork = partWork, .maxParts = maxParts};
    for (scf::ForOp loop : loops) {
      if (failed(verifySchedule(loop)))
        return signalPassFailure();
      parallelize(loop, makeSchedule(loop, getGivenSchedule(loop), target).parts);
    }
    for (scf::ForOp loop : marked) {
      loop->removeAttr(kRowsAttribute);
      loop->removeAttr(kScheduleAttrName);
    }
  }
};
} // namespace

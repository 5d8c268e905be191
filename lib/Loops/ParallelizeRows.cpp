// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parts.h"
#include "pypto/Loops/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

static void parallelize(scf::ForOp loop, const PartOptions &options) {
  int64_t work = getWork(loop);
  std::optional<llvm::APInt> trips = loop.getStaticTripCount();
  int64_t numIterations = trips ? trips->getSExtValue() : kUnknownExtent;
  if (loop.getNumResults() != 0 || !matchPattern(loop.getLowerBound(), m_Zero()) ||
      !matchPattern(loop.getStep(), m_One()))
    return;
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  std::optional<Parts> parts = emitParts(b, getAsOpFoldResult(loop.getUpperBound()),
                                         getNumParts(work, numIterations, options));
  if (!parts)
    return;
  b.setInsertionPoint(parts->loop.getBody()->getTerminator());
  Value end = arith::AddIOp::create(b, parts->first, parts->getSize(b));
  loop->moveBefore(parts->loop.getBody()->getTerminator());
  loop.setLowerBound(parts->first);
  loop.setUpperBound(end);
}

namespace {
struct ParallelizeRowsPass : pypto::impl::ParallelizeRowsBase<ParallelizeRowsPass> {
  using ParallelizeRowsBase::ParallelizeRowsBase;

  void runOnModule() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->removeAttr(kRowsAttribute) && !loop->getParentOfType<scf::ForOp>() &&
          !loop->getParentOfType<scf::ParallelOp>())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      parallelize(loop, {partWork, maxParts});
  }
};
} // namespace

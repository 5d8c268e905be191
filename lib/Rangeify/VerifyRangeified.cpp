// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elements.h"
#include "pypto/Rangeify/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_VERIFYRANGEIFIED
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

/// A reshape of memory is a view of it; of a value that is computed on the way it is not.
static bool isView(Operation *op) {
  if (!isReshape(op))
    return false;
  while (op && isReshape(op))
    op = op->getOperand(0).getDefiningOp();
  return !op || isa<linalg::LinalgOp>(op) || !hasElementForm(op);
}

namespace {
struct VerifyRangeifiedPass : pypto::rangeify::impl::VerifyRangeifiedBase<VerifyRangeifiedPass> {
  void runOnModule() override {
    for (auto graph : getOperation().getOps<func::FuncOp>())
      graph.walk([&](Operation *op) {
        if (!isMovementOp(op) || isView(op))
          return;
        op->emitError("expects index arithmetic in loop nests, but got a movement op");
        signalPassFailure();
      });
  }
};
} // namespace

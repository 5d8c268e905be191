// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Loops/Conditions.h"
#include "pypto/Loops/Passes.h"
#include "pypto/Properties/PassOptions.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_SCHEDULELOOPS
#include "pypto/Loops/Passes.h.inc"
} // namespace pypto

namespace {
struct ScheduleLoopsPass : pypto::impl::ScheduleLoopsBase<ScheduleLoopsPass> {
  using ScheduleLoopsBase::ScheduleLoopsBase;

  LogicalResult initialize(MLIRContext *context) override {
    return pypto::OptionChecker(context, *this).vectorBits("vector-bits", vectorBits);
  }

  void runOnModule() override {
    ProductTarget target{.vectorBits = vectorBits};
    auto result = getOperation().walk([&](Operation *op) {
      std::optional<ScheduleKind> kind = getScheduleKind(op);
      if (!kind || kind == ScheduleKind::Product)
        return WalkResult::advance();
      if (failed(verifySchedule(op)))
        return WalkResult::interrupt();
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        loops::expandIndices(linalgOp);
      if (DictionaryAttr schedule = getSchedule(op, target); !schedule.empty())
        op->setAttr(kScheduleAttrName, schedule);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

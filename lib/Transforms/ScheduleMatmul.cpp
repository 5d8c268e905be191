// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MatmulSchedule.h"
#include "pypto/Properties/PassOptions.h"
#include "pypto/Transforms/Passes.h"
#include "pypto/Transforms/Schedule.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_SCHEDULEMATMUL
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

namespace {
struct ScheduleMatmulPass : pypto::impl::ScheduleMatmulBase<ScheduleMatmulPass> {
  using ScheduleMatmulBase::ScheduleMatmulBase;

  LogicalResult initialize(MLIRContext *context) override {
    return pypto::OptionChecker(context, *this).vectorBits("vector-bits", vectorBits);
  }

  void runOnModule() override {
    auto result = getOperation().walk([&](linalg::LinalgOp op) {
      std::optional<matmul::Contraction> product = matmul::matchContraction(op);
      if (!product)
        return WalkResult::advance();
      if (failed(verifySchedule(op)))
        return WalkResult::interrupt();
      op->setAttr(
          kScheduleAttrName,
          matmul::makeSchedule(*product, {vectorBits, bf16Dot, amx}).getAttr(&getContext()));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

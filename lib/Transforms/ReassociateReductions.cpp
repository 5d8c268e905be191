// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Transforms/Passes.h"
#include "pypto/Transforms/Siblings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_REASSOCIATEREDUCTIONS
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

/// Marks `combiner` if it adds or multiplies `accumulator`.
static void relax(Operation *combiner, Value accumulator) {
  if (!isa_and_nonnull<arith::AddFOp, arith::MulFOp>(combiner) ||
      !llvm::is_contained(combiner->getOperands(), accumulator))
    return;
  auto interface = cast<arith::ArithFastMathInterface>(combiner);
  auto flags = interface.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::reassoc;
  combiner->setAttr(interface.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(combiner->getContext(), flags));
}

void pypto::relaxReductions(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return;
  Operation *yield = op.getBlock()->getTerminator();
  for (auto [accumulator, value] : llvm::zip_equal(op.getRegionOutputArgs(), yield->getOperands()))
    if (accumulator.hasOneUse())
      relax(value.getDefiningOp(), accumulator);
}

namespace {
struct ReassociateReductionsPass
    : pypto::impl::ReassociateReductionsBase<ReassociateReductionsPass> {
  void runOnModule() override {
    getOperation().walk([](linalg::LinalgOp op) { relaxReductions(op); });
  }
};
} // namespace

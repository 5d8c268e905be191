// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that do something wrong on purpose, for tests of what finds such passes. In pypto-run when
// tests are built.
#include "TestPasses.h"

#include "pypto/Dialect/PL/IR/PLOps.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace pypto;

namespace {
/// Exchanges the operands of subtractions, but for those of indices, whose results are extents.
struct TestSwapOperands : PassWrapper<TestSwapOperands, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestSwapOperands)
  StringRef getArgument() const override { return "test-swap-operands"; }
  StringRef getDescription() const override { return "Swap the operands of subtractions"; }

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      // A scalar stands on the right of a tensor only.
      if (isa<pl::SubOp, tile::SubOp, arith::SubFOp>(op) &&
          op->getOperand(0).getType().getTypeID() == op->getOperand(1).getType().getTypeID())
        op->setOperands({op->getOperand(1), op->getOperand(0)});
    });
  }
};
} // namespace

void pypto::test::registerBrokenPasses() { PassRegistration<TestSwapOperands>(); }

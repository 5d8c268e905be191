// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that do something wrong on purpose, for tests of what finds such passes. In pypto-run when
// tests are built.
#include "TestPasses.h"

#include "pypto/Dialect/PL/IR/PLOps.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"

#include "mlir/Pass/Pass.h"
#include <chrono>
#include <cstdlib>
#include <thread>

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

/// Ends as a program that writes past its buffers does: the allocator finds its own data damaged
/// and aborts, holding its lock.
struct TestDamageHeap : PassWrapper<TestDamageHeap, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestDamageHeap)
  StringRef getArgument() const override { return "test-damage-heap"; }
  StringRef getDescription() const override { return "Write behind a buffer, and allocate"; }

  void runOnOperation() override {
    // The allocator takes its lock only where there are threads.
    std::thread other([] { std::this_thread::sleep_for(std::chrono::seconds(60)); });
    other.detach();
    constexpr size_t size = 1 << 20;
    for (int i = 0; i != 64; ++i) {
      auto *memory = static_cast<volatile uint64_t *>(std::malloc(64 * 1024 + i * 16));
      for (size_t word = 0; word != size / 512; ++word)
        memory[8 * 1024 + 2 * i + word] = 0;
    }
  }
};
} // namespace

void pypto::test::registerBrokenPasses() {
  PassRegistration<TestSwapOperands>();
  PassRegistration<TestDamageHeap>();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Foreign.h"

#include "pypto/Dialect/PL/Transforms/Passes.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/Pass/Pass.h"

#include "ForeignDialect.h.inc"
#define GET_OP_CLASSES
#include "Foreign.h.inc"

#include "ForeignDialect.cpp.inc"
#define GET_OP_CLASSES
#include "Foreign.cpp.inc"

void foreign::ForeignDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Foreign.cpp.inc"
      >();
}

namespace {
/// `foreign.twice %x` becomes `pl.add %x, %x`.
struct LowerTwice : mlir::PassWrapper<LowerTwice, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTwice)
  llvm::StringRef getArgument() const final { return "foreign-lower-twice"; }
  llvm::StringRef getDescription() const final { return "Replace foreign.twice by pl.add"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<pypto::pl::PLDialect>();
  }

  void runOnOperation() override {
    getOperation()->walk([](foreign::TwiceOp op) {
      mlir::OpBuilder builder(op);
      auto sum = pypto::pl::AddOp::create(builder, op.getLoc(), op.getX(), op.getX());
      op.replaceAllUsesWith(sum.getResult());
      op.erase();
    });
  }
};
} // namespace

void foreign::registerForeignDialect(mlir::DialectRegistry &registry) {
  registry.insert<ForeignDialect>();
}

void foreign::registerForeignPasses() { mlir::PassRegistration<LowerTwice>(); }

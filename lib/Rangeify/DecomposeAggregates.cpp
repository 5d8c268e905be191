// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Rangeify/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_DECOMPOSEAGGREGATES
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

namespace {
struct DecomposeAggregatesPass
    : pypto::rangeify::impl::DecomposeAggregatesBase<DecomposeAggregatesPass> {
  void runOnModule() override {
    SmallVector<linalg::AggregatedOpInterface> ops;
    getOperation().walk([&](linalg::AggregatedOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::AggregatedOpInterface op : ops) {
      rewriter.setInsertionPoint(op);
      FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
      if (failed(results)) {
        op.emitError("cannot be made of simpler operations");
        return signalPassFailure();
      }
      rewriter.replaceOp(op, *results);
    }
  }
};
} // namespace

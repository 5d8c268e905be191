// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expands calls of inline functions and removes those functions.
#include "InlineFunctionsExpansion.h"

#include "pypto/Dialect/PL/Transforms/Passes.h"

using namespace mlir;
using namespace pypto;

namespace pypto::pl {
#define GEN_PASS_DEF_INLINEFUNCTIONS
#include "pypto/Dialect/PL/Transforms/Passes.h.inc"
} // namespace pypto::pl

namespace {
struct InlineFunctionsPass : pl::impl::InlineFunctionsBase<InlineFunctionsPass> {
  using InlineFunctionsBase::InlineFunctionsBase;

  ArrayRef<IRProperty> getProducedProperties() const override {
    static constexpr IRProperty produced[] = {IRProperty::InlineFunctionsEliminated};
    return produced;
  }

  void runOnModule() override {
    pl::inlining::InlineGraph graph;
    if (failed(graph.build(getOperation())) || failed(graph.checkSize(maxOps)))
      return signalPassFailure();
    if (graph.getCallees().empty())
      return markAllAnalysesPreserved();
    graph.summarize();
    pl::inlining::Inliner inliner(graph);
    for (const pl::inlining::Caller &caller : graph.getCallers())
      if (failed(inliner.run(caller)))
        return signalPassFailure();
    // A submit is no call: a function that one names stays, for the property to report both.
    for (const std::unique_ptr<pl::inlining::Callee> &callee : graph.getCallees())
      if (!callee->isSubmitted)
        callee->func.erase();
  }
};
} // namespace

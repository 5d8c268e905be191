// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Dialect/PL/Transforms/Passes.h"

using namespace mlir;
using namespace pypto;

namespace pypto::pl {
#define GEN_PASS_DEF_INLINEFUNCTIONS
#include "pypto/Dialect/PL/Transforms/Passes.h.inc"
} // namespace pypto::pl

namespace {
struct InlineFunctionsPass : pl::impl::InlineFunctionsBase<InlineFunctionsPass> {
  ArrayRef<IRProperty> getProducedProperties() const override {
    static constexpr IRProperty properties[] = {IRProperty::InlineFunctionsEliminated};
    return properties;
  }
  void runOnModule() override {}
};
} // namespace

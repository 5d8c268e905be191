// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Dialect/PL/Transforms/Passes.h"

using namespace mlir;
using namespace pypto;

namespace pypto::pl {
#define GEN_PASS_DEF_CONVERTTOSSA
#include "pypto/Dialect/PL/Transforms/Passes.h.inc"
} // namespace pypto::pl

namespace {
struct ConvertToSSAPass : pl::impl::ConvertToSSABase<ConvertToSSAPass> {
  ArrayRef<IRProperty> getProducedProperties() const override {
    static constexpr IRProperty properties[] = {IRProperty::SSAForm};
    return properties;
  }
  void runOnModule() override {}
};
} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Dialect/PL/Transforms/Passes.h"

using namespace mlir;
using namespace pypto;

namespace pypto::pl {
#define GEN_PASS_DEF_NORMALIZERETURNORDER
#include "pypto/Dialect/PL/Transforms/Passes.h.inc"
} // namespace pypto::pl

namespace {
struct NormalizeReturnOrderPass : pl::impl::NormalizeReturnOrderBase<NormalizeReturnOrderPass> {
  ArrayRef<IRProperty> getRequiredProperties() const override {
    static constexpr IRProperty properties[] = {IRProperty::SplitIncoreOrch,
                                                IRProperty::IncoreTileOps};
    return properties;
  }
  ArrayRef<IRProperty> getProducedProperties() const override {
    static constexpr IRProperty properties[] = {IRProperty::ReturnParamsExplicit};
    return properties;
  }
  void runOnModule() override {}
};
} // namespace

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
  void runOnModule() override {}
};
} // namespace

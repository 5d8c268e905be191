// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Dialect/PL/Transforms/Passes.h"

#include "CellPromotion.h"

using namespace mlir;
using namespace pypto;

namespace pypto::pl {
#define GEN_PASS_DEF_CONVERTTOSSA
#include "pypto/Dialect/PL/Transforms/Passes.h.inc"
} // namespace pypto::pl

/// Reports parameters that are variables: what they are is known where the function is inlined.
static LogicalResult checkParameters(Operation *op) {
  auto func = dyn_cast<pl::FuncOp>(op);
  if (!func)
    return success();
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
    if (!isa<pl::VarType>(type))
      continue;
    InFlightDiagnostic diag = emitError(func.getLoc()) << "parameter " << index << " of function '"
                                                       << func.getSymName() << "' is a variable";
    diag.attachNote() << "run --inline-functions before";
    return diag;
  }
  return success();
}

namespace {
struct ConvertToSSAPass : pl::impl::ConvertToSSABase<ConvertToSSAPass> {
  ArrayRef<IRProperty> getProducedProperties() const override {
    static constexpr IRProperty properties[] = {IRProperty::SSAForm};
    return properties;
  }
  void runOnModule() override;
};
} // namespace

void ConvertToSSAPass::runOnModule() {
  SmallVector<pl::detail::LaunchBinding> launchBindings;
  SmallVector<pl::VarOp> variables;
  bool succeeded = true;
  for (Operation &op : *getOperation().getBody()) {
    if (isa<ModuleOp>(op))
      continue;
    pl::detail::CellAnalysis analysis;
    if (failed(checkParameters(&op)) || failed(analysis.run(&op))) {
      succeeded = false;
      continue;
    }
    if (analysis.getVariables().empty())
      continue;
    succeeded &= mlir::succeeded(pl::detail::promoteCells(&op, analysis, launchBindings));
    llvm::append_range(variables, analysis.getVariables());
  }
  // Callees that are in SSA form too say which handle a call returns.
  if (!succeeded || failed(pl::detail::checkLaunchBindings(launchBindings)))
    return signalPassFailure();
  for (pl::VarOp variable : variables)
    variable.erase();
  if (variables.empty())
    markAllAnalysesPreserved();
}

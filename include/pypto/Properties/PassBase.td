// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_PROPERTIES_PASSBASE_TD
#define PYPTO_PROPERTIES_PASSBASE_TD

include "mlir/Pass/PassBase.td"

/// A pass on modules that derives from `pypto::PassBase`.
class PyptoPass<string argument> : PassBase<argument, "::pypto::PassBase">;

#endif

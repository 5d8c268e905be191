// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_DIALECT_PL_TRANSFORMS_OUTLINEWINDOWS_H
#define PYPTO_LIB_DIALECT_PL_TRANSFORMS_OUTLINEWINDOWS_H

#include "pypto/Dialect/PL/IR/PLOps.h"

namespace pypto::pl {

/// Where the body of `scope` looks at one window of a tensor from outside only, that window is made
/// in front of the scope and stands for the tensor: so the task waits for those that access these
/// elements, not for all that access the tensor. `note(window, tensor)` is called for each.
void narrowToWindows(mlir::Operation *scope,
                     llvm::function_ref<void(mlir::Value, mlir::Value)> note);

} // namespace pypto::pl

#endif

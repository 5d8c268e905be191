// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Verifiers.h"

using namespace mlir;
using namespace pypto;

LogicalResult pypto::verifyReturnParamsExplicit(ModuleOp, PropertyErrorFn) { return success(); }

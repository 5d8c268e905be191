// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto-c/Passes.h"

#include "pypto/Dialect/PL/Transforms/Passes.h"
#include "pypto/InitAll.h"

#include "mlir/CAPI/Pass.h"

using namespace pypto::pl;

// The name that the generated code gives the group.
static void registerPyptoPLPasses() { registerPLPasses(); }

#include "pypto/Dialect/PL/Transforms/Passes.capi.cpp.inc"

void pyptoRegisterAllPasses(void) { pypto::registerAllPasses(); }

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The project's passes in C: mlirCreatePyptoPLInlineFunctions() makes a pass for a pass manager,
 * mlirRegisterPyptoPLInlineFunctions() makes it known to textual pipelines; so for each pass. */
#ifndef PYPTO_C_PASSES_H
#define PYPTO_C_PASSES_H

#include "mlir-c/Pass.h"

#include "pypto/Dialect/PL/Transforms/Passes.capi.h.inc"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes every pass and named pipeline of the project known to textual pipelines. */
MLIR_CAPI_EXPORTED void pyptoRegisterAllPasses(void);

#ifdef __cplusplus
}
#endif

#endif

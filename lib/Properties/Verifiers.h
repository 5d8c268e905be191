// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_PROPERTIES_VERIFIERS_H
#define PYPTO_LIB_PROPERTIES_VERIFIERS_H

#include "pypto/Properties/Properties.h"

// One verifier per property, each in a file of its own. All are linear in the size of the module,
// and none relies on what a pass wrote down.
namespace pypto {

llvm::LogicalResult verifyInlineFunctionsEliminated(mlir::ModuleOp module,
                                                    PropertyErrorFn emitError);
llvm::LogicalResult verifySSAForm(mlir::ModuleOp module, PropertyErrorFn emitError);
llvm::LogicalResult verifySplitIncoreOrch(mlir::ModuleOp module, PropertyErrorFn emitError);
llvm::LogicalResult verifyIncoreTileOps(mlir::ModuleOp module, PropertyErrorFn emitError);
llvm::LogicalResult verifyReturnParamsExplicit(mlir::ModuleOp module, PropertyErrorFn emitError);

} // namespace pypto

#endif

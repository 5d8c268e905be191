// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_RANGEIFY_KERNELGROUPS_H
#define PYPTO_LIB_RANGEIFY_KERNELGROUPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pypto::rangeify {

/// The tensors of `graph` that kernels write, in program order: one kernel for each element, which
/// computes what it needs and no other kernel writes. `single`: one kernel for all results.
llvm::SmallVector<llvm::SmallVector<mlir::Value>> groupKernels(mlir::func::FuncOp graph,
                                                               bool single);

} // namespace pypto::rangeify

#endif

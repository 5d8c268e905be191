// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_EXECUTIONENGINE_GRAPHEXTENTS_H
#define PYPTO_LIB_EXECUTIONENGINE_GRAPHEXTENTS_H

#include "pypto/ExecutionEngine/Invocation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pypto::execution {

/// The shapes of the results of a graph that is called with `arguments`. Where extents are not in
/// the types of `graph`, ops that do not fit these arguments are reported: slices past the end,
/// extents that differ where they have to agree. A failure has been reported as a diagnostic.
mlir::FailureOr<llvm::SmallVector<llvm::SmallVector<int64_t>>>
computeResultShapes(mlir::func::FuncOp graph, llvm::ArrayRef<HostValue> arguments);

} // namespace pypto::execution

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of tensor ops as programs of `pypto-run`.
#ifndef PYPTO_LIB_EXECUTIONENGINE_GRAPHRUN_H
#define PYPTO_LIB_EXECUTIONENGINE_GRAPHRUN_H

#include "Program.h"

#include "pypto/ExecutionEngine/Runner.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pypto::execution {

/// The graph that a module without functions of `pl` has: the public `func.func` of that name, or
/// the only one. Null if the module is no module of graphs.
mlir::func::FuncOp findGraph(mlir::ModuleOp module, llvm::StringRef name);

/// Its tensors as tensors of a program.
llvm::Expected<Signature> getGraphSignature(mlir::func::FuncOp graph,
                                            const mlir::AsmParserState *names);

/// Prints it as it is behind the phase that `options` name. False after a diagnostic.
llvm::Expected<bool> stopGraph(const RunOptions &options, Program &program, llvm::raw_ostream &out);

/// Compiles and runs it. The pipeline `pypto-naive-graph-pipeline` makes plain loops of it. Nothing
/// after a diagnostic.
llvm::Expected<std::optional<llvm::SmallVector<Output>>>
runGraph(const RunOptions &options, Program &program, llvm::ArrayRef<HostValue> arguments,
         llvm::raw_ostream &out);

} // namespace pypto::execution

#endif

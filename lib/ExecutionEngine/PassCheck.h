// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_EXECUTIONENGINE_PASSCHECK_H
#define PYPTO_LIB_EXECUTIONENGINE_PASSCHECK_H

#include "Program.h"

#include "pypto/ExecutionEngine/Runner.h"

namespace pypto::execution {

/// Runs the program before and after each pass of `options.checkEachPass` on copies of the
/// arguments, and compares. One line for each pass goes to `out`. False if a pass changed a number
/// or a diagnostic says why there is no number.
llvm::Expected<bool> checkEachPass(const RunOptions &options, Program &program,
                                   llvm::ArrayRef<HostValue> arguments, llvm::raw_ostream &out);

/// The passes of a textual pipeline, one by one, each with what it is nested in.
llvm::Expected<llvm::SmallVector<std::string>>
flattenPipeline(mlir::MLIRContext &context, llvm::StringRef pipeline, llvm::StringRef option);

} // namespace pypto::execution

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_CONVERSION_ORCHESTRATIONTORUNTIME_PASSES_TD
#define PYPTO_CONVERSION_ORCHESTRATIONTORUNTIME_PASSES_TD

include "pypto/Properties/PassBase.td"

def ConvertOrchestrationToRuntime : PyptoPass<"convert-orchestration-to-runtime"> {
  let summary = "Make calls of the run time of launches, waits and signals";
  let description = [{
    For code over buffers and without structured control flow, before the conversions to LLVM that it goes together
    with. See `include/pypto/Runtime/TaskABI.h` for the calls.

    - A launch puts the arguments, the parts of memory that they stand for and the ids that it waits for on the stack;
      the run time copies them. One function per kernel takes the arguments from the copy and calls the kernel.
    - What a function that makes tasks frees, the run time frees once no task needs it.
    - A wait for a signal is a loop around an atomic load, a signal is an atomic store or addition.

    Linear in the size of the program.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif

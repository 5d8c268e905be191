// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TOOLS_PYPTO_RUN_CRASHHANDLER_H
#define PYPTO_TOOLS_PYPTO_RUN_CRASHHANDLER_H

/// Makes a signal that ends the process, of a program that is run or of the tool, say so and end
/// it. The handlers of LLVM allocate memory for a stack trace, which waits for ever where the
/// signal came out of the allocator. To be called after llvm::InitLLVM.
void installCrashHandler();

#endif

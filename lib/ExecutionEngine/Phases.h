// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way of a graph of tensor ops, and its form behind each phase.
#ifndef PYPTO_LIB_EXECUTIONENGINE_PHASES_H
#define PYPTO_LIB_EXECUTIONENGINE_PHASES_H

#include "Program.h"

#include "pypto/ExecutionEngine/Kernel.h"

namespace pypto::execution {

enum class Phase { Graph, Rangeify, Split, Schedule, Optimize, Codegen };

/// The error lists the names that there are.
llvm::Expected<Phase> findPhase(llvm::StringRef name);

/// Takes the graph through the phases up to `last` and prints what that one leaves: a module, or
/// for the last two the text of each kernel. False after a diagnostic.
llvm::Expected<bool> printPhase(Program &program, Phase last, const KernelOptions &options,
                                llvm::raw_ostream &os);

} // namespace pypto::execution

#endif

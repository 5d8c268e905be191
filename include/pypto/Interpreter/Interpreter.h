// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs programs of the `pl`, `tile` and `orchestration` dialects as they stand, without lowering
// them: what the compiled program is compared with.
#ifndef PYPTO_INTERPRETER_INTERPRETER_H
#define PYPTO_INTERPRETER_INTERPRETER_H

#include "pypto/Dialect/PL/IR/PLOps.h"
#include "pypto/ExecutionEngine/Invocation.h"

#include <vector>

namespace pypto::interpreter {

struct Options {
  /// Warns, once per operation, where an element is used that nothing has given a value.
  bool warnUndefined = true;
  /// Calls and regions inside of one another; more is an error.
  unsigned maxDepth = 20000;
};

/// A value that a run leaves behind, and which of its elements nothing has given a value (empty:
/// every element has one).
struct Outcome {
  execution::HostValue value;
  std::vector<bool> undefined;
};

/// What a run leaves behind: the results of the entry in its own order, and its arguments. The
/// arrays of the arguments are those that were given, and have been written to.
struct Run {
  llvm::SmallVector<Outcome> results;
  llvm::SmallVector<Outcome> arguments;
};

/// Runs `entry`, at any stage before the conversion to linalg, on `arguments`, one for each
/// parameter. Tasks run in program order, the blocks of a launch one after the other. Every index
/// is checked against the extent that it is for. Failure after a diagnostic at the operation that
/// cannot be run.
llvm::FailureOr<Run> interpret(pl::FuncOp entry, llvm::ArrayRef<execution::HostValue> arguments,
                               const Options &options = {});

/// Whether an operation of this name is run. Terminators and functions count as run.
bool isInterpreted(llvm::StringRef operation);

/// The operations of the three dialects that are an error where they would run: queues between
/// cores that would have to run side by side, and tasks of programs that have been lowered.
llvm::ArrayRef<llvm::StringLiteral> getUnsupportedOperations();

} // namespace pypto::interpreter

#endif

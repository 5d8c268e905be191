// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program on its way from text to results.
#ifndef PYPTO_LIB_EXECUTIONENGINE_PROGRAM_H
#define PYPTO_LIB_EXECUTIONENGINE_PROGRAM_H

#include "pypto/ExecutionEngine/Runner.h"
#include "pypto/Interpreter/Interpreter.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"
#include <chrono>

namespace pypto::execution {

using Clock = std::chrono::steady_clock;

inline double getMilliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

/// The program in memory, with the signature of its entry.
struct Program {
  std::shared_ptr<llvm::SourceMgr> sources = std::make_shared<llvm::SourceMgr>();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Signature signature;
  /// The entry is a graph of tensor ops.
  bool isGraph = false;
};

/// An error if an option means nothing beside the others, or for such a program.
llvm::Error checkOptions(const RunOptions &options, bool isGraph);

/// Reads the text.
llvm::Error openProgram(llvm::StringRef path, llvm::SourceMgr &sources);

/// Fills `program`. A failure without an error has been reported as a diagnostic.
llvm::Expected<bool> parseProgram(mlir::MLIRContext &context, llvm::StringRef entryName,
                                  Program &program);

/// Runs a textual pipeline on the program and notes where it moves the results of the entry. False
/// after a diagnostic. `option` is where the pipeline comes from.
llvm::Expected<bool> runPasses(Program &program, llvm::StringRef pipeline, llvm::StringRef option);

/// Writes the trace that `options` ask for, if they do.
llvm::Error writeProfile(const RunOptions &options, const PlanReport &report);

/// Interprets the entry. Results are in the order of the signature; `undefined` has for each output
/// (see collectOutputs) its elements that nothing has given a value.
llvm::FailureOr<llvm::SmallVector<HostValue>>
interpretEntry(Program &program, llvm::ArrayRef<HostValue> arguments,
               const interpreter::Options &options = {},
               llvm::SmallVectorImpl<std::vector<bool>> *undefined = nullptr);

} // namespace pypto::execution

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `pypto-run` does, as a library.
#ifndef PYPTO_EXECUTIONENGINE_RUNNER_H
#define PYPTO_EXECUTIONENGINE_RUNNER_H

#include "pypto/ExecutionEngine/Elements.h"
#include "pypto/ExecutionEngine/Invocation.h"
#include "pypto/ExecutionEngine/PlanReport.h"
#include "pypto/Runtime/StaticGraph.h"

#include "mlir/IR/DialectRegistry.h"
#include <string>
#include <vector>

namespace pypto::execution {

struct RunOptions {
  /// File with the program; `-` is standard input.
  std::string program;
  /// Empty: the only entry, or `main`.
  std::string entry;
  /// One for each in and inout parameter, in order: a `.npy` file for a tensor, or `@n` for the
  /// storage of the n-th of these arguments; a literal for a scalar; `*` for random elements.
  std::vector<std::string> arguments;
  /// Files for the results in order, then for the out and inout parameters that are no result's
  /// storage. An empty name skips one. `expected` goes by the same order.
  std::vector<std::string> outputs;
  std::vector<std::string> expected;
  /// `N=37` for a symbolic extent, `x.0=37` for dimension 0 of parameter `x`.
  std::vector<std::string> dims;
  /// `x=3,16`: the valid extents of parameter `x` where its type leaves them open.
  std::vector<std::string> valids;
  Tolerance tolerance;
  /// Makes the arguments that are not given.
  std::optional<uint64_t> seed;
  bool time = false;
  /// How tasks run; kernels of a graph.
  runtime::TaskGraphOptions tasks;
  runtime::StaticOrder graphOrder = runtime::StaticOrder::Dataflow;
  /// Runs with one, two and eight threads and in adversarial order, too: each has to give the same
  /// bits.
  bool checkOrders = false;
  /// How the tasks of the run, or the kernels of a graph, are printed, if they are.
  std::optional<PlanFormat> printPlan;
  /// Where a trace of the run goes; nowhere if it is empty.
  std::string profile;
  bool dumpLLVM = false;
  /// How much LLVM optimises, from 0 to 3.
  unsigned llvmLevel = 3;
  std::string pipeline = "pypto-cpu-pipeline";
  /// For graphs: the width of the beam of a search for schedules, if there is to be one.
  unsigned beam = 0;
  bool showsProgress = false;
  /// How much that pipeline, and that of graphs, optimise: `none`, `heuristic`, or nothing.
  std::string level;
  bool checkBounds = false;
  /// Graphs: what makes code of kernels (the default if it is empty), and the phase behind which
  /// the program is printed instead of run, if there is one.
  std::string renderer;
  std::string stopAfter;
  /// Graphs: compares the results with those of plain loops.
  bool check = false;
  /// Runs the program as it stands, or as other passes than the default ones leave it.
  bool interpret = false;
  /// A textual pipeline: the program is run before it and after each of its passes. `default` is
  /// the whole CPU pipeline.
  std::string checkEachPass;
  /// Where the program before and after the pass that changed a number is written to.
  std::string keepIR;
};

/// Values for all parameters of `signature`, as `options` asks. Out parameters are zero.
llvm::Expected<llvm::SmallVector<HostValue>> makeArguments(const Signature &signature,
                                                           const RunOptions &options);

/// Something that a run leaves behind: a result, or a parameter that was written.
struct Output {
  /// E.g. "result 0" or "parameter 'y'".
  std::string label;
  /// Element type.
  mlir::Type type;
  HostValue value;
};

/// Results in order, then the out and inout parameters that are not returned. Elements outside the
/// valid extents are made zero.
llvm::Expected<llvm::SmallVector<Output>> collectOutputs(const Signature &signature,
                                                         llvm::ArrayRef<HostValue> arguments,
                                                         llvm::ArrayRef<HostValue> results);

/// Writes each array to its file (an empty name: not at all): all of them, or none.
llvm::Error writeOutputs(llvm::ArrayRef<Output> outputs, llvm::ArrayRef<std::string> paths);

/// Compares each output with its file, one line each on `os`. False if one differs.
llvm::Expected<bool> compareOutputs(llvm::ArrayRef<Output> outputs,
                                    llvm::ArrayRef<std::string> paths, Tolerance tolerance,
                                    llvm::raw_ostream &os);

/// The same with outputs of another run; `source` says of which.
llvm::Expected<bool> compareOutputs(llvm::ArrayRef<Output> outputs, llvm::ArrayRef<Output> expected,
                                    llvm::StringRef source, Tolerance tolerance,
                                    llvm::raw_ostream &os);

/// Compiles a program, runs an entry, and writes, compares or prints what it computed. Reports go
/// to `out`, diagnostics and errors to `err`. Returns the exit code: 0, or 1 after an error or a
/// difference.
int runProgram(const RunOptions &options, const mlir::DialectRegistry &registry,
               llvm::raw_ostream &out, llvm::raw_ostream &err);

} // namespace pypto::execution

#endif

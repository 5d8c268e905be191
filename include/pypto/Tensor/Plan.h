// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TENSOR_PLAN_H
#define PYPTO_TENSOR_PLAN_H

#include "pypto/ExecutionEngine/PlanReport.h"
#include "pypto/Runtime/StaticGraph.h"
#include "pypto/Tensor/Tensor.h"

#include <functional>

namespace pypto::execution {
class GraphProgram;
} // namespace pypto::execution

namespace pypto::lazy {

using PlanOrder = runtime::StaticOrder;
using execution::PlanFormat;

/// Compiled code for one or more tensors, with its buffers. May be executed again and again: it
/// then reads what the buffers of its inputs hold at that time. Threads that execute one plan wait
/// for each other; its outputs are those of the last execution, and are not to be read during the
/// next one.
class ExecutionPlan {
public:
  ~ExecutionPlan();

  /// Computes all outputs. Variables have the values of the last execution, at first their largest.
  llvm::Error tryExecute();
  void execute();
  /// The same with other values of variables, which have to be within their bounds. Nothing is
  /// compiled.
  llvm::Error tryExecuteWithVars(const Tensor::Variables &variables);
  void executeWithVars(const Tensor::Variables &variables);

  /// Executes, and notes when and where each kernel ran: `print` then has the times.
  llvm::Error tryProfile();
  /// The same, and writes a trace for the trace viewers of Chrome and Perfetto.
  void profile(llvm::raw_ostream &os);
  /// Shows kernels, edges, buffers and their memory, estimates of work, and times if it has been
  /// profiled.
  void print(llvm::raw_ostream &os, PlanFormat format = PlanFormat::Text) const;

  // Numbers from 0 on; a TensorException if there is no such output or kernel.
  size_t numOutputs() const;
  /// The memory of an output, in the order of the tensors that the plan was made for.
  BufferRef outputBufferAt(size_t index) const;
  /// Its extents at the last execution.
  llvm::SmallVector<int64_t> outputShapeAt(size_t index) const;
  DType outputDTypeAt(size_t index) const;

  /// What it runs, in order.
  size_t numKernels() const;
  llvm::StringRef kernelNameAt(size_t index) const;
  /// The kernels whose results a kernel uses.
  llvm::ArrayRef<unsigned> kernelDependenciesAt(size_t index) const;
  /// One more than the group of the last kernel that it waits for; 0 if there is none.
  unsigned kernelGroupAt(size_t index) const;
  /// When kernels run: each as soon as it can unless something else is asked for. The results have
  /// the same bits.
  void setOrder(PlanOrder order);
  /// Bytes for what kernels hand to each other.
  int64_t getScratchBytes() const;

  struct Implementation;
  explicit ExecutionPlan(std::unique_ptr<Implementation> implementation);

private:
  /// Throws if there is no such kernel.
  const execution::GraphProgram &getProgram(size_t kernel) const;

  std::unique_ptr<Implementation> implementation;
};

/// How graphs are compiled.
struct CompileOptions {
  /// Searches schedules of matrix products by measuring them, and goes on with so many in each
  /// round; 0: the heuristics choose them. What was found is kept with the kernels.
  unsigned beam = 0;
  /// Draws the state of a search on stderr; on a terminal it is drawn in any case.
  bool showsProgress = false;
};
/// For what is compiled from now on.
void setCompileOptions(const CompileOptions &options);

/// What happened since the process started.
struct Counters {
  /// Graphs that were new, and those that had been seen with other buffers.
  uint64_t graphsCompiled = 0, graphHits = 0;
  /// Kernels that were compiled, and those that were there.
  uint64_t kernelsCompiled = 0, kernelHits = 0;
  /// Kernels that were run.
  uint64_t kernelsRun = 0;
  /// Kernels that were read from disk, and those that could not be written there.
  uint64_t diskHits = 0, diskFailures = 0;
};
Counters getCounters();

/// Keeps compiled kernels in this directory, which it makes, for other processes; not at all if it
/// is empty. An error, and nothing changes, if they cannot be written there. At first it is what
/// the environment variable PYPTO_KERNEL_CACHE says.
llvm::Error trySetKernelCacheDirectory(llvm::StringRef directory);
void setKernelCacheDirectory(llvm::StringRef directory);
/// Gets the text of a warning when a kernel cannot be kept there; once, until it is set again.
/// It is called while a kernel is compiled: it must not compile or realize anything itself.
void setKernelCacheWarning(std::function<void(const std::string &text)> warn);

} // namespace pypto::lazy

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_GRAPHPROGRAM_H
#define PYPTO_EXECUTIONENGINE_GRAPHPROGRAM_H

#include "pypto/ExecutionEngine/Kernel.h"
#include "pypto/ExecutionEngine/PlanReport.h"
#include "pypto/Runtime/StaticGraph.h"

#include <functional>
#include <map>
#include <optional>

namespace pypto::execution {

struct GraphDescription;

/// What a compiled graph does: calls of kernels in an order that their dependencies allow.
/// Immutable, and independent of the module that it was made from.
class GraphProgram {
public:
  /// Compiles the kernels of `host`, a function that `--split-kernels` has made. The error names
  /// what the host may not do.
  static llvm::Expected<std::shared_ptr<const GraphProgram>> create(mlir::func::FuncOp host,
                                                                    const KernelOptions &options);

  /// Each buffer and number of the host is a register: its parameters are the first ones, behind
  /// them the extents of parameters that are not in their types.
  unsigned getNumRegisters() const { return numRegisters; }
  unsigned getNumParameters() const { return numParameters; }
  /// The register of an extent of a parameter, if its type leaves it open.
  std::optional<unsigned> getExtentRegister(unsigned parameter, unsigned dim) const;
  unsigned getNumCalls() const { return calls.size(); }
  /// Bytes of the memory for what kernels hand to each other.
  int64_t getScratchBytes() const;
  llvm::StringRef getKernelName(unsigned call) const { return calls[call].name; }
  /// The calls as tasks with their edges and groups: what waits for what.
  const runtime::StaticGraph &getGraph() const { return graph; }

  /// When and where a call ran: microseconds since the execution began, and the number of the
  /// thread, 0 being the one that asked for it.
  struct Time {
    double start = 0, duration = 0;
    unsigned thread = 0;
  };

  class Frame;
  /// What there is to see. With a frame its last `runTimed` is in it, and what depends on extents
  /// that vary.
  PlanReport makeReport(const Frame *frame = nullptr) const;

  /// The memory of one execution at a time: registers, and where each call finds its arguments.
  class Frame {
  public:
    explicit Frame(std::shared_ptr<const GraphProgram> program);
    ~Frame();
    Frame(const Frame &) = delete;
    /// False if there is not enough memory.
    bool isValid() const;
    /// Sets a register: the address of a buffer, or the bits of a number.
    void set(unsigned index, int64_t bits) { registers[index] = bits; }
    /// Calls the kernels. An error if there is not enough memory, or if a kernel fails.
    llvm::Error run(runtime::StaticOrder order = runtime::StaticOrder::Dataflow);
    /// The same, and writes down when each call ran.
    llvm::Error runTimed(runtime::StaticOrder order = runtime::StaticOrder::Dataflow);
    /// What the last `runTimed` wrote, for each call; empty before the first.
    llvm::ArrayRef<Time> getTimes() const { return times; }

  private:
    friend class GraphProgram;
    bool prepare();
    void call(unsigned index) const;
    void runNested(unsigned index) const;
    llvm::Error execute(llvm::function_ref<void(unsigned)> body, runtime::StaticOrder order);

    std::shared_ptr<const GraphProgram> program;
    runtime::StaticGraph::Run tasks;
    std::vector<Time> times;
    std::unique_ptr<int64_t[]> registers;
    std::unique_ptr<void *[]> arguments;
    /// For each call that is a program the memory of it; null for kernels.
    std::vector<std::unique_ptr<Frame>> nested;
    char *scratch = nullptr;
    /// Memory of allocations whose size is not known before, and how large it is.
    std::vector<std::pair<char *, int64_t>> grown;
  };

private:
  /// The program runs for each value of its first parameter; the next ones are carried: they get
  /// `yielded`, registers of the program, before the next iteration.
  struct Loop {
    unsigned low, high, step;
    llvm::SmallVector<unsigned> yielded;
  };
  struct Call {
    std::string name;
    std::shared_ptr<const Kernel> kernel;
    /// Registers, and the place of the first argument among those of all calls.
    llvm::SmallVector<unsigned> arguments;
    unsigned firstArgument = 0;
    /// In place of a kernel: a program whose parameters the arguments are.
    std::shared_ptr<const GraphProgram> program;
    /// Of a program that is the body of a loop.
    std::optional<Loop> loop;
  };
  using Registers = const int64_t *;
  /// A number that the host computes, or the size of a buffer that it allocates.
  struct Computation {
    unsigned target;
    std::function<int64_t(Registers)> compute;
    bool isAllocation;
  };
  /// A buffer inside of the scratch memory.
  struct Allocation {
    unsigned target;
    int64_t offset;
  };
  friend class GraphProgramBuilder;

  unsigned numRegisters = 0, numParameters = 0;
  int64_t scratchBytes = 0;
  llvm::SmallVector<Allocation> allocations;
  /// Registers that never change.
  llvm::SmallVector<std::pair<unsigned, int64_t>> constants;
  /// In front of all calls, in order.
  std::vector<Computation> computations;
  std::map<std::pair<unsigned, unsigned>, unsigned> extents;
  std::vector<Call> calls;
  runtime::StaticGraph graph;
  unsigned numArguments = 0;
  std::shared_ptr<const GraphDescription> description;
};

} // namespace pypto::execution

#endif

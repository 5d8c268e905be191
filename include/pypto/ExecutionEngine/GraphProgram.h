// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_GRAPHPROGRAM_H
#define PYPTO_EXECUTIONENGINE_GRAPHPROGRAM_H

#include "pypto/ExecutionEngine/Kernel.h"

#include <functional>
#include <map>
#include <optional>

namespace pypto::execution {

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
  int64_t getScratchBytes() const { return scratchBytes; }
  llvm::StringRef getKernelName(unsigned call) const { return calls[call].name; }
  /// Calls of which results a call uses.
  llvm::ArrayRef<unsigned> getDependencies(unsigned call) const { return calls[call].dependencies; }

  /// The memory of one execution at a time: registers, and where each call finds its arguments.
  class Frame {
  public:
    explicit Frame(std::shared_ptr<const GraphProgram> program);
    ~Frame();
    Frame(const Frame &) = delete;
    /// False if there is not enough memory.
    bool isValid() const { return scratch || program->scratchBytes == 0; }
    /// Sets a register: the address of a buffer, or the bits of a number.
    void set(unsigned index, int64_t bits) { registers[index] = bits; }
    /// False if there is not enough memory for what kernels hand to each other.
    bool run();

  private:
    std::shared_ptr<const GraphProgram> program;
    std::unique_ptr<int64_t[]> registers;
    std::unique_ptr<void *[]> arguments;
    char *scratch = nullptr;
    /// Memory of allocations whose size is not known before, and how large it is.
    std::vector<std::pair<char *, int64_t>> grown;
  };

private:
  struct Call {
    std::string name;
    std::shared_ptr<const Kernel> kernel;
    llvm::SmallVector<unsigned> arguments;
    llvm::SmallVector<unsigned> dependencies;
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
};

} // namespace pypto::execution

#endif

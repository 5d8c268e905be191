// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_GRAPHPROGRAM_H
#define PYPTO_EXECUTIONENGINE_GRAPHPROGRAM_H

#include "pypto/ExecutionEngine/Kernel.h"

#include <optional>

namespace pypto::execution {

/// A buffer in which a graph puts a result, or from which it reads.
struct GraphBuffer {
  mlir::MemRefType type;
};

/// What a compiled graph does: calls of kernels in an order that their dependencies allow.
/// Immutable, and independent of the module that it was made from.
class GraphProgram {
public:
  /// Compiles the kernels of `host`, a function that `--split-kernels` has made. The error names
  /// what the host may not do.
  static llvm::Expected<std::shared_ptr<const GraphProgram>> create(mlir::func::FuncOp host,
                                                                    const KernelOptions &options);

  /// Each buffer and scalar of the host is a register: its parameters are the first ones.
  unsigned getNumRegisters() const { return numRegisters; }
  unsigned getNumParameters() const { return numParameters; }
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
    /// Sets a parameter: the address of a buffer, or the bits of a scalar.
    void setParameter(unsigned index, int64_t bits) { registers[index] = bits; }
    void run();

  private:
    std::shared_ptr<const GraphProgram> program;
    std::unique_ptr<int64_t[]> registers;
    std::unique_ptr<void *[]> arguments;
    char *scratch = nullptr;
  };

private:
  struct Call {
    std::string name;
    std::shared_ptr<const Kernel> kernel;
    llvm::SmallVector<unsigned> arguments;
    llvm::SmallVector<unsigned> dependencies;
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
  std::vector<Call> calls;
};

} // namespace pypto::execution

#endif

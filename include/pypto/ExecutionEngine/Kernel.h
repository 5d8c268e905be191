// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_KERNEL_H
#define PYPTO_EXECUTIONENGINE_KERNEL_H

#include "pypto/ExecutionEngine/JIT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pypto::execution {

/// How kernels are compiled; part of what they are cached under.
struct KernelOptions {
  /// No fusion, no vector code: the plain loops that optimised code is compared with.
  bool naive = false;
};

/// Machine code of one kernel: a function over buffers of static shape and scalars, which gets the
/// addresses of its buffers. Immutable; may be called by several threads at once.
class Kernel {
public:
  /// Looks the kernel up in the cache of this process, and compiles it if it is not there. Two
  /// functions that differ in name and locations only are one kernel. Diagnostics go to the
  /// context's handler.
  static llvm::Expected<std::shared_ptr<const Kernel>> get(mlir::func::FuncOp function,
                                                           const KernelOptions &options);

  /// `arguments[i]` points to the address of a buffer, or to the value of a scalar.
  void operator()(void **arguments) const { invoker(arguments, nullptr); }

private:
  std::unique_ptr<JIT> code;
  JIT::Invoker invoker = nullptr;
};

/// What happened in the cache of kernels since the process started.
struct KernelCounters {
  uint64_t compiled = 0;
  uint64_t memoryHits = 0;
};
KernelCounters getKernelCounters();

} // namespace pypto::execution

#endif

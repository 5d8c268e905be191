// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_KERNEL_H
#define PYPTO_EXECUTIONENGINE_KERNEL_H

#include "pypto/ExecutionEngine/JIT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <functional>

namespace pypto::execution {

class KernelCode;
class Renderer;

/// How kernels are compiled; part of what they are cached under.
struct KernelOptions {
  /// No fusion, no vector code: the plain loops that optimised code is compared with.
  bool naive = false;
  /// Searches schedules by measuring, with a beam of this width; 0: the heuristics choose them.
  unsigned beam = 0;
  /// Draws the state of a search on stderr where that is no terminal, too.
  bool showsProgress = false;
  /// What makes code of them; null is the default (see `getRenderer` in Renderer.h).
  const Renderer *renderer = nullptr;
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

  Kernel();
  ~Kernel();

private:
  static llvm::Expected<std::unique_ptr<KernelCode>> compile(mlir::func::FuncOp function,
                                                             mlir::ModuleOp module,
                                                             const KernelOptions &options,
                                                             llvm::StringRef key);

  std::unique_ptr<KernelCode> code;
  JIT::Invoker invoker = nullptr;
};

/// What happened in the cache of kernels since the process started.
struct KernelCounters {
  uint64_t compiled = 0;
  uint64_t memoryHits = 0;
  /// Kernels that were read from disk, and those that could not be written there.
  uint64_t diskHits = 0, diskFailures = 0;
};
KernelCounters getKernelCounters();

/// Keeps kernels in this directory, too, for other processes; not at all if it is empty. At first
/// it is what the environment variable PYPTO_KERNEL_CACHE says. A kernel that is damaged there, or
/// that was made for another CPU or by another build, counts as absent; where the directory cannot
/// be written kernels are compiled all the same, counted, and warned of.
void setKernelCacheDirectory(llvm::StringRef directory);
/// Makes the directory. An error if that fails, or if nothing can be written there.
llvm::Error checkKernelCacheDirectory(llvm::StringRef directory);
/// Gets the text of a warning when a kernel cannot be kept; once, until it is set again. Nobody is
/// warned at first.
/// It is called while a kernel is compiled: it must not compile or realize anything itself.
using CacheWarning = std::function<void(const std::string &text)>;
void setKernelCacheWarning(CacheWarning warn);
std::string getKernelCacheDirectory();

} // namespace pypto::execution

#endif

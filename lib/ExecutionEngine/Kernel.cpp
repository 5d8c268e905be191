// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Kernel.h"
#include "pypto/ExecutionEngine/Array.h"
#include "pypto/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include <atomic>
#include <oneapi/tbb/concurrent_hash_map.h>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

/// What the function is called in its module of its own.
static constexpr llvm::StringLiteral kKernelName = "kernel";

namespace {
using KernelRef = std::shared_ptr<const Kernel>;
using Cache = oneapi::tbb::concurrent_hash_map<std::string, KernelRef>;
std::atomic<uint64_t> numCompiled, numMemoryHits;
} // namespace

/// Kernels stay as long as the process: plans may outlive everything else.
static Cache &getCache() {
  static auto *cache = new Cache();
  return *cache;
}

KernelCounters pypto::execution::getKernelCounters() {
  return {numCompiled.load(), numMemoryHits.load()};
}

/// The kernel alone, under a name that says nothing.
static OwningOpRef<ModuleOp> isolate(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(function.getContext()));
  auto copy = cast<func::FuncOp>(function->clone());
  module->push_back(copy);
  copy.setName(kKernelName);
  copy.setPublic();
  return module;
}

static std::string getKey(ModuleOp module, const KernelOptions &options) {
  std::string key = options.naive ? "naive\n" : "fast\n";
  llvm::raw_string_ostream os(key);
  module->print(os, OpPrintingFlags().printGenericOpForm().enableDebugInfo(false));
  return key;
}

llvm::Expected<std::shared_ptr<const Kernel>> Kernel::get(func::FuncOp function,
                                                          const KernelOptions &options) {
  OwningOpRef<ModuleOp> module = isolate(function);
  std::string key = getKey(*module, options);
  Cache::accessor entry;
  // The entry stays locked while it is compiled: another thread waits for it instead of doing the
  // same.
  if (!getCache().insert(entry, key) && entry->second) {
    ++numMemoryHits;
    return entry->second;
  }
  PassManager manager(module->getContext(), ModuleOp::getOperationName());
  if (options.naive)
    buildNaiveKernelPipeline(manager);
  else
    buildKernelPipeline(manager);
  if (failed(manager.run(*module)))
    return makeError("cannot lower kernel '" + function.getName() + "'");
  JITOptions jitOptions;
  jitOptions.entry = kKernelName;
  jitOptions.isKernel = true;
  llvm::Expected<std::unique_ptr<JIT>> jit = JIT::create(*module, jitOptions);
  if (!jit)
    return jit.takeError();
  llvm::Expected<JIT::Invoker> invoker = (*jit)->lookup(kKernelName, function.getNumArguments());
  if (!invoker)
    return invoker.takeError();
  auto kernel = std::make_shared<Kernel>();
  kernel->code = std::move(*jit);
  kernel->invoker = *invoker;
  entry->second = kernel;
  ++numCompiled;
  return KernelRef(kernel);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Kernel.h"

#include "KernelStore.h"
#include "pypto/ExecutionEngine/Array.h"
#include "pypto/ExecutionEngine/Renderer.h"
#include "pypto/Runtime/ParallelFor.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <oneapi/tbb/concurrent_hash_map.h>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

/// What the function is called in its module of its own.
static constexpr llvm::StringLiteral kKernelName = "kernel";

namespace {
using KernelRef = std::shared_ptr<const Kernel>;
/// Memory of the C library: that of oneTBB's own allocator is handed from thread to thread unseen
/// by ThreadSanitizer.
using Cache =
    oneapi::tbb::concurrent_hash_map<std::string, KernelRef,
                                     oneapi::tbb::tbb_hash_compare<std::string>,
                                     std::allocator<std::pair<const std::string, KernelRef>>>;
std::atomic<uint64_t> numCompiled, numMemoryHits, numDiskHits, numDiskFailures;
} // namespace

/// Kernels stay as long as the process: plans may outlive everything else.
static Cache &getCache() {
  static auto *cache = new Cache();
  return *cache;
}

KernelCounters pypto::execution::getKernelCounters() {
  return {numCompiled.load(), numMemoryHits.load(), numDiskHits.load(), numDiskFailures.load()};
}

static std::string getKey(ModuleOp module, const KernelOptions &options) {
  std::string key = (options.renderer->getName() + (options.naive ? " naive\n" : "\n")).str();
  if (options.beam != 0)
    // What is fastest depends on the threads that it was measured with.
    key += "beam " + std::to_string(options.beam) + " " +
           std::to_string(runtime::getParallelThreads()) + "\n";
  llvm::raw_string_ostream os(key);
  module->print(os, OpPrintingFlags().printGenericOpForm().enableDebugInfo(false));
  return key;
}

namespace {
/// Where kernels are kept on disk.
struct Directory {
  Directory() {
    if (const char *given = std::getenv("PYPTO_KERNEL_CACHE"))
      path = given;
  }
  std::mutex mutex;
  std::string path;
  CacheWarning warn;
};
} // namespace

static Directory &getDirectory() {
  static auto *directory = new Directory();
  return *directory;
}

void pypto::execution::setKernelCacheDirectory(llvm::StringRef path) {
  std::lock_guard lock(getDirectory().mutex);
  getDirectory().path = path;
}

llvm::Error pypto::execution::checkKernelCacheDirectory(llvm::StringRef path) {
  if (path.empty())
    return llvm::Error::success();
  if (std::error_code code = llvm::sys::fs::create_directories(path))
    return makeError("cannot make '" + path + "': " + code.message());
  if (!llvm::sys::fs::is_directory(path))
    return makeError("cannot write to '" + path + "': it is no directory");
  if (std::error_code code = llvm::sys::fs::access(path, llvm::sys::fs::AccessMode::Write))
    return makeError("cannot write to '" + path + "': " + code.message());
  return llvm::Error::success();
}

void pypto::execution::setKernelCacheWarning(CacheWarning warn) {
  std::lock_guard lock(getDirectory().mutex);
  getDirectory().warn = std::move(warn);
}

std::string pypto::execution::getKernelCacheDirectory() {
  std::lock_guard lock(getDirectory().mutex);
  return getDirectory().path;
}

static std::optional<KernelStore> openStore(llvm::StringRef key) {
  std::lock_guard lock(getDirectory().mutex);
  if (getDirectory().path.empty())
    return std::nullopt;
  return KernelStore(getDirectory().path, key);
}

bool pypto::execution::keep(const KernelStore &store, llvm::StringRef object) {
  llvm::Error error = store.save(object);
  if (!error)
    return true;
  std::string reason = llvm::toString(std::move(error));
  // Once: the next kernel has the same reason.
  CacheWarning warn;
  {
    std::lock_guard lock(getDirectory().mutex);
    warn = std::exchange(getDirectory().warn, nullptr);
  }
  if (warn)
    warn("cannot keep kernels for other processes: " + reason);
  return false;
}

Kernel::Kernel() = default;
Kernel::~Kernel() = default;

/// From disk, or from the module.
llvm::Expected<std::unique_ptr<KernelCode>> Kernel::compile(func::FuncOp function, ModuleOp module,
                                                            const KernelOptions &options,
                                                            llvm::StringRef key) {
  const Renderer &renderer = *options.renderer;
  std::optional<KernelStore> store = openStore(key);
  if (std::optional<std::string> object = store ? store->load() : std::nullopt) {
    auto loaded = loadKernelObject(*object, kKernelName, function.getNumArguments());
    if (loaded) {
      ++numDiskHits;
      return loaded;
    }
    llvm::consumeError(loaded.takeError());
  }
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  renderer.buildPipeline(manager, options);
  if (failed(manager.run(module)))
    return makeError("cannot lower kernel '" + function.getName() + "'");
  std::string object;
  auto code = renderer.compile(module, kKernelName, options, store ? &object : nullptr);
  if (!code)
    return code;
  ++numCompiled;
  if (!object.empty() && !keep(*store, object))
    ++numDiskFailures;
  return code;
}

llvm::Expected<std::shared_ptr<const Kernel>> Kernel::get(func::FuncOp function,
                                                          const KernelOptions &given) {
  KernelOptions options = given;
  llvm::Expected<const Renderer *> renderer = getRenderer(given);
  if (!renderer)
    return renderer.takeError();
  options.renderer = *renderer;
  OwningOpRef<ModuleOp> module = isolateKernel(function, kKernelName);
  std::string key = getKey(*module, options);
  Cache::accessor entry;
  // The entry stays locked while it is compiled: another thread waits for it instead of doing the
  // same.
  if (!getCache().insert(entry, key) && entry->second) {
    ++numMemoryHits;
    return entry->second;
  }
  llvm::Expected<std::unique_ptr<KernelCode>> code = compile(function, *module, options, key);
  if (!code)
    return code.takeError();
  auto kernel = std::make_shared<Kernel>();
  kernel->code = std::move(*code);
  kernel->invoker = kernel->code->getInvoker();
  entry->second = kernel;
  return KernelRef(kernel);
}

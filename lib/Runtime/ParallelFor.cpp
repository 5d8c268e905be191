// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Runtime/ParallelFor.h"
#include "Arena.h"
#include "Placement.h"
#include "Scheduler.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <oneapi/tbb/task_arena.h>
#include <thread>

using namespace pypto;

static std::atomic<unsigned> numParallelThreads{0};

void runtime::setParallelThreads(unsigned numThreads) { numParallelThreads = numThreads; }
unsigned runtime::getParallelThreads() { return numParallelThreads; }

namespace {
/// What ThreadSanitizer sees of the order that oneTBB makes: the iterations come after what was
/// before the loop, and what follows after them.
struct Loop {
  llvm::function_ref<void(int64_t)> body;
  std::atomic<int64_t> numDone{0};

  LLVM_NO_SANITIZE("thread") static void run(void *payload, int64_t index) {
    auto *loop = static_cast<Loop *>(payload);
    loop->numDone.load(std::memory_order_acquire);
    loop->body(index);
    loop->numDone.fetch_add(1, std::memory_order_release);
  }
};
} // namespace

bool runtime::hasOtherThreads() {
  unsigned wanted =
      numParallelThreads ? numParallelThreads.load() : std::thread::hardware_concurrency();
  return wanted > 1 && canStartThreads(wanted - 1);
}

void runtime::runIterations(int64_t count, llvm::function_ref<void(int64_t)> body) {
  if (!hasOtherThreads()) {
    for (int64_t i = 0; i < count; ++i)
      body(i);
    return;
  }
  Loop loop{body};
  loop.numDone.store(0, std::memory_order_release);
  // A thread that waits here for others takes none of their unrelated tasks up: it may hold what
  // these wait for.
  tbb::this_task_arena::isolate([&] { spawnIterations(count, Loop::run, &loop); });
  loop.numDone.load(std::memory_order_acquire);
}

namespace {
struct PlacedArena {
  explicit PlacedArena(int numThreads) : arena(numThreads), placement(arena) {}
  tbb::task_arena arena;
  runtime::Placement placement;
};
} // namespace

/// The arena of a number of threads; the last one is kept.
static std::shared_ptr<PlacedArena> getArena(unsigned numThreads) {
  static std::mutex mutex;
  static std::shared_ptr<PlacedArena> arena;
  std::lock_guard lock(mutex);
  if (arena && arena->arena.max_concurrency() == int(numThreads))
    return arena;
  runtime::allowThreads(numThreads);
  arena = std::make_shared<PlacedArena>(int(numThreads));
  return arena;
}

void runtime::runWithParallelThreads(llvm::function_ref<void()> function) {
  unsigned numThreads = numParallelThreads;
  // A task stays among the threads of its graph.
  if (getThreadState().executing)
    return function();
  Placement::leaveThisProcessor();
  if (numThreads == 0) {
    static Placement &placement = *new Placement();
    (void)placement;
    return function();
  }
  getArena(numThreads)->arena.execute(function);
}

void pyptoParallelFor(PyptoIteration body, void *payload, int64_t count) {
  if (numParallelThreads == 1 || count <= 1) {
    for (int64_t i = 0; i < count; ++i)
      body(payload, i);
    return;
  }
  runtime::runWithParallelThreads(
      [&] { runtime::runIterations(count, [&](int64_t i) { body(payload, i); }); });
}

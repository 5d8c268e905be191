// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Runtime/ParallelFor.h"
#include "Arena.h"
#include "Scheduler.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

using namespace pypto;

static std::atomic<unsigned> numParallelThreads{0};

void runtime::setParallelThreads(unsigned numThreads) { numParallelThreads = numThreads; }
unsigned runtime::getParallelThreads() { return numParallelThreads; }

static void runAll(PyptoIteration body, void *payload, int64_t count) {
  // A thread that waits here for others takes none of their unrelated tasks up: it may hold what
  // these wait for.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        tbb::blocked_range<int64_t>(0, count),
        [&](const tbb::blocked_range<int64_t> &range) {
          for (int64_t i = range.begin(); i != range.end(); ++i)
            body(payload, i);
        },
        tbb::simple_partitioner());
  });
}

/// The arena of a number of threads; the last one is kept.
static std::shared_ptr<tbb::task_arena> getArena(unsigned numThreads) {
  static std::mutex mutex;
  static std::shared_ptr<tbb::task_arena> arena;
  std::lock_guard lock(mutex);
  if (arena && arena->max_concurrency() == int(numThreads))
    return arena;
  runtime::allowThreads(numThreads);
  arena = std::make_shared<tbb::task_arena>(int(numThreads));
  return arena;
}

void runtime::runWithParallelThreads(llvm::function_ref<void()> function) {
  unsigned numThreads = numParallelThreads;
  // A task stays among the threads of its graph.
  if (numThreads == 0 || getThreadState().executing)
    return function();
  getArena(numThreads)->execute(function);
}

void pyptoParallelFor(PyptoIteration body, void *payload, int64_t count) {
  if (numParallelThreads == 1 || count <= 1) {
    for (int64_t i = 0; i < count; ++i)
      body(payload, i);
    return;
  }
  runtime::runWithParallelThreads([&] { runAll(body, payload, count); });
}

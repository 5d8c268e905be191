// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands work to oneTBB. This file is never instrumented: ThreadSanitizer does not see how the
// library passes the object that is made here from one thread to another.
#include "Arena.h"
#include "Scheduler.h"

#include <oneapi/tbb/parallel_for.h>

void pypto::runtime::enqueueWorker(tbb::task_arena &arena, Scheduler &scheduler) {
  arena.enqueue([&scheduler] { scheduler.runWorker(); });
}

void pypto::runtime::spawnTask(tbb::task_group &group, StaticGraph::Run &run, unsigned task) {
  group.run([&run, task] { run.runFrom(task); });
}

bool pypto::runtime::isCancelled() { return tbb::is_current_task_group_canceling(); }

void pypto::runtime::spawnIterations(int64_t count, void (*iteration)(void *, int64_t),
                                     void *loop) {
  tbb::parallel_for(
      tbb::blocked_range<int64_t>(0, count),
      [&](const tbb::blocked_range<int64_t> &range) {
        for (int64_t i = range.begin(); i != range.end(); ++i)
          iteration(loop, i);
      },
      tbb::simple_partitioner());
}

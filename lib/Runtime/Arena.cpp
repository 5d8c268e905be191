// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands work to oneTBB. This file is never instrumented: ThreadSanitizer does not see how the
// library passes the object that is made here from one thread to another.
#include "Arena.h"
#include "Scheduler.h"

void pypto::runtime::enqueueWorker(tbb::task_arena &arena, Scheduler &scheduler) {
  arena.enqueue([&scheduler] { scheduler.runWorker(); });
}

void pypto::runtime::spawnTask(tbb::task_group &group, StaticGraph::Run &run, unsigned task) {
  group.run([&run, task] { run.runFrom(task); });
}

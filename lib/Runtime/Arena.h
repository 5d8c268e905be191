// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_RUNTIME_ARENA_H
#define PYPTO_LIB_RUNTIME_ARENA_H

#include <oneapi/tbb/task_arena.h>

namespace pypto::runtime {

class Scheduler;

/// Calls `scheduler.runWorker()` once in a thread of the arena.
void enqueueWorker(tbb::task_arena &arena, Scheduler &scheduler);

} // namespace pypto::runtime

#endif

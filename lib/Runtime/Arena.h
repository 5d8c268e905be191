// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_RUNTIME_ARENA_H
#define PYPTO_LIB_RUNTIME_ARENA_H

#include "pypto/Runtime/ParallelFor.h"
#include "pypto/Runtime/StaticGraph.h"

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

namespace pypto::runtime {

class Scheduler;

/// Calls `scheduler.runWorker()` once in a thread of the arena.
void enqueueWorker(tbb::task_arena &arena, Scheduler &scheduler);

/// Calls `run.runFrom(task)` in some thread of the arena that this one is in.
void spawnTask(tbb::task_group &group, StaticGraph::Run &run, unsigned task);

/// True in a task of a group in which another task has failed.
bool isCancelled();

/// Calls `iteration(loop, i)` for each i below `count` in threads of the arena that this one is in.
void spawnIterations(int64_t count, void (*iteration)(void *loop, int64_t index), void *loop);

/// Calls `body` for each number below `count`, in any order, in threads of the arena that this one
/// is in. This one takes nothing else up meanwhile.
void runIterations(int64_t count, llvm::function_ref<void(int64_t)> body);

/// False if loops have to do with the thread that they are in: no others are wanted, or there are
/// none to be had.
bool hasOtherThreads();
/// oneTBB has no more threads than the machine unless it is told.
void allowThreads(unsigned count);
/// Calls `function` in the arena that has that many threads; in a task among those of its graph.
void runWithParallelThreads(llvm::function_ref<void()> function);

} // namespace pypto::runtime

#endif

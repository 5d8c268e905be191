// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of compiled code whose iterations run at the same time.
#ifndef PYPTO_RUNTIME_PARALLELFOR_H
#define PYPTO_RUNTIME_PARALLELFOR_H

#include <cstdint>

extern "C" {

/// Runs one iteration. `payload` is what the loop reads and writes.
typedef void (*PyptoIteration)(void *payload, int64_t iteration);

/// Runs `count` iterations in any order, some at the same time, and returns when all are done. In a
/// task it uses the threads of the task graph that have nothing to do. A failure of one iteration
/// is that of the call.
void pyptoParallelFor(PyptoIteration body, void *payload, int64_t count);
}

namespace pypto::runtime {

/// How many threads loops outside of tasks use; 0, as it is at first, for all that the machine has.
/// With 1 loops in tasks, too, use no other thread. To be called while no loop runs.
void setParallelThreads(unsigned numThreads);
unsigned getParallelThreads();

/// Whether the system gives so many threads, found by starting them once. oneTBB, and the pool of
/// MLIR, end the process where they cannot start one.
bool canStartThreads(unsigned count);

} // namespace pypto::runtime

#endif

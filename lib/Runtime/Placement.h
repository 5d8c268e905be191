// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_RUNTIME_PLACEMENT_H
#define PYPTO_LIB_RUNTIME_PLACEMENT_H

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

namespace pypto::runtime {

/// Keeps the threads that join an arena off the processor of the thread that hands them work. A
/// thread that sleeps is often woken on the processor of the one that wakes it; a short loop is
/// over before the system moves it to another that has nothing to do.
class Placement : public tbb::task_scheduler_observer {
public:
  /// For the arena that the first caller is in.
  Placement() { observe(true); }
  explicit Placement(tbb::task_arena &arena) : tbb::task_scheduler_observer(arena) {
    observe(true);
  }
  ~Placement() { observe(false); }

  void on_scheduler_entry(bool isWorker) override;
  /// To be called by the thread that is about to hand out work.
  static void leaveThisProcessor();
};

} // namespace pypto::runtime

#endif

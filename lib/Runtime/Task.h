// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task as the graph keeps it.
#ifndef PYPTO_LIB_RUNTIME_TASK_H
#define PYPTO_LIB_RUNTIME_TASK_H

#include "pypto/Runtime/TaskGraph.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/SmallVector.h"
#include <atomic>
#include <oneapi/tbb/spin_mutex.h>

namespace pypto::runtime {

/// Owned by the host's tables, and by the scheduler while it is not done. Fields without a comment
/// are set by the host before the task starts.
struct alignas(16) Task : llvm::ThreadSafeRefCountedBase<Task> {
  Task(int64_t id, int64_t sequence, PyptoTaskSite site) : id(id), sequence(sequence), site(site) {}

  /// Room for the copy of the payload follows the task.
  static void *operator new(size_t bytes, size_t payloadBytes) {
    return ::operator new(bytes + payloadBytes);
  }
  static void operator delete(void *memory) { ::operator delete(memory); }
  static void operator delete(void *memory, size_t) { ::operator delete(memory); }
  void *getPayloadCopy() { return this + 1; }

  bool isDone() const { return done.load(std::memory_order_acquire); }
  bool isJoin() const { return kind == PlannedTask::Kind::Join; }
  /// "task 3 'name' at location".
  std::string describe() const;

  /// Counts what the user submits; negative for tasks that the graph adds.
  int64_t id;
  /// Counts all tasks.
  int64_t sequence;
  PyptoTaskSite site;
  PyptoTaskBody body = nullptr;
  void *payload = nullptr;
  int64_t numBlocks = 1;
  PlannedTask::Kind kind = PlannedTask::Kind::Dummy;
  bool isInOrder = false;
  bool isManual = false;
  PlannedTask *planned = nullptr;
  /// Freed when the task is done.
  void *freed = nullptr;
  int64_t freedBytes = 0;

  /// Predecessors that are not done, and one for the host while it adds them.
  std::atomic<int64_t> numWaiting{1};
  std::atomic<bool> started{false};
  std::atomic<bool> done{false};
  /// Guards `successors`, and `done` against a new successor.
  tbb::spin_mutex mutex;
  llvm::SmallVector<Task *, 4> successors;
  /// First block that no thread has taken; threads that still have to look for one.
  std::atomic<int64_t> nextBlock{0};
  std::atomic<int64_t> numEntries{1};

  // For the host alone.
  /// The last task that got an edge from this one, by its sequence number.
  int64_t lastSuccessor = 0;
  /// In adversarial order: the direct predecessors.
  llvm::SmallVector<Task *, 0> predecessors;
  /// In adversarial order: the host waits or has waited for it.
  bool isNeeded = false;
  /// Visited by the search of this number.
  int64_t visit = 0;
};

using TaskRef = llvm::IntrusiveRefCntPtr<Task>;

/// Makes `graph` what `TaskGraph::getCurrent` returns in this thread. Returns the one before.
TaskGraph *setCurrentGraph(TaskGraph *graph);

} // namespace pypto::runtime

#endif

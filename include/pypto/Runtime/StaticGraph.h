// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_RUNTIME_STATICGRAPH_H
#define PYPTO_RUNTIME_STATICGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <atomic>
#include <memory>
#include <vector>

namespace pypto::runtime {

/// When the tasks of a static graph run.
enum class StaticOrder {
  /// Each as soon as those that it waits for are done; at the same time as others.
  Dataflow,
  /// Group by group: the tasks of one at the same time, the next when all of them are done.
  Groups,
  /// One after the other, as they were added.
  Sequential,
  /// One after the other, each time the last one added that can run.
  Adversarial,
};

/// Tasks whose edges are known before they run: made once, run again and again. Unlike a TaskGraph
/// it looks at no accesses, and a run allocates nothing of its own.
class StaticGraph {
public:
  /// Adds a task that waits for `predecessors`, which have been added. Returns its number.
  unsigned add(llvm::ArrayRef<unsigned> predecessors);
  /// All tasks that are added later wait for all that are there.
  void addBarrier();

  unsigned getNumTasks() const { return tasks.size(); }
  llvm::ArrayRef<unsigned> getPredecessors(unsigned task) const { return tasks[task].predecessors; }
  /// The group of a task, the first being 0: one more than the last of those that it waits for.
  unsigned getGroup(unsigned task) const { return tasks[task].group; }
  unsigned getNumGroups() const { return groups.size(); }
  /// The tasks of a group, in order.
  llvm::ArrayRef<unsigned> getGroupTasks(unsigned group) const { return groups[group]; }
  /// True if some tasks wait for others that are no predecessors: `Dataflow` then is `Groups`.
  bool hasBarriers() const { return firstGroup != 0; }

  /// What a run needs beside the graph, which outlives it. For one run at a time.
  class Run {
  public:
    explicit Run(const StaticGraph &graph);

    /// Calls `body` for each task and returns when all are done. Uses the threads that loops use
    /// (see setParallelThreads), this one among them. If a body throws, no task starts any more,
    /// and the first exception is thrown here.
    void execute(llvm::function_ref<void(unsigned)> body, StaticOrder order);

    /// Of the library's own use: runs a task, then what it made ready.
    void runFrom(unsigned task);

  private:
    void runDataflow();
    void runGroups();
    void runAdversarial();
    void reset();

    const StaticGraph &graph;
    llvm::function_ref<void(unsigned)> body;
    /// For each task how many it waits for.
    std::unique_ptr<std::atomic<unsigned>[]> waiting;
    std::vector<unsigned> ready;
    void *spawner = nullptr;
    /// What ThreadSanitizer sees of the order that oneTBB makes between the threads of a run.
    std::atomic<unsigned> numChains{0};
  };

private:
  struct Task {
    llvm::SmallVector<unsigned, 4> predecessors, successors;
    unsigned group = 0;
  };
  std::vector<Task> tasks;
  std::vector<llvm::SmallVector<unsigned, 4>> groups;
  /// The least group of a task that is added now.
  unsigned firstGroup = 0;
};

} // namespace pypto::runtime

#endif

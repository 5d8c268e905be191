// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the tasks and edges of one graph, and finds out whether tasks are ordered by edges. For the
// host alone.
#ifndef PYPTO_LIB_RUNTIME_GRAPHBUILDER_H
#define PYPTO_LIB_RUNTIME_GRAPHBUILDER_H

#include "Scheduler.h"

namespace pypto::runtime {

class GraphBuilder {
public:
  GraphBuilder(Scheduler &scheduler, bool recordPlan)
      : scheduler(scheduler), recordPlan(recordPlan) {}

  /// Tasks that are done have to stay known: they are edges of the plan, or order others.
  bool keepsDone() const { return recordPlan || scheduler.isAdversarial(); }
  bool findsRaces() const { return scheduler.isAdversarial(); }

  /// A task that the user submits.
  TaskRef create(const TaskSpec &spec, bool isManual);
  /// One of the graph's own.
  TaskRef createInternal(PlannedTask::Kind kind);
  /// Done unless `task` waits for it already.
  void addEdge(Task &first, Task &second, EdgeReason reason);
  /// `first` is the id of an earlier task, or is negative.
  void addAfter(int64_t first, Task &second);
  /// An edge between tasks that are submitted.
  void addLateEdge(int64_t first, int64_t second);
  void start(Task &task) { scheduler.start(task); }

  /// Null if `first` is done when `second` starts, whatever the threads do; else it, or the one
  /// that it joins and that may not be done. Adversarial order only.
  Task *findUnordered(Task &first, Task &second);

  /// The task with this id; null if it is done and forgotten. A failure if there is none.
  Task *lookup(int64_t id);
  /// All tasks that are known and that no call of this function has returned.
  llvm::SmallVector<Task *> takeNewTasks();

  Scheduler &scheduler;
  TaskPlan plan;
  int64_t numEdges = 0;

private:
  void forgetDone();
  void checkCycle(Task &first, Task &second);
  bool isAncestor(Task &first, Task &second);

  const bool recordPlan;
  /// The user's tasks from `firstId` on; null if done. The graph's own, in adversarial order.
  std::deque<TaskRef> tasks;
  std::vector<TaskRef> internalTasks;
  int64_t firstId = 1, nextInternalId = -1, nextSequence = 1, numTaken = 0;
  size_t forgetAt = 4096;
  int64_t numVisits = 0;
  bool hasLateEdges = false;
};

} // namespace pypto::runtime

#endif

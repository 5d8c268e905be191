// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_RUNTIME_TASKGRAPH_H
#define PYPTO_RUNTIME_TASKGRAPH_H

#include "pypto/Runtime/TaskABI.h"
#include "pypto/Runtime/TaskPlan.h"

#include "llvm/ADT/ArrayRef.h"
#include <chrono>
#include <memory>

namespace pypto::runtime {

class Scheduler;

enum class TaskOrder {
  /// As soon as a thread is free, roughly as submitted.
  Program,
  /// In one thread, as late as the dependencies allow and the last submitted first; races in manual
  /// scopes are failures.
  Adversarial,
};

/// More threads than this a graph does not have.
inline constexpr unsigned kMaxThreads = 1024;

struct TaskGraphOptions {
  /// Threads that run tasks, the host among them; 0: as many as the machine has.
  unsigned threads = 0;
  TaskOrder order = TaskOrder::Program;
  /// Keeps what `getPlan` returns.
  bool recordPlan = false;
  /// The submitter helps or waits while more than this is in flight.
  int64_t maxPendingTasks = 1 << 14;
  int64_t maxPendingBytes = int64_t(1) << 30;
  /// Every thread waits for a signal and none changes for this long: a deadlock.
  std::chrono::milliseconds signalTimeout{500};
};

/// What is submitted; see `pyptoTaskSubmit`.
struct TaskSpec {
  PyptoTaskSite site = {"", ""};
  /// Null: the task does nothing.
  PyptoTaskBody body = nullptr;
  llvm::ArrayRef<char> payload = {};
  llvm::ArrayRef<PyptoAccess> accesses = {};
  llvm::ArrayRef<int64_t> after = {};
  int64_t numBlocks = 1;
  int32_t flags = 0;
};

/// Runs tasks in the order that their accesses to memory and their explicit dependencies ask for.
///
/// One thread, the host, calls the functions of a graph. It throws the first failure of a task (the
/// one with the lowest id that is known) from `submit` and from each function that waits, when all
/// that was running has ended; no task starts after a failure.
class TaskGraph {
public:
  explicit TaskGraph(const TaskGraphOptions &options = {});
  /// Tasks that have not started are dropped, those that run are waited for, memory is freed.
  ~TaskGraph();
  TaskGraph(const TaskGraph &) = delete;

  /// Adds a task behind the earlier ones that it conflicts with (not in a manual scope) and behind
  /// those in `after`. Returns its id, which is positive and greater than all before.
  int64_t submit(const TaskSpec &spec);
  /// Lets `second` wait for `first`. A failure that names the tasks if that closes a cycle, and a
  /// failure if `second` has started.
  void addDependency(int64_t first, int64_t second);

  /// Waits for these, negative ids being no tasks.
  void wait(llvm::ArrayRef<int64_t> tasks);
  void waitAll();
  /// Waits for the tasks that conflict with these accesses.
  void sync(llvm::ArrayRef<PyptoAccess> accesses);
  /// Frees by `pyptoFree` when the tasks that access it are done.
  void free(void *storage);

  /// Drops the tasks that have not started, waits for those that run. Does not throw.
  void cancel();

  void beginScope(bool isManual);
  void endScope();

  /// Of the tasks so far, in the order of submission; complete after `waitAll`.
  const TaskPlan &getPlan() const;
  void printPlan(llvm::raw_ostream &os) const { getPlan().print(os); }
  void printDot(llvm::raw_ostream &os) const { getPlan().printDot(os); }

  unsigned getNumThreads() const;
  /// Of the library's own use.
  Scheduler &getScheduler() const;
  /// Edges so far, those to empty tasks that join others included.
  int64_t getNumEdges() const;

  /// The graph on which the C ABI acts in this thread: null outside of a `Scope` and in the body of
  /// a task.
  static TaskGraph *getCurrent();

  /// Makes a graph the current one of the thread. Scopes nest.
  class Scope {
  public:
    explicit Scope(TaskGraph &graph);
    ~Scope();
    Scope(const Scope &) = delete;

  private:
    TaskGraph *outer;
  };

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace pypto::runtime

#endif

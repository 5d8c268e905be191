// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs tasks whose predecessors are done. The threads are oneTBB's; what they take comes from a
// queue that the waiting host and waiting kernels take from too.
#ifndef PYPTO_LIB_RUNTIME_SCHEDULER_H
#define PYPTO_LIB_RUNTIME_SCHEDULER_H

#include "Task.h"
#include "pypto/Runtime/Allocation.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <oneapi/tbb/task_arena.h>
#include <queue>

namespace pypto::runtime {

/// Outlives its graph while a thread of the arena is still to look for work.
class Scheduler : public llvm::ThreadSafeRefCountedBase<Scheduler> {
public:
  explicit Scheduler(const TaskGraphOptions &options);

  unsigned getNumThreads() const { return numThreads; }
  bool isAdversarial() const { return options.order == TaskOrder::Adversarial; }
  /// Tasks run in `start`, being always ready then.
  bool isInline() const { return numThreads == 1 && !isAdversarial(); }

  //===- For the host -===//

  /// `second`, which has not been started, waits for `first`.
  void addEdge(Task &first, Task &second);
  /// All edges to the task are there.
  void start(Task &task);
  /// Takes back one that was counted by hand.
  void endLateEdge(Task &task);
  /// Helps until `isDone`. In adversarial order only tasks that are needed run, then if `isForced`
  /// any.
  void wait(llvm::function_ref<bool()> isDone, bool isForced);
  void waitAll();
  /// In adversarial order: marks what has to run before these are done.
  void need(llvm::ArrayRef<Task *> tasks);
  int64_t getNumPending() const { return numPending.load(std::memory_order_acquire); }
  int64_t getPendingBytes() const { return pendingBytes.load(std::memory_order_acquire); }
  bool hasFailed() const { return failed.load(std::memory_order_acquire); }
  /// Throws the first failure when everything has ended.
  void rethrowFailure();
  /// Nothing starts from now on.
  void cancel() { failed = true; }
  /// Only threads that have run out of work are left.
  void stop() { stopping = true; }
  /// What a thread of the arena does; ends one reference.
  void runWorker();

  //===- For the bodies of tasks -===//

  void pause(const PyptoTaskSite &site);
  /// A signal has changed.
  void noteProgress();

  /// Blocks that a thread has taken and not begun.
  struct Frame {
    Task *task;
    int64_t next, end;
    Frame *outer;
  };

private:
  struct Paused;
  using Clock = std::chrono::steady_clock;

  struct LaterFirst {
    bool operator()(Task *a, Task *b) const { return a->id < b->id; }
  };
  using TaskHeap = std::priority_queue<Task *, std::vector<Task *>, LaterFirst>;

  // The queue.
  void push(Task &task);
  Task *pop(bool isThreadBusy);
  Task *popHeap(TaskHeap &heap);
  /// A task to run now; in adversarial order one that is needed, or if `isForced` any.
  Task *take(bool isThreadBusy, bool isForced);
  void makeReady(Task &task);
  void wakeWorkers();
  void drain();

  // Execution.
  void run(Task &task);
  void runBlocks(Task &task);
  void callBody(Task &task, int64_t block);
  /// Runs `task`, which was taken, then what it made ready until `shouldStop`.
  void runChain(Task *task, bool isThreadBusy, llvm::function_ref<bool()> shouldStop);
  /// Marks it done. Returns a task that it made ready, if there is one; queues the others.
  Task *complete(Task &task);
  void finish(Task &task, llvm::SmallVectorImpl<Task *> &ready);
  void fail(int64_t id, std::exception_ptr exception);
  double getMicroseconds() const;

  // Waiting.
  void announce();
  void sleep(uint64_t seen, std::chrono::microseconds limit);
  bool isStuck();

  // Signals.
  bool runNested(bool isOverdue);
  bool runOwnBlock(bool alsoFree);
  void waitPaused(const PyptoTaskSite &site, Clock::time_point since);
  void checkDeadlock(Clock::time_point now);
  std::string describePaused();

  const TaskGraphOptions options;
  /// Among all schedulers of the process.
  const uint64_t number;
  const unsigned numThreads;
  AllocationSet *const allocations;
  const Clock::time_point epoch = Clock::now();
  tbb::task_arena arena;

  tbb::spin_mutex queueMutex;
  std::deque<Task *> queue;
  std::atomic<int64_t> queueSize{0};
  /// Adversarial order: ready tasks, and those among them that are needed. One that has started may
  /// still be in the other.
  TaskHeap late, needed;

  std::atomic<int64_t> numPending{0};
  std::atomic<int64_t> pendingBytes{0};
  /// Threads that run a task or the host's code; threads of the arena that look for work.
  std::atomic<int64_t> numBusy{1};
  std::atomic<int64_t> numDrains{0};
  std::atomic<bool> failed{false};
  std::atomic<bool> stopping{false};

  std::mutex failureMutex;
  std::exception_ptr failure;
  int64_t failureId = 0;

  /// Changes with each task that becomes ready or done.
  std::atomic<uint64_t> changes{0};
  std::atomic<int64_t> numSleeping{0};
  std::mutex sleepMutex;
  std::condition_variable sleepCondition;

  /// Changes when a signal may have changed.
  std::atomic<uint64_t> progress{0};
  std::mutex pausedMutex;
  llvm::SmallVector<Paused *> pausedThreads;
};

/// What a thread of some graph is doing.
struct ThreadState {
  Scheduler *executing = nullptr;
  Scheduler::Frame *frames = nullptr;
  unsigned number = 0;
};
ThreadState &getThreadState();

} // namespace pypto::runtime

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scheduler.h"
#include "Allocation.h"
#include "Arena.h"

#include "pypto/Runtime/Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>
#include <oneapi/tbb/global_control.h>
#include <optional>
#include <thread>

using namespace pypto;
using namespace pypto::runtime;

static unsigned getHardwareThreads() { return std::max(std::thread::hardware_concurrency(), 1u); }

static unsigned chooseThreads(const TaskGraphOptions &options) {
  if (options.order == TaskOrder::Adversarial)
    return 1;
  return std::min(options.threads ? options.threads : getHardwareThreads(), kMaxThreads);
}

/// Of several controls the lowest counts, hence one for all graphs.
void runtime::allowThreads(unsigned count) {
  static std::mutex mutex;
  static std::optional<tbb::global_control> control;
  static unsigned allowed = getHardwareThreads();
  std::lock_guard lock(mutex);
  if (count <= allowed)
    return;
  allowed = count;
  control.reset();
  control.emplace(tbb::global_control::max_allowed_parallelism, count);
}

static uint64_t getNextNumber() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

Scheduler::Scheduler(const TaskGraphOptions &options)
    : options(options), number(getNextNumber()), numThreads(chooseThreads(options)),
      allocations(getCurrentAllocations()),
      arena(static_cast<int>(numThreads), /*reserved_for_masters=*/1) {
  allowThreads(numThreads);
}

ThreadState &runtime::getThreadState() {
  static thread_local ThreadState state;
  return state;
}

double Scheduler::getMicroseconds() const {
  return std::chrono::duration<double, std::micro>(Clock::now() - epoch).count();
}

//===- Edges and starts -----------------------------------------------------------===//

void Scheduler::addEdge(Task &first, Task &second) {
  if (isAdversarial())
    second.predecessors.push_back(&first);
  if (first.isDone())
    return;
  tbb::spin_mutex::scoped_lock lock(first.mutex);
  if (first.isDone())
    return;
  second.numWaiting.fetch_add(1, std::memory_order_relaxed);
  first.successors.push_back(&second);
}

void Scheduler::start(Task &task) {
  task.Retain();
  numPending.fetch_add(1, std::memory_order_relaxed);
  if (task.freed)
    pendingBytes.fetch_add(task.freedBytes, std::memory_order_relaxed);
  if (task.numWaiting.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  if (isInline() && task.body)
    runChain(&task, /*isThreadBusy=*/true, [] { return false; });
  else if (task.body)
    makeReady(task);
  else if (Task *next = complete(task))
    makeReady(*next);
}

void Scheduler::endLateEdge(Task &task) {
  if (task.numWaiting.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  if (task.body)
    makeReady(task);
  else if (Task *next = complete(task))
    makeReady(*next);
}

void Scheduler::makeReady(Task &task) {
  if (isAdversarial()) {
    late.push(&task);
    if (task.isNeeded)
      needed.push(&task);
    return;
  }
  push(task);
  wakeWorkers();
}

//===- The queue --------------------------------------------------------------------===//

/// Queues a task once for each thread that may run blocks of it.
void Scheduler::push(Task &task) {
  int64_t entries = task.isInOrder ? 1 : std::min<int64_t>(task.numBlocks, numThreads);
  task.numEntries.store(entries, std::memory_order_relaxed);
  tbb::spin_mutex::scoped_lock lock(queueMutex);
  for (int64_t i = 0; i < entries; ++i)
    queue.push_back(&task);
  queueSize.fetch_add(entries);
}

Task *Scheduler::pop(bool isThreadBusy) {
  if (queueSize.load(std::memory_order_relaxed) == 0)
    return nullptr;
  tbb::spin_mutex::scoped_lock lock(queueMutex);
  if (queue.empty())
    return nullptr;
  Task *task = queue.front();
  queue.pop_front();
  queueSize.fetch_sub(1);
  if (!isThreadBusy)
    numBusy.fetch_add(1);
  return task;
}

Task *Scheduler::popHeap(TaskHeap &heap) {
  while (!heap.empty()) {
    Task *task = heap.top();
    heap.pop();
    // A dependency that was added later may hold it up again.
    if (task->numWaiting == 0 && !task->started.exchange(true))
      return task;
  }
  return nullptr;
}

Task *Scheduler::take(bool isThreadBusy, bool isForced) {
  if (!isAdversarial())
    return pop(isThreadBusy);
  Task *task = popHeap(needed);
  if (!task && isForced)
    task = popHeap(late);
  if (task && !isThreadBusy)
    numBusy.fetch_add(1);
  return task;
}

/// Asks for a thread unless all that there may be are looking for work already.
void Scheduler::wakeWorkers() {
  int64_t count = numDrains.load();
  while (count < static_cast<int64_t>(numThreads) - 1) {
    if (!numDrains.compare_exchange_weak(count, count + 1))
      continue;
    Retain();
    try {
      if (!canStartThreads(numThreads - 1))
        throw std::runtime_error("the system has no more");
      enqueueWorker(arena, *this);
    } catch (const std::exception &error) {
      // What was handed over may still be run: the reference stays.
      fail(0, std::make_exception_ptr(
                  Failure("", std::string("cannot start a thread: ") + error.what())));
    }
    break;
  }
  announce();
}

void Scheduler::runWorker() {
  // Pairs with the count up before the thread was asked for.
  numDrains.load(std::memory_order_acquire);
  drain();
  Release();
}

/// Looks for more for a while when it has run out of work, for waking a thread up takes longer than
/// many a task.
void Scheduler::drain() {
  constexpr auto patience = std::chrono::microseconds(100);
  ThreadState &state = getThreadState();
  unsigned outer = std::exchange(
      state.number,
      static_cast<unsigned>(std::max(tbb::this_task_arena::current_thread_index(), 1)));
  auto idleSince = Clock::now();
  for (unsigned turn = 0; !stopping.load(std::memory_order_relaxed); ++turn) {
    if (Task *task = pop(/*isThreadBusy=*/false)) {
      runChain(task, /*isThreadBusy=*/false, [] { return false; });
      idleSince = Clock::now();
    } else if (turn % 16 == 0 && Clock::now() - idleSince > patience) {
      break;
    } else {
      std::this_thread::yield();
    }
  }
  state.number = outer;
  numDrains.fetch_sub(1);
  // Who has queued something since this thread looked last took it for awake.
  if (queueSize.load() != 0)
    wakeWorkers();
}

//===- Execution ---------------------------------------------------------------------===//

namespace {
/// A failure of a task whose reason is that of another.
struct Cancelled {};

/// The body of a task sees no graph, and allocates for the run that the task belongs to.
class ExecutionScope {
public:
  ExecutionScope(Scheduler *scheduler, AllocationSet *allocations)
      : graph(setCurrentGraph(nullptr)), outerAllocations(setCurrentAllocations(allocations)),
        executing(std::exchange(getThreadState().executing, scheduler)) {}
  ~ExecutionScope() {
    getThreadState().executing = executing;
    setCurrentAllocations(outerAllocations);
    setCurrentGraph(graph);
  }

private:
  TaskGraph *graph;
  AllocationSet *outerAllocations;
  Scheduler *executing;
};
} // namespace

// Code of the JIT carries no signature in front of it that a sanitizer could check.
LLVM_NO_SANITIZE("function")
void Scheduler::callBody(Task &task, int64_t block) {
  bool isReversed = isAdversarial() && !task.isInOrder;
  task.body(task.payload, isReversed ? task.numBlocks - 1 - block : block, task.numBlocks);
}

void Scheduler::runBlocks(Task &task) {
  ThreadState &state = getThreadState();
  Frame frame{&task, 0, 0, state.frames};
  state.frames = &frame;
  // Several chunks a thread, for blocks are not equally long.
  int64_t count = task.numBlocks;
  int64_t chunk = task.isInOrder ? count : std::max<int64_t>(count / (8 * numThreads), 1);
  try {
    for (;;) {
      frame.next = task.nextBlock.fetch_add(chunk, std::memory_order_relaxed);
      if (frame.next >= count)
        break;
      frame.end = std::min(frame.next + chunk, count);
      while (frame.next < frame.end && !hasFailed())
        callBody(task, frame.next++);
    }
  } catch (...) {
    fail(task.id, std::current_exception());
  }
  state.frames = frame.outer;
}

void Scheduler::run(Task &task) {
  bool isFirst = !task.started.exchange(true, std::memory_order_relaxed);
  if (hasFailed())
    return;
  if (task.planned && (isFirst || isAdversarial())) {
    task.planned->start = getMicroseconds();
    task.planned->thread = getThreadState().number;
  }
  ExecutionScope scope(this, allocations);
  runBlocks(task);
}

void Scheduler::runChain(Task *task, bool isThreadBusy, llvm::function_ref<bool()> shouldStop) {
  while (task) {
    run(*task);
    Task *next = nullptr;
    if (task->numEntries.fetch_sub(1, std::memory_order_acq_rel) == 1)
      next = complete(*task);
    if (next && (isAdversarial() || next->numBlocks > 1 || shouldStop())) {
      makeReady(*next);
      next = nullptr;
    }
    task = next;
  }
  if (!isThreadBusy)
    numBusy.fetch_sub(1);
}

Task *Scheduler::complete(Task &task) {
  if (task.planned && task.body)
    task.planned->duration = getMicroseconds() - task.planned->start;
  llvm::SmallVector<Task *, 8> ready, finished{&task};
  while (!finished.empty()) {
    Task *last = finished.pop_back_val();
    size_t numReady = ready.size();
    finish(*last, ready);
    // Those without a body are done as soon as they are ready.
    auto *empty = std::partition(ready.begin() + numReady, ready.end(),
                                 [](Task *task) { return task->body != nullptr; });
    finished.append(empty, ready.end());
    ready.erase(empty, ready.end());
  }
  for (Task *other : llvm::ArrayRef(ready).drop_front(ready.empty() ? 0 : 1))
    makeReady(*other);
  announce();
  return ready.empty() ? nullptr : ready.front();
}

void Scheduler::finish(Task &task, llvm::SmallVectorImpl<Task *> &ready) {
  llvm::SmallVector<Task *, 4> successors;
  {
    tbb::spin_mutex::scoped_lock lock(task.mutex);
    task.done.store(true, std::memory_order_release);
    successors.swap(task.successors);
  }
  for (Task *successor : successors)
    if (successor->numWaiting.fetch_sub(1, std::memory_order_acq_rel) == 1)
      ready.push_back(successor);
  if (task.freed) {
    ExecutionScope scope(getThreadState().executing, allocations);
    pyptoFree(task.freed);
    pendingBytes.fetch_sub(task.freedBytes, std::memory_order_release);
  }
  numPending.fetch_sub(1, std::memory_order_release);
  task.Release();
}

//===- Failures ------------------------------------------------------------------------===//

void Scheduler::fail(int64_t id, std::exception_ptr exception) {
  {
    std::lock_guard lock(failureMutex);
    bool isCancelled = false;
    try {
      std::rethrow_exception(exception);
    } catch (const Cancelled &) {
      isCancelled = true;
    } catch (...) {
    }
    if (!isCancelled && (!failure || id < failureId)) {
      failure = std::move(exception);
      failureId = id;
    }
  }
  failed.store(true, std::memory_order_release);
  announce();
}

void Scheduler::rethrowFailure() {
  waitAll();
  std::lock_guard lock(failureMutex);
  if (failure)
    std::rethrow_exception(failure);
}

//===- Waiting ---------------------------------------------------------------------------===//

void Scheduler::announce() {
  changes.fetch_add(1);
  if (numSleeping.load() == 0)
    return;
  std::lock_guard lock(sleepMutex);
  sleepCondition.notify_all();
}

void Scheduler::sleep(uint64_t seen, std::chrono::microseconds limit) {
  std::unique_lock lock(sleepMutex);
  numSleeping.fetch_add(1);
  sleepCondition.wait_for(lock, limit, [&] { return changes.load() != seen; });
  numSleeping.fetch_sub(1);
}

/// Nothing runs, nothing can: what is pending waits for itself.
bool Scheduler::isStuck() {
  tbb::spin_mutex::scoped_lock lock(queueMutex);
  return queue.empty() && numBusy.load() == 0;
}

void Scheduler::wait(llvm::function_ref<bool()> isDone, bool isForced) {
  constexpr unsigned spins = 64;
  constexpr auto limit = std::chrono::milliseconds(1);
  numBusy.fetch_sub(1);
  unsigned turn = 0;
  while (!isDone()) {
    uint64_t seen = changes.load();
    if (Task *task = take(/*isThreadBusy=*/false, isForced)) {
      runChain(task, /*isThreadBusy=*/false, isDone);
      turn = 0;
    } else if (isDone()) {
      break;
    } else if (isStuck() && !isDone()) {
      numBusy.fetch_add(1);
      fail(0, std::make_exception_ptr(Failure("", "the tasks that are left wait for each other")));
      return;
    } else if (++turn < spins) {
      std::this_thread::yield();
    } else {
      sleep(seen, limit);
    }
  }
  numBusy.fetch_add(1);
}

void Scheduler::waitAll() {
  wait([this] { return getNumPending() == 0; }, /*isForced=*/true);
}

void Scheduler::need(llvm::ArrayRef<Task *> tasks) {
  llvm::SmallVector<Task *> work(tasks);
  while (!work.empty()) {
    Task *task = work.pop_back_val();
    if (std::exchange(task->isNeeded, true))
      continue;
    if (task->body && task->numWaiting == 0 && !task->started)
      needed.push(task);
    work.append(task->predecessors.begin(), task->predecessors.end());
  }
}

//===- Signals ---------------------------------------------------------------------------===//

/// A thread that waits for a signal, while it is in `pause`.
struct Scheduler::Paused {
  /// The task that waits, and those around it; null in host code.
  const Frame *frames;
  const PyptoTaskSite *site;
  uint64_t progress;
  Clock::time_point since;
};

namespace {
/// Looks of this thread at signals with nothing in between.
struct Looks {
  uint64_t scheduler = 0;
  uint64_t progress = 0;
  unsigned count = 0;
  std::chrono::steady_clock::time_point since, left;
};
} // namespace

void Scheduler::noteProgress() {
  progress.fetch_add(1, std::memory_order_acq_rel);
  announce();
}

void Scheduler::pause(const PyptoTaskSite &site) {
  constexpr unsigned quickLooks = 64;
  constexpr auto gap = std::chrono::milliseconds(2);
  static thread_local Looks looks;
  if (hasFailed()) {
    if (!getThreadState().frames)
      rethrowFailure();
    throw Cancelled();
  }
  uint64_t seen = progress.load(std::memory_order_acquire);
  if (looks.scheduler != number || looks.progress != seen)
    looks = {number, seen, 0, {}, {}};
  if (++looks.count <= quickLooks) {
    std::this_thread::yield();
    return;
  }
  auto now = Clock::now();
  if (looks.count == quickLooks + 1) {
    looks.since = now;
  } else if (now - looks.left > gap) {
    // It has done something since, so that others may see another signal.
    progress.fetch_add(1, std::memory_order_acq_rel);
    looks.count = 0;
    return;
  }
  waitPaused(site, looks.since);
  looks.left = Clock::now();
}

/// One slow turn: other work, or a short sleep.
void Scheduler::waitPaused(const PyptoTaskSite &site, Clock::time_point since) {
  constexpr auto patience = std::chrono::milliseconds(20);
  constexpr auto turn = std::chrono::microseconds(50);
  auto now = Clock::now();
  if (runNested(now - since > patience))
    return noteProgress();
  Paused paused{getThreadState().frames, &site, progress.load(), since};
  uint64_t seen = changes.load();
  {
    std::lock_guard lock(pausedMutex);
    pausedThreads.push_back(&paused);
    checkDeadlock(now);
  }
  if (!hasFailed())
    sleep(seen, turn);
  std::lock_guard lock(pausedMutex);
  llvm::erase(pausedThreads, &paused);
}

/// A block of a task that runs in this thread: one that the thread has taken, which no other will
/// run, or if `alsoFree` one that nobody has.
bool Scheduler::runOwnBlock(bool alsoFree) {
  for (Frame *frame = getThreadState().frames; frame; frame = frame->outer) {
    Task &task = *frame->task;
    if (task.isInOrder)
      continue;
    int64_t block = frame->next;
    if (block < frame->end)
      ++frame->next;
    else if (alsoFree)
      block = task.nextBlock.fetch_add(1, std::memory_order_relaxed);
    else
      continue;
    if (block >= task.numBlocks)
      continue;
    callBody(task, block);
    return true;
  }
  return false;
}

/// Runs something inside of the task that waits. That one cannot go on before it ends, so what
/// another thread may take is left to it, unless all wait or for long none has come.
bool Scheduler::runNested(bool isOverdue) {
  constexpr unsigned maxDepth = 500;
  unsigned depth = 0;
  for (Frame *frame = getThreadState().frames; frame; frame = frame->outer)
    ++depth;
  if (depth > maxDepth)
    return false;
  if (runOwnBlock(/*alsoFree=*/false))
    return true;
  if (!isOverdue) {
    std::lock_guard lock(pausedMutex);
    if (pausedThreads.size() + 1 < numThreads)
      return false;
  }
  if (runOwnBlock(/*alsoFree=*/true))
    return true;
  Task *task = take(/*isThreadBusy=*/true, /*isForced=*/true);
  if (!task)
    return false;
  runChain(task, /*isThreadBusy=*/true, [] { return true; });
  return true;
}

/// `pausedMutex` is held.
void Scheduler::checkDeadlock(Clock::time_point now) {
  if (static_cast<int64_t>(pausedThreads.size()) != numBusy.load() || queueSize.load() != 0)
    return;
  uint64_t current = progress.load();
  int64_t id = std::numeric_limits<int64_t>::max();
  for (const Paused *paused : pausedThreads) {
    if (paused->progress != current || now - paused->since < options.signalTimeout)
      return;
    for (const Frame *frame = paused->frames; frame; frame = frame->outer)
      id = std::min(id, frame->task->id);
  }
  fail(id,
       std::make_exception_ptr(Failure(
           "", "expects a task that can go on, but each waits for a signal: " + describePaused())));
}

std::string Scheduler::describePaused() {
  llvm::SmallVector<std::pair<int64_t, std::string>> waits;
  for (const Paused *paused : pausedThreads) {
    std::string site;
    if (paused->site->location && *paused->site->location)
      site = std::string(" (waits at ") + paused->site->location + ")";
    if (!paused->frames)
      waits.emplace_back(0, "the host" + site);
    for (const Frame *frame = paused->frames; frame; frame = frame->outer)
      waits.emplace_back(frame->task->id, frame->task->describe() + site);
  }
  llvm::sort(waits);
  waits.erase(llvm::unique(waits), waits.end());
  return llvm::join(llvm::make_second_range(waits), ", ");
}

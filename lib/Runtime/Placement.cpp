// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Placement.h"

#ifdef __linux__
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <sched.h>
#include <unistd.h>
#include <vector>
#endif

using namespace pypto::runtime;

#ifdef __linux__
namespace {
struct Worker;

/// The threads of oneTBB that have worked for us.
struct Workers {
  std::mutex mutex;
  std::vector<Worker *> all;
};
} // namespace

/// Never destroyed: threads may end later.
static Workers &getWorkers() {
  static Workers &workers = *new Workers();
  return workers;
}

namespace {
/// One of them, until it ends: its number may then be that of another thread.
struct Worker {
  Worker() : id(gettid()) {
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
      CPU_ZERO(&allowed);
    std::lock_guard lock(getWorkers().mutex);
    getWorkers().all.push_back(this);
  }
  ~Worker() {
    std::lock_guard lock(getWorkers().mutex);
    std::erase(getWorkers().all, this);
  }
  /// If there are other processors for it.
  void keepOff(int processor) const {
    if (processor < 0 || processor >= CPU_SETSIZE)
      return;
    cpu_set_t others = allowed;
    CPU_CLR(processor, &others);
    if (CPU_COUNT(&others) != 0)
      sched_setaffinity(id, sizeof others, &others);
  }

  pid_t id;
  /// What it might use before.
  cpu_set_t allowed;
};
} // namespace

/// The processor that workers keep off; none at first. When that was decided, in milliseconds.
static std::atomic<int> callerProcessor{-1};
static std::atomic<int64_t> decided{0};
/// A caller that moves around, or several, should not make the workers move all the time.
static constexpr int64_t kLeastMilliseconds = 10;

static int64_t getMilliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void Placement::on_scheduler_entry(bool isWorker) {
  thread_local std::optional<Worker> worker;
  if (!isWorker || worker)
    return;
  worker.emplace();
  worker->keepOff(callerProcessor);
}

void Placement::leaveThisProcessor() {
  int processor = sched_getcpu();
  if (processor == callerProcessor.load(std::memory_order_relaxed))
    return;
  int64_t now = getMilliseconds();
  if (now - decided.load(std::memory_order_relaxed) < kLeastMilliseconds)
    return;
  std::lock_guard lock(getWorkers().mutex);
  decided = now;
  callerProcessor = processor;
  for (const Worker *worker : getWorkers().all)
    worker->keepOff(processor);
}
#else
void Placement::on_scheduler_entry(bool) {}
void Placement::leaveThisProcessor() {}
#endif

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
/// The threads of oneTBB that have worked for us.
struct Workers {
  std::mutex mutex;
  std::vector<pid_t> ids;
};
} // namespace

/// Never destroyed: threads may end later.
static Workers &getWorkers() {
  static Workers &workers = *new Workers();
  return workers;
}

namespace {
/// One of them, until it ends: its number may then be that of another thread.
struct Registration {
  Registration() : id(gettid()) {
    std::lock_guard lock(getWorkers().mutex);
    getWorkers().ids.push_back(id);
  }
  ~Registration() {
    std::lock_guard lock(getWorkers().mutex);
    std::erase(getWorkers().ids, id);
  }
  pid_t id;
};
} // namespace

/// The processor that workers keep off; none at first. When that was decided, in milliseconds.
static std::atomic<int> callerProcessor{-1};
static std::atomic<int64_t> decided{0};
/// A caller that moves around, or several, should not make the workers move all the time.
static constexpr int64_t kLeastMilliseconds = 10;

/// The processors that the process may use without one; nothing if there is no other.
static bool getOthers(int processor, cpu_set_t &others) {
  if (sched_getaffinity(getpid(), sizeof others, &others) != 0 || processor < 0 ||
      processor >= CPU_SETSIZE)
    return false;
  CPU_CLR(processor, &others);
  return CPU_COUNT(&others) != 0;
}

static int64_t getMilliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void Placement::on_scheduler_entry(bool isWorker) {
  thread_local std::optional<Registration> registration;
  if (!isWorker || registration)
    return;
  registration.emplace();
  cpu_set_t others;
  if (getOthers(callerProcessor, others))
    sched_setaffinity(0, sizeof others, &others);
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
  cpu_set_t others;
  if (!getOthers(processor, others))
    return;
  for (pid_t id : getWorkers().ids)
    sched_setaffinity(id, sizeof others, &others);
}
#else
void Placement::on_scheduler_entry(bool) {}
void Placement::leaveThisProcessor() {}
#endif

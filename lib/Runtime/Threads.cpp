// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether threads can be had, found out where it can still be reported.
#include "pypto/Runtime/ParallelFor.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <vector>

using namespace pypto;

/// No less than what libraries give to theirs, so that the C library hands the stacks on to them.
static constexpr size_t kStackBytes = size_t(8) << 20;

namespace {
/// Threads wait here until all are there.
struct Gate {
  std::mutex mutex;
  std::condition_variable opened;
  bool isOpen = false;

  static void *wait(void *argument) {
    auto *gate = static_cast<Gate *>(argument);
    std::unique_lock lock(gate->mutex);
    gate->opened.wait(lock, [&] { return gate->isOpen; });
    return nullptr;
  }
};
} // namespace

static bool startThreads(unsigned count) {
  Gate gate;
  std::vector<pthread_t> threads;
  pthread_attr_t attributes;
  bool isGood = pthread_attr_init(&attributes) == 0;
  if (isGood)
    pthread_attr_setstacksize(&attributes, kStackBytes);
  while (isGood && threads.size() < count) {
    pthread_t thread;
    isGood = pthread_create(&thread, &attributes, Gate::wait, &gate) == 0;
    if (isGood)
      threads.push_back(thread);
  }
  {
    std::lock_guard lock(gate.mutex);
    gate.isOpen = true;
  }
  gate.opened.notify_all();
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return isGood;
}

bool runtime::canStartThreads(unsigned count) {
  static std::atomic<unsigned> most{0}, tooMany{~0U};
  if (count <= most.load(std::memory_order_acquire))
    return true;
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  if (count <= most || count >= tooMany)
    return count <= most;
  bool isGood = startThreads(count);
  (isGood ? most : tooMany).store(count, std::memory_order_release);
  return isGood;
}

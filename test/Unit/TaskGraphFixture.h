// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TEST_UNIT_TASKGRAPHFIXTURE_H
#define PYPTO_TEST_UNIT_TASKGRAPHFIXTURE_H

#include "pypto/Runtime/Failure.h"
#include "pypto/Runtime/TaskGraph.h"

#include "llvm/ADT/ArrayRef.h"
#include "gtest/gtest.h"
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace pypto::runtime {
using Body = std::function<void(int64_t)>;

inline void callBody(void *payload, int64_t block, int64_t) {
  (**static_cast<Body **>(payload))(block);
}

inline PyptoAccess access(const void *storage, size_t begin, size_t end, PyptoAccessMode mode) {
  const char *base = static_cast<const char *>(storage);
  return {storage, base + begin, base + end, mode};
}

/// A graph whose tasks are C++ functions.
struct TestGraph {
  explicit TestGraph(unsigned threads, TaskOrder order = TaskOrder::Program, bool record = false)
      : TestGraph(makeOptions(threads, order, record)) {}
  explicit TestGraph(const TaskGraphOptions &options)
      : graph(std::make_unique<TaskGraph>(options)) {}

  static TaskGraphOptions makeOptions(unsigned threads, TaskOrder order, bool record) {
    TaskGraphOptions options;
    options.threads = threads;
    options.order = order;
    options.recordPlan = record;
    options.signalTimeout = std::chrono::milliseconds(100);
    return options;
  }
  int64_t add(const char *name, llvm::ArrayRef<PyptoAccess> accesses, Body body,
              llvm::ArrayRef<int64_t> after = {}, int64_t numBlocks = 1, int32_t flags = 0) {
    Body *kept = &bodies.emplace_back(std::move(body));
    llvm::ArrayRef<char> payload(reinterpret_cast<char *>(&kept), sizeof(kept));
    return graph->submit(
        {{name, "t.mlir:1:1"}, callBody, payload, accesses, after, numBlocks, flags});
  }
  std::string getFailure(std::function<void()> action) {
    try {
      action();
    } catch (const Failure &failure) {
      return failure.what();
    }
    return "no failure";
  }

  std::deque<Body> bodies;
  std::unique_ptr<TaskGraph> graph;
};

/// Names in the order in which tasks run.
struct Log {
  void add(char name) {
    std::lock_guard lock(mutex);
    text += name;
  }
  Body adder(char name) {
    return [this, name](int64_t) { add(name); };
  }
  std::mutex mutex;
  std::string text;
};

inline const PyptoTaskSite kWait = {"wait", "t.mlir:9:9"};

inline void awaitSignal(std::atomic<int> &signal, int value) {
  while (signal.load() < value)
    pyptoSignalPause(&kWait);
}

inline char storage[4096], other[4096];
} // namespace pypto::runtime

#endif

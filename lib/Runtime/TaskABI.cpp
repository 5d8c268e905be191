// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of TaskABI.h, on the current graph. Where there is none everything runs where it
// stands.
#include "pypto/Runtime/TaskABI.h"
#include "Scheduler.h"

#include "pypto/Runtime/Failure.h"
#include <thread>

using namespace pypto;
using namespace pypto::runtime;

// Code of the JIT carries no signature in front of it that a sanitizer could check.
LLVM_NO_SANITIZE("function")
int64_t pyptoTaskSubmit(const PyptoTaskSite *site, PyptoTaskBody body, const void *payload,
                        int64_t payloadBytes, const PyptoAccess *accesses, int64_t numAccesses,
                        const int64_t *after, int64_t numAfter, int64_t numBlocks, int32_t flags) {
  if (TaskGraph *graph = TaskGraph::getCurrent()) {
    llvm::ArrayRef<char> bytes(static_cast<const char *>(payload), payloadBytes);
    return graph->submit({site ? *site : PyptoTaskSite{}, body, bytes,
                          llvm::ArrayRef(accesses, numAccesses), llvm::ArrayRef(after, numAfter),
                          numBlocks, flags});
  }
  for (int64_t block = 0; block < numBlocks; ++block)
    body(const_cast<void *>(payload), block, numBlocks);
  return 0;
}

int64_t pyptoTaskDummy(const PyptoTaskSite *site, const int64_t *after, int64_t numAfter) {
  TaskGraph *graph = TaskGraph::getCurrent();
  if (!graph)
    return 0;
  return graph->submit(
      {site ? *site : PyptoTaskSite{}, nullptr, {}, {}, llvm::ArrayRef(after, numAfter)});
}

void pyptoTaskBarrier(const int64_t *after, int64_t numAfter) {
  TaskGraph *graph = TaskGraph::getCurrent();
  if (!graph)
    return;
  if (numAfter == 0)
    graph->waitAll();
  else
    graph->wait(llvm::ArrayRef(after, numAfter));
}

void pyptoTaskSync(const PyptoAccess *accesses, int64_t numAccesses) {
  if (TaskGraph *graph = TaskGraph::getCurrent())
    graph->sync(llvm::ArrayRef(accesses, numAccesses));
}

void pyptoScopeBegin(int32_t isManual) {
  if (TaskGraph *graph = TaskGraph::getCurrent())
    graph->beginScope(isManual);
}

void pyptoScopeEnd() {
  if (TaskGraph *graph = TaskGraph::getCurrent())
    graph->endScope();
}

void pyptoTaskFree(void *storage) {
  if (TaskGraph *graph = TaskGraph::getCurrent())
    graph->free(storage);
  else
    pyptoFree(storage);
}

/// Only another program, or a thread that is not ours, can change the signal.
static void pauseWithoutGraph(const PyptoTaskSite &site) {
  using Clock = std::chrono::steady_clock;
  constexpr auto gap = std::chrono::milliseconds(2), timeout = std::chrono::milliseconds(500);
  static thread_local Clock::time_point since, last;
  auto now = Clock::now();
  if (now - last > gap)
    since = now;
  if (now - since > timeout) {
    last = {};
    throw Failure(site.location ? site.location : "",
                  "expects a task that can change the signal waited for, but none is there");
  }
  std::this_thread::yield();
  last = Clock::now();
}

void pyptoSignalPause(const PyptoTaskSite *site) {
  static constexpr PyptoTaskSite unknown = {"", ""};
  const PyptoTaskSite &waits = site ? *site : unknown;
  if (TaskGraph *graph = TaskGraph::getCurrent())
    graph->getScheduler().pause(waits);
  else if (Scheduler *scheduler = getThreadState().executing)
    scheduler->pause(waits);
  else
    pauseWithoutGraph(waits);
}

void pyptoSignalNotify() {
  if (TaskGraph *graph = TaskGraph::getCurrent())
    graph->getScheduler().noteProgress();
  else if (Scheduler *scheduler = getThreadState().executing)
    scheduler->noteProgress();
}

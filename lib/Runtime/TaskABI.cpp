// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of TaskABI.h where no graph is current: tasks run where they are submitted.
#include "pypto/Runtime/TaskABI.h"

#include <thread>

int64_t pyptoTaskSubmit(const PyptoTaskSite *site, PyptoTaskBody body, const void *payload,
                        int64_t payloadBytes, const PyptoAccess *accesses, int64_t numAccesses,
                        const int64_t *after, int64_t numAfter, int64_t numBlocks, int32_t flags) {
  for (int64_t block = 0; block < numBlocks; ++block)
    body(const_cast<void *>(payload), block, numBlocks);
  return 0;
}

int64_t pyptoTaskDummy(const PyptoTaskSite *site, const int64_t *after, int64_t numAfter) {
  return 0;
}

void pyptoTaskBarrier(const int64_t *after, int64_t numAfter) {}
void pyptoTaskSync(const PyptoAccess *accesses, int64_t numAccesses) {}
void pyptoScopeBegin(int32_t isManual) {}
void pyptoScopeEnd() {}
void pyptoTaskFree(void *storage) { pyptoFree(storage); }
void pyptoSignalPause(const PyptoTaskSite *site) { std::this_thread::yield(); }

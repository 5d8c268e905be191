// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Runtime/ParallelFor.h"

#include "gtest/gtest.h"
#include <atomic>
#include <chrono>
#include <sched.h>
#include <thread>

using namespace pypto;

namespace {
struct Seen {
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> numOthers{0}, numProcessorsOfOther{0};
  std::atomic<int64_t> sum{0};
};
} // namespace

static void look(void *payload, int64_t iteration) {
  auto &seen = *static_cast<Seen *>(payload);
  seen.sum += iteration;
  auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
  while (std::chrono::steady_clock::now() < end)
    ;
  if (std::this_thread::get_id() == seen.caller)
    return;
  cpu_set_t processors;
  sched_getaffinity(0, sizeof processors, &processors);
  seen.numProcessorsOfOther = CPU_COUNT(&processors);
  ++seen.numOthers;
}

// A thread that is woken on the processor of its caller would not be there before a short loop is
// over.
TEST(ParallelForTest, OtherThreadsKeepOffTheProcessorOfTheCaller) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  if (CPU_COUNT(&allowed) < 2 || sched_setaffinity(0, sizeof allowed, &allowed) != 0)
    GTEST_SKIP() << "threads cannot be kept off a processor";
  unsigned before = runtime::getParallelThreads();
  runtime::setParallelThreads(2);
  Seen seen;
  int64_t rounds = 0;
  for (; rounds != 1000 && seen.numOthers == 0; ++rounds)
    pyptoParallelFor(look, &seen, 16);
  EXPECT_EQ(seen.sum, rounds * (15 * 16 / 2));
  EXPECT_GT(seen.numOthers, 0);
  EXPECT_EQ(seen.numProcessorsOfOther, CPU_COUNT(&allowed) - 1);
  runtime::setParallelThreads(before);
}

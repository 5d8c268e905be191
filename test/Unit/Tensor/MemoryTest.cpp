// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of buffers that are gone.
#include "pypto/Tensor/Memory.h"
#include "TensorTesting.h"

#include <thread>

using namespace pypto;
using namespace pypto::lazy;

namespace {
constexpr int64_t kMiB = int64_t(1) << 20;

/// Each test begins with nothing that waits, and leaves the limit as it was.
struct MemoryTest : testing::Test {
  MemoryTest() : before(getBufferCacheLimit()) {
    setBufferCacheLimit(0);
    setBufferCacheLimit(64 * kMiB);
  }
  ~MemoryTest() override { setBufferCacheLimit(before); }
  int64_t before;
};
} // namespace

TEST_F(MemoryTest, ABufferGetsTheMemoryOfTheLastOneOfItsSize) {
  char *first = Buffer::create(8 * kMiB)->data();
  EXPECT_EQ(getCachedBufferBytes(), 8 * kMiB);
  BufferRef other = Buffer::create(10 * kMiB);
  EXPECT_NE(other->data(), first);
  // Sizes that take as many pages are the same.
  BufferRef same = Buffer::create(8 * kMiB - 5);
  EXPECT_EQ(same->data(), first);
  EXPECT_EQ(getCachedBufferBytes(), 0);
  EXPECT_NE(Buffer::create(8 * kMiB)->data(), first);
}

TEST_F(MemoryTest, WhatWaitsIsLimited) {
  for (int64_t i = 1; i != 12; ++i) {
    Buffer::create((4 + 2 * i) * kMiB);
    EXPECT_LE(getCachedBufferBytes(), 64 * kMiB);
  }
  // The largest came last, together with the one before it.
  EXPECT_EQ(getCachedBufferBytes(), (26 + 24) * kMiB);
  setBufferCacheLimit(30 * kMiB);
  EXPECT_EQ(getCachedBufferBytes(), 26 * kMiB);
  Buffer::create(32 * kMiB);
  EXPECT_EQ(getCachedBufferBytes(), 0);
  setBufferCacheLimit(-1);
  EXPECT_EQ(getBufferCacheLimit(), 0);
  Buffer::create(8 * kMiB);
  Buffer::create(1);
  EXPECT_EQ(getCachedBufferBytes(), 0);
}

TEST_F(MemoryTest, SmallBuffersDoNotWait) {
  Buffer::create(4 * kMiB - 1);
  Buffer::create(0);
  EXPECT_EQ(getCachedBufferBytes(), 0);
}

TEST_F(MemoryTest, ThreadsHandMemoryToEachOther) {
  std::vector<std::thread> threads;
  std::atomic<bool> isWrong = false;
  for (char mark = 1; mark != 5; ++mark)
    threads.emplace_back([&, mark] {
      for (int i = 0; i != 50; ++i) {
        BufferRef buffer = Buffer::create(4 * kMiB);
        std::fill_n(buffer->data(), 4096, mark);
        std::this_thread::yield();
        isWrong = isWrong || std::count(buffer->data(), buffer->data() + 4096, mark) != 4096;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(isWrong);
  EXPECT_LE(getCachedBufferBytes(), 64 * kMiB);
}

// What was there before must not be seen.
TEST_F(MemoryTest, ResultsDoNotDependOnOldContents) {
  {
    BufferRef old = Buffer::create(4 * kMiB);
    std::fill_n(old->data(), 4 * kMiB, char(0xff));
  }
  Tensor zeros = Tensor::zeros({1024, 1024});
  zeros.realize();
  EXPECT_EQ(getCachedBufferBytes(), 0);
  for (float value : zeros.data<float>())
    ASSERT_EQ(value, 0);
}

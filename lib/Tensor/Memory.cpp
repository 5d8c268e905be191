// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Tensor/Memory.h"
#include "Memory.h"

#include "llvm/Support/Compiler.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <deque>
#include <mutex>
#include <sys/mman.h>
#include <sys/sysinfo.h>

using namespace pypto;

/// From this size on memory comes in huge pages, and waits for the next user.
static constexpr int64_t kHuge = int64_t(4) << 20, kHugePage = int64_t(2) << 20;

/// What `bytes` take.
static int64_t getCapacity(int64_t bytes) {
  return int64_t(llvm::alignTo(std::max<int64_t>(bytes, 1), bytes >= kHuge ? kHugePage : 64));
}

namespace {
/// Blocks in the order in which they were freed.
class Cache {
public:
  char *take(int64_t capacity) {
    std::lock_guard lock(mutex);
    // The last one may still be in the caches of the machine.
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block)
      if (block->capacity == capacity) {
        char *memory = block->memory;
        blocks.erase(std::next(block).base());
        numBytes -= capacity;
        return memory;
      }
    return nullptr;
  }
  void put(char *memory, int64_t capacity) {
    std::lock_guard lock(mutex);
    blocks.push_back({memory, capacity});
    numBytes += capacity;
    shrink(limit);
  }
  void setLimit(int64_t bytes) {
    std::lock_guard lock(mutex);
    limit = bytes;
    shrink(limit);
  }
  /// True if there was something to give back.
  bool clear() {
    std::lock_guard lock(mutex);
    bool isEmpty = blocks.empty();
    shrink(0);
    return !isEmpty;
  }
  int64_t getLimit() const {
    std::lock_guard lock(mutex);
    return limit;
  }
  int64_t getNumBytes() const {
    std::lock_guard lock(mutex);
    return numBytes;
  }

private:
  struct Block {
    char *memory;
    int64_t capacity;
  };

  static int64_t getDefaultLimit() {
#if LLVM_ADDRESS_SANITIZER_BUILD
    return 0;
#else
    struct sysinfo info;
    return sysinfo(&info) == 0 ? int64_t(info.totalram) * info.mem_unit / 8 : 0;
#endif
  }
  void shrink(int64_t most) {
    while (numBytes > most) {
      std::free(blocks.front().memory);
      numBytes -= blocks.front().capacity;
      blocks.pop_front();
    }
  }

  mutable std::mutex mutex;
  std::deque<Block> blocks;
  int64_t numBytes = 0, limit = getDefaultLimit();
};
} // namespace

/// Lives as long as the process: tensors may be static.
static Cache &getCache() {
  static Cache &cache = *new Cache();
  return cache;
}

char *lazy::allocateMemory(int64_t bytes) {
  int64_t capacity = getCapacity(bytes);
  bool isHuge = bytes >= kHuge;
  if (char *memory = isHuge ? getCache().take(capacity) : nullptr)
    return memory;
  auto allocate = [&] {
    return static_cast<char *>(std::aligned_alloc(isHuge ? kHugePage : 64, capacity));
  };
  char *memory = allocate();
  if (!memory && getCache().clear())
    memory = allocate();
  if (memory && isHuge)
    madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

void lazy::freeMemory(char *memory, int64_t bytes) {
  if (memory && bytes >= kHuge)
    getCache().put(memory, getCapacity(bytes));
  else
    std::free(memory);
}

void lazy::setBufferCacheLimit(int64_t bytes) { getCache().setLimit(std::max<int64_t>(bytes, 0)); }
int64_t lazy::getBufferCacheLimit() { return getCache().getLimit(); }
int64_t lazy::getCachedBufferBytes() { return getCache().getNumBytes(); }

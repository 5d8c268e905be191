// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks come from the C library and carry no header, so that memory of code that was linked
// against `malloc` itself can be freed here too.
#include "pypto/Runtime/Allocation.h"
#include "Allocation.h"
#include "pypto/Runtime/Failure.h"
#include "pypto/Runtime/TaskABI.h"

#include "llvm/ADT/DenseSet.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <malloc.h>
#include <oneapi/tbb/spin_mutex.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

using namespace pypto;
using namespace pypto::runtime;

/// Tasks allocate in many threads at once: the set is split by address.
class pypto::runtime::AllocationSet {
public:
  void insert(void *memory) {
    Shard &shard = getShard(memory);
    tbb::spin_mutex::scoped_lock lock(shard.mutex);
    shard.blocks.insert(memory);
  }
  void erase(void *memory) {
    Shard &shard = getShard(memory);
    tbb::spin_mutex::scoped_lock lock(shard.mutex);
    shard.blocks.erase(memory);
  }
  void clear() {
    for (Shard &shard : shards)
      shard.blocks.clear();
  }
  void freeAll() {
    for (Shard &shard : shards) {
      for (void *memory : shard.blocks)
        std::free(memory);
      shard.blocks.clear();
    }
  }
  size_t size() const {
    size_t count = 0;
    for (const Shard &shard : shards) {
      tbb::spin_mutex::scoped_lock lock(shard.mutex);
      count += shard.blocks.size();
    }
    return count;
  }

private:
  struct alignas(64) Shard {
    mutable tbb::spin_mutex mutex;
    llvm::DenseSet<void *> blocks;
  };
  Shard &getShard(void *memory) {
    auto bits = reinterpret_cast<uintptr_t>(memory);
    return shards[((bits >> 4) ^ (bits >> 12)) % shards.size()];
  }
  std::array<Shard, 16> shards;
};

static thread_local AllocationSet *currentAllocations = nullptr;

AllocationSet *runtime::getCurrentAllocations() { return currentAllocations; }

AllocationSet *runtime::setCurrentAllocations(AllocationSet *allocations) {
  return std::exchange(currentAllocations, allocations);
}

AllocationScope::AllocationScope()
    : allocations(std::make_unique<AllocationSet>()),
      outer(setCurrentAllocations(allocations.get())) {}

AllocationScope::~AllocationScope() {
  allocations->freeAll();
  setCurrentAllocations(outer);
}

void AllocationScope::release() { allocations->clear(); }
size_t AllocationScope::getNumAllocations() const { return allocations->size(); }

//===- Functions for compiled code ----------------------------------------------===//

/// More than this the machine cannot have, whatever its C library promises.
static size_t getMaxBytes() {
  static const size_t bytes = [] {
    struct sysinfo info;
    if (sysinfo(&info) != 0)
      return std::numeric_limits<size_t>::max();
    return static_cast<size_t>(info.totalram + info.totalswap) * info.mem_unit;
  }();
  return bytes;
}

[[noreturn]] static void failOutOfMemory(const std::string &bytes) {
  throw Failure("", "out of memory: expects " + bytes + " bytes");
}

static constexpr size_t kHugePage = size_t(2) << 20;

template <typename AllocateFn> static void *allocateWith(size_t bytes, AllocateFn allocateBytes) {
  // One byte at least: null would look like a failure.
  void *memory = bytes <= getMaxBytes() ? allocateBytes(std::max<size_t>(bytes, 1)) : nullptr;
  if (!memory)
    failOutOfMemory(std::to_string(bytes));
  if (currentAllocations)
    currentAllocations->insert(memory);
  return memory;
}

void *runtime::allocate(size_t bytes) {
  return allocateWith(bytes, [](size_t bytes) { return std::malloc(bytes); });
}

void *runtime::allocateAligned(size_t alignment, size_t bytes) {
  alignment = std::max(alignment, alignof(std::max_align_t));
  return allocateWith(bytes, [alignment](size_t bytes) {
    void *memory = nullptr;
    // Copies of blocks, and what loops hand to each other, are read in many places at once.
    bool isHuge = bytes >= 2 * kHugePage;
    if (posix_memalign(&memory, isHuge ? std::max(alignment, kHugePage) : alignment, bytes) != 0)
      return static_cast<void *>(nullptr);
    if (isHuge)
      madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
  });
}

void *runtime::allocateZeroed(size_t count, size_t bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total))
    failOutOfMemory(std::to_string(count) + " * " + std::to_string(bytes));
  return allocateWith(total, [](size_t bytes) { return std::calloc(bytes, 1); });
}

size_t runtime::getAllocatedBytes(void *memory) { return malloc_usable_size(memory); }

void *pyptoAlloc(int64_t bytes, int64_t alignment) {
  return allocateAligned(std::max<int64_t>(alignment, 1), bytes);
}

void pyptoFree(void *memory) {
  if (!memory)
    return;
  if (currentAllocations)
    currentAllocations->erase(memory);
  std::free(memory);
}

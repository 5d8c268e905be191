// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_RUNTIME_ALLOCATION_H
#define PYPTO_RUNTIME_ALLOCATION_H

#include <cstddef>
#include <memory>

namespace pypto::runtime {

class AllocationSet;

/// Owns what the code that runs in it allocates through the C ABI: in the thread that makes it, and
/// in the tasks of a graph that is made in it. Compiled code frees its buffers itself, but not when
/// a failure unwinds through it: the end of the scope frees what is left. Scopes of a thread nest.
class AllocationScope {
public:
  AllocationScope();
  ~AllocationScope();
  AllocationScope(const AllocationScope &) = delete;

  /// Leaves what is allocated at this moment to the caller, who frees it by `pyptoFree`.
  void release();
  size_t getNumAllocations() const;

private:
  std::unique_ptr<AllocationSet> allocations;
  AllocationSet *outer;
};

/// The set of the innermost scope of this thread; null if there is none.
AllocationSet *getCurrentAllocations();
/// Makes `allocations` that set. Returns the one before.
AllocationSet *setCurrentAllocations(AllocationSet *allocations);

} // namespace pypto::runtime

#endif

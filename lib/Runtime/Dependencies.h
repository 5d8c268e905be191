// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who has accessed which bytes last. For the host alone.
#ifndef PYPTO_LIB_RUNTIME_DEPENDENCIES_H
#define PYPTO_LIB_RUNTIME_DEPENDENCIES_H

#include "AccessedStorage.h"
#include "GraphBuilder.h"

#include "llvm/ADT/DenseMap.h"

namespace pypto::runtime {

/// For each storage the tasks that a new access of a part of it has to wait for. The cost of an
/// access does not grow with the number of tasks before it: what one access finds in many ranges,
/// or many readers of one range, is put together behind an empty task.
class Dependencies {
public:
  explicit Dependencies(GraphBuilder &builder) : builder(builder) {}

  /// Adds the edges of one access of a task that is not started, and remembers it. A failure if it
  /// is part of a race.
  void note(Task &task, const PyptoAccess &access);
  /// The tasks that an access has to wait for: those that are not done, in adversarial order all.
  void collect(const PyptoAccess &access, llvm::SmallVectorImpl<TaskRef> &found);
  /// The same for a whole storage, which is forgotten.
  void forget(const void *storage, llvm::SmallVectorImpl<TaskRef> &found);

private:
  /// Of one lane; what a task does there.
  struct Use {
    uintptr_t begin, end;
    Task &task;
    int32_t mode;
    /// Of the whole access.
    int64_t numBytes;
  };

  void prune(Segment &segment);
  void prune(Tasks &tasks);
  void sweep(AccessedStorage::Lane &lane);
  bool order(llvm::ArrayRef<TaskRef> firsts, const Use &use, EdgeReason reason);
  void join(Tasks &tasks, Task &current);
  void note(AccessedStorage::Lane &lane, const Use &use);
  void noteRead(Segments &segments, const Use &use);
  void noteWrite(Segments &segments, const Use &use);
  void fillGaps(Segments &segments, const Use &use);
  void merge(Segments &segments, const Use &use);

  GraphBuilder &builder;
  llvm::DenseMap<const void *, AccessedStorage> storages;
};

} // namespace pypto::runtime

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who has accessed which bytes last. For the host alone.
#ifndef PYPTO_LIB_RUNTIME_DEPENDENCIES_H
#define PYPTO_LIB_RUNTIME_DEPENDENCIES_H

#include "GraphBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include <map>

namespace pypto::runtime {

/// For each storage a map from disjoint ranges of bytes to the tasks that a new access of them has
/// to wait for. The cost of an access does not grow with the number of tasks before it: what one
/// access finds in many ranges, or many readers of one range, is put together behind an empty task.
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
  using Tasks = llvm::SmallVector<TaskRef, 2>;
  struct Segment {
    uintptr_t end;
    /// Those that wrote, in no order among each other, and those that have read since.
    Tasks writers, readers;
    /// The last of those that accumulate: the next one waits for them in manual scopes too.
    Tasks accumulators = {};
    /// Each reader waits for each writer.
    bool isOrdered = true;
  };
  using Segments = std::map<uintptr_t, Segment>;
  struct Storage {
    Segments segments;
    size_t sweepAt = 1024;
  };
  struct Range {
    uintptr_t begin, end;
  };

  void split(Segments &segments, uintptr_t point);
  void prune(Segment &segment);
  void prune(Tasks &tasks);
  void sweep(Storage &storage);
  bool order(llvm::ArrayRef<TaskRef> firsts, Task &second, EdgeReason reason, Range range);
  void join(Tasks &tasks, Task &current);
  void noteRead(Segments &segments, Range range, Task &task);
  void noteWrite(Segments &segments, Range range, Task &task, int32_t mode);
  void fillGaps(Segments &segments, Range range, Task &task, int32_t mode);
  void merge(Segments &segments, Range range, Task &task);

  GraphBuilder &builder;
  llvm::DenseMap<const void *, Storage> storages;
};

} // namespace pypto::runtime

#endif

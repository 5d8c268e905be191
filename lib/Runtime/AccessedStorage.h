// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who has accessed which parts of one storage last.
#ifndef PYPTO_LIB_RUNTIME_ACCESSEDSTORAGE_H
#define PYPTO_LIB_RUNTIME_ACCESSEDSTORAGE_H

#include "Task.h"

#include "pypto/Runtime/TaskABI.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace pypto::runtime {

using Tasks = llvm::SmallVector<TaskRef, 2>;

/// A range whose bytes have the same history.
struct Segment {
  uintptr_t end;
  /// Those that wrote, in no order among each other, and those that have read since.
  Tasks writers, readers;
  /// The last of those that accumulate: the next one waits for them in manual scopes too.
  Tasks accumulators = {};
  /// Each reader waits for each writer.
  bool isOrdered = true;
};

/// From where they begin; they are disjoint.
using Segments = std::map<uintptr_t, Segment>;

/// Those that the access names.
int64_t countBytes(const PyptoAccess &access);

/// No segment goes across `point` afterwards.
void split(Segments &segments, uintptr_t point);

/// The bytes of a storage in a grid: a byte at distance d from the storage's first is in row
/// d / pitch and column d % pitch. Columns that have been accessed together so far are a lane,
/// which has a map from ranges of rows to who accessed them. So blocks of columns are as
/// independent as blocks of rows. The pitch is that of the first block; before it, and after one
/// with another pitch or very many lanes, there is one lane, its "rows" are addresses and a block
/// is the range from its first byte to its last.
class AccessedStorage {
public:
  explicit AccessedStorage(const void *address)
      : base(reinterpret_cast<uintptr_t>(address)), lanes{{0, Lane{1, {}}}} {}

  struct Lane {
    /// Behind its last column.
    uintptr_t end;
    Segments segments;
    size_t sweepAt = 1024;
  };
  /// Rows of some columns.
  struct Part {
    uintptr_t firstColumn, lastColumn;
    uintptr_t begin, end;
  };

  using Parts = llvm::SmallVector<Part, 3>;

  /// Disjoint parts that together are the access.
  Parts getParts(const PyptoAccess &access) const;
  /// The same in a grid in which they are made up of whole lanes, which this makes.
  Parts prepare(const PyptoAccess &access);
  /// Calls `visit` for the rows of each lane that has columns of the parts.
  void visit(llvm::ArrayRef<Part> parts,
             llvm::function_ref<void(Lane &, uintptr_t begin, uintptr_t end)> visit);
  void visitAll(llvm::function_ref<void(Segment &)> visit);

private:
  Parts getParts(uintptr_t begin, uintptr_t end) const;
  void splitLanes(llvm::ArrayRef<Part> parts);
  void splitLane(uintptr_t column);
  void adoptPitch(uintptr_t newPitch);
  void flatten();

  uintptr_t base;
  /// Zero while there is no grid.
  uintptr_t pitch = 0;
  bool mayHaveGrid = true;
  std::map<uintptr_t, Lane> lanes;
};

} // namespace pypto::runtime

#endif

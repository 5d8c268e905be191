// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Dependencies.h"

#include "pypto/Runtime/Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace pypto;
using namespace pypto::runtime;

/// A read of more segments than this makes them one; more tasks than this in a list are joined.
static constexpr unsigned kMaxSegments = 16, kMaxTasks = 16;

static bool accumulates(int32_t mode) { return (mode & PyptoAccumulate) == PyptoAccumulate; }

//===- Segments -------------------------------------------------------------------===//

void Dependencies::prune(Tasks &tasks) {
  if (!builder.keepsDone())
    llvm::erase_if(tasks, [](const TaskRef &task) { return task->isDone(); });
}

void Dependencies::prune(Segment &segment) {
  prune(segment.writers);
  prune(segment.readers);
  prune(segment.accumulators);
}

/// Drops segments that nobody has to wait for, when there are twice as many as last time.
void Dependencies::sweep(AccessedStorage::Lane &lane) {
  if (lane.segments.size() < lane.sweepAt)
    return;
  for (auto it = lane.segments.begin(); it != lane.segments.end();) {
    prune(it->second);
    bool isEmpty = it->second.writers.empty() && it->second.readers.empty();
    it = isEmpty ? lane.segments.erase(it) : std::next(it);
  }
  lane.sweepAt = std::max<size_t>(1024, 2 * lane.segments.size());
}

/// Puts an empty task in the place of all but `current`, which may wait for it later on.
void Dependencies::join(Tasks &tasks, Task &current) {
  TaskRef joined = builder.createInternal(PlannedTask::Kind::Join);
  bool hasCurrent = false;
  for (const TaskRef &task : tasks) {
    if (task.get() == &current)
      hasCurrent = true;
    else
      builder.addEdge(*task, *joined, EdgeReason::After);
  }
  builder.start(*joined);
  tasks.clear();
  tasks.push_back(std::move(joined));
  if (hasCurrent)
    tasks.push_back(TaskRef(&current));
}

//===- Order -----------------------------------------------------------------------===//

/// Lets the task wait for `firsts`; in a manual scope it has to do so already. Returns whether it
/// is known to.
bool Dependencies::order(llvm::ArrayRef<TaskRef> firsts, const Use &use, EdgeReason reason) {
  Task &second = use.task;
  bool isOrdered = true;
  for (const TaskRef &first : firsts) {
    if (first.get() == &second)
      continue;
    if (!second.isManual) {
      builder.addEdge(*first, second, reason);
      continue;
    }
    if (!builder.findsRaces()) {
      isOrdered &= first->isDone() || first->lastSuccessor == second.sequence;
      continue;
    }
    if (Task *unordered = builder.findUnordered(*first, second))
      throw Failure(second.site.location,
                    unordered->describe() + " and " + second.describe() + " both access " +
                        std::to_string(use.numBytes) +
                        " bytes, and one writes: expects the second after the first");
  }
  return isOrdered;
}

void Dependencies::note(Task &task, const PyptoAccess &access) {
  if (access.begin >= access.end)
    return;
  AccessedStorage &storage = storages.try_emplace(access.storage, access.storage).first->second;
  int64_t numBytes = countBytes(access);
  storage.visit(storage.prepare(access),
                [&](AccessedStorage::Lane &lane, uintptr_t begin, uintptr_t end) {
                  note(lane, {begin, end, task, access.mode, numBytes});
                });
}

void Dependencies::note(AccessedStorage::Lane &lane, const Use &use) {
  sweep(lane);
  split(lane.segments, use.begin);
  split(lane.segments, use.end);
  if (use.mode & PyptoWrite)
    noteWrite(lane.segments, use);
  else
    noteRead(lane.segments, use);
}

/// Parts of the range that nobody has accessed yet.
void Dependencies::fillGaps(Segments &segments, const Use &use) {
  uintptr_t at = use.begin;
  auto fill = [&](Segments::iterator next, uintptr_t end) {
    if (at >= end)
      return;
    Segment &segment = segments.emplace_hint(next, at, Segment{end, {}, {}})->second;
    (use.mode & PyptoWrite ? segment.writers : segment.readers).push_back(TaskRef(&use.task));
    if (accumulates(use.mode))
      segment.accumulators.push_back(TaskRef(&use.task));
  };
  auto it = segments.lower_bound(use.begin);
  for (; it != segments.end() && it->first < use.end; ++it) {
    fill(it, it->first);
    at = it->second.end;
  }
  fill(it, use.end);
}

void Dependencies::noteRead(Segments &segments, const Use &use) {
  Task &task = use.task;
  unsigned count = 0;
  auto it = segments.lower_bound(use.begin);
  for (; it != segments.end() && it->first < use.end; ++it) {
    Segment &segment = it->second;
    prune(segment);
    ++count;
  }
  if (count > kMaxSegments && !task.isManual)
    merge(segments, use);
  for (it = segments.lower_bound(use.begin); it != segments.end() && it->first < use.end; ++it) {
    Segment &segment = it->second;
    segment.isOrdered &= order(segment.writers, use, EdgeReason::ReadAfterWrite);
    if (segment.readers.empty() || segment.readers.back().get() != &task)
      segment.readers.push_back(TaskRef(&task));
    if (segment.readers.size() > kMaxTasks)
      join(segment.readers, task);
  }
  fillGaps(segments, use);
}

/// Makes one segment of those in the range. Later writes of a part of it wait for more than they
/// have to; this read does not.
void Dependencies::merge(Segments &segments, const Use &use) {
  Segment merged{use.end, {}, {}};
  llvm::SmallPtrSet<Task *, 32> writers, readers, accumulators;
  auto it = segments.lower_bound(use.begin);
  auto add = [](Tasks &to, const Tasks &from, auto &seen) {
    for (const TaskRef &task : from)
      if (seen.insert(task.get()).second)
        to.push_back(task);
  };
  while (it != segments.end() && it->first < use.end) {
    add(merged.writers, it->second.writers, writers);
    add(merged.readers, it->second.readers, readers);
    add(merged.accumulators, it->second.accumulators, accumulators);
    merged.isOrdered &= it->second.isOrdered;
    it = segments.erase(it);
  }
  // A reader of one part does not wait for the writers of another.
  merged.isOrdered &= merged.readers.empty();
  if (merged.writers.size() > kMaxTasks)
    join(merged.writers, use.task);
  if (merged.readers.size() > kMaxTasks)
    join(merged.readers, use.task);
  if (merged.accumulators.size() > kMaxTasks)
    join(merged.accumulators, use.task);
  segments.emplace(use.begin, std::move(merged));
}

void Dependencies::noteWrite(Segments &segments, const Use &use) {
  Task &task = use.task;
  int32_t mode = use.mode;
  bool alsoReads = mode & PyptoRead;
  bool isOrdered = true;
  Tasks accumulators;
  EdgeReason reason = alsoReads ? EdgeReason::ReadAfterWrite : EdgeReason::WriteAfterWrite;
  auto first = segments.lower_bound(use.begin), it = first;
  for (; it != segments.end() && it->first < use.end; ++it) {
    Segment &segment = it->second;
    prune(segment);
    if (accumulates(mode) && task.isManual)
      for (const TaskRef &first : segment.accumulators)
        builder.addEdge(*first, task, reason);
    for (const TaskRef &first : segment.accumulators)
      if (!accumulates(mode) && !llvm::is_contained(accumulators, first))
        accumulators.push_back(first);
    if (accumulators.size() > kMaxTasks)
      join(accumulators, task);
    bool hasReader =
        llvm::any_of(segment.readers, [&](const TaskRef &reader) { return reader.get() != &task; });
    // Readers wait for the writers.
    if (alsoReads || !segment.isOrdered || !hasReader || task.isManual)
      isOrdered &= order(segment.writers, use, reason);
    isOrdered &= order(segment.readers, use, EdgeReason::WriteAfterRead);
  }
  if (accumulates(mode))
    accumulators.push_back(TaskRef(&task));
  if (isOrdered) {
    segments.erase(first, it);
    segments.emplace(use.begin, Segment{use.end, {TaskRef(&task)}, {}, accumulators});
    return;
  }
  for (auto part = first; part != it; ++part) {
    Segment &segment = part->second;
    segment.isOrdered = false;
    if (accumulates(mode))
      segment.accumulators = accumulators;
    segment.writers.push_back(TaskRef(&task));
    if (segment.writers.size() > kMaxTasks)
      join(segment.writers, task);
  }
  fillGaps(segments, use);
}

//===- What the host waits for ---------------------------------------------------------===//

static void append(llvm::SmallVectorImpl<TaskRef> &found, llvm::ArrayRef<TaskRef> tasks,
                   bool alsoDone) {
  for (const TaskRef &task : tasks)
    if (alsoDone || !task->isDone())
      found.push_back(task);
}

void Dependencies::collect(const PyptoAccess &access, llvm::SmallVectorImpl<TaskRef> &found) {
  auto storage = storages.find(access.storage);
  if (storage == storages.end())
    return;
  AccessedStorage &accessed = storage->second;
  accessed.visit(accessed.getParts(access),
                 [&](AccessedStorage::Lane &lane, uintptr_t begin, uintptr_t end) {
                   Segments &segments = lane.segments;
                   auto it = segments.upper_bound(begin);
                   if (it != segments.begin() && std::prev(it)->second.end > begin)
                     --it;
                   for (; it != segments.end() && it->first < end; ++it) {
                     append(found, it->second.writers, builder.findsRaces());
                     if (access.mode & PyptoWrite)
                       append(found, it->second.readers, builder.findsRaces());
                   }
                 });
}

void Dependencies::forget(const void *storage, llvm::SmallVectorImpl<TaskRef> &found) {
  auto it = storages.find(storage);
  if (it == storages.end())
    return;
  it->second.visitAll([&](Segment &segment) {
    append(found, segment.writers, /*alsoDone=*/false);
    append(found, segment.readers, /*alsoDone=*/false);
  });
  storages.erase(it);
}

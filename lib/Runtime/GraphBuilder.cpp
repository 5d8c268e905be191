// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GraphBuilder.h"
#include "AccessedStorage.h"

#include "pypto/Runtime/Failure.h"

#include "llvm/ADT/DenseMap.h"
#include <cstring>

using namespace pypto;
using namespace pypto::runtime;

std::string Task::describe() const {
  std::string text = "task " + std::to_string(id);
  if (*site.name)
    text += std::string(" '") + site.name + "'";
  if (*site.location)
    text += std::string(" at ") + site.location;
  return text;
}

static PyptoTaskSite getSite(const PyptoTaskSite &site) {
  return {site.name ? site.name : "", site.location ? site.location : ""};
}

//===- Tasks ----------------------------------------------------------------------===//

static void countBytes(PlannedTask &planned, llvm::ArrayRef<PyptoAccess> accesses) {
  for (const PyptoAccess &access : accesses) {
    int64_t bytes = runtime::countBytes(access);
    if (access.mode & PyptoRead)
      planned.bytesRead += bytes;
    if (access.mode & PyptoWrite)
      planned.bytesWritten += bytes;
  }
}

TaskRef GraphBuilder::create(const TaskSpec &spec, bool isManual) {
  forgetDone();
  int64_t id = firstId + static_cast<int64_t>(tasks.size());
  // A task that runs at once needs no copy.
  size_t copied = scheduler.isInline() ? 0 : spec.payload.size();
  TaskRef task(new (copied) Task(id, nextSequence++, getSite(spec.site)));
  task->body = spec.numBlocks > 0 ? spec.body : nullptr;
  task->payload = const_cast<char *>(spec.payload.data());
  if (copied) {
    task->payload = task->getPayloadCopy();
    std::memcpy(task->payload, spec.payload.data(), copied);
  }
  task->numBlocks = spec.numBlocks;
  task->kind = spec.body ? PlannedTask::Kind::Kernel : PlannedTask::Kind::Dummy;
  task->isInOrder = spec.flags & PyptoBlocksInOrder;
  task->isManual = isManual;
  if (recordPlan) {
    PlannedTask &planned = plan.tasks.emplace_back();
    planned.id = id;
    planned.kind = task->kind;
    planned.name = task->site.name;
    planned.location = task->site.location;
    planned.numBlocks = spec.numBlocks;
    planned.isManual = isManual;
    countBytes(planned, spec.accesses);
    task->planned = &planned;
  }
  tasks.push_back(task);
  return task;
}

TaskRef GraphBuilder::createInternal(PlannedTask::Kind kind) {
  TaskRef task(new (0) Task(nextInternalId--, nextSequence++, {"", ""}));
  task->kind = kind;
  if (recordPlan && kind == PlannedTask::Kind::Join) {
    task->planned = &plan.tasks.emplace_back();
    task->planned->id = task->id;
    task->planned->kind = kind;
  }
  if (scheduler.isAdversarial())
    internalTasks.push_back(task);
  return task;
}

/// Drops what is done at the front, and now and then everywhere.
void GraphBuilder::forgetDone() {
  if (scheduler.isAdversarial())
    return;
  while (!tasks.empty() && (!tasks.front() || tasks.front()->isDone())) {
    tasks.pop_front();
    ++firstId;
  }
  if (tasks.size() < forgetAt)
    return;
  for (TaskRef &task : tasks)
    if (task && task->isDone())
      task.reset();
  forgetAt = 2 * tasks.size();
}

Task *GraphBuilder::lookup(int64_t id) {
  int64_t index = id - firstId;
  if (id <= 0 || index < 0)
    return nullptr;
  if (index >= static_cast<int64_t>(tasks.size()))
    throw Failure("", "expects a task of this graph, but got the id " + std::to_string(id));
  return tasks[index].get();
}

llvm::SmallVector<Task *> GraphBuilder::takeNewTasks() {
  llvm::SmallVector<Task *> taken;
  for (int64_t count = tasks.size(); numTaken < count; ++numTaken)
    taken.push_back(tasks[numTaken].get());
  return taken;
}

//===- Edges -----------------------------------------------------------------------===//

void GraphBuilder::addEdge(Task &first, Task &second, EdgeReason reason) {
  if (&first == &second || first.lastSuccessor == second.sequence)
    return;
  first.lastSuccessor = second.sequence;
  ++numEdges;
  if (second.planned)
    second.planned->edges.push_back({first.id, reason});
  scheduler.addEdge(first, second);
}

void GraphBuilder::addAfter(int64_t first, Task &second) {
  if (first <= 0)
    return;
  if (Task *task = lookup(first))
    return addEdge(*task, second, EdgeReason::After);
  if (second.planned)
    second.planned->edges.push_back({first, EdgeReason::After});
}

/// Fails if `first` waits for `second`: searches what waits for the latter.
void GraphBuilder::checkCycle(Task &first, Task &second) {
  llvm::DenseMap<Task *, Task *> reachedFrom{{&second, nullptr}};
  llvm::SmallVector<Task *> work{&second};
  while (!work.empty() && !reachedFrom.contains(&first)) {
    Task *task = work.pop_back_val();
    tbb::spin_mutex::scoped_lock lock(task->mutex);
    for (Task *successor : task->successors)
      if (reachedFrom.try_emplace(successor, task).second)
        work.push_back(successor);
  }
  if (!reachedFrom.contains(&first))
    return;
  std::string text;
  for (Task *task = &first; task; task = reachedFrom.lookup(task))
    if (!task->isJoin())
      text = task->describe() + (text.empty() ? "" : ", ") + text;
  throw Failure("", "expects dependencies without a cycle, but each of these waits for the one "
                    "before it, and the first for the last: " +
                        text);
}

void GraphBuilder::addLateEdge(int64_t firstId, int64_t secondId) {
  Task *first = lookup(firstId), *second = lookup(secondId);
  if (first && second)
    checkCycle(*first, *second);
  // Takes the part of the host, as `submit` does, so that it cannot start now.
  int64_t count = second ? second->numWaiting.load() : 0;
  while (count != 0 && !second->numWaiting.compare_exchange_weak(count, count + 1))
    continue;
  bool isWaiting = count != 0;
  if (!isWaiting && !(second && scheduler.isAdversarial() && !second->started))
    throw Failure("", "expects that a task with a new dependency has not started, but task " +
                          std::to_string(secondId) + " has");
  hasLateEdges = true;
  if (first) {
    first->lastSuccessor = 0;
    addEdge(*first, *second, EdgeReason::After);
  }
  if (isWaiting)
    scheduler.endLateEdge(*second);
}

//===- Order --------------------------------------------------------------------------===//

/// A search back from `second`. An edge goes from a lower sequence number to a higher one, unless
/// it was added late, so that only tasks between the two are visited.
bool GraphBuilder::isAncestor(Task &first, Task &second) {
  int64_t visit = ++numVisits;
  llvm::SmallVector<Task *> work{&second};
  while (!work.empty()) {
    Task *task = work.pop_back_val();
    for (Task *predecessor : task->predecessors) {
      if (predecessor == &first)
        return true;
      if (predecessor->visit == visit || (predecessor->sequence < first.sequence && !hasLateEdges))
        continue;
      predecessor->visit = visit;
      work.push_back(predecessor);
    }
  }
  return false;
}

Task *GraphBuilder::findUnordered(Task &first, Task &second) {
  if (first.isNeeded || isAncestor(first, second))
    return nullptr;
  if (!first.isJoin())
    return &first;
  // Nobody names a join: what counts is what it joins.
  for (Task *predecessor : first.predecessors)
    if (Task *unordered = findUnordered(*predecessor, second))
      return unordered;
  return nullptr;
}

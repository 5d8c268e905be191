// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Runtime/TaskGraph.h"
#include "Allocation.h"
#include "Dependencies.h"

#include "pypto/Runtime/Failure.h"

using namespace pypto;
using namespace pypto::runtime;

class TaskGraph::Impl {
public:
  explicit Impl(const TaskGraphOptions &options)
      : options(options), scheduler(new Scheduler(options)),
        builder(*scheduler, options.recordPlan), dependencies(builder) {}

  int64_t submit(const TaskSpec &spec);
  void free(void *storage);
  void waitFor(llvm::ArrayRef<TaskRef> tasks);
  void waitAll();
  void limitPending();
  void throwFailure() {
    if (scheduler->hasFailed())
      scheduler->rethrowFailure();
  }
  /// Nothing ever waits, so that nobody has to know who accessed what.
  bool needsDependencies() const { return !scheduler->isInline() || options.recordPlan; }

  const TaskGraphOptions options;
  llvm::IntrusiveRefCntPtr<Scheduler> scheduler;
  GraphBuilder builder;
  Dependencies dependencies;
  /// Whether they are manual, from the outermost one.
  llvm::SmallVector<bool> scopes;
};

int64_t TaskGraph::Impl::submit(const TaskSpec &spec) {
  throwFailure();
  TaskRef task = builder.create(spec, !scopes.empty() && scopes.back());
  for (int64_t first : spec.after)
    builder.addAfter(first, *task);
  if (needsDependencies())
    for (const PyptoAccess &access : spec.accesses)
      dependencies.note(*task, access);
  builder.start(*task);
  if (scheduler->isInline())
    throwFailure();
  else
    limitPending();
  return task->id;
}

/// Helps until a quarter of what may be in flight is done, not to wait again at the next task.
void TaskGraph::Impl::limitPending() {
  auto isBelow = [&](int64_t tasks, int64_t bytes) {
    return scheduler->getNumPending() <= tasks && scheduler->getPendingBytes() <= bytes;
  };
  if (isBelow(options.maxPendingTasks, options.maxPendingBytes))
    return;
  scheduler->wait(
      [&] { return isBelow(options.maxPendingTasks / 4 * 3, options.maxPendingBytes / 4 * 3); },
      /*isForced=*/true);
  throwFailure();
}

void TaskGraph::Impl::waitFor(llvm::ArrayRef<TaskRef> tasks) {
  if (scheduler->isAdversarial()) {
    llvm::SmallVector<Task *> needed;
    for (const TaskRef &task : tasks)
      needed.push_back(task.get());
    scheduler->need(needed);
  }
  size_t numDone = 0;
  auto isDone = [&] {
    while (numDone < tasks.size() && tasks[numDone]->isDone())
      ++numDone;
    return numDone == tasks.size();
  };
  if (!isDone())
    scheduler->wait(isDone, /*isForced=*/false);
  throwFailure();
}

void TaskGraph::Impl::waitAll() {
  if (scheduler->isAdversarial())
    scheduler->need(builder.takeNewTasks());
  scheduler->waitAll();
  throwFailure();
}

void TaskGraph::Impl::free(void *storage) {
  llvm::SmallVector<TaskRef> users;
  dependencies.forget(storage, users);
  if (users.empty())
    return pyptoFree(storage);
  TaskRef task = builder.createInternal(PlannedTask::Kind::Dummy);
  task->freed = storage;
  task->freedBytes = getAllocatedBytes(storage);
  for (const TaskRef &user : users)
    builder.addEdge(*user, *task, EdgeReason::After);
  builder.start(*task);
  limitPending();
}

//===- TaskGraph ----------------------------------------------------------------------===//

TaskGraph::TaskGraph(const TaskGraphOptions &options) : impl(std::make_unique<Impl>(options)) {}

TaskGraph::~TaskGraph() {
  cancel();
  impl->scheduler->stop();
}

void TaskGraph::cancel() {
  impl->scheduler->cancel();
  impl->scheduler->waitAll();
}

int64_t TaskGraph::submit(const TaskSpec &spec) { return impl->submit(spec); }
void TaskGraph::waitAll() { impl->waitAll(); }

void TaskGraph::addDependency(int64_t first, int64_t second) {
  impl->builder.addLateEdge(first, second);
}

void TaskGraph::wait(llvm::ArrayRef<int64_t> tasks) {
  llvm::SmallVector<TaskRef> found;
  for (int64_t id : tasks)
    if (Task *task = impl->builder.lookup(id))
      found.push_back(TaskRef(task));
  impl->waitFor(found);
}

void TaskGraph::sync(llvm::ArrayRef<PyptoAccess> accesses) {
  llvm::SmallVector<TaskRef> found;
  for (const PyptoAccess &access : accesses)
    impl->dependencies.collect(access, found);
  impl->waitFor(found);
}

void TaskGraph::free(void *storage) {
  if (storage)
    impl->free(storage);
}

void TaskGraph::beginScope(bool isManual) { impl->scopes.push_back(isManual); }

void TaskGraph::endScope() {
  if (!impl->scopes.empty())
    impl->scopes.pop_back();
}

const TaskPlan &TaskGraph::getPlan() const { return impl->builder.plan; }
unsigned TaskGraph::getNumThreads() const { return impl->scheduler->getNumThreads(); }
int64_t TaskGraph::getNumEdges() const { return impl->builder.numEdges; }
Scheduler &TaskGraph::getScheduler() const { return *impl->scheduler; }

//===- The current graph -----------------------------------------------------------------===//

static thread_local TaskGraph *currentGraph = nullptr;

TaskGraph *TaskGraph::getCurrent() { return currentGraph; }

TaskGraph *runtime::setCurrentGraph(TaskGraph *graph) { return std::exchange(currentGraph, graph); }

TaskGraph::Scope::Scope(TaskGraph &graph) : outer(setCurrentGraph(&graph)) {}
TaskGraph::Scope::~Scope() { setCurrentGraph(outer); }

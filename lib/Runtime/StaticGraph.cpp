// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Runtime/StaticGraph.h"
#include "Arena.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <algorithm>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

using namespace pypto;
using namespace pypto::runtime;

unsigned StaticGraph::add(llvm::ArrayRef<unsigned> predecessors) {
  unsigned number = tasks.size();
  Task &task = tasks.emplace_back();
  task.group = firstGroup;
  task.predecessors.assign(predecessors.begin(), predecessors.end());
  llvm::sort(task.predecessors);
  task.predecessors.erase(llvm::unique(task.predecessors), task.predecessors.end());
  for (unsigned first : task.predecessors) {
    assert(first < number && "a task waits for one that is there");
    tasks[first].successors.push_back(number);
    task.group = std::max(task.group, tasks[first].group + 1);
  }
  if (task.group >= groups.size())
    groups.resize(task.group + 1);
  groups[task.group].push_back(number);
  return number;
}

void StaticGraph::addBarrier() { firstGroup = groups.size(); }

StaticGraph::Run::Run(const StaticGraph &graph)
    : graph(graph), waiting(new std::atomic<unsigned>[graph.getNumTasks()]) {
  ready.reserve(graph.getNumTasks());
}

void StaticGraph::Run::reset() {
  ready.clear();
  for (auto [index, task] : llvm::enumerate(graph.tasks)) {
    waiting[index].store(task.predecessors.size(), std::memory_order_relaxed);
    if (task.predecessors.empty())
      ready.push_back(index);
  }
}

/// Keeps one of the tasks that it makes ready, and hands the others to whoever is free.
void StaticGraph::Run::runFrom(unsigned task) {
  numChains.load(std::memory_order_acquire);
  auto atEnd = llvm::scope_exit([&] { numChains.fetch_add(1, std::memory_order_release); });
  while (!isCancelled()) {
    body(task);
    constexpr unsigned none = ~0U;
    unsigned next = none;
    for (unsigned successor : graph.tasks[task].successors) {
      if (waiting[successor].fetch_sub(1, std::memory_order_acq_rel) != 1)
        continue;
      if (next == none)
        next = successor;
      else
        spawnTask(*static_cast<tbb::task_group *>(spawner), *this, successor);
    }
    if (next == none)
      return;
    task = next;
  }
}

void StaticGraph::Run::runDataflow() {
  reset();
  tbb::task_group group;
  spawner = &group;
  numChains.store(0, std::memory_order_release);
  group.run_and_wait([&] {
    for (unsigned task : llvm::ArrayRef(ready).drop_front())
      spawnTask(group, *this, task);
    runFrom(ready.front());
  });
  numChains.load(std::memory_order_acquire);
}

void StaticGraph::Run::runGroups() {
  for (llvm::ArrayRef<unsigned> tasks : graph.groups) {
    if (tasks.size() == 1) {
      body(tasks.front());
      continue;
    }
    runIterations(tasks.size(), [&](int64_t index) { body(tasks[index]); });
  }
}

void StaticGraph::Run::runAdversarial() {
  reset();
  // Behind a barrier nothing starts before the groups in front of it are done.
  auto getRank = [&](unsigned task) {
    return std::pair(graph.hasBarriers() ? -int64_t(graph.getGroup(task)) : 0, task);
  };
  while (!ready.empty()) {
    auto last = std::max_element(ready.begin(), ready.end(),
                                 [&](unsigned a, unsigned b) { return getRank(a) < getRank(b); });
    unsigned task = *last;
    ready.erase(last);
    body(task);
    for (unsigned successor : graph.tasks[task].successors)
      if (waiting[successor].fetch_sub(1, std::memory_order_relaxed) == 1)
        ready.push_back(successor);
  }
}

void StaticGraph::Run::execute(llvm::function_ref<void(unsigned)> function, StaticOrder order) {
  body = function;
  if (order == StaticOrder::Adversarial)
    return runAdversarial();
  // Where nothing can run at the same time no thread has to be asked.
  bool isAlone = graph.getNumGroups() == graph.getNumTasks() || !hasOtherThreads();
  if (order == StaticOrder::Sequential || isAlone) {
    for (unsigned task = 0, e = graph.getNumTasks(); task != e; ++task)
      body(task);
    return;
  }
  runWithParallelThreads([&] {
    // While this thread waits it takes up tasks of this run only.
    tbb::this_task_arena::isolate([&] {
      if (order == StaticOrder::Dataflow && !graph.hasBarriers())
        runDataflow();
      else
        runGroups();
    });
  });
}

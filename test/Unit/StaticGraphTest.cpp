// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks with edges that are known before: levels, order, overlap, failures.
#include "pypto/Runtime/StaticGraph.h"
#include "pypto/Runtime/ParallelFor.h"

#include "gtest/gtest.h"
#include <chrono>
#include <functional>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>

using namespace pypto::runtime;

namespace {
/// Sets the number of threads for one test.
class Threads {
public:
  explicit Threads(unsigned count) { setParallelThreads(count); }
  ~Threads() { setParallelThreads(0); }
};

StaticGraph makeRandomGraph(unsigned seed, unsigned size) {
  std::mt19937 random(seed);
  StaticGraph graph;
  for (unsigned task = 0; task < size; ++task) {
    llvm::SmallVector<unsigned> predecessors;
    for (unsigned count = task ? random() % 4 : 0; count != 0; --count)
      predecessors.push_back(random() % task);
    graph.add(predecessors);
  }
  return graph;
}
} // namespace

// The longest path to each task, over all paths one by one.
TEST(StaticGraphTest, GroupsAreLongestPaths) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    StaticGraph graph = makeRandomGraph(seed, 12);
    std::function<unsigned(unsigned)> longest = [&](unsigned task) {
      unsigned length = 0;
      for (unsigned first : graph.getPredecessors(task))
        length = std::max(length, longest(first) + 1);
      return length;
    };
    for (unsigned task = 0; task < graph.getNumTasks(); ++task)
      EXPECT_EQ(graph.getGroup(task), longest(task)) << "seed " << seed << " task " << task;
    size_t count = 0;
    for (unsigned group = 0; group < graph.getNumGroups(); ++group)
      count += graph.getGroupTasks(group).size();
    EXPECT_EQ(count, graph.getNumTasks());
  }
}

// Each task sees those that it waits for done, in every order and with every number of threads.
TEST(StaticGraphTest, TasksWaitForTheirPredecessors) {
  for (unsigned threads : {1, 2, 8}) {
    Threads scope(threads);
    for (StaticOrder order : {StaticOrder::Dataflow, StaticOrder::Groups, StaticOrder::Sequential,
                              StaticOrder::Adversarial}) {
      StaticGraph graph = makeRandomGraph(threads, 200);
      StaticGraph::Run run(graph);
      for (unsigned repetition = 0; repetition < 20; ++repetition) {
        std::vector<std::atomic<bool>> done(graph.getNumTasks());
        std::atomic<unsigned> numWrong = 0, numRun = 0;
        run.execute(
            [&](unsigned task) {
              for (unsigned first : graph.getPredecessors(task))
                numWrong += !done[first].load();
              ++numRun;
              numWrong += done[task].exchange(true);
            },
            order);
        EXPECT_EQ(numWrong, 0u);
        EXPECT_EQ(numRun, graph.getNumTasks());
      }
    }
  }
}

/// True if `condition` comes true in time.
static bool waitUntil(const std::function<bool()> &condition) {
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!condition())
    if (std::chrono::steady_clock::now() > end)
      return false;
    else
      std::this_thread::yield();
  return true;
}

// Two tasks that do not wait for each other: each goes on only when the other has started.
TEST(StaticGraphTest, IndependentTasksOverlap) {
  Threads scope(2);
  StaticGraph graph;
  graph.add({});
  graph.add({});
  graph.add({0, 1});
  StaticGraph::Run run(graph);
  for (StaticOrder order : {StaticOrder::Dataflow, StaticOrder::Groups}) {
    std::atomic<unsigned> started = 0;
    std::atomic<bool> overlap = true;
    run.execute(
        [&](unsigned task) {
          if (task == 2)
            return;
          ++started;
          if (!waitUntil([&] { return started == 2; }))
            overlap = false;
        },
        order);
    EXPECT_TRUE(overlap);
  }
}

// a -> b, c -> d: with ready counts b runs while c does, with groups it cannot.
TEST(StaticGraphTest, DataflowHasNoBarriers) {
  Threads scope(2);
  enum { A, B, C, D };
  StaticGraph graph;
  graph.add({});
  graph.add({A});
  graph.add({});
  graph.add({C});
  auto seesB = [&](StaticOrder order) {
    StaticGraph::Run run(graph);
    std::atomic<bool> isDone = false, isSeen = false;
    run.execute(
        [&](unsigned task) {
          if (task == B)
            isDone = true;
          if (task != C)
            return;
          if (order == StaticOrder::Dataflow)
            isSeen = waitUntil([&] { return isDone.load(); });
          else
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
          isSeen = isSeen || isDone;
        },
        order);
    return isSeen.load();
  };
  EXPECT_TRUE(seesB(StaticOrder::Dataflow));
  EXPECT_FALSE(seesB(StaticOrder::Groups));
}

TEST(StaticGraphTest, BarriersMakeGroups) {
  StaticGraph graph;
  graph.add({});
  graph.add({});
  graph.addBarrier();
  graph.add({0});
  graph.add({});
  graph.add({3});
  EXPECT_EQ(graph.getGroup(2), 1u);
  EXPECT_EQ(graph.getGroup(3), 1u);
  EXPECT_EQ(graph.getGroup(4), 2u);
  for (unsigned threads : {1, 2}) {
    Threads scope(threads);
    StaticGraph::Run run(graph);
    for (StaticOrder order :
         {StaticOrder::Dataflow, StaticOrder::Groups, StaticOrder::Adversarial}) {
      std::mutex mutex;
      std::vector<unsigned> sequence;
      run.execute(
          [&](unsigned task) {
            std::lock_guard lock(mutex);
            sequence.push_back(graph.getGroup(task));
          },
          order);
      EXPECT_EQ(sequence, std::vector<unsigned>({0, 0, 1, 1, 2}));
    }
  }
}

TEST(StaticGraphTest, AdversarialOrderTakesTheLast) {
  StaticGraph graph;
  graph.add({});
  graph.add({});
  graph.add({0});
  StaticGraph::Run run(graph);
  std::vector<unsigned> sequence;
  run.execute([&](unsigned task) { sequence.push_back(task); }, StaticOrder::Adversarial);
  EXPECT_EQ(sequence, std::vector<unsigned>({1, 0, 2}));
}

// What waits for a task that fails never starts, and the graph can run again.
TEST(StaticGraphTest, FailuresEndARun) {
  for (unsigned threads : {1, 2}) {
    Threads scope(threads);
    StaticGraph graph;
    graph.add({});
    graph.add({});
    graph.add({0, 1});
    StaticGraph::Run run(graph);
    for (StaticOrder order : {StaticOrder::Dataflow, StaticOrder::Groups, StaticOrder::Sequential,
                              StaticOrder::Adversarial}) {
      std::atomic<bool> hasRun = false;
      auto fails = [&](unsigned task) {
        if (task == 1)
          throw std::runtime_error("no");
        hasRun = hasRun || task == 2;
      };
      EXPECT_THROW(run.execute(fails, order), std::runtime_error);
      EXPECT_FALSE(hasRun);
      std::atomic<unsigned> count = 0;
      run.execute([&](unsigned) { ++count; }, order);
      EXPECT_EQ(count, 3u);
    }
  }
}

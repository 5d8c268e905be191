// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Runtime/TaskGraph.h"
#include "pypto/Runtime/Allocation.h"
#include "pypto/Runtime/Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <thread>

using namespace pypto::runtime;

namespace {
using Body = std::function<void(int64_t)>;

void callBody(void *payload, int64_t block, int64_t) { (**static_cast<Body **>(payload))(block); }

PyptoAccess access(const void *storage, size_t begin, size_t end, PyptoAccessMode mode) {
  const char *base = static_cast<const char *>(storage);
  return {storage, base + begin, base + end, mode};
}

/// A graph whose tasks are C++ functions.
struct TestGraph {
  explicit TestGraph(unsigned threads, TaskOrder order = TaskOrder::Program, bool record = false)
      : TestGraph(makeOptions(threads, order, record)) {}
  explicit TestGraph(const TaskGraphOptions &options)
      : graph(std::make_unique<TaskGraph>(options)) {}

  static TaskGraphOptions makeOptions(unsigned threads, TaskOrder order, bool record) {
    TaskGraphOptions options;
    options.threads = threads;
    options.order = order;
    options.recordPlan = record;
    options.signalTimeout = std::chrono::milliseconds(100);
    return options;
  }
  int64_t add(const char *name, llvm::ArrayRef<PyptoAccess> accesses, Body body,
              llvm::ArrayRef<int64_t> after = {}, int64_t numBlocks = 1, int32_t flags = 0) {
    Body *kept = &bodies.emplace_back(std::move(body));
    llvm::ArrayRef<char> payload(reinterpret_cast<char *>(&kept), sizeof(kept));
    return graph->submit(
        {{name, "t.mlir:1:1"}, callBody, payload, accesses, after, numBlocks, flags});
  }
  std::string getFailure(std::function<void()> action) {
    try {
      action();
    } catch (const Failure &failure) {
      return failure.what();
    }
    return "no failure";
  }

  std::deque<Body> bodies;
  std::unique_ptr<TaskGraph> graph;
};

/// Names in the order in which tasks run.
struct Log {
  void add(char name) {
    std::lock_guard lock(mutex);
    text += name;
  }
  Body adder(char name) {
    return [this, name](int64_t) { add(name); };
  }
  std::mutex mutex;
  std::string text;
};

const PyptoTaskSite kWait = {"wait", "t.mlir:9:9"};

void awaitSignal(std::atomic<int> &signal, int value) {
  while (signal.load() < value)
    pyptoSignalPause(&kWait);
}

char storage[4096], other[4096];

//===- Overlap ------------------------------------------------------------------===//

// Two tasks wait for each other: they run at the same time, or never end.
TEST(TaskGraphTest, IndependentTasksOverlap) {
  std::atomic<int> arrived = 0;
  TestGraph t(2);
  for (int i = 0; i < 2; ++i)
    t.add("meet", {access(i ? storage : other, 0, 8, PyptoWrite)}, [&](int64_t) {
      ++arrived;
      while (arrived < 2)
        std::this_thread::yield();
    });
  t.graph->waitAll();
  EXPECT_EQ(arrived, 2);
}

TEST(TaskGraphTest, DisjointRangesOverlap) {
  std::atomic<int> arrived = 0;
  TestGraph t(3);
  for (int i = 0; i < 3; ++i)
    t.add("meet", {access(storage, 8 * i, 8 * i + 8, PyptoReadWrite)}, [&](int64_t) {
      ++arrived;
      while (arrived < 3)
        std::this_thread::yield();
    });
  t.graph->waitAll();
  EXPECT_EQ(arrived, 3);
}

TEST(TaskGraphTest, ReadersOverlap) {
  std::atomic<int> arrived = 0;
  TestGraph t(2);
  for (int i = 0; i < 2; ++i)
    t.add("meet", {access(storage, 0, 8, PyptoRead)}, [&](int64_t) {
      ++arrived;
      while (arrived < 2)
        std::this_thread::yield();
    });
  t.graph->waitAll();
  EXPECT_EQ(arrived, 2);
}

TEST(TaskGraphTest, BlocksOverlap) {
  std::atomic<int> arrived = 0;
  std::atomic<int64_t> seen = 0;
  TestGraph t(2);
  t.add(
      "blocks", {},
      [&](int64_t block) {
        seen |= int64_t(1) << block;
        ++arrived;
        while (arrived < 2)
          std::this_thread::yield();
      },
      {}, 2);
  t.graph->waitAll();
  EXPECT_EQ(seen, 3);
}

TEST(TaskGraphTest, BlocksInOrder) {
  for (TaskOrder order : {TaskOrder::Program, TaskOrder::Adversarial}) {
    std::vector<int64_t> seen;
    TestGraph t(4, order);
    t.add("blocks", {}, [&](int64_t block) { seen.push_back(block); }, {}, 100, PyptoBlocksInOrder);
    t.graph->waitAll();
    EXPECT_EQ(seen.size(), 100u);
    EXPECT_TRUE(llvm::is_sorted(seen));
  }
}

TEST(TaskGraphTest, EachBlockOnce) {
  for (unsigned threads : {1, 2, 8}) {
    for (int64_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> runs(count);
      TestGraph t(threads);
      int64_t first = t.add("blocks", {}, [&](int64_t block) { ++runs[block]; }, {}, count);
      int sum = -1;
      t.add("sum", {},
            [&](int64_t) {
              sum = 0;
              for (auto &run : runs)
                sum += run == 1;
            },
            {first});
      t.graph->waitAll();
      EXPECT_EQ(sum, count);
    }
  }
}

//===- Order by data --------------------------------------------------------------===//

TEST(TaskGraphTest, Diamond) {
  for (int turn = 0; turn < 50; ++turn) {
    Log log;
    TestGraph t(4);
    t.add("a", {access(storage, 0, 64, PyptoWrite)}, log.adder('a'));
    t.add("b", {access(storage, 0, 64, PyptoRead), access(other, 0, 8, PyptoWrite)},
          log.adder('b'));
    t.add("c", {access(storage, 0, 64, PyptoRead), access(other, 8, 16, PyptoWrite)},
          log.adder('b'));
    t.add("d", {access(other, 0, 16, PyptoRead)}, log.adder('d'));
    t.graph->waitAll();
    EXPECT_EQ(log.text, "abbd");
  }
}

struct Conflict {
  PyptoAccessMode first, second;
  size_t begin, end;
  bool isOrdered;
};

// Whether the second task waits, told by the edges of the plan. The first accesses bytes 8 to 16.
TEST(TaskGraphTest, Conflicts) {
  const Conflict conflicts[] = {
      {PyptoWrite, PyptoRead, 8, 16, true},   {PyptoRead, PyptoWrite, 8, 16, true},
      {PyptoWrite, PyptoWrite, 8, 16, true},  {PyptoRead, PyptoRead, 8, 16, false},
      {PyptoWrite, PyptoRead, 15, 32, true},  {PyptoWrite, PyptoRead, 16, 32, false},
      {PyptoWrite, PyptoRead, 0, 9, true},    {PyptoWrite, PyptoRead, 0, 8, false},
      {PyptoWrite, PyptoRead, 10, 12, true},  {PyptoWrite, PyptoRead, 0, 64, true},
      {PyptoWrite, PyptoRead, 12, 12, false}, {PyptoRead, PyptoReadWrite, 12, 13, true},
  };
  for (const Conflict &c : conflicts)
    for (unsigned threads : {1, 2}) {
      TestGraph t(threads, TaskOrder::Program, /*record=*/true);
      t.add("a", {access(storage, 8, 16, c.first)}, [](int64_t) {});
      t.add("b", {access(storage, c.begin, c.end, c.second)}, [](int64_t) {});
      t.graph->waitAll();
      EXPECT_EQ(t.graph->getPlan().tasks[1].edges.size(), c.isOrdered)
          << c.first << ' ' << c.second << ' ' << c.begin << ' ' << c.end;
    }
}

TEST(TaskGraphTest, HostWaitsForWhatConflicts) {
  std::atomic<bool> mayEnd = false, started = false;
  std::atomic<int> done = 0;
  TestGraph t(2);
  t.add("long", {access(other, 0, 8, PyptoWrite)}, [&](int64_t) {
    started = true;
    while (!mayEnd)
      std::this_thread::yield();
  });
  // A host that waits runs what is there, so that the other thread has to have it.
  while (!started)
    std::this_thread::yield();
  t.add("write", {access(storage, 0, 8, PyptoWrite)}, [&](int64_t) { ++done; });
  t.add("read", {access(storage, 8, 16, PyptoRead)}, [&](int64_t) { ++done; });
  // A read of what is only read does not wait.
  t.graph->sync({access(other, 8, 16, PyptoReadWrite), access(storage, 8, 16, PyptoRead)});
  t.graph->sync({access(storage, 4, 5, PyptoRead)});
  EXPECT_GE(done, 1);
  t.graph->sync({access(storage, 15, 16, PyptoWrite)});
  EXPECT_EQ(done, 2);
  mayEnd = true;
  t.graph->waitAll();
}

TEST(TaskGraphTest, AfterAndBarriers) {
  Log log;
  TestGraph t(2);
  int64_t a = t.add("a", {}, [&](int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    log.add('a');
  });
  int64_t dummy = t.graph->submit({{"", ""}, nullptr, {}, {}, {a, -1}});
  int64_t b = t.add("b", {}, log.adder('b'), {dummy, -7});
  t.graph->wait({b, -1});
  EXPECT_EQ(log.text, "ab");
  EXPECT_EQ(t.getFailure([&] { t.graph->wait({b + 1}); }),
            "expects a task of this graph, but got the id 4");
}

//===- Against serial execution ------------------------------------------------------===//

/// A random program on cells: each task makes the cells that it writes from all that it accesses.
struct RandomProgram {
  static constexpr unsigned numStorages = 3, numCells = 40;
  using Memory = std::array<std::array<uint64_t, numCells>, numStorages>;
  struct Step {
    struct Use {
      unsigned storage, begin, end;
      PyptoAccessMode mode;
    };
    std::vector<Use> uses;
    unsigned hostReads;
  };

  RandomProgram(unsigned seed, unsigned count) {
    std::mt19937 random(seed);
    auto below = [&](unsigned bound) -> unsigned { return random() % bound; };
    for (unsigned i = 0; i < count; ++i) {
      Step step{{}, below(10) == 0 ? 1 + below(numStorages) : 0};
      for (unsigned n = 1 + below(3); n-- > 0;) {
        unsigned begin = below(numCells), width = below(4) ? 1 + below(5) : numCells;
        step.uses.push_back({below(numStorages), begin, std::min(begin + width, numCells),
                             PyptoAccessMode(1 + below(3))});
      }
      steps.push_back(std::move(step));
    }
  }
  static void run(const Step &step, Memory &memory, uint64_t number) {
    uint64_t hash = number;
    for (const Step::Use &use : step.uses)
      for (unsigned i = use.begin; i < use.end && (use.mode & PyptoRead); ++i)
        hash = hash * 6364136223846793005u + memory[use.storage][i];
    for (const Step::Use &use : step.uses)
      for (unsigned i = use.begin; i < use.end && (use.mode & PyptoWrite); ++i)
        memory[use.storage][i] = hash = hash * 6364136223846793005u + i;
  }
  uint64_t runSerially(Memory &memory) const {
    uint64_t read = 0;
    for (auto [number, step] : llvm::enumerate(steps)) {
      run(step, memory, number);
      if (step.hostReads)
        read = read * 31 + memory[step.hostReads - 1][7];
    }
    return read;
  }
  uint64_t runAsGraph(Memory &memory, TestGraph &t) const {
    uint64_t read = 0;
    for (auto [number, step] : llvm::enumerate(steps)) {
      std::vector<PyptoAccess> accesses;
      for (const Step::Use &use : step.uses)
        accesses.push_back(access(&memory[use.storage], 8 * use.begin, 8 * use.end, use.mode));
      t.add("step", accesses,
            [&, number = number](int64_t) { run(steps[number], memory, number); });
      if (step.hostReads) {
        t.graph->sync({access(&memory[step.hostReads - 1], 56, 64, PyptoRead)});
        read = read * 31 + memory[step.hostReads - 1][7];
      }
    }
    t.graph->waitAll();
    return read;
  }
  std::vector<Step> steps;
};

TEST(TaskGraphTest, RandomProgramsMatchSerialExecution) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomProgram program(seed, 300);
    RandomProgram::Memory expected = {}, memory;
    uint64_t expectedRead = program.runSerially(expected);
    for (int mode = 0; mode < 6; ++mode) {
      TaskGraphOptions options;
      options.threads = std::array{1, 2, 8, 2, 1, 1}[mode];
      options.order = mode < 4 ? TaskOrder::Program : TaskOrder::Adversarial;
      options.recordPlan = mode == 3;
      options.maxPendingTasks = mode == 5 ? 10 : 1000;
      TestGraph t(options);
      memory = {};
      EXPECT_EQ(program.runAsGraph(memory, t), expectedRead) << "seed " << seed << " mode " << mode;
      EXPECT_EQ(memory, expected) << "seed " << seed << " mode " << mode;
    }
  }
}

/// The first pair of conflicting tasks that no edges order; empty if there is none.
std::string findMissingEdge(const RandomProgram &program, const TaskPlan &plan) {
  std::map<int64_t, size_t> index;
  std::vector<std::vector<bool>> before(plan.tasks.size());
  for (auto [i, task] : llvm::enumerate(plan.tasks))
    index[task.id] = i;
  // A join stands behind the task that made it, and may be an edge of it.
  std::function<void(size_t)> close = [&](size_t i) {
    if (!before[i].empty())
      return;
    before[i].resize(plan.tasks.size());
    for (const PlannedEdge &edge : plan.tasks[i].edges) {
      size_t from = index[edge.from];
      close(from);
      for (size_t j = 0; j < before[i].size(); ++j)
        before[i][j] = before[i][j] || before[from][j] || j == from;
    }
  };
  for (size_t i = 0; i < plan.tasks.size(); ++i)
    close(i);
  auto conflict = [](const RandomProgram::Step &a, const RandomProgram::Step &b) {
    for (const auto &x : a.uses)
      for (const auto &y : b.uses)
        if (x.storage == y.storage && x.begin < y.end && y.begin < x.end &&
            ((x.mode | y.mode) & PyptoWrite))
          return true;
    return false;
  };
  for (size_t b = 0; b < program.steps.size(); ++b)
    for (size_t a = 0; a < b; ++a)
      if (conflict(program.steps[a], program.steps[b]) && !before[index[b + 1]][index[a + 1]])
        return std::to_string(a + 1) + " before " + std::to_string(b + 1);
  return "";
}

// Every conflict of two tasks is ordered by edges, whatever ran when.
TEST(TaskGraphTest, EdgesOrderEveryConflict) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomProgram program(seed, 100);
    TestGraph t(1, TaskOrder::Program, /*record=*/true);
    RandomProgram::Memory memory = {};
    program.runAsGraph(memory, t);
    EXPECT_EQ(findMissingEdge(program, t.graph->getPlan()), "") << "seed " << seed;
  }
}

//===- Many tasks ---------------------------------------------------------------------===//

/// Edges of a graph in which `count` tasks write parts and then `count` read all, twice.
int64_t countEdges(unsigned threads, int count) {
  TestGraph t(threads, TaskOrder::Program, /*record=*/true);
  std::vector<char> tensor(count);
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < count; ++i)
      t.add("w", {access(tensor.data(), i, i + 1, PyptoWrite)}, [](int64_t) {});
    for (int i = 0; i < count; ++i)
      t.add("r", {access(tensor.data(), 0, count, PyptoRead)}, [](int64_t) {});
  }
  t.graph->waitAll();
  return t.graph->getNumEdges();
}

// Every reader waits for every writer, and the next writers for every reader.
TEST(TaskGraphTest, EdgesAreLinear) {
  EXPECT_LT(countEdges(2, 100), 100 * 50);
  EXPECT_LT(countEdges(2, 1000), 1000 * 50);
}

TEST(TaskGraphTest, ManyTasksInBoundedMemory) {
  for (unsigned threads : {1, 2}) {
    AllocationScope allocations;
    TaskGraphOptions options;
    options.threads = threads;
    options.maxPendingBytes = 1 << 20;
    TestGraph t(options);
    std::atomic<int64_t> sum = 0;
    size_t most = 0;
    Body body = [&](int64_t) { ++sum; };
    Body *kept = &body;
    for (int i = 0; i < 100'000; ++i) {
      void *buffer = pyptoAlloc(4096, 64);
      PyptoAccess whole = access(buffer, 0, 4096, PyptoWrite);
      t.graph->submit({{"fill", ""},
                       callBody,
                       llvm::ArrayRef(reinterpret_cast<char *>(&kept), sizeof(kept)),
                       {whole}});
      t.graph->free(buffer);
      if (i % 100 == 0)
        most = std::max(most, allocations.getNumAllocations());
    }
    t.graph->waitAll();
    EXPECT_EQ(sum, 100'000);
    EXPECT_EQ(allocations.getNumAllocations(), 0u);
    EXPECT_LE(most, 2u * 256);
  }
}

// A storage is freed behind its last reader, and its address is a new storage then.
TEST(TaskGraphTest, FreeWaitsAndForgets) {
  AllocationScope allocations;
  std::atomic<bool> mayEnd = false;
  TestGraph t(2);
  auto *buffer = static_cast<char *>(pyptoAlloc(64, 8));
  t.add("use", {access(buffer, 0, 64, PyptoWrite)}, [&](int64_t) {
    while (!mayEnd)
      std::this_thread::yield();
    buffer[0] = 1;
  });
  t.graph->free(buffer);
  EXPECT_EQ(allocations.getNumAllocations(), 1u);
  // Not the same storage any more: nothing to wait for.
  t.graph->sync({access(buffer, 0, 64, PyptoReadWrite)});
  t.graph->free(nullptr);
  mayEnd = true;
  t.graph->waitAll();
  EXPECT_EQ(allocations.getNumAllocations(), 0u);
}

//===- Manual scopes ---------------------------------------------------------------------===//

// In a manual scope only `after` counts; whoever comes later waits for all of them.
TEST(TaskGraphTest, ManualScope) {
  std::atomic<int> arrived = 0;
  Log log;
  TestGraph t(2);
  t.graph->beginScope(/*isManual=*/true);
  for (int i = 0; i < 2; ++i)
    t.add("meet", {access(storage, 0, 8, PyptoWrite)}, [&](int64_t) {
      ++arrived;
      while (arrived < 2)
        std::this_thread::yield();
      log.add('m');
    });
  t.graph->endScope();
  t.add("later", {access(storage, 0, 8, PyptoRead)}, log.adder('r'));
  t.graph->sync({access(storage, 0, 8, PyptoWrite)});
  EXPECT_EQ(log.text, "mmr");
}

TEST(TaskGraphTest, ManyManualWritersAreJoined) {
  TestGraph t(2, TaskOrder::Program, /*record=*/true);
  int sum = 0;
  t.graph->beginScope(/*isManual=*/true);
  std::vector<int64_t> last;
  for (int i = 0; i < 1000; ++i)
    last = {t.add("add", {access(storage, 0, 8, PyptoReadWrite)}, [&](int64_t) { ++sum; }, last)};
  int64_t chained = t.graph->getNumEdges();
  for (int i = 0; i < 1000; ++i)
    t.add("free", {access(other, 0, 8, PyptoReadWrite)}, [](int64_t) {});
  t.graph->endScope();
  t.add("end", {access(storage, 0, 8, PyptoRead), access(other, 0, 8, PyptoRead)},
        [&](int64_t) { EXPECT_EQ(sum, 1000); });
  t.graph->waitAll();
  EXPECT_LE(chained, 999);
  EXPECT_LT(t.graph->getNumEdges(), 999 + 2000);
}

// Additions of a manual scope keep their order, and are in order without `after`.
TEST(TaskGraphTest, ManualAccumulation) {
  for (TaskOrder order : {TaskOrder::Program, TaskOrder::Adversarial}) {
    std::string sums;
    TestGraph t(2, order);
    t.graph->beginScope(/*isManual=*/true);
    for (char name : {'a', 'b', 'c', 'd'})
      t.add("add", {access(storage, name == 'b' ? 0 : 4, 8, PyptoAccumulate)},
            [&, name](int64_t) { sums += name; });
    EXPECT_NE(t.getFailure([&] {
      t.add("set", {access(storage, 0, 8, PyptoWrite)}, [&](int64_t) {});
    }) == "no failure",
              order == TaskOrder::Adversarial);
    t.graph->endScope();
    if (order == TaskOrder::Program)
      t.graph->waitAll();
    EXPECT_EQ(sums, order == TaskOrder::Program ? "abcd" : "");
  }
}

TEST(TaskGraphTest, RaceInManualScope) {
  auto run = [](llvm::ArrayRef<int> afterFirst) {
    TestGraph t(1, TaskOrder::Adversarial);
    return t.getFailure([&] {
      t.graph->beginScope(/*isManual=*/true);
      int64_t a = t.add("a", {access(storage, 0, 16, PyptoWrite)}, [](int64_t) {});
      int64_t b = t.add("b", {access(other, 0, 16, PyptoWrite)}, [](int64_t) {}, {a});
      std::vector<int64_t> after;
      for (int i : afterFirst)
        after.push_back(i == 0 ? a : b);
      t.add("c", {access(storage, 8, 24, PyptoRead)}, [](int64_t) {}, after);
      t.graph->endScope();
      t.graph->waitAll();
    });
  };
  EXPECT_EQ(run({0}), "no failure");
  // By way of another task.
  EXPECT_EQ(run({1}), "no failure");
  EXPECT_EQ(run({}),
            "t.mlir:1:1: task 1 'a' at t.mlir:1:1 and task 3 'c' at t.mlir:1:1 both access 16 "
            "bytes, and one writes: expects the second after the first");
}

// What the host has waited for is in order.
TEST(TaskGraphTest, NoRaceAcrossABarrier) {
  for (bool waits : {false, true}) {
    TestGraph t(1, TaskOrder::Adversarial);
    std::string failure = t.getFailure([&] {
      t.graph->beginScope(/*isManual=*/true);
      int64_t a = t.add("a", {access(storage, 0, 16, PyptoWrite)}, [](int64_t) {});
      if (waits)
        t.graph->wait({a});
      t.add("b", {access(storage, 0, 16, PyptoWrite)}, [](int64_t) {});
      t.graph->endScope();
      t.graph->waitAll();
    });
    EXPECT_EQ(failure == "no failure", waits);
  }
}

// Thousands of tasks of a manual scope, each behind the one before.
TEST(TaskGraphTest, RaceDetectionOfLongChains) {
  TestGraph t(1, TaskOrder::Adversarial);
  t.graph->beginScope(/*isManual=*/true);
  std::vector<int64_t> last;
  int sum = 0;
  for (int i = 0; i < 20'000; ++i)
    last = {t.add(
        "add", {access(storage, i % 512, 512, PyptoReadWrite)}, [&](int64_t) { ++sum; }, last)};
  t.graph->endScope();
  t.graph->waitAll();
  EXPECT_EQ(sum, 20'000);
}

//===- Adversarial order -------------------------------------------------------------------===//

TEST(TaskGraphTest, AdversarialOrder) {
  Log log;
  TestGraph t(1, TaskOrder::Adversarial);
  t.add("a", {access(storage, 0, 8, PyptoWrite)}, log.adder('a'));
  t.add("b", {access(other, 0, 8, PyptoWrite)}, log.adder('b'));
  t.add("c", {access(storage, 0, 8, PyptoRead)}, log.adder('c'));
  t.add("d", {access(storage, 8, 16, PyptoWrite)}, log.adder('d'));
  EXPECT_EQ(log.text, "");
  // Only what the host needs.
  t.graph->sync({access(storage, 0, 8, PyptoRead)});
  EXPECT_EQ(log.text, "a");
  t.graph->waitAll();
  EXPECT_EQ(log.text, "adcb");
}

//===- Failures ---------------------------------------------------------------------------===//

TEST(TaskGraphTest, FirstFailureIsThrown) {
  for (unsigned threads : {1, 2, 8}) {
    AllocationScope allocations;
    std::atomic<int> ran = 0;
    TestGraph t(threads);
    std::string failure = t.getFailure([&] {
      void *buffer = pyptoAlloc(100, 8);
      t.add("good", {access(storage, 0, 8, PyptoWrite)}, [&](int64_t) { ++ran; });
      t.add("bad", {access(storage, 0, 8, PyptoReadWrite)},
            [](int64_t) { pyptoFail("t.mlir:2:3", "expects luck"); });
      t.add("next", {access(storage, 0, 8, PyptoReadWrite), access(buffer, 0, 8, PyptoRead)},
            [&](int64_t) { ran += 100; });
      t.graph->free(buffer);
      t.graph->waitAll();
    });
    EXPECT_EQ(failure, "t.mlir:2:3: expects luck");
    EXPECT_EQ(ran, 1);
    // It stays the failure of the graph.
    EXPECT_EQ(t.getFailure([&] { t.graph->waitAll(); }), failure);
    EXPECT_EQ(t.getFailure([&] { t.add("late", {}, [&](int64_t) { ++ran; }); }), failure);
    EXPECT_EQ(ran, 1);
    if (threads > 1) {
      EXPECT_EQ(allocations.getNumAllocations(), 0u);
    }
  }
}

TEST(TaskGraphTest, LowestFailureOfThoseThatRan) {
  std::atomic<int> arrived = 0;
  TestGraph t(2);
  std::string failure = t.getFailure([&] {
    for (const char *name : {"first", "second"})
      t.add(name, {}, [&arrived, name](int64_t) {
        ++arrived;
        while (arrived < 2)
          std::this_thread::yield();
        if (name == std::string("first"))
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        pyptoFail("", name);
      });
    t.graph->waitAll();
  });
  EXPECT_EQ(failure, "first");
}

TEST(TaskGraphTest, FailureOfABlock) {
  TestGraph t(2);
  EXPECT_EQ(t.getFailure([&] {
    t.add(
        "blocks", {},
        [](int64_t block) {
          if (block == 77)
            pyptoFailBounds("t.mlir:4:5", "tile.load", 1, -1, 16);
        },
        {}, 100);
    t.graph->waitAll();
  }),
            "t.mlir:4:5: 'tile.load' expects an index in [0, 16) in dimension 1, but got -1");
}

// Tasks that have not started are dropped, memory is freed.
TEST(TaskGraphTest, DestructionWithPendingTasks) {
  for (int mode = 0; mode < 2; ++mode) {
    AllocationScope allocations;
    std::atomic<bool> started = false, ended = false;
    bool ran = false;
    {
      TestGraph t(2, mode ? TaskOrder::Adversarial : TaskOrder::Program);
      void *buffer = pyptoAlloc(100, 8);
      t.add("long", {access(storage, 0, 8, PyptoWrite)}, [&](int64_t) {
        started = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ended = true;
      });
      t.add("next", {access(storage, 0, 8, PyptoWrite), access(buffer, 0, 8, PyptoWrite)},
            [&](int64_t) { ran = true; });
      t.graph->free(buffer);
      while (!started && mode == 0)
        std::this_thread::yield();
    }
    EXPECT_EQ(started, ended);
    EXPECT_FALSE(ran);
    EXPECT_EQ(allocations.getNumAllocations(), 0u);
  }
}

TEST(TaskGraphTest, Cycle) {
  Log log;
  TestGraph t(1, TaskOrder::Adversarial);
  int64_t a = t.add("a", {}, log.adder('a'));
  int64_t b = t.add("b", {}, log.adder('b'), {a});
  int64_t c = t.add("c", {}, log.adder('c'));
  t.graph->addDependency(b, c);
  const char *cycle =
      "expects dependencies without a cycle, but each of these waits for the one before it, and "
      "the "
      "first for the last: task 1 'a' at t.mlir:1:1, task 2 'b' at t.mlir:1:1, task 3 'c' at "
      "t.mlir:1:1";
  EXPECT_EQ(t.getFailure([&] { t.graph->addDependency(c, a); }), cycle);
  t.graph->waitAll();
  EXPECT_EQ(log.text, "abc");
  EXPECT_EQ(t.getFailure([&] { t.graph->addDependency(a, c); }),
            "expects that a task with a new dependency has not started, but task 3 has");
}

//===- Signals ----------------------------------------------------------------------------===//

TEST(TaskGraphTest, SignalsPassBetweenTasks) {
  std::atomic<int> ping = 0, pong = 0;
  TestGraph t(2);
  t.add("ping", {}, [&](int64_t) {
    for (int i = 1; i <= 100; ++i) {
      ++ping;
      pyptoSignalNotify();
      awaitSignal(pong, i);
    }
  });
  t.add("pong", {}, [&](int64_t) {
    for (int i = 1; i <= 100; ++i) {
      awaitSignal(ping, i);
      ++pong;
      pyptoSignalNotify();
    }
  });
  t.graph->waitAll();
  EXPECT_EQ(pong, 100);
}

TEST(TaskGraphTest, DeadlockInOneThread) {
  std::atomic<int> signal = 0;
  TestGraph t(1);
  EXPECT_EQ(t.getFailure([&] {
    t.add("wait", {}, [&](int64_t) { awaitSignal(signal, 1); });
    t.add("set", {}, [&](int64_t) { ++signal; });
    t.graph->waitAll();
  }),
            "expects a task that can go on, but each waits for a signal: task 1 'wait' at "
            "t.mlir:1:1 (waits at t.mlir:9:9)");
  EXPECT_EQ(signal, 0);
}

TEST(TaskGraphTest, DeadlockOfTwoTasks) {
  std::atomic<int> a = 0, b = 0;
  TestGraph t(2);
  EXPECT_EQ(t.getFailure([&] {
    t.add("a", {}, [&](int64_t) {
      awaitSignal(a, 1);
      ++b;
    });
    t.add("b", {}, [&](int64_t) {
      awaitSignal(b, 1);
      ++a;
    });
    t.graph->waitAll();
  }),
            "expects a task that can go on, but each waits for a signal: task 1 'a' at t.mlir:1:1 "
            "(waits at t.mlir:9:9), task 2 'b' at t.mlir:1:1 (waits at t.mlir:9:9)");
}

// More kernels wait than there are threads: those that are ready run inside of the waits.
TEST(TaskGraphTest, MoreWaitingTasksThanThreads) {
  for (TaskOrder order : {TaskOrder::Program, TaskOrder::Adversarial}) {
    std::atomic<int> signal = 0;
    TestGraph t(2, order);
    for (int i = 0; i < 20; ++i)
      t.add("wait", {}, [&](int64_t) { awaitSignal(signal, 1); });
    t.add("set", {}, [&](int64_t) { ++signal; });
    t.graph->waitAll();
    EXPECT_EQ(signal, 1);
  }
}

// A block waits for a later one, of which the same thread has taken care.
TEST(TaskGraphTest, BlocksWaitForEachOther) {
  for (unsigned threads : {1, 2, 8}) {
    std::atomic<int> arrived = 0;
    TestGraph t(threads);
    t.add(
        "blocks", {},
        [&](int64_t) {
          ++arrived;
          awaitSignal(arrived, 100);
        },
        {}, 100);
    t.graph->waitAll();
    EXPECT_EQ(arrived, 100);
  }
}

TEST(TaskGraphTest, HostWaitsForASignal) {
  std::atomic<int> signal = 0;
  TestGraph t(2);
  TaskGraph::Scope scope(*t.graph);
  t.add("set", {}, [&](int64_t) { ++signal; });
  awaitSignal(signal, 1);
  EXPECT_EQ(t.getFailure([&] { awaitSignal(signal, 2); }),
            "expects a task that can go on, but each waits for a signal: the host (waits at "
            "t.mlir:9:9)");
}

TEST(TaskGraphTest, SignalWithoutGraph) {
  std::atomic<int> signal = 0;
  EXPECT_THROW(awaitSignal(signal, 1), Failure);
}

//===- The C ABI -----------------------------------------------------------------------------===//

TEST(TaskGraphTest, CurrentGraph) {
  auto increment = [](void *payload, int64_t, int64_t) {
    EXPECT_EQ(TaskGraph::getCurrent(), nullptr);
    ++**static_cast<std::atomic<int> **>(payload);
  };
  std::atomic<int> count = 0, *pointer = &count;
  PyptoTaskSite site = {"f", ""};
  auto submit = [&] {
    return pyptoTaskSubmit(&site, increment, &pointer, sizeof(pointer), nullptr, 0, nullptr, 0, 3,
                           0);
  };
  EXPECT_EQ(submit(), 0);
  EXPECT_EQ(count, 3);
  TaskGraph outer, inner;
  TaskGraph::Scope scope(outer);
  {
    TaskGraph::Scope innerScope(inner);
    EXPECT_EQ(submit(), 1);
    EXPECT_EQ(submit(), 2);
    pyptoTaskBarrier(nullptr, 0);
    EXPECT_EQ(count, 9);
  }
  int64_t first = submit();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(pyptoTaskDummy(&site, &first, 1), 2);
  pyptoTaskBarrier(&first, 1);
  EXPECT_EQ(count, 12);
}

// In the body of a task everything runs at once.
TEST(TaskGraphTest, SubmitInABody) {
  TestGraph t(2);
  int order = 0;
  t.add("outer", {}, [&](int64_t) {
    int *pointer = &order;
    auto inner = [](void *payload, int64_t block, int64_t) {
      int &order = **static_cast<int **>(payload);
      order = order * 10 + block + 1;
    };
    EXPECT_EQ(
        pyptoTaskSubmit(nullptr, inner, &pointer, sizeof(pointer), nullptr, 0, nullptr, 0, 3, 0),
        0);
    EXPECT_EQ(order, 123);
    pyptoTaskBarrier(nullptr, 0);
    pyptoTaskFree(pyptoAlloc(8, 8));
  });
  t.graph->waitAll();
}

//===- Plans ---------------------------------------------------------------------------------===//

std::string getEdges(const TaskPlan &plan) {
  std::string text;
  for (const PlannedTask &task : plan.tasks)
    for (const PlannedEdge &edge : task.edges)
      text += std::to_string(edge.from) + "-" + stringifyEdgeReason(edge.reason).str() + "-" +
              std::to_string(task.id) + " ";
  return text;
}

// The plan does not depend on what ran when.
TEST(TaskGraphTest, Plan) {
  for (unsigned threads : {1, 2, 8})
    for (TaskOrder order : {TaskOrder::Program, TaskOrder::Adversarial}) {
      TestGraph t(threads, order, /*record=*/true);
      int64_t a = t.add("a", {access(storage, 0, 64, PyptoWrite)}, [](int64_t) {});
      t.add(
          "b", {access(storage, 0, 32, PyptoRead), access(other, 0, 8, PyptoWrite)}, [](int64_t) {},
          {}, 4);
      t.add("c", {access(storage, 32, 64, PyptoReadWrite)}, [](int64_t) {});
      t.add("d", {access(storage, 0, 64, PyptoWrite)}, [](int64_t) {}, {a});
      t.graph->waitAll();
      const TaskPlan &plan = t.graph->getPlan();
      EXPECT_EQ(getEdges(plan), "1-raw-2 1-raw-3 1-after-4 2-war-4 3-waw-4 ");
      EXPECT_EQ(plan.tasks[1].bytesRead, 32);
      EXPECT_EQ(plan.tasks[1].bytesWritten, 8);
      EXPECT_EQ(plan.tasks[1].numBlocks, 4);
      EXPECT_LE(plan.tasks[0].start + plan.tasks[0].duration, plan.tasks[1].start);
      EXPECT_LE(plan.tasks[2].start + plan.tasks[2].duration, plan.tasks[3].start);
      std::string table, dot;
      llvm::raw_string_ostream tableStream(table), dotStream(dot);
      t.graph->printPlan(tableStream);
      t.graph->printDot(dotStream);
      EXPECT_NE(table.find("4     d     1 after, 2 war, 3 waw  0     64 "), std::string::npos)
          << table;
      EXPECT_NE(dot.find("\"2\" -> \"4\" [label=\"war\"]"), std::string::npos) << dot;
      EXPECT_NE(dot.find("\"2\" [label=\"2 b x4\\nt.mlir:1:1\\n32 bytes read, 8 written"),
                std::string::npos)
          << dot;
    }
}
} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TaskGraphFixture.h"
#include "pypto/Runtime/Allocation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <random>

using namespace pypto::runtime;

namespace {
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
} // namespace

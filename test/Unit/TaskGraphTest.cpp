// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TaskGraphFixture.h"
#include "pypto/Runtime/Allocation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <random>
#include <set>

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
    /// Cells from `begin` on; of each row only `width` of them if there is a pitch.
    struct Use {
      unsigned storage, begin, end;
      PyptoAccessMode mode;
      unsigned pitch = 0, width = 0;
      bool contains(unsigned cell) const {
        return begin <= cell && cell < end && (pitch == 0 || (cell - begin) % pitch < width);
      }
      PyptoAccess getAccess(Memory &memory) const {
        PyptoAccess made = access(&memory[storage], 8 * begin, 8 * end, mode);
        made.pitch = 8 * pitch;
        made.rowBytes = 8 * width;
        return made;
      }
    };
    std::vector<Use> uses;
    unsigned hostReads;
  };

  RandomProgram(unsigned seed, unsigned count, unsigned percentOfBlocks) {
    std::mt19937 random(seed);
    auto below = [&](unsigned bound) -> unsigned { return random() % bound; };
    for (unsigned i = 0; i < count; ++i) {
      Step step{{}, below(10) == 0 ? 1 + below(numStorages) : 0};
      for (unsigned n = 1 + below(3); n-- > 0;) {
        if (below(100) < percentOfBlocks) {
          // The last storage is seen with several pitches.
          unsigned storage = below(numStorages);
          unsigned pitch = storage == 2 && below(4) == 0 ? 10 : 8, rows = numCells / pitch;
          unsigned firstRow = below(rows), numRows = 1 + below(rows - firstRow);
          unsigned column = below(pitch), width = 1 + below(std::min(3u, pitch - column));
          unsigned begin = firstRow * pitch + column;
          step.uses.push_back({storage, begin, begin + (numRows - 1) * pitch + width,
                               PyptoAccessMode(1 + below(3)), pitch, width});
          continue;
        }
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
        if (use.contains(i))
          hash = hash * 6364136223846793005u + memory[use.storage][i];
    for (const Step::Use &use : step.uses)
      for (unsigned i = use.begin; i < use.end && (use.mode & PyptoWrite); ++i)
        if (use.contains(i))
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
        accesses.push_back(use.getAccess(memory));
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

/// A third of the programs has none, a third some, a third has little else.
unsigned getPercentOfBlocks(unsigned seed) { return std::array{0, 20, 80}[seed % 3]; }

TEST(TaskGraphTest, RandomProgramsMatchSerialExecution) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomProgram program(seed, 300, getPercentOfBlocks(seed));
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
        for (unsigned cell = std::max(x.begin, y.begin); cell < std::min(x.end, y.end); ++cell)
          if (x.storage == y.storage && ((x.mode | y.mode) & PyptoWrite) && x.contains(cell) &&
              y.contains(cell))
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
    RandomProgram program(seed, 100, getPercentOfBlocks(seed));
    TestGraph t(1, TaskOrder::Program, /*record=*/true);
    RandomProgram::Memory memory = {};
    program.runAsGraph(memory, t);
    EXPECT_EQ(findMissingEdge(program, t.graph->getPlan()), "") << "seed " << seed;
  }
}

//===- Blocks of rows and columns -------------------------------------------------------===//

/// Rows and columns of a matrix of 8 x 8 bytes.
PyptoAccess block(unsigned row, unsigned column, unsigned rows, unsigned columns,
                  PyptoAccessMode mode) {
  PyptoAccess made =
      access(storage, 8 * row + column, 8 * (row + rows - 1) + column + columns, mode);
  made.pitch = 8;
  made.rowBytes = columns;
  return made;
}

/// "2<1" for each edge; what two tasks are called by the order in which they are added.
std::string findEdges(llvm::ArrayRef<PyptoAccess> accesses) {
  TestGraph t(1, TaskOrder::Program, /*record=*/true);
  for (const PyptoAccess &use : accesses)
    t.add("t", use, [](int64_t) {});
  t.graph->waitAll();
  std::set<std::string> edges;
  for (const PlannedTask &task : t.graph->getPlan().tasks)
    for (const PlannedEdge &edge : task.edges)
      edges.insert(std::to_string(task.id) + "<" + std::to_string(edge.from));
  return llvm::join(edges, " ");
}

TEST(TaskGraphTest, BlocksOfColumnsAreIndependent) {
  const PyptoAccessMode w = PyptoWrite, r = PyptoRead;
  // Four quarters, then each again, by columns and by rows.
  EXPECT_EQ(findEdges({block(0, 0, 4, 4, w), block(0, 4, 4, 4, w), block(4, 0, 4, 4, w),
                       block(4, 4, 4, 4, w), block(0, 4, 8, 4, r), block(0, 0, 4, 8, r)}),
            "5<2 5<4 6<1 6<2");
  // Bytes in a row: the end of row 1, all of row 2, the beginning of row 3.
  EXPECT_EQ(findEdges({block(0, 0, 8, 2, w), block(0, 2, 8, 4, w), block(0, 6, 8, 2, w),
                       access(storage, 14, 16, r), access(storage, 14, 26, r)}),
            "4<3 5<1 5<2 5<3");
  // What was accessed before the first block.
  EXPECT_EQ(findEdges({access(storage, 0, 4, w), access(storage, 4, 20, w), block(0, 4, 3, 4, r),
                       block(3, 0, 1, 8, w)}),
            "3<2");
  // Another pitch: ranges from the first byte to the last.
  PyptoAccess wide = block(0, 0, 1, 1, w);
  wide.end = storage + 34;
  wide.pitch = 16;
  wide.rowBytes = 2;
  EXPECT_EQ(findEdges({block(0, 0, 8, 2, w), block(0, 6, 3, 2, w), wide}), "3<1 3<2");
  // Rows that end in the next line.
  PyptoAccess wrapped = block(0, 6, 3, 4, w);
  EXPECT_EQ(findEdges({block(0, 0, 8, 2, w), wrapped}), "2<1");
}

// A column a task, more of them than there may be: still linear, and in order.
TEST(TaskGraphTest, ManyColumns) {
  std::vector<PyptoAccess> uses;
  std::vector<char> matrix(1000 * 4);
  for (int turn = 0; turn < 2; ++turn)
    for (int column = 0; column < 1000; ++column)
      uses.push_back({matrix.data(), matrix.data() + column, matrix.data() + 3001 + column,
                      PyptoReadWrite, 1000, 1});
  TestGraph t(1, TaskOrder::Program, /*record=*/true);
  for (const PyptoAccess &use : uses)
    t.add("t", use, [](int64_t) {});
  t.graph->waitAll();
  EXPECT_GE(t.graph->getNumEdges(), 1000);
  EXPECT_LE(t.graph->getNumEdges(), 2 * 2000);
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
TEST(TaskGraphTest, FreeWaitsForReaders) {
  AllocationScope allocations;
  std::atomic<bool> mayEnd = false;
  TestGraph t(2);
  auto *buffer = static_cast<char *>(pyptoAlloc(64, 8));
  buffer[0] = 3;
  t.add("read", {access(buffer, 0, 64, PyptoRead)}, [&](int64_t) {
    while (!mayEnd)
      std::this_thread::yield();
    EXPECT_EQ(buffer[0], 3);
  });
  t.graph->free(buffer);
  EXPECT_EQ(allocations.getNumAllocations(), 1u);
  mayEnd = true;
  t.graph->waitAll();
  EXPECT_EQ(allocations.getNumAllocations(), 0u);
}

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TaskGraphFixture.h"
#include "pypto/Runtime/Allocation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/raw_ostream.h"

using namespace pypto::runtime;

namespace {
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

// By way of a task that was submitted before both, which an edge that was added late puts behind
// the first.
TEST(TaskGraphTest, LateEdgeOrdersManualScope) {
  TestGraph t(1, TaskOrder::Adversarial);
  EXPECT_EQ(t.getFailure([&] {
    t.graph->beginScope(/*isManual=*/true);
    int64_t between = t.add("between", {access(other, 0, 8, PyptoWrite)}, [](int64_t) {});
    int64_t first = t.add("first", {access(storage, 0, 8, PyptoWrite)}, [](int64_t) {});
    t.graph->addDependency(first, between);
    t.add("second", {access(storage, 0, 8, PyptoWrite)}, [](int64_t) {}, {between});
    t.graph->endScope();
    t.graph->waitAll();
  }),
            "no failure");
}

// More readers than the graph keeps apart: each has to be in order, and the one that is not is
// named.
TEST(TaskGraphTest, RaceWithOneOfManyReaders) {
  auto run = [](int missing) {
    TestGraph t(1, TaskOrder::Adversarial);
    return t.getFailure([&] {
      std::vector<int64_t> readers;
      for (int i = 0; i < 40; ++i) {
        int64_t reader = t.add("r", {access(storage, 0, 8, PyptoRead)}, [](int64_t) {});
        if (i != missing)
          readers.push_back(reader);
      }
      t.graph->beginScope(/*isManual=*/true);
      t.add("w", {access(storage, 0, 8, PyptoWrite)}, [](int64_t) {}, readers);
      t.graph->endScope();
      t.graph->waitAll();
    });
  };
  EXPECT_EQ(run(-1), "no failure");
  for (int missing : {0, 20, 39})
    EXPECT_NE(run(missing).find(": task " + std::to_string(missing + 1) + " 'r'"),
              std::string::npos)
        << run(missing);
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

// The last block first, unless they have an order.
TEST(TaskGraphTest, AdversarialOrderOfBlocks) {
  for (int32_t flags : {0, int32_t(PyptoBlocksInOrder)}) {
    std::string blocks;
    TestGraph t(1, TaskOrder::Adversarial);
    t.add("b", {}, [&](int64_t block) { blocks += std::to_string(block); }, {}, 4, flags);
    t.graph->waitAll();
    EXPECT_EQ(blocks, flags ? "0123" : "3210");
  }
}

//===- Failures ---------------------------------------------------------------------------===//

TEST(TaskGraphTest, FirstFailureIsThrown) {
  for (unsigned threads : {1, 2, 8}) {
    AllocationScope allocations;
    std::atomic<int> ran = 0;
    // With one thread it fails where it is submitted.
    std::atomic<bool> mayFail = threads == 1;
    TestGraph t(threads);
    std::string failure = t.getFailure([&] {
      void *buffer = pyptoAlloc(100, 8);
      t.add("good", {access(storage, 0, 8, PyptoWrite)}, [&](int64_t) { ++ran; });
      t.add("bad", {access(storage, 0, 8, PyptoReadWrite)}, [&](int64_t) {
        while (!mayFail)
          std::this_thread::yield();
        pyptoFail("t.mlir:2:3", "expects luck");
      });
      t.add("next", {access(storage, 0, 8, PyptoReadWrite), access(buffer, 0, 8, PyptoRead)},
            [&](int64_t) { ran += 100; });
      t.graph->free(buffer);
      mayFail = true;
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
        auto atEnd = llvm::scope_exit([&] { ended = true; });
        // Fails once the graph is given up.
        for (;;)
          pyptoSignalPause(&kWait);
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

// Names of functions and files may have any characters.
TEST(TaskGraphTest, PlanOfStrangeNames) {
  TestGraph t(1, TaskOrder::Program, /*record=*/true);
  t.add("größe \"1\"", {}, [](int64_t) {});
  t.graph->waitAll();
  std::string dot;
  llvm::raw_string_ostream stream(dot);
  t.graph->getPlan().printDot(stream);
  EXPECT_NE(dot.find("[label=\"1 größe \\\"1\\\"\\n"), std::string::npos) << dot;
}

// Tasks of a manual scope that nothing orders: whoever comes later waits for the writer, not for
// the reader alone.
TEST(TaskGraphTest, WriterAfterUnorderedTasks) {
  TestGraph t(2, TaskOrder::Program, /*record=*/true);
  t.graph->beginScope(/*isManual=*/true);
  t.add("a", {access(storage, 0, 8, PyptoWrite)}, [](int64_t) {});
  t.add("b", {access(storage, 0, 8, PyptoRead)}, [](int64_t) {});
  t.graph->endScope();
  t.add("c", {access(storage, 0, 8, PyptoWrite)}, [](int64_t) {});
  t.graph->waitAll();
  EXPECT_EQ(getEdges(t.graph->getPlan()), "1-waw-3 2-war-3 ");
}

// Of a write that nothing orders behind another, the part that nobody has accessed is known, too.
TEST(TaskGraphTest, UnorderedWriteOfMore) {
  TestGraph t(2, TaskOrder::Program, /*record=*/true);
  t.graph->beginScope(/*isManual=*/true);
  t.add("a", {access(storage, 8, 16, PyptoWrite)}, [](int64_t) {});
  t.add("b", {access(storage, 0, 32, PyptoWrite)}, [](int64_t) {});
  t.graph->endScope();
  t.add("c", {access(storage, 0, 4, PyptoRead)}, [](int64_t) {});
  t.add("d", {access(storage, 24, 32, PyptoWrite)}, [](int64_t) {});
  t.graph->waitAll();
  EXPECT_EQ(getEdges(t.graph->getPlan()), "2-raw-3 2-waw-4 ");
}

// Forgetting parts of a tensor that nobody has to wait for leaves those that are still read.
TEST(TaskGraphTest, ManyPartsKeepTheirReaders) {
  constexpr int numParts = 5000;
  std::vector<char> tensor(numParts);
  TestGraph t(1, TaskOrder::Program, /*record=*/true);
  for (int i = 0; i < numParts; ++i)
    t.add("r", {access(tensor.data(), i, i + 1, PyptoRead)}, [](int64_t) {});
  int64_t writer = t.add("w", {access(tensor.data(), 0, numParts, PyptoWrite)}, [](int64_t) {});
  t.graph->waitAll();
  EXPECT_EQ(writer, numParts + 1);
  EXPECT_EQ(t.graph->getNumEdges(), numParts);
}
} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs graphs of empty tasks. A line each: shape, tasks, threads, nanoseconds a task until all are
// submitted and until all are done (the best of several runs), edges a task.
#include "pypto/Runtime/TaskGraph.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstdlib>
#include <limits>

using namespace pypto::runtime;
using Clock = std::chrono::steady_clock;

static void doNothing(void *, int64_t, int64_t) {}

/// One byte a task.
static std::vector<char> tensor;

static PyptoAccess access(int64_t begin, int64_t end, PyptoAccessMode mode) {
  return {tensor.data(), tensor.data() + begin, tensor.data() + end, mode};
}

static void submit(TaskGraph &graph, PyptoAccess use) {
  graph.submit({{"task", ""}, doNothing, {}, use});
}

/// Each task waits for the one before.
static void submitChain(TaskGraph &graph, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    submit(graph, access(0, 1, PyptoReadWrite));
}

static void submitIndependent(TaskGraph &graph, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    graph.submit({{"task", ""}, doNothing});
}

/// Tasks that write a part of the tensor each, two turns of it.
static void submitBlocks(TaskGraph &graph, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t block = i % std::max<int64_t>(count / 2, 1);
    submit(graph, access(block, block + 1, PyptoReadWrite));
  }
}

/// Half of the tasks write a part each, the others read everything.
static void submitFan(TaskGraph &graph, int64_t count) {
  for (int64_t i = 0; i < count / 2; ++i)
    submit(graph, access(i, i + 1, PyptoWrite));
  for (int64_t i = count / 2; i < count; ++i)
    submit(graph, access(0, count, PyptoRead));
}

struct Shape {
  const char *name;
  void (*submitAll)(TaskGraph &, int64_t);
};

static void measure(const Shape &shape, int64_t count, unsigned threads, bool record) {
  double built = std::numeric_limits<double>::max(), done = built, edges = 0;
  int64_t repeats = std::clamp<int64_t>(200'000 / count, 5, 100);
  for (int64_t i = 0; i < repeats; ++i) {
    TaskGraphOptions options;
    options.threads = threads;
    options.recordPlan = record;
    TaskGraph graph(options);
    auto begin = Clock::now();
    shape.submitAll(graph, count);
    auto middle = Clock::now();
    graph.waitAll();
    auto end = Clock::now();
    auto getNanoseconds = [&](Clock::time_point to) {
      return std::chrono::duration<double, std::nano>(to - begin).count() / count;
    };
    built = std::min(built, getNanoseconds(middle));
    done = std::min(done, getNanoseconds(end));
    edges = static_cast<double>(graph.getNumEdges()) / count;
  }
  llvm::outs() << shape.name << (record ? "+plan " : " ") << count << ' ' << threads << ' '
               << llvm::format("%.1f %.1f %.3f\n", built, done, edges);
}

int main(int argc, char **argv) {
  int64_t most = argc > 1 ? std::atoll(argv[1]) : 100'000;
  tensor.resize(most);
  const Shape shapes[] = {{"chain", submitChain},
                          {"independent", submitIndependent},
                          {"blocks", submitBlocks},
                          {"fan", submitFan}};
  for (const Shape &shape : shapes)
    for (int64_t count = 10; count <= most; count *= 10)
      for (unsigned threads : {1, 2})
        for (bool record : {false, true})
          measure(shape, count, threads, record);
}

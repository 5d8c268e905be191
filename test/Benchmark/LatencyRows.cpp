// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it takes to compile, and to run nothing.
#include "Rows.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>
#include <map>

using namespace pypto;
using namespace pypto::benchmark;

//===- One graph ----------------------------------------------------------------===//

static Tensor makeInput(int64_t rows, int64_t columns) {
  return Tensor::fromSlice<float>({rows, columns}, std::vector<float>(rows * columns, 0.5f));
}

/// Milliseconds: starting the compiler, the first softmax, and the same one of other numbers.
int benchmark::runCompileChild(const Options &options) {
  (void)options;
  Tensor x = makeInput(64, 256), y = makeInput(64, 256);
  double begin = now();
  (void)Tensor::toMLIR(x.neg());
  double started = now();
  x.softmax().realize();
  double first = now();
  y.softmax().realize();
  double second = now();
  llvm::outs() << llvm::formatv("{0:f4} {1:f4} {2:f4}\n", (started - begin) * 1e3,
                                (first - started) * 1e3, (second - first) * 1e3);
  return 0;
}

namespace {
struct ChildTimes {
  double start = 1e30, first = 1e30, again = 1e30;
};
} // namespace

/// The best of some processes; negative times if one failed.
static ChildTimes runChildren(const Options &options, llvm::StringRef cache, unsigned count) {
  ChildTimes best;
  for (unsigned i = 0; i != count; ++i) {
    std::string command =
        llvm::formatv("PYPTO_KERNEL_CACHE='{0}' '{1}' --compile-child", cache, options.program);
    ChildTimes times;
    std::FILE *pipe = popen(command.c_str(), "r");
    bool isRead =
        pipe && std::fscanf(pipe, "%lf %lf %lf", &times.start, &times.first, &times.again) == 3;
    if (!pipe || pclose(pipe) != 0 || !isRead)
      return {-1, -1, -1};
    best.start = std::min(best.start, times.start);
    best.first = std::min(best.first, times.first);
    best.again = std::min(best.again, times.again);
  }
  return best;
}

static void printSoftmaxCompilation(Table &table) {
  if (!table.options.wants("compile a softmax"))
    return;
  llvm::SmallString<128> directory;
  if (llvm::sys::fs::createUniqueDirectory("pypto-bench", directory))
    return;
  unsigned count = table.options.isSmoke ? 1 : 5;
  ChildTimes cold = runChildren(table.options, "", count);
  (void)runChildren(table.options, directory, 1);
  ChildTimes warm = runChildren(table.options, directory, count);
  llvm::sys::fs::remove_directories(directory);
  bool isMissed = cold.first > 150 || cold.again > 0.2 || warm.first > 15;
  table.print("compile a softmax", {cold.first < 0 || warm.first < 0, isMissed},
              llvm::formatv("| start-up {0:f1} ms | cold {1:f1} ms <= 150 | again {2:f0} us <= 200 "
                            "| new process {3:f1} ms <= 15",
                            cold.start, cold.first, cold.again * 1e3, warm.first)
                  .str());
}

//===- Long graphs --------------------------------------------------------------===//

/// A chain of elementwise operations and sums of rows with `count` nodes, each other than those
/// before it.
static Tensor makeChain(int64_t count) {
  Tensor x = makeInput(8, 64);
  for (int64_t i = 0; i < count; i += 5) {
    Tensor sums = x.sum({1}, /*keepDims=*/true);
    x = (x * (1.0 + 1e-3 * double(i)) - sums * 1e-3).tanh();
  }
  return x;
}

static void printGraphSizes(Table &table) {
  if (!table.options.wants("compile long graphs"))
    return;
  std::vector<int64_t> sizes = {250, 1000, 4000};
  if (table.options.isSmoke)
    sizes = {10, 20};
  std::string text;
  double least = 1e30, most = 0, thousand = 0;
  for (int64_t size : sizes) {
    Tensor x = makeChain(size);
    double begin = now();
    auto plan = x.prepare();
    double seconds = now() - begin, each = seconds / double(size);
    least = std::min(least, each);
    most = std::max(most, each);
    if (size == 1000)
      thousand = seconds;
    text += llvm::formatv("| {0} nodes {1:f2} s, {2:f2} ms each, {3} kernels ", size, seconds,
                          each * 1e3, plan->numKernels());
  }
  text += llvm::formatv("| {0:f2}x <= 1.5x, 1000 in 5 s", most / least);
  table.print("compile long graphs", {false, most / least > 1.5 || thousand > 5}, text);
}

void benchmark::printCompileTimes(Table &table) {
  printSoftmaxCompilation(table);
  printGraphSizes(table);
}

//===- Dispatch -----------------------------------------------------------------===//

void benchmark::printDispatch(Table &table) {
  if (!table.options.wants("dispatch"))
    return;
  auto plan = (makeInput(1, 1) + 1).prepare();
  std::vector<Contender> contenders = {{"ours", [&] { plan->execute(); }, {}}};
  takeTurns(contenders, table.options.seconds);
  bool isWrong = plan->outputBufferAt(0)->as<float>()[0] != 1.5f;
  table.print("dispatch", {isWrong, contenders[0].best() > 2e-6},
              llvm::formatv("| {0:f3}/{1:f3} us <= 2 us", contenders[0].best() * 1e6,
                            contenders[0].median() * 1e6)
                  .str());
}

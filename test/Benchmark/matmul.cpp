// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products of compiled code beside those of libraries, in one process, in turn.
#include "MatmulPeers.h"
#include "pypto/ExecutionEngine/JIT.h"
#include "pypto/InitAll.h"
#include "pypto/Runtime/ParallelFor.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <random>
#include <sys/mman.h>
#include <thread>

using namespace pypto;
using namespace pypto::benchmark;

//===- Our code -------------------------------------------------------------===//

namespace {
struct Descriptor {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

/// A product, and what may follow it.
std::string writeProgram(const Shape &shape, const std::string &schedule, bool hasEpilogue,
                         bool isBF16) {
  std::string text = llvm::formatv(
      "func.func @pypto_entry_mm(%a: memref<{0}x{2}x{3}> {{llvm.noalias}, "
      "%b: memref<{2}x{1}x{3}> {{llvm.noalias}, %d: memref<{0}x{1}xf32> {{llvm.noalias}, "
      "%bias: memref<{1}xf32> {{llvm.noalias}) attributes {{llvm.emit_c_interface} {{\n"
      "  %zero = arith.constant 0.0 : f32\n",
      shape.m, shape.n, shape.k, isBF16 ? "bf16" : "f32");
  if (hasEpilogue)
    text += llvm::formatv("  %c = memref.alloc() : memref<{0}x{1}xf32>\n", shape.m, shape.n);
  const char *target = hasEpilogue ? "%c" : "%d";
  text +=
      llvm::formatv("  linalg.fill ins(%zero : f32) outs({4} : memref<{0}x{1}xf32>)\n"
                    "  linalg.matmul {{pypto.schedule = {{{3}} } ins(%a, %b : memref<{0}x{2}x{5}>, "
                    "memref<{2}x{1}x{5}>) outs({4} : memref<{0}x{1}xf32>)\n",
                    shape.m, shape.n, shape.k, schedule, target, isBF16 ? "bf16" : "f32");
  if (hasEpilogue)
    text += llvm::formatv(
        "  linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, "
        "affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = "
        "[\"parallel\", \"parallel\"]} ins(%c, %bias : memref<{0}x{1}xf32>, memref<{1}xf32>) "
        "outs(%d : memref<{0}x{1}xf32>) {{\n  ^bb0(%p: f32, %q: f32, %o: f32):\n"
        "    %half = arith.constant 0.5 : f32\n    %one = arith.constant 1.0 : f32\n"
        "    %root = arith.constant 0.707106769 : f32\n"
        "    %x = arith.addf %p, %q : f32\n    %y = arith.mulf %x, %root : f32\n"
        "    %e = math.erf %y : f32\n    %f = arith.addf %e, %one : f32\n"
        "    %h = arith.mulf %x, %half : f32\n    %r = arith.mulf %h, %f : f32\n"
        "    linalg.yield %r : f32\n  }\n",
        shape.m, shape.n);
  return text + "  return\n}\n";
}

/// Compiled code for one shape.
class Compiled {
public:
  Compiled(mlir::MLIRContext &context, const Shape &shape, const std::string &schedule,
           bool hasEpilogue = false, bool isBF16 = false)
      : bias(shape.n, 0.5f) {
    std::string text = writeProgram(shape, schedule, hasEpilogue, isBF16);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    mlir::PassManager pm(&context);
    if (!module ||
        mlir::failed(mlir::parsePassPipeline("pypto-cpu-back-pipeline", pm, llvm::errs())) ||
        mlir::failed(pm.run(*module)))
      exit(1);
    auto result = execution::JIT::create(*module);
    if (!result) {
      llvm::errs() << llvm::toString(result.takeError()) << '\n';
      exit(1);
    }
    jit = std::move(*result);
    invoker = llvm::cantFail(jit->lookup("mm", 4));
  }

  void run(const Operands &o) {
    auto describe = [](const void *data, int64_t rows, int64_t columns) {
      void *pointer = const_cast<void *>(data);
      return Descriptor{pointer, pointer, 0, {rows, columns}, {columns, 1}};
    };
    Descriptor descriptors[] = {describe(o.a, o.shape.m, o.shape.k),
                                describe(o.b, o.shape.k, o.shape.n),
                                describe(o.c, o.shape.m, o.shape.n)};
    int64_t biasDescriptor[] = {reinterpret_cast<int64_t>(bias.data()),
                                reinterpret_cast<int64_t>(bias.data()), 0, o.shape.n, 1};
    void *pointers[] = {&descriptors[0], &descriptors[1], &descriptors[2], biasDescriptor};
    void *arguments[] = {&pointers[0], &pointers[1], &pointers[2], &pointers[3]};
    invoker(arguments, nullptr);
  }

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<execution::JIT> jit;
  execution::JIT::Invoker invoker;
  std::vector<float> bias;
};

//===- Measuring ------------------------------------------------------------===//

struct Contender {
  std::string name;
  std::function<void(const Operands &)> run;
  std::vector<double> seconds;

  double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
  double median() {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }
};
} // namespace

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Threads of the contender before spin for a while until they sleep, some for a good part of a
/// second.
static void waitUntilIdle() {
  for (int repeat = 0; repeat != 200; ++repeat) {
    clock_t used = clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (clock() - used < CLOCKS_PER_SEC / 1000)
      return;
  }
}

static float *allocate(size_t elements) {
  size_t bytes = (elements * sizeof(float) + (4 << 20)) & ~size_t((2 << 20) - 1);
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<float *>(memory);
}

/// Numbers that bf16 has.
static void fillRandom(float *data, size_t elements) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> distribution(-1, 1);
  for (size_t i = 0; i != elements; ++i)
    data[i] =
        llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(distribution(generator)) & 0xffff0000u);
}

static uint16_t *narrow(const float *data, size_t elements) {
  auto *result = reinterpret_cast<uint16_t *>(allocate(elements / 2 + 1));
  for (size_t i = 0; i != elements; ++i)
    result[i] = uint16_t(llvm::bit_cast<uint32_t>(data[i]) >> 16);
  return result;
}

/// Largest error of some elements against sums in double, relative to what rounding may do.
static double getError(const Operands &o) {
  auto *a = static_cast<const float *>(o.a), *b = static_cast<const float *>(o.b);
  double worst = 0;
  for (int64_t s = 0; s != 200; ++s) {
    int64_t i = s * 7919 % o.shape.m, j = s * 104729 % o.shape.n;
    double sum = 0, magnitude = 1e-30;
    for (int64_t k = 0; k != o.shape.k; ++k) {
      double term = double(a[i * o.shape.k + k]) * b[k * o.shape.n + j];
      sum += term;
      magnitude += std::abs(term);
    }
    double error = std::abs(o.c[i * o.shape.n + j] - sum) / magnitude;
    worst = std::isnan(error) ? 1e30 : std::max(worst, error);
  }
  return worst;
}

namespace {
struct Options {
  /// One contender for each; the first one is compared with the libraries.
  std::vector<std::string> schedules;
  unsigned numThreads = 1;
  /// For each contender and shape.
  double seconds = 0.5;
  /// Measures the product with bias and GELU beside the product, instead of libraries.
  bool epilogue = false;
  /// Measures products of bf16 beside those of f32.
  bool bf16 = false;
  std::vector<Shape> shapes;
};
} // namespace

static void measure(mlir::MLIRContext &context, const Options &options, const Shape &shape) {
  Operands o{shape, allocate(shape.m * shape.k), allocate(shape.k * shape.n),
             allocate(shape.m * shape.n)};
  auto *a = static_cast<float *>(const_cast<void *>(o.a));
  auto *b = static_cast<float *>(const_cast<void *>(o.b));
  fillRandom(a, shape.m * shape.k);
  fillRandom(b, shape.k * shape.n);
  std::vector<Contender> contenders;
  std::vector<std::unique_ptr<Compiled>> compiled;
  double start = now();
  for (const std::string &schedule : options.schedules) {
    compiled.push_back(std::make_unique<Compiled>(context, shape, schedule));
    contenders.push_back(
        {"pypto", [ours = compiled.back().get()](const Operands &o) { ours->run(o); }, {}});
  }
  double compileSeconds = (now() - start) / double(compiled.size());
  if (options.bf16) {
    const Operands narrowed{shape, narrow(a, shape.m * shape.k), narrow(b, shape.k * shape.n), o.c};
    contenders[0].name = "f32";
    compiled.push_back(
        std::make_unique<Compiled>(context, shape, options.schedules[0], false, true));
    contenders.push_back(
        {"bf16",
         [ours = compiled.back().get(), narrowed](const Operands &) { ours->run(narrowed); },
         {}});
    for (Peer &peer : makePeers(shape, options.numThreads, /*isBF16=*/true))
      contenders.push_back({peer.name + " bf16",
                            [run = peer.run, narrowed](const Operands &) { run(narrowed); },
                            {}});
  } else if (options.epilogue) {
    compiled.push_back(std::make_unique<Compiled>(context, shape, options.schedules[0], true));
    contenders.push_back(
        {"+bias+gelu", [ours = compiled.back().get()](const Operands &o) { ours->run(o); }, {}});
  } else {
    for (Peer &peer : makePeers(shape, options.numThreads))
      contenders.push_back({peer.name, peer.run, {}});
  }
  double flops = 2.0 * shape.m * shape.n * shape.k;
  for (Contender &contender : contenders) {
    std::fill(o.c, o.c + shape.m * shape.n, NAN);
    contender.run(o);
    if (double error = getError(o); error > 1e-5 && contender.name[0] != '+')
      llvm::outs() << contender.name << ": WRONG, error " << error << '\n';
    contender.run(o);
  }
  Limits limits = measureLimits();
  // In turn, each a few calls at a time, so that all see the same state of the machine.
  double end = now() + options.seconds * contenders.size();
  int calls = std::clamp<int>(int(2e8 / flops), 1, 2000);
  do {
    for (Contender &contender : contenders) {
      if (options.numThreads > 1)
        waitUntilIdle();
      contender.run(o);
      for (int repeat = 0; repeat != 3; ++repeat) {
        double begin = now();
        for (int i = 0; i != calls; ++i)
          contender.run(o);
        contender.seconds.push_back((now() - begin) / calls);
      }
    }
  } while (now() < end);
  double bestPeer = 1e30, medianPeer = 1e30;
  // Of products of bf16 ours of f32 is the peer.
  size_t ours = options.bf16 ? 1 : 0, firstPeer = options.bf16       ? 0
                                                  : options.epilogue ? options.schedules.size()
                                                                     : compiled.size();
  size_t endPeer = options.bf16 ? 1 : contenders.size();
  for (size_t i = firstPeer; i < endPeer; ++i) {
    bestPeer = std::min(bestPeer, contenders[i].best());
    medianPeer = std::min(medianPeer, contenders[i].median());
  }
  std::string name = llvm::formatv("{0}x{1}x{2}", shape.m, shape.k, shape.n);
  llvm::outs() << llvm::formatv("{0,-16} t={1}", name, options.numThreads);
  for (Contender &contender : contenders)
    llvm::outs() << llvm::formatv(" | {0} {1,5:f1}/{2,5:f1}", contender.name,
                                  flops / contender.best() / 1e9, flops / contender.median() / 1e9);
  llvm::outs() << llvm::formatv(
      " | fma {0:f0}, copy {1:f1} GB/s | ratio best {2:f2} median {3:f2} | compile {4:f0} ms\n",
      limits.gigaflops, limits.gigabytes, bestPeer / contenders[ours].best(),
      medianPeer / contenders[ours].median(), compileSeconds * 1e3);
  llvm::outs().flush();
}

static bool parse(llvm::ArrayRef<const char *> arguments, Options &options) {
  for (llvm::StringRef argument : arguments) {
    Shape shape{};
    if (argument.consume_front("--schedule="))
      options.schedules.push_back(argument.str());
    else if (argument == "--epilogue")
      options.epilogue = true;
    else if (argument == "--bf16")
      options.bf16 = true;
    else if (argument.consume_front("--threads="))
      options.numThreads = unsigned(atoi(argument.data()));
    else if (argument.consume_front("--seconds="))
      options.seconds = atof(argument.data());
    else if (sscanf(argument.data(), "%ldx%ldx%ld", &shape.m, &shape.k, &shape.n) == 3)
      options.shapes.push_back(shape);
    else
      return false;
  }
  return true;
}

/// Names what a table will not show.
static void printMissing() {
  std::vector<Peer> peers = makePeers({8, 8, 8}, 1);
  for (llvm::StringRef name : {"OpenBLAS", "oneDNN", "Eigen"})
    if (llvm::none_of(peers, [&](const Peer &peer) { return peer.name == name; }))
      llvm::outs() << name << " is not installed\n";
}

int main(int argc, char **argv) {
  Options options;
  if (!parse({argv + 1, argv + argc}, options)) {
    llvm::errs()
        << "usage: matmul [--threads=N] [--seconds=S] [--epilogue|--bf16] [--schedule=ENTRIES] "
           "[MxKxN...]\n";
    return 2;
  }
  if (options.schedules.empty())
    options.schedules = {""};
  if (options.shapes.empty())
    options.shapes = {{256, 256, 256},    {512, 512, 512},  {1024, 1024, 1024},
                      {2048, 2048, 2048}, {1024, 64, 1024}, {1, 4096, 4096},
                      {37, 129, 63},      {64, 64, 64},     {128, 128, 128}};
  mlir::registerAllPasses();
  pypto::registerAllPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  pypto::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  runtime::setParallelThreads(options.numThreads);
  printMissing();
  for (const Shape &shape : options.shapes)
    measure(context, options, shape);
  return 0;
}

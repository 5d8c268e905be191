// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention, and how many kernels graphs become.
#include "Rows.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <fstream>
#include <random>

using namespace pypto;
using namespace pypto::benchmark;

static Tensor makeRandom(llvm::ArrayRef<int64_t> shape, unsigned seed = 3) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  std::vector<float> values(count);
  std::mt19937 generator(seed);
  std::normal_distribution<float> distribution(0, 1);
  for (float &value : values)
    value = distribution(generator);
  return Tensor::fromSlice<float>(shape, values);
}

//===- Attention ----------------------------------------------------------------===//

/// Causal attention of which each operation is a kernel of its own.
static Tensor attendApart(const Tensor &q, const Tensor &k, const Tensor &v) {
  double scale = 1 / std::sqrt(double(q.getShape().back().max));
  Tensor scores = (q.matmul(k.transpose().contiguous()).contiguous() * scale).contiguous();
  lazy::Shape shape(scores.getShape());
  Tensor row = Tensor::iota(shape, 1), column = Tensor::iota(shape, 2);
  scores = column.lessEqual(row).where(scores, -HUGE_VAL).contiguous();
  Tensor powers = (scores - scores.max({-1}, true).contiguous()).exp().contiguous();
  Tensor weights = (powers / powers.sum({-1}, true).contiguous()).contiguous();
  return weights.matmul(v);
}

/// The largest difference to sums in double precision, over some rows.
static double getAttentionError(lazy::ExecutionPlan &plan, const Tensor &q, const Tensor &k,
                                const Tensor &v) {
  int64_t heads = q.getShape()[0].max, length = q.getShape()[1].max, size = q.getShape()[2].max;
  auto *result = plan.outputBufferAt(0)->as<float>().data();
  const float *queries = q.data<float>().data(), *keys = k.data<float>().data(),
              *values = v.data<float>().data();
  double worst = 0;
  for (int64_t sample = 0; sample != 64; ++sample) {
    int64_t head = sample % heads, i = sample * 7919 % length;
    const float *query = queries + (head * length + i) * size;
    std::vector<double> sums(size);
    double total = 0;
    for (int64_t j = 0; j <= i; ++j) {
      double score = 0;
      for (int64_t c = 0; c != size; ++c)
        score += double(query[c]) * keys[(head * length + j) * size + c];
      double power = std::exp(score / std::sqrt(double(size)));
      total += power;
      for (int64_t c = 0; c != size; ++c)
        sums[c] += power * values[(head * length + j) * size + c];
    }
    for (int64_t c = 0; c != size; ++c) {
      double error = std::abs(result[(head * length + i) * size + c] - sums[c] / total);
      worst = std::isnan(error) ? 1e30 : std::max(worst, error);
    }
  }
  return worst;
}

/// A number of /proc/self/status in bytes.
static int64_t readStatus(llvm::StringRef name) {
  std::ifstream file("/proc/self/status");
  std::string line;
  while (std::getline(file, line))
    if (llvm::StringRef(line).starts_with(name))
      return std::strtoll(line.c_str() + name.size(), nullptr, 10) * 1024;
  return 0;
}

/// By how much the memory of the process grows in between.
static int64_t measureMemory(const std::function<void()> &run) {
  std::ofstream("/proc/self/clear_refs") << 5; // the peak begins anew
  int64_t before = readStatus("VmRSS:");
  run();
  return readStatus("VmHWM:") - before;
}

/// Causal attention over a long row, beside a matrix product: rates of multiply-adds, of attention
/// those that causality leaves.
static void printLongAttention(Table &table) {
  if (!table.options.wants("attention of a long row"))
    return;
  int64_t length = table.options.isSmoke ? 70 : 8192, size = 64,
          side = table.options.isSmoke ? 32 : 1024;
  Tensor q = makeRandom({1, length, size}, 1), k = makeRandom({1, length, size}, 2),
         v = makeRandom({1, length, size}, 3);
  auto plan = q.attention(k, v, /*isCausal=*/true).prepare();
  auto product = makeRandom({side, side}, 1).matmul(makeRandom({side, side}, 2)).prepare();
  std::vector<Contender> contenders = {{"ours", [&] { plan->execute(); }, {}},
                                       {"product", [&] { product->execute(); }, {}}};
  takeTurns(contenders, table.options.seconds);
  double flops = 2.0 * length * length * size, productFlops = 2.0 * side * side * side;
  auto getShare = [&](double ours, double other) { return flops / ours / (productFlops / other); };
  double best = getShare(contenders[0].best(), contenders[1].best());
  double median = getShare(contenders[0].median(), contenders[1].median());
  plan->execute();
  bool isWrong = getAttentionError(*plan, q, k, v) > 1e-5;
  table.print("attention of a long row",
              {isWrong, std::max(best, median) < 0.6 || plan->numKernels() > 1},
              llvm::formatv("| ours {0,6:f2}/{1,6:f2} ms | {2:f2}/{3:f2}x the rate of a product >= "
                            "0.60x | kernels {4} <= 1 | {5:f0} GFLOP/s",
                            contenders[0].best() * 1e3, contenders[0].median() * 1e3, best, median,
                            plan->numKernels(), flops / contenders[0].best() / 1e9)
                  .str());
}

/// One query for each head, beside sums of all keys and values: both read them once.
static void printDecoding(Table &table) {
  if (!table.options.wants("attention of one query"))
    return;
  int64_t heads = 8, length = table.options.isSmoke ? 70 : 4096, size = 64;
  Tensor q = makeRandom({heads, 1, size}, 1), k = makeRandom({heads, length, size}, 2),
         v = makeRandom({heads, length, size}, 3);
  Tensor attention = q.attention(k, v), sums = k.sum() + v.sum();
  auto plan = attention.prepare(), reading = sums.prepare();
  std::vector<Contender> contenders = {{"ours", [&] { plan->execute(); }, {}},
                                       {"sums", [&] { reading->execute(); }, {}}};
  takeTurns(contenders, table.options.seconds);
  double best = contenders[0].best() / contenders[1].best();
  double median = contenders[0].median() / contenders[1].median();
  // The last query of a causal mask sees everything, too.
  auto causal = q.attention(k, v, /*isCausal=*/true).prepare();
  plan->execute();
  causal->execute();
  llvm::ArrayRef<float> data = plan->outputBufferAt(0)->as<float>();
  bool isWrong =
      !std::equal(data.begin(), data.end(), causal->outputBufferAt(0)->as<float>().begin());
  double bytes = 2.0 * heads * length * size * sizeof(float);
  table.print("attention of one query",
              {isWrong, std::min(best, median) > 2 || plan->numKernels() > 1},
              llvm::formatv("| ours {0,6:f3}/{1,6:f3} ms | {2:f2}/{3:f2}x sums of keys and values "
                            "<= 2.00x | kernels {4} <= 1 | {5:f0} GB/s",
                            contenders[0].best() * 1e3, contenders[0].median() * 1e3, best, median,
                            plan->numKernels(), bytes / contenders[0].best() / 1e9)
                  .str());
}

static void printCausalAttention(Table &table) {
  if (!table.options.wants("causal attention"))
    return;
  bool isSmoke = table.options.isSmoke;
  llvm::SmallVector<int64_t> shape = {8, 1024, 64};
  if (isSmoke)
    shape = {3, 45, 19};
  Tensor q = makeRandom(shape, 1), k = makeRandom(shape, 2), v = makeRandom(shape, 3);
  auto plan = q.attention(k, v, /*isCausal=*/true).prepare();
  int64_t bytes = measureMemory([&] { plan->execute(); });
  auto apart = attendApart(q, k, v).prepare();
  std::vector<Contender> contenders = {{"ours", [&] { plan->execute(); }, {}},
                                       {"fusion off", [&] { apart->execute(); }, {}}};
  takeTurns(contenders, table.options.seconds);
  double best = contenders[1].best() / contenders[0].best();
  double median = contenders[1].median() / contenders[0].median();
  int64_t resultBytes = shape[0] * shape[1] * shape[2] * int64_t(sizeof(float));
  int64_t matrixBytes = shape[0] * shape[1] * shape[1] * int64_t(sizeof(float));
  bool isWrong =
      getAttentionError(*plan, q, k, v) > 1e-5 || getAttentionError(*apart, q, k, v) > 1e-5;
  bool isMissed = std::max(best, median) < 2 || plan->numKernels() > 2 ||
                  bytes - resultBytes >= matrixBytes / 2;
  double flops = 4.0 * shape[0] * shape[1] * shape[1] * shape[2];
  table.print("causal attention", {isWrong, isMissed},
              llvm::formatv("| ours {0,6:f2}/{1,6:f2} ms | fusion off {2,6:f2}/{3,6:f2} ms | "
                            "{4:f2}/{5:f2}x as fast >= 2x | kernels {6} <= 2 | memory {7:f1} MB, "
                            "scores {8:f1} MB | {9:f0} GFLOP/s",
                            contenders[0].best() * 1e3, contenders[0].median() * 1e3,
                            contenders[1].best() * 1e3, contenders[1].median() * 1e3, best, median,
                            plan->numKernels(), double(bytes) / 1e6, double(matrixBytes) / 1e6,
                            flops / contenders[0].best() / 1e9)
                  .str());
}

void benchmark::printAttention(Table &table) {
  // The first one measures memory.
  printCausalAttention(table);
  printLongAttention(table);
  printDecoding(table);
}

//===- Feed-forward blocks ----------------------------------------------------------===//

/// A gated block beside the same with each product a kernel of its own.
void benchmark::printFeedForward(Table &table) {
  if (!table.options.wants("FF gate + down"))
    return;
  int64_t rows = 192, size = 768;
  if (table.options.isSmoke)
    rows = 40, size = 72;
  Tensor x = makeRandom({rows, size}), gate = makeRandom({size, size}, 6);
  Tensor up = makeRandom({size, size}, 7), down = makeRandom({size, size}, 5);
  auto plan = (x.matmul(gate).silu() * x.matmul(up)).matmul(down).prepare();
  // Each product a plan of its own, on what the ones before left in memory.
  Tensor product = x.matmul(gate), other = x.matmul(up);
  auto first = product.prepare(), second = other.prepare();
  product.realize();
  other.realize();
  auto apart = (product.silu() * other).matmul(down).prepare();
  std::vector<Contender> contenders = {{"ours", [&] { plan->execute(); }, {}},
                                       {"products apart",
                                        [&] {
                                          first->execute();
                                          second->execute();
                                          apart->execute();
                                        },
                                        {}}};
  takeTurns(contenders, table.options.seconds);
  plan->execute();
  apart->execute();
  double worst = 0, largest = 0;
  for (auto [a, b] :
       llvm::zip(plan->outputBufferAt(0)->as<float>(), apart->outputBufferAt(0)->as<float>())) {
    worst = std::max<double>(worst, std::abs(a - b));
    largest = std::max<double>(largest, std::abs(b));
  }
  double best = contenders[1].best() / contenders[0].best();
  double median = contenders[1].median() / contenders[0].median();
  bool isWrong = !(worst <= 1e-4 * largest);
  bool isMissed = plan->numKernels() > 2 || std::max(best, median) < 0.95;
  table.print("FF gate + down", {isWrong, isMissed},
              llvm::formatv("| ours {0,6:f2}/{1,6:f2} ms | products apart {2,6:f2}/{3,6:f2} ms | "
                            "{4:f2}/{5:f2}x as fast >= 1x | kernels {6} <= 2, apart {7} | "
                            "{8:f0} GFLOP/s",
                            contenders[0].best() * 1e3, contenders[0].median() * 1e3,
                            contenders[1].best() * 1e3, contenders[1].median() * 1e3, best, median,
                            plan->numKernels(), apart->numKernels() + 2,
                            6.0 * rows * size * size / contenders[0].best() / 1e9)
                  .str());
}

//===- Kernel counts ------------------------------------------------------------===//

void benchmark::printKernelCounts(Table &table) {
  if (!table.options.wants("kernels of graphs"))
    return;
  Tensor x = makeRandom({6, 32, 768}), bias = makeRandom({768}), down = makeRandom({768, 768}, 5);
  Tensor gate = makeRandom({768, 768}, 6), up = makeRandom({768, 768}, 7);
  Tensor line = makeRandom({6, 12, 32, 64});
  Tensor product = x.matmul(gate);
  struct Graph {
    llvm::StringRef name;
    Tensor tensor;
    size_t floor;
  };
  Tensor gated = x.matmul(gate).silu() * x.matmul(up);
  const Graph graphs[] = {
      {"matmul", product, 1},
      {"matmul + bias", product + bias, 1},
      {"elementwise chain", ((x * 2 + 1).tanh() - x).exp(), 1},
      {"SiLU", x.silu(), 1},
      {"SiLU gate block", (product + bias).sigmoid() * (x.matmul(up) + bias), 1},
      {"full sum", x.sum(), 2},
      {"layer norm", x.layerNorm(), 1},
      {"softmax", x.softmax(), 1},
      {"attention", line.attention(line, line), 8},
      {"FF gate + down", gated.matmul(down), 2}};
  std::string text;
  bool isMissed = false;
  for (const Graph &graph : graphs) {
    size_t count = graph.tensor.prepare()->numKernels();
    isMissed |= count > graph.floor;
    text += llvm::formatv("| {0} {1} <= {2} ", graph.name, count, graph.floor);
  }
  table.print("kernels of graphs", {false, isMissed}, text);
}

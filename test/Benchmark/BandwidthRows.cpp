// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that memory limits: elementwise chains, operations on rows, reductions, indexing.
#include "HandWritten.h"
#include "Rows.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <random>

using namespace pypto;
using namespace pypto::benchmark;

namespace {
enum class Limit { Copy, Read };

/// One row: what is computed, and what it is measured against.
struct Work {
  std::string name;
  Tensor result;
  Limit limit;
  /// Times the limit; 0 if only the number of kernels is bounded.
  double floor;
  size_t maxKernels;
  /// The same in C++; none if there is nothing to compare with.
  std::function<void(float *)> plain;
  /// The value of element i in double precision.
  std::function<double(int64_t)> expected;
  double tolerance = 1e-5;
  /// What else is computed at once.
  std::vector<Tensor> others = {};
};

/// A matrix of random numbers.
struct Matrix {
  int64_t rows, columns;
  Tensor tensor;
  const float *data;
  int64_t count() const { return rows * columns; }
};
} // namespace

static Matrix makeMatrix(int64_t rows, int64_t columns) {
  std::vector<float> values(rows * columns);
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> distribution(-3, 3);
  for (float &value : values)
    value = distribution(generator);
  Tensor tensor = Tensor::fromSlice<float>({rows, columns}, values);
  return {rows, columns, tensor, tensor.data<float>().data()};
}

static Matrix makeSquare(const Options &options) {
  return options.isSmoke ? makeMatrix(37, 131) : makeMatrix(4096, 4096);
}

/// One element of a result, as a number.
static double getElement(lazy::ExecutionPlan &plan, int64_t index) {
  lazy::BufferRef buffer = plan.outputBufferAt(0);
  switch (plan.outputDTypeAt(0)) {
  case lazy::DType::F32:
    return buffer->as<float>()[index];
  case lazy::DType::I64:
    return double(buffer->as<int64_t>()[index]);
  default:
    return buffer->as<uint8_t>()[index];
  }
}

/// Compares all elements of a small result, some of a large one.
static bool isRight(lazy::ExecutionPlan &plan, const Work &work) {
  int64_t count = 1;
  for (int64_t extent : plan.outputShapeAt(0))
    count *= extent;
  int64_t step = std::max<int64_t>(count / 5003, 1);
  for (int64_t i = 0; i < count; i += step) {
    double expected = work.expected(i), error = std::abs(getElement(plan, i) - expected);
    if (!(error <= work.tolerance * std::max(1.0, std::abs(expected))))
      return false;
  }
  return true;
}

static void measure(Table &table, const Matrix &x, const Work &work) {
  if (!table.options.wants(work.name))
    return;
  std::vector<Tensor> results = {work.result};
  results.insert(results.end(), work.others.begin(), work.others.end());
  auto plan = Tensor::prepareBatch(results);
  plan->execute();
  Verdict verdict{!isRight(*plan, work), false};
  lazy::BufferRef other = lazy::Buffer::create(x.count() * int64_t(sizeof(float)));
  float *out = other->as<float>().data();
  std::vector<Contender> contenders = {{"ours", [&] { plan->execute(); }, {}}};
  if (work.limit == Limit::Copy)
    contenders.push_back({"copy",
                          [&] {
                            inRanges(x.count(), 1024, [&](int64_t begin, int64_t end) {
                              copyStreaming(x.data + begin, out + begin, end - begin);
                            });
                          },
                          {}});
  else
    contenders.push_back({"read",
                          [&] {
                            inRanges(x.count(), 1024, [&](int64_t begin, int64_t end) {
                              volatile float sink = readAll(x.data + begin, end - begin);
                              (void)sink;
                            });
                          },
                          {}});
  if (work.plain)
    contenders.push_back({"C++", [&] { work.plain(out); }, {}});
  takeTurns(contenders, table.options.seconds);
  std::string text;
  for (const Contender &contender : contenders)
    text += llvm::formatv("| {0} {1,6:f2}/{2,6:f2} ms ", contender.name, contender.best() * 1e3,
                          contender.median() * 1e3);
  double best = contenders[0].best() / contenders[1].best();
  double median = contenders[0].median() / contenders[1].median();
  verdict.isMissed = (work.floor != 0 && std::min(best, median) > work.floor) ||
                     plan->numKernels() > work.maxKernels;
  std::string floor = work.floor != 0 ? llvm::formatv(" <= {0}x", work.floor).str() : "";
  text += llvm::formatv("| {0:f2}/{1:f2}x {2}{3} | kernels {4} <= {5}", best, median,
                        contenders[1].name, floor, plan->numKernels(), work.maxKernels);
  table.print(work.name, verdict, text);
}

//===- Elementwise --------------------------------------------------------------===//

void benchmark::printElementwise(Table &table) {
  Matrix x = makeSquare(table.options);
  float a = 1.25f, b = -0.5f;
  auto inPlain = [&](auto chain) {
    return [&x, a, b, chain](float *out) {
      inRanges(x.count(), 1024, [&](int64_t begin, int64_t end) {
        chain(x.data + begin, a, b, out + begin, end - begin);
      });
    };
  };
  Tensor z = x.tensor * a + b;
  auto value = [&](int64_t i) { return double(x.data[i]) * a + b; };
  measure(table, x,
          {"gelu(a*x+b), by erf", z.gelu(), Limit::Copy, 2.1, 1, inPlain(geluErfChain),
           [&](int64_t i) { return 0.5 * value(i) * (1 + std::erf(value(i) * M_SQRT1_2)); }});
  measure(table, x,
          {"gelu(a*x+b), by tanh", z.geluTanh(), Limit::Copy, 2.1, 1, inPlain(geluTanhChain),
           [&](int64_t i) {
             double v = value(i);
             return 0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
           }});
}

//===- Rows ---------------------------------------------------------------------===//

namespace {
/// Sums over one row in double precision.
struct RowSums {
  double max = -INFINITY, powers = 0, mean = 0, variance = 0, squares = 0;

  RowSums(const float *x, int64_t columns) {
    for (int64_t j = 0; j != columns; ++j) {
      max = std::max<double>(max, x[j]);
      mean += x[j] / double(columns);
      squares += double(x[j]) * x[j] / double(columns);
    }
    for (int64_t j = 0; j != columns; ++j) {
      powers += std::exp(x[j] - max);
      variance += (x[j] - mean) * (x[j] - mean) / double(columns);
    }
  }
};
} // namespace

void benchmark::printRows(Table &table) {
  Matrix x = makeSquare(table.options);
  auto inPlain = [&](auto rowsOf) {
    return [&x, rowsOf](float *out) {
      inRanges(x.rows, 1, [&](int64_t begin, int64_t end) {
        rowsOf(x.data + begin * x.columns, out + begin * x.columns, end - begin, x.columns);
      });
    };
  };
  // The last row that was asked for is asked for again.
  auto sums = [&, last = int64_t(-1), known = RowSums(nullptr, 0)](int64_t row) mutable {
    if (row != last)
      known = RowSums(x.data + row * x.columns, x.columns);
    last = row;
    return known;
  };
  measure(
      table, x,
      {"softmax", x.tensor.softmax(), Limit::Copy, 2.2, 1, inPlain(softmaxRows), [&](int64_t i) {
         RowSums row = sums(i / x.columns);
         return std::exp(x.data[i] - row.max) / row.powers;
       }});
  measure(table, x,
          {"layer norm", x.tensor.layerNorm(), Limit::Copy, 2.2, 1, inPlain(layerNormRows),
           [&](int64_t i) {
             RowSums row = sums(i / x.columns);
             return (x.data[i] - row.mean) / std::sqrt(row.variance + 1e-5);
           }});
  measure(table, x,
          {"RMS norm", x.tensor.rmsNorm(), Limit::Copy, 2.2, 1, inPlain(rmsNormRows),
           [&](int64_t i) { return x.data[i] / std::sqrt(sums(i / x.columns).squares + 1e-5); }});
}

//===- Reductions ---------------------------------------------------------------===//

static std::function<double(int64_t)> getMaxima(const Matrix &x, bool ofRows) {
  return [&x, ofRows](int64_t i) {
    double max = -INFINITY;
    for (int64_t j = 0, e = ofRows ? x.columns : x.rows; j != e; ++j)
      max = std::max<double>(max, ofRows ? x.data[i * x.columns + j] : x.data[j * x.columns + i]);
    return max;
  };
}

static void printMaxima(Table &table, const Matrix &x) {
  measure(table, x,
          {"max along axis 1", x.tensor.max({1}), Limit::Read, 1.5, 1,
           [&](float *out) {
             inRanges(x.rows, 1, [&](int64_t begin, int64_t end) {
               maxRows(x.data + begin * x.columns, out + begin, end - begin, x.columns);
             });
           },
           getMaxima(x, /*ofRows=*/true)});
  measure(table, x,
          {"max along axis 0", x.tensor.max({0}), Limit::Read, 1.5, 2,
           [&](float *out) {
             constexpr int64_t numParts = 16;
             std::vector<float> parts(numParts * x.columns, -INFINITY);
             inParts(numParts, [&](int64_t part) {
               int64_t begin = x.rows * part / numParts, end = x.rows * (part + 1) / numParts;
               maxColumns(x.data + begin * x.columns, &parts[part * x.columns], end - begin,
                          x.columns);
             });
             std::fill(out, out + x.columns, -INFINITY);
             maxColumns(parts.data(), out, numParts, x.columns);
           },
           getMaxima(x, /*ofRows=*/false)});
}

static int64_t findMax(const float *x, int64_t count) { return std::max_element(x, x + count) - x; }

void benchmark::printReductions(Table &table) {
  Matrix x = makeSquare(table.options);
  constexpr int64_t numParts = 16;
  auto getBounds = [&](int64_t part) { return x.count() * part / numParts; };
  double magnitude = 0;
  for (int64_t i = 0; i != x.count(); ++i)
    magnitude += std::abs(x.data[i]);
  measure(table, x,
          {"sum of all", x.tensor.sum(), Limit::Read, 1.5, 2,
           [&](float *out) {
             float parts[numParts];
             inParts(numParts, [&](int64_t part) {
               int64_t begin = getBounds(part) & ~63, end = getBounds(part + 1) & ~63;
               end = part + 1 == numParts ? x.count() : end;
               parts[part] = sumAll(x.data + begin, end - begin);
             });
             out[0] = sumAll(parts, numParts);
           },
           [&](int64_t) {
             double sum = 0;
             for (int64_t i = 0; i != x.count(); ++i)
               sum += x.data[i];
             return sum;
           },
           1e-6 * magnitude});
  printMaxima(table, x);
  measure(table, x,
          {"max and sum along axis 1",
           x.tensor.max({1}),
           Limit::Read,
           2,
           1,
           nullptr,
           getMaxima(x, /*ofRows=*/true),
           1e-5,
           {x.tensor.sum({1})}});
  measure(table, x,
          {"argmax along axis 1", x.tensor.argMax(1), Limit::Read, 1.5, 2, nullptr,
           [&](int64_t i) { return findMax(x.data + i * x.columns, x.columns); }, 0});
  Tensor flat = x.tensor.flatten();
  measure(table, x,
          {"argmax of all", flat.argMax(0), Limit::Read, 1.5, 4,
           [&](float *out) {
             int64_t parts[numParts];
             inParts(numParts, [&](int64_t part) {
               int64_t begin = getBounds(part);
               parts[part] = begin + argMaxAll(x.data + begin, getBounds(part + 1) - begin);
             });
             int64_t best = parts[0];
             for (int64_t part : parts)
               best = x.data[part] > x.data[best] ? part : best;
             out[0] = float(best);
           },
           [&](int64_t) { return findMax(x.data, x.count()); }, 0});
}

//===- Scans ----------------------------------------------------------------------===//

void benchmark::printScans(Table &table) {
  Matrix x = makeSquare(table.options);
  measure(table, x,
          {"cumsum along axis 1", x.tensor.cumSum(1), Limit::Copy,
           table.options.numThreads == 1 ? 1.5 : 2.2, 1,
           [&](float *out) {
             inRanges(x.rows, 1, [&](int64_t begin, int64_t end) {
               cumsumRows(x.data + begin * x.columns, out + begin * x.columns, end - begin,
                          x.columns);
             });
           },
           [&](int64_t i) {
             double sum = 0;
             for (int64_t j = i / x.columns * x.columns; j <= i; ++j)
               sum += x.data[j];
             return sum;
           },
           1e-3});
}

//===- Indexing -----------------------------------------------------------------===//

void benchmark::printIndexing(Table &table) {
  bool isSmoke = table.options.isSmoke;
  Matrix words = isSmoke ? makeMatrix(53, 19) : makeMatrix(32768, 512);
  int64_t count = isSmoke ? 29 : 32768;
  std::vector<int64_t> numbers(count);
  std::mt19937 generator(11);
  for (int64_t &number : numbers)
    number = int64_t(generator() % words.rows);
  Tensor indices = Tensor::fromSlice<int64_t>({count}, numbers);
  measure(
      table, words,
      {"embedding gather", words.tensor.take(indices), Limit::Copy, 0, 1, nullptr, [&](int64_t i) {
         return words.data[numbers[i / words.columns] * words.columns + i % words.columns];
       }});
  int64_t classes = words.columns;
  measure(table, words,
          {"one-hot", indices.oneHot(classes), Limit::Copy, 0, 1, nullptr,
           [&](int64_t i) { return numbers[i / classes] == i % classes ? 1.0 : 0.0; }});
  measure(table, words,
          {"arange", Tensor::arange(words.count() / 2), Limit::Copy, 0, 1, nullptr,
           [&](int64_t i) { return double(i); }, 0});
  Matrix x = makeSquare(table.options);
  measure(table, x,
          {"triangular mask", x.tensor.tril(), Limit::Copy, 0, 1, nullptr,
           [&](int64_t i) { return i % x.columns <= i / x.columns ? x.data[i] : 0.0; }});
}

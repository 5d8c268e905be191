// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of the table that `tools/dev bench cpu` prints for lazy tensors.
#ifndef PYPTO_BENCHMARK_ROWS_H
#define PYPTO_BENCHMARK_ROWS_H

#include "Measure.h"
#include "pypto/Tensor/Plan.h"

namespace pypto::benchmark {

struct Options {
  unsigned numThreads = 1;
  /// For each contender.
  double seconds = 0.3;
  /// Small sizes that no block fits into; results are checked, times say nothing.
  bool isSmoke = false;
  /// Rows whose name has this in it.
  std::string only;
  /// How this program was called.
  std::string program;

  bool wants(llvm::StringRef name) const { return name.contains(only); }
};

/// "ok", "MISS", or "WRONG" in front of a row. Both ratios have to be above the floor for a miss:
/// others may disturb a median, or the machine may have been quiet for one contender alone.
struct Verdict {
  bool isWrong = false, isMissed = false;
};

/// Counts rows as they are printed.
class Table {
public:
  explicit Table(const Options &options) : options(options) {}
  const Options &options;
  unsigned numRows = 0, numMissed = 0, numWrong = 0;

  void print(llvm::StringRef name, Verdict verdict, const llvm::Twine &text);
};

/// Runs `body` for each of `count` parts, on as many threads as were asked for.
void inParts(int64_t count, const std::function<void(int64_t)> &body);
/// The same for parts [begin, end) of `count` things, whose number the threads share; parts begin
/// at multiples of `unit`.
void inRanges(int64_t count, int64_t unit, const std::function<void(int64_t, int64_t)> &body);

void printElementwise(Table &table);
void printRows(Table &table);
void printReductions(Table &table);
void printScans(Table &table);
void printIndexing(Table &table);
void printAttention(Table &table);
void printFeedForward(Table &table);
void printKernelCounts(Table &table);
void printCompileTimes(Table &table);
void printDispatch(Table &table);
/// What a process of its own does that measures one compilation.
int runCompileChild(const Options &options);

} // namespace pypto::benchmark

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lazy tensors beside the limits of the machine and beside C++, in one process, in turn.
#include "HandWritten.h"
#include "Rows.h"
#include "pypto/Runtime/ParallelFor.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace pypto;
using namespace pypto::benchmark;

void Table::print(llvm::StringRef name, Verdict verdict, const llvm::Twine &text) {
  ++numRows;
  // Times of small sizes say nothing.
  verdict.isMissed &= !options.isSmoke;
  numWrong += verdict.isWrong;
  numMissed += verdict.isMissed;
  llvm::StringRef state = verdict.isWrong ? "WRONG" : verdict.isMissed ? "MISS" : "ok";
  llvm::outs() << llvm::formatv("{0,-5} {1,-36} t={2} {3}\n", state, name, options.numThreads,
                                text.str());
  llvm::outs().flush();
}

void benchmark::inParts(int64_t count, const std::function<void(int64_t)> &body) {
  pyptoParallelFor(
      [](void *payload, int64_t part) {
        (*static_cast<const std::function<void(int64_t)> *>(payload))(part);
      },
      const_cast<std::function<void(int64_t)> *>(&body), count);
}

void benchmark::inRanges(int64_t count, int64_t unit,
                         const std::function<void(int64_t, int64_t)> &body) {
  constexpr int64_t numParts = 16;
  int64_t size = (count + numParts * unit - 1) / (numParts * unit) * unit;
  inParts((count + size - 1) / size,
          [&](int64_t part) { body(part * size, std::min((part + 1) * size, count)); });
}

static bool parse(llvm::ArrayRef<char *> arguments, Options &options, bool &isChild) {
  for (llvm::StringRef argument : arguments) {
    if (argument.consume_front("--threads="))
      options.numThreads = unsigned(atoi(argument.data()));
    else if (argument.consume_front("--seconds="))
      options.seconds = atof(argument.data());
    else if (argument.consume_front("--only="))
      options.only = argument.str();
    else if (argument == "--smoke")
      options.isSmoke = true;
    else if (argument == "--compile-child")
      isChild = true;
    else
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  Options options;
  options.program = argv[0];
  bool isChild = false;
  if (!parse({argv + 1, argv + argc}, options, isChild)) {
    llvm::errs() << "usage: pypto-bench-tensors [--threads=N] [--seconds=S] [--only=TEXT] "
                    "[--smoke]\n";
    return 2;
  }
  if (isChild)
    return runCompileChild(options);
  if (options.isSmoke)
    options.seconds = 0;
  runtime::setParallelThreads(options.numThreads);
  Table table(options);
  printElementwise(table);
  printRows(table);
  printReductions(table);
  printScans(table);
  printIndexing(table);
  printAttention(table);
  printFeedForward(table);
  printKernelCounts(table);
  printCompileTimes(table);
  printDispatch(table);
  llvm::outs() << llvm::formatv("{0} rows, {1} miss their floor, {2} wrong\n", table.numRows,
                                table.numMissed, table.numWrong);
  return table.numWrong == 0 ? 0 : 1;
}

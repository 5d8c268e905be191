// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TEST_FUZZ_TARGET_H
#define PYPTO_TEST_FUZZ_TARGET_H

#include "Mutator.h"

#include "mlir/IR/DialectRegistry.h"

#include <string>
#include <vector>

namespace fuzzer {

/// How far one input came.
enum class Outcome { Rejected, PassFailed, Passed };

/// What is fed: the parser, the printers, and passes in one process, on one thread.
class Target {
public:
  /// Finds the passes and pipelines: all that the project registers, and a few upstream passes that
  /// run before and after them.
  Target();

  /// Textual pipeline of one to four random passes.
  std::string choosePipeline(Random &random) const;
  /// Parses `text`, prints it as text and bytecode, and runs the pipeline. Diagnostics are dropped,
  /// or written to stderr if `verbose`.
  Outcome run(const std::string &text, const std::string &pipeline, bool verbose);

  const std::vector<std::string> &getOwnPasses() const { return ownPasses; }

private:
  mlir::DialectRegistry registry;
  std::vector<std::string> ownPasses;
};

} // namespace fuzzer

#endif

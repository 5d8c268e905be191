// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for one schedule, and the buffers that it is timed on.
#ifndef PYPTO_LIB_EXECUTIONENGINE_SEARCHCANDIDATES_H
#define PYPTO_LIB_EXECUTIONENGINE_SEARCHCANDIDATES_H

#include "pypto/ExecutionEngine/JIT.h"

#include "mlir/IR/BuiltinOps.h"
#include <cstdlib>
#include <optional>
#include <vector>

namespace pypto::execution {

/// A context with all dialects, for one search.
std::unique_ptr<mlir::MLIRContext> createSearchContext();

/// What the entry of the module is called.
inline constexpr llvm::StringLiteral kSearchEntry = "search";

/// The arguments of the entry. Elements are small integers: all sums are exact, so that schedules
/// that are right give the same bits.
class CandidateData {
public:
  static llvm::Expected<std::unique_ptr<CandidateData>> create(mlir::ModuleOp module);

  unsigned getNumArguments() const { return descriptors.size(); }
  /// Sets all elements to what they are at first.
  void reset();
  void **getArguments() { return arguments.data(); }
  /// Remembers what the buffers hold, or compares with that.
  void keep();
  bool isAsKept() const;

private:
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  /// As large as the original.
  using Buffer = std::unique_ptr<char, Free>;

  std::vector<std::vector<char>> originals, expected;
  std::vector<Buffer> buffers;
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> pointers, arguments;
};

/// Compiled code.
class Candidate {
public:
  /// Compiles a copy of `module`.
  static llvm::Expected<std::unique_ptr<Candidate>> create(mlir::ModuleOp module);

  /// Runs on fresh data, whose results are right by definition.
  void makeReference(CandidateData &data);
  /// The least time of some runs; after `limit` seconds the first run is enough. Nothing if the
  /// results are not those of the reference.
  std::optional<double> measure(CandidateData &data, double limit);
  double time(CandidateData &data);

private:
  double runOnce(CandidateData &data);

  std::unique_ptr<JIT> code;
  JIT::Invoker invoker = nullptr;
};

} // namespace pypto::execution

#endif

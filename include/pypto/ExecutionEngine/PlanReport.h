// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_PLANREPORT_H
#define PYPTO_EXECUTIONENGINE_PLANREPORT_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace pypto::runtime {
struct TaskPlan;
} // namespace pypto::runtime

namespace pypto::execution {

enum class PlanFormat {
  /// Tables.
  Text,
  /// A graph for Graphviz.
  Dot,
  /// One page with pictures of the graph, of the time and of the memory. Needs no other file.
  Html,
  Json,
  /// The times for the trace viewers of Chrome and Perfetto.
  Trace,
};

/// The error lists the formats that there are.
llvm::Expected<PlanFormat> findPlanFormat(llvm::StringRef name);

/// What a plan runs, and how its last execution went.
struct PlanReport {
  struct Buffer {
    enum class Kind { Input, Output, Intermediate };
    std::string name;
    /// E.g. "4x16xf32".
    std::string type;
    Kind kind = Kind::Intermediate;
    std::optional<int64_t> bytes;
    /// Where it stands in the arena.
    std::optional<int64_t> offset;
  };
  struct Use {
    unsigned buffer;
    bool isRead, isWritten;
  };
  struct Edge {
    /// The kernel that comes first.
    unsigned from;
    /// "raw": reads what the other wrote; "war", "waw": writes what it read, wrote; "after".
    std::string reason;
    /// The buffer that is the reason, if there is one.
    std::optional<unsigned> buffer;
  };
  struct Kernel {
    std::string name;
    /// Where in the program, if known.
    std::string location;
    /// What it runs on: there is one so far.
    std::string device = "cpu";
    unsigned group = 0;
    std::vector<Use> uses;
    std::vector<Edge> edges;
    /// Estimates; nothing if unknown.
    std::optional<int64_t> bytesRead, bytesWritten, flops;
    /// Microseconds since the execution began, and how long; the thread, 0 being the one that asked
    /// for it. Nothing if it has not run.
    std::optional<double> start;
    double duration = 0;
    unsigned thread = 0;
  };

  std::string title = "plan";
  std::vector<Kernel> kernels;
  std::vector<Buffer> buffers;
  /// The peak of the memory for intermediates, and what they would take by themselves.
  int64_t arenaBytes = 0, intermediateBytes = 0;

  bool hasTimes() const;
  unsigned getNumGroups() const;
  void print(llvm::raw_ostream &os, PlanFormat format) const;
};

/// The same of the tasks of a tile program.
PlanReport makeReport(const runtime::TaskPlan &plan);

} // namespace pypto::execution

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_RUNTIME_TASKPLAN_H
#define PYPTO_RUNTIME_TASKPLAN_H

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
class StringRef;
} // namespace llvm

namespace pypto::runtime {

/// Why a task waits for another.
enum class EdgeReason : uint8_t { After, ReadAfterWrite, WriteAfterRead, WriteAfterWrite };

/// "after", "raw", "war", "waw".
llvm::StringRef stringifyEdgeReason(EdgeReason reason);

struct PlannedEdge {
  /// The task that comes first.
  int64_t from;
  EdgeReason reason;
};

/// One task of a run.
struct PlannedTask {
  /// `Join` stands between many tasks and those that wait for all of them.
  enum class Kind : uint8_t { Kernel, Dummy, Join };

  /// Negative for joins.
  int64_t id = 0;
  Kind kind = Kind::Kernel;
  std::string name, location;
  int64_t numBlocks = 1;
  bool isManual = false;
  int64_t bytesRead = 0, bytesWritten = 0;
  /// The tasks that it directly waits for: the same in each run of a program, whatever ran when.
  std::vector<PlannedEdge> edges;
  /// Microseconds since the graph was made, and how long; the thread that started it, 0 being the
  /// host.
  double start = 0, duration = 0;
  unsigned thread = 0;
};

/// What a graph has run. The pointers into it stay valid while tasks are added.
struct TaskPlan {
  std::deque<PlannedTask> tasks;

  /// A table, a line a task.
  void print(llvm::raw_ostream &os) const;
  /// A graph for Graphviz.
  void printDot(llvm::raw_ostream &os) const;
};

} // namespace pypto::runtime

#endif

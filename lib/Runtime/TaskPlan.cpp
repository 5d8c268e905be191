// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Runtime/TaskPlan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/GraphWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace pypto;
using namespace pypto::runtime;

llvm::StringRef runtime::stringifyEdgeReason(EdgeReason reason) {
  switch (reason) {
  case EdgeReason::After:
    return "after";
  case EdgeReason::ReadAfterWrite:
    return "raw";
  case EdgeReason::WriteAfterRead:
    return "war";
  case EdgeReason::WriteAfterWrite:
    return "waw";
  }
  return "";
}

/// "3", or "j3" for a join.
static std::string getLabel(int64_t id) {
  return id < 0 ? "j" + std::to_string(-id) : std::to_string(id);
}

static std::string getName(const PlannedTask &task) {
  if (task.kind == PlannedTask::Kind::Join)
    return "(join)";
  std::string name = task.name.empty() ? "(dummy)" : task.name;
  if (task.numBlocks != 1)
    name += " x" + std::to_string(task.numBlocks);
  if (task.isManual)
    name += " (manual)";
  return name;
}

void TaskPlan::print(llvm::raw_ostream &os) const {
  std::vector<std::vector<std::string>> rows = {
      {"task", "name", "waits for", "read", "written", "start us", "time us", "thread", "at"}};
  for (const PlannedTask &task : tasks) {
    std::string edges, start, duration;
    for (const PlannedEdge &edge : task.edges)
      edges += (edges.empty() ? "" : ", ") + getLabel(edge.from) + " " +
               stringifyEdgeReason(edge.reason).str();
    llvm::raw_string_ostream(start) << llvm::format("%.1f", task.start);
    llvm::raw_string_ostream(duration) << llvm::format("%.1f", task.duration);
    bool hasRun = task.kind == PlannedTask::Kind::Kernel;
    rows.push_back({getLabel(task.id), getName(task), edges.empty() ? "-" : edges,
                    std::to_string(task.bytesRead), std::to_string(task.bytesWritten),
                    hasRun ? start : "-", hasRun ? duration : "-",
                    hasRun ? std::to_string(task.thread) : "-", task.location});
  }
  std::vector<size_t> widths(rows.front().size());
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    os << llvm::StringRef(line).rtrim() << '\n';
  }
}

void TaskPlan::printDot(llvm::raw_ostream &os) const {
  os << "digraph tasks {\n  node [shape=box];\n";
  for (const PlannedTask &task : tasks) {
    std::string label = getLabel(task.id) + " " + getName(task);
    os << "  \"" << getLabel(task.id) << "\" [label=\"";
    os << llvm::DOT::EscapeString(label);
    if (task.kind == PlannedTask::Kind::Kernel) {
      os << "\\n"
         << llvm::DOT::EscapeString(task.location) << "\\n"
         << task.bytesRead << " bytes read, " << task.bytesWritten << " written, "
         << llvm::format("%.1f", task.duration) << " us";
    }
    os << "\"];\n";
  }
  for (const PlannedTask &task : tasks)
    for (const PlannedEdge &edge : task.edges)
      os << "  \"" << getLabel(edge.from) << "\" -> \"" << getLabel(task.id) << "\" [label=\""
         << stringifyEdgeReason(edge.reason) << "\"];\n";
  os << "}\n";
}

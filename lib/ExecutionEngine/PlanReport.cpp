// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/PlanReport.h"
#include "PlanPicture.h"
#include "pypto/ExecutionEngine/Array.h"
#include "pypto/Runtime/TaskPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace pypto;
using namespace pypto::execution;
using llvm::StringRef;

using Row = std::vector<std::string>;

llvm::Expected<PlanFormat> pypto::execution::findPlanFormat(StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, PlanFormat> formats[] = {
      {"text", PlanFormat::Text}, {"table", PlanFormat::Text}, {"dot", PlanFormat::Dot},
      {"html", PlanFormat::Html}, {"json", PlanFormat::Json},  {"trace", PlanFormat::Trace}};
  std::string known;
  for (auto &[known_name, format] : formats) {
    if (known_name == name)
      return format;
    known += (known.empty() ? "" : ", ") + known_name.str();
  }
  return makeError("expects a format of " + known + ", but got '" + name + "'");
}

bool PlanReport::hasTimes() const {
  return llvm::any_of(kernels, [](const Kernel &kernel) { return kernel.start.has_value(); });
}

unsigned PlanReport::getNumGroups() const {
  unsigned count = 0;
  for (const Kernel &kernel : kernels)
    count = std::max(count, kernel.group + 1);
  return count;
}

//===- Numbers ---------------------------------------------------------------------===//

template <typename... Ts> static std::string print(const char *format, Ts... values) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, values...);
  return text;
}

std::string pypto::execution::formatBytes(std::optional<int64_t> bytes) {
  if (!bytes)
    return "-";
  double value = *bytes;
  if (value < 10000)
    return std::to_string(*bytes) + " B";
  for (const char *unit : {"KiB", "MiB", "GiB"})
    if ((value /= 1024) < 10000)
      return print("%.1f ", value) + unit;
  return print("%.1f TiB", value / 1024);
}

std::string pypto::execution::formatCount(std::optional<int64_t> count) {
  if (!count)
    return "-";
  double value = *count;
  if (value < 10000)
    return std::to_string(*count);
  for (const char *unit : {"k", "M", "G"})
    if ((value /= 1000) < 10000)
      return print("%.1f ", value) + unit;
  return print("%.1f T", value / 1000);
}

std::string pypto::execution::formatMicroseconds(const PlanReport::Kernel &kernel) {
  return kernel.start ? print("%.1f", kernel.duration) : "-";
}

std::string pypto::execution::formatRate(std::optional<int64_t> amount,
                                         const PlanReport::Kernel &kernel) {
  return amount && kernel.start && kernel.duration > 0
             ? print("%.1f", double(*amount) / (1000 * kernel.duration))
             : "-";
}

std::optional<int64_t> pypto::execution::getTraffic(const PlanReport::Kernel &kernel) {
  if (!kernel.bytesRead || !kernel.bytesWritten)
    return std::nullopt;
  return *kernel.bytesRead + *kernel.bytesWritten;
}

//===- Text ------------------------------------------------------------------------===//

static void printTable(const std::vector<Row> &rows, llvm::raw_ostream &os) {
  std::vector<size_t> widths(rows.front().size());
  for (const Row &row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());
  for (const Row &row : rows) {
    std::string line;
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      line += cell + std::string(width - cell.size() + 2, ' ');
    os << StringRef(line).rtrim() << '\n';
  }
}

static std::string listEdges(const PlanReport::Kernel &kernel) {
  std::string text;
  for (const PlanReport::Edge &edge : kernel.edges)
    text += (text.empty() ? "" : ", ") + std::to_string(edge.from) + " " + edge.reason;
  return text.empty() ? "-" : text;
}

static std::string listBuffers(const PlanReport &report, const PlanReport::Kernel &kernel,
                               bool isWritten) {
  std::string text;
  for (const PlanReport::Use &use : kernel.uses)
    if (isWritten ? use.isWritten : use.isRead)
      text += (text.empty() ? "" : ", ") + report.buffers[use.buffer].name;
  return text.empty() ? "-" : text;
}

static StringRef getKindName(PlanReport::Buffer::Kind kind) {
  switch (kind) {
  case PlanReport::Buffer::Kind::Input:
    return "input";
  case PlanReport::Buffer::Kind::Output:
    return "output";
  case PlanReport::Buffer::Kind::Intermediate:
    return "intermediate";
  }
  llvm_unreachable("all kinds are there");
}

/// For each buffer the first and the last group of those who use it.
static std::vector<std::pair<unsigned, unsigned>> getLifetimes(const PlanReport &report) {
  std::vector<std::pair<unsigned, unsigned>> lifetimes(report.buffers.size(), {~0U, 0});
  for (const PlanReport::Kernel &kernel : report.kernels)
    for (const PlanReport::Use &use : kernel.uses) {
      auto &[first, last] = lifetimes[use.buffer];
      first = std::min(first, kernel.group);
      last = std::max(last, kernel.group);
    }
  return lifetimes;
}

static void printText(const PlanReport &report, llvm::raw_ostream &os) {
  std::vector<Row> kernels = {{"kernel", "name", "group", "waits for", "reads", "writes", "read",
                               "written", "flops", "start us", "time us", "GB/s", "GFLOP/s",
                               "thread"}};
  for (auto [index, kernel] : llvm::enumerate(report.kernels))
    kernels.push_back(
        {std::to_string(index), kernel.name, std::to_string(kernel.group + 1), listEdges(kernel),
         listBuffers(report, kernel, false), listBuffers(report, kernel, true),
         formatBytes(kernel.bytesRead), formatBytes(kernel.bytesWritten), formatCount(kernel.flops),
         kernel.start ? print("%.1f", *kernel.start) : "-", formatMicroseconds(kernel),
         formatRate(getTraffic(kernel), kernel), formatRate(kernel.flops, kernel),
         kernel.start ? std::to_string(kernel.thread) : "-"});
  printTable(kernels, os);
  if (report.buffers.empty())
    return;
  os << '\n';
  std::vector<Row> buffers = {{"buffer", "type", "kind", "bytes", "at", "groups"}};
  for (auto [buffer, lifetime] : llvm::zip_equal(report.buffers, getLifetimes(report))) {
    std::string groups =
        lifetime.first > lifetime.second
            ? "-"
            : std::to_string(lifetime.first + 1) + " to " + std::to_string(lifetime.second + 1);
    buffers.push_back({buffer.name, buffer.type, getKindName(buffer.kind).str(),
                       buffer.bytes ? std::to_string(*buffer.bytes) : "-",
                       buffer.offset ? std::to_string(*buffer.offset) : "-", groups});
  }
  printTable(buffers, os);
  os << "\nintermediates: " << report.arenaBytes << " bytes at the peak, "
     << report.intermediateBytes << " without sharing\n";
}

//===- Graphviz --------------------------------------------------------------------===//

static void printDot(const PlanReport &report, llvm::raw_ostream &os) {
  os << "digraph plan {\n  node [shape=box];\n";
  for (auto [index, kernel] : llvm::enumerate(report.kernels)) {
    os << "  k" << index << " [label=\"";
    llvm::printEscapedString(kernel.name, os);
    for (bool isWritten : {false, true})
      for (const PlanReport::Use &use : kernel.uses)
        if (isWritten ? use.isWritten : use.isRead) {
          const PlanReport::Buffer &buffer = report.buffers[use.buffer];
          os << "\\n" << (isWritten ? "writes " : "reads ");
          llvm::printEscapedString(buffer.name + " " + buffer.type, os);
        }
    os << "\\n"
       << formatBytes(getTraffic(kernel)) << ", " << formatCount(kernel.flops) << " flops, "
       << formatMicroseconds(kernel) << " us\"];\n";
  }
  for (auto [index, kernel] : llvm::enumerate(report.kernels))
    for (const PlanReport::Edge &edge : kernel.edges) {
      os << "  k" << edge.from << " -> k" << index << " [label=\"" << edge.reason;
      if (edge.buffer) {
        os << ' ';
        llvm::printEscapedString(report.buffers[*edge.buffer].name, os);
      }
      os << "\"];\n";
    }
  for (unsigned group = 0, e = report.getNumGroups(); group != e; ++group) {
    os << "  { rank=same;";
    for (auto [index, kernel] : llvm::enumerate(report.kernels))
      if (kernel.group == group)
        os << " k" << index << ";";
    os << " }\n";
  }
  os << "}\n";
}

//===- JSON ------------------------------------------------------------------------===//

template <typename T> static llvm::json::Value toJson(std::optional<T> value) {
  return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
}

static llvm::json::Object toJson(const PlanReport &report, const PlanReport::Kernel &kernel) {
  llvm::json::Array reads, writes, edges;
  for (const PlanReport::Use &use : kernel.uses) {
    if (use.isRead)
      reads.push_back(report.buffers[use.buffer].name);
    if (use.isWritten)
      writes.push_back(report.buffers[use.buffer].name);
  }
  for (const PlanReport::Edge &edge : kernel.edges) {
    llvm::json::Object object{{"from", int64_t(edge.from)}, {"reason", edge.reason}};
    if (edge.buffer)
      object["buffer"] = report.buffers[*edge.buffer].name;
    edges.push_back(std::move(object));
  }
  llvm::json::Object object{{"name", kernel.name},
                            {"device", kernel.device},
                            {"group", int64_t(kernel.group) + 1},
                            {"waits_for", std::move(edges)},
                            {"reads", std::move(reads)},
                            {"writes", std::move(writes)},
                            {"bytes_read", toJson(kernel.bytesRead)},
                            {"bytes_written", toJson(kernel.bytesWritten)},
                            {"flops", toJson(kernel.flops)},
                            {"start_us", toJson(kernel.start)}};
  if (!kernel.location.empty())
    object["location"] = kernel.location;
  if (kernel.start) {
    object["time_us"] = kernel.duration;
    object["thread"] = int64_t(kernel.thread);
  }
  return object;
}

static void printJson(const PlanReport &report, llvm::raw_ostream &os) {
  llvm::json::Array kernels, buffers;
  for (const PlanReport::Kernel &kernel : report.kernels)
    kernels.push_back(toJson(report, kernel));
  for (const PlanReport::Buffer &buffer : report.buffers)
    buffers.push_back(llvm::json::Object{{"name", buffer.name},
                                         {"type", buffer.type},
                                         {"kind", getKindName(buffer.kind)},
                                         {"bytes", toJson(buffer.bytes)},
                                         {"offset", toJson(buffer.offset)}});
  llvm::json::Value value = llvm::json::Object{{"name", report.title},
                                               {"kernels", std::move(kernels)},
                                               {"buffers", std::move(buffers)},
                                               {"arena_bytes", report.arenaBytes},
                                               {"intermediate_bytes", report.intermediateBytes}};
  os << llvm::formatv("{0:2}", value) << '\n';
}

//===- Traces ----------------------------------------------------------------------===//

/// An arrow between two kernels: its two ends are events too.
static void addFlow(llvm::json::Array &events, const PlanReport &report, unsigned from, unsigned to,
                    int64_t id) {
  const PlanReport::Kernel &first = report.kernels[from], &second = report.kernels[to];
  if (!first.start || !second.start)
    return;
  llvm::json::Object common{{"name", "waits for"}, {"cat", "edge"}, {"id", id}, {"pid", 1}};
  llvm::json::Object begin = common, end = common;
  begin["ph"] = "s";
  begin["tid"] = int64_t(first.thread);
  begin["ts"] = *first.start + first.duration;
  end["ph"] = "f";
  end["bp"] = "e";
  end["tid"] = int64_t(second.thread);
  end["ts"] = *second.start;
  events.push_back(std::move(begin));
  events.push_back(std::move(end));
}

static void printTrace(const PlanReport &report, llvm::raw_ostream &os) {
  llvm::json::Array events;
  auto addName = [&](StringRef what, int64_t thread, std::string name) {
    events.push_back(llvm::json::Object{{"name", what},
                                        {"ph", "M"},
                                        {"pid", 1},
                                        {"tid", thread},
                                        {"args", llvm::json::Object{{"name", std::move(name)}}}});
  };
  addName("process_name", 0, report.title);
  std::map<unsigned, bool> threads;
  for (const PlanReport::Kernel &kernel : report.kernels)
    if (kernel.start && !std::exchange(threads[kernel.thread], true))
      addName("thread_name", kernel.thread, "thread " + std::to_string(kernel.thread));
  int64_t numFlows = 0;
  for (auto [index, kernel] : llvm::enumerate(report.kernels)) {
    if (!kernel.start)
      continue;
    events.push_back(llvm::json::Object{{"name", kernel.name},
                                        {"cat", "kernel"},
                                        {"ph", "X"},
                                        {"pid", 1},
                                        {"tid", int64_t(kernel.thread)},
                                        {"ts", *kernel.start},
                                        {"dur", kernel.duration},
                                        {"args", toJson(report, kernel)}});
    for (const PlanReport::Edge &edge : kernel.edges)
      addFlow(events, report, edge.from, index, ++numFlows);
  }
  llvm::json::Value value =
      llvm::json::Object{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}};
  os << llvm::formatv("{0:1}", value) << '\n';
}

void PlanReport::print(llvm::raw_ostream &os, PlanFormat format) const {
  switch (format) {
  case PlanFormat::Text:
    return printText(*this, os);
  case PlanFormat::Dot:
    return printDot(*this, os);
  case PlanFormat::Html:
    return printHtml(*this, os);
  case PlanFormat::Json:
    return printJson(*this, os);
  case PlanFormat::Trace:
    return printTrace(*this, os);
  }
}

//===- Tile programs ---------------------------------------------------------------===//

PlanReport pypto::execution::makeReport(const runtime::TaskPlan &plan) {
  PlanReport report;
  report.title = "tasks";
  std::map<int64_t, unsigned> numbers;
  for (const runtime::PlannedTask &task : plan.tasks) {
    numbers[task.id] = report.kernels.size();
    PlanReport::Kernel &kernel = report.kernels.emplace_back();
    bool hasBody = task.kind == runtime::PlannedTask::Kind::Kernel;
    kernel.name = hasBody                                         ? task.name
                  : task.kind == runtime::PlannedTask::Kind::Join ? "(join)"
                                                                  : "(dummy)";
    kernel.location = task.location;
    if (hasBody) {
      kernel.bytesRead = task.bytesRead;
      kernel.bytesWritten = task.bytesWritten;
      kernel.start = task.start;
      kernel.duration = task.duration;
      kernel.thread = task.thread;
    }
    for (const runtime::PlannedEdge &edge : task.edges) {
      // An edge that was added later may come from a task behind this one.
      auto found = numbers.find(edge.from);
      if (found == numbers.end())
        continue;
      kernel.edges.push_back(
          {found->second, runtime::stringifyEdgeReason(edge.reason).str(), std::nullopt});
      kernel.group = std::max(kernel.group, report.kernels[found->second].group + 1);
    }
  }
  return report;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans as pages: SVG that is written here, so that a page needs nothing else.
#include "PlanPicture.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace pypto;
using namespace pypto::execution;
using llvm::StringRef;
using Kernel = PlanReport::Kernel;

static constexpr StringRef kStyle = R"(
body { font: 14px system-ui, sans-serif; margin: 2em; color: #1b1f24; background: #fff; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 2em; }
table { border-collapse: collapse; } th, td { padding: 3px 10px; text-align: left; border-bottom: 1px solid #d8dee4; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
svg text { font: 12px system-ui, sans-serif; fill: #1b1f24; } svg .small { font-size: 10px; fill: #57606a; }
.kernel rect { fill: #ddf4ff; stroke: #0969da; rx: 4; } .kernel:hover rect { fill: #b6e3ff; }
.edge { fill: none; stroke: #57606a; stroke-width: 1.2; } .edge:hover { stroke: #cf222e; stroke-width: 3; }
.edge.war, .edge.waw { stroke-dasharray: 5 3; } .edge.after { stroke-dasharray: 1 3; }
.run { fill: #2da44e; fill-opacity: 0.75; stroke: #1a7f37; } .buffer { fill: #fff8c5; stroke: #9a6700; }
.axis { stroke: #d8dee4; } .scroll { overflow-x: auto; border: 1px solid #d8dee4; border-radius: 6px; }
)";

/// The text with &, <, > and quotes escaped.
static std::string escape(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  llvm::printHTMLEscaped(text, os);
  return escaped;
}

/// As much of the text as a box has room for.
static std::string shorten(StringRef text, size_t limit) {
  return text.size() <= limit ? text.str() : (text.take_front(limit - 1) + "\xE2\x80\xA6").str();
}

static std::string listUses(const PlanReport &report, const Kernel &kernel, bool isWritten) {
  std::string text;
  for (const PlanReport::Use &use : kernel.uses)
    if (isWritten ? use.isWritten : use.isRead) {
      const PlanReport::Buffer &buffer = report.buffers[use.buffer];
      text += (text.empty() ? "" : ", ") + buffer.name + " " + buffer.type;
    }
  return text;
}

static std::string describe(const PlanReport &report, const Kernel &kernel) {
  std::string text = kernel.name;
  if (!kernel.location.empty())
    text += " at " + kernel.location;
  text += "\nreads " + listUses(report, kernel, false) + "\nwrites " +
          listUses(report, kernel, true) + "\n" + formatBytes(kernel.bytesRead) + " read, " +
          formatBytes(kernel.bytesWritten) + " written, " + formatCount(kernel.flops) + " flops\n" +
          formatMicroseconds(kernel) + " us, " + formatRate(getTraffic(kernel), kernel) +
          " GB/s, " + formatRate(kernel.flops, kernel) + " GFLOP/s";
  return text;
}

//===- The graph -------------------------------------------------------------------===//

static constexpr int kBoxWidth = 210, kBoxHeight = 66, kGapX = 30, kGapY = 60, kMargin = 20;

namespace {
struct Place {
  int x, y;
};
} // namespace

/// A row for each group, from the top.
static std::vector<Place> placeKernels(const PlanReport &report, int &width, int &height) {
  std::vector<Place> places;
  std::vector<int> counts(report.getNumGroups());
  for (const Kernel &kernel : report.kernels)
    places.push_back({kMargin + counts[kernel.group]++ * (kBoxWidth + kGapX),
                      kMargin + int(kernel.group) * (kBoxHeight + kGapY)});
  int widest = counts.empty() ? 0 : *llvm::max_element(counts);
  width = 2 * kMargin + widest * (kBoxWidth + kGapX);
  height = 2 * kMargin + int(counts.size()) * (kBoxHeight + kGapY);
  return places;
}

static void printBox(const PlanReport &report, unsigned index, Place place, llvm::raw_ostream &os) {
  const Kernel &kernel = report.kernels[index];
  os << "<g class=\"kernel\"><title>" << escape(describe(report, kernel)) << "</title><rect x=\""
     << place.x << "\" y=\"" << place.y << "\" width=\"" << kBoxWidth << "\" height=\""
     << kBoxHeight << "\"/>";
  std::string types;
  for (const PlanReport::Use &use : kernel.uses)
    if (use.isWritten)
      types += (types.empty() ? "" : ", ") + report.buffers[use.buffer].type;
  const std::pair<std::string, StringRef> lines[] = {
      {shorten(std::to_string(index) + "  " + kernel.name, 32), ""},
      {shorten(types, 38), "small"},
      {formatBytes(getTraffic(kernel)) + ", " + formatCount(kernel.flops) + " flops", "small"},
      {kernel.start ? formatMicroseconds(kernel) + " us" : "", "small"}};
  for (auto [number, line] : llvm::enumerate(lines))
    if (!line.first.empty())
      os << "<text class=\"" << line.second << "\" x=\"" << place.x + 8 << "\" y=\""
         << place.y + 16 + 15 * int(number) << "\">" << escape(line.first) << "</text>";
  os << "</g>\n";
}

/// From the bottom of a box to the top of another. What passes a row goes through the gap beside
/// the boxes.
static void printPath(Place from, Place to, bool passesRows, llvm::raw_ostream &os) {
  int x1 = from.x + kBoxWidth / 2, y1 = from.y + kBoxHeight, x2 = to.x + kBoxWidth / 2,
      y2 = to.y - 4, bend = kGapY / 2;
  if (!passesRows) {
    os << "M" << x1 << ' ' << y1 << " C" << x1 << ' ' << y1 + bend << ' ' << x2 << ' ' << y2 - bend
       << ' ' << x2 << ' ' << y2;
    return;
  }
  int gap = from.x + kBoxWidth + kGapX / 2;
  x1 = from.x + kBoxWidth - kGapX;
  x2 = to.x + kBoxWidth - kGapX;
  os << "M" << x1 << ' ' << y1 << " C" << x1 << ' ' << y1 + bend << ' ' << gap << ' ' << y1 << ' '
     << gap << ' ' << y1 + kGapY << " L" << gap << ' ' << y2 - kGapY << " C" << gap << ' ' << y2
     << ' ' << x2 << ' ' << y2 - bend << ' ' << x2 << ' ' << y2;
}

static void printEdge(const PlanReport &report, const PlanReport::Edge &edge, unsigned to,
                      llvm::ArrayRef<Place> places, llvm::raw_ostream &os) {
  std::string text = report.kernels[edge.from].name + ": " + edge.reason;
  if (edge.buffer)
    text += " " + report.buffers[*edge.buffer].name + " " + report.buffers[*edge.buffer].type;
  bool passesRows = report.kernels[to].group > report.kernels[edge.from].group + 1;
  os << "<path class=\"edge " << edge.reason << "\" marker-end=\"url(#arrow)\" d=\"";
  printPath(places[edge.from], places[to], passesRows, os);
  os << "\"><title>" << escape(text) << "</title></path>\n";
}

static void printGraph(const PlanReport &report, llvm::raw_ostream &os) {
  int width, height;
  std::vector<Place> places = placeKernels(report, width, height);
  os << "<h2>Kernels and what they wait for</h2>\n<div class=\"scroll\"><svg width=\"" << width
     << "\" height=\"" << height
     << "\"><defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
        "markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" "
        "fill=\"#57606a\"/></marker></defs>\n";
  for (auto [index, kernel] : llvm::enumerate(report.kernels))
    for (const PlanReport::Edge &edge : kernel.edges)
      printEdge(report, edge, index, places, os);
  for (unsigned index = 0, e = report.kernels.size(); index != e; ++index)
    printBox(report, index, places[index], os);
  os << "</svg></div>\n";
}

//===- The time --------------------------------------------------------------------===//

static void printTimeline(const PlanReport &report, llvm::raw_ostream &os) {
  double end = 0;
  unsigned numThreads = 0;
  for (const Kernel &kernel : report.kernels)
    if (kernel.start) {
      end = std::max(end, *kernel.start + kernel.duration);
      numThreads = std::max(numThreads, kernel.thread + 1);
    }
  if (end <= 0)
    return;
  constexpr int width = 1000, left = 80, row = 30;
  os << "<h2>Threads over time</h2>\n<div class=\"scroll\"><svg width=\"" << left + width + kMargin
     << "\" height=\"" << row * int(numThreads) + 40 << "\">\n";
  for (unsigned thread = 0; thread != numThreads; ++thread)
    os << "<text x=\"8\" y=\"" << 26 + row * int(thread) << "\">thread " << thread << "</text>\n";
  for (const Kernel &kernel : report.kernels) {
    if (!kernel.start)
      continue;
    double x = left + *kernel.start / end * width;
    os << "<rect class=\"run\" x=\"" << llvm::format("%.2f", x) << "\" y=\""
       << 10 + row * int(kernel.thread) << "\" height=\"" << row - 8 << "\" width=\""
       << llvm::format("%.2f", std::max(kernel.duration / end * width, 1.0)) << "\"><title>"
       << escape(describe(report, kernel)) << "</title></rect>\n";
  }
  os << "<text class=\"small\" x=\"" << left << "\" y=\"" << row * int(numThreads) + 28
     << "\">0</text><text class=\"small\" text-anchor=\"end\" x=\"" << left + width << "\" y=\""
     << row * int(numThreads) + 28 << "\">" << llvm::format("%.1f", end) << " us</text>\n"
     << "</svg></div>\n";
}

//===- The memory ------------------------------------------------------------------===//

/// Offsets downwards, groups to the right.
static void printMemory(const PlanReport &report, llvm::raw_ostream &os) {
  if (report.arenaBytes == 0)
    return;
  constexpr int height = 240, column = 110, left = 90;
  double scale = double(height) / report.arenaBytes;
  os << "<h2>Memory for intermediates</h2>\n<p>" << report.arenaBytes << " bytes at the peak, "
     << report.intermediateBytes << " without sharing.</p>\n<div class=\"scroll\"><svg width=\""
     << left + column * int(report.getNumGroups()) + kMargin << "\" height=\"" << height + 50
     << "\">\n";
  for (unsigned group = 0, e = report.getNumGroups(); group != e; ++group)
    os << "<text class=\"small\" x=\"" << left + column * int(group) + 4 << "\" y=\"14\">group "
       << group + 1 << "</text><line class=\"axis\" x1=\"" << left + column * int(group)
       << "\" x2=\"" << left + column * int(group) << "\" y1=\"4\" y2=\"" << height + 24
       << "\"/>\n";
  for (auto [index, buffer] : llvm::enumerate(report.buffers)) {
    if (!buffer.offset || !buffer.bytes)
      continue;
    int first = -1, last = -1;
    for (const Kernel &kernel : report.kernels)
      for (const PlanReport::Use &use : kernel.uses)
        if (use.buffer == index) {
          first = first < 0 ? int(kernel.group) : std::min(first, int(kernel.group));
          last = std::max(last, int(kernel.group));
        }
    if (first < 0)
      continue;
    double y = 20 + *buffer.offset * scale;
    os << "<rect class=\"buffer\" x=\"" << left + column * first + 2 << "\" width=\""
       << column * (last - first + 1) - 4 << "\" y=\"" << llvm::format("%.2f", y) << "\" height=\""
       << llvm::format("%.2f", std::max(*buffer.bytes * scale, 1.0)) << "\"><title>"
       << escape(buffer.name + " " + buffer.type) << ", " << *buffer.bytes << " bytes at "
       << *buffer.offset << "</title></rect>\n";
    // Where there is room for it.
    if (*buffer.bytes * scale > 14)
      os << "<text class=\"small\" x=\"" << left + column * first + 8 << "\" y=\""
         << llvm::format("%.2f", y + 13) << "\">" << escape(buffer.name) << "</text>\n";
  }
  os << "<text class=\"small\" x=\"8\" y=\"30\">0</text><text class=\"small\" x=\"8\" y=\""
     << height + 20 << "\">" << formatBytes(report.arenaBytes) << "</text>\n</svg></div>\n";
}

//===- The page --------------------------------------------------------------------===//

static void printTable(const PlanReport &report, llvm::raw_ostream &os) {
  os << "<h2>Numbers</h2>\n<table>\n<tr>";
  for (StringRef header : {"kernel", "name", "group", "waits for", "reads", "writes", "read",
                           "written", "flops", "time us", "GB/s", "GFLOP/s", "thread"})
    os << "<th>" << header << "</th>";
  os << "</tr>\n";
  for (auto [index, kernel] : llvm::enumerate(report.kernels)) {
    std::string edges;
    for (const PlanReport::Edge &edge : kernel.edges)
      edges += (edges.empty() ? "" : ", ") + std::to_string(edge.from) + " " + edge.reason;
    os << "<tr><td>" << index << "</td>";
    for (const std::string &text :
         {kernel.name, std::to_string(kernel.group + 1), edges, listUses(report, kernel, false),
          listUses(report, kernel, true)})
      os << "<td>" << escape(text) << "</td>";
    for (const std::string &text :
         {formatBytes(kernel.bytesRead), formatBytes(kernel.bytesWritten),
          formatCount(kernel.flops), formatMicroseconds(kernel),
          formatRate(getTraffic(kernel), kernel), formatRate(kernel.flops, kernel),
          kernel.start ? std::to_string(kernel.thread) : "-"})
      os << "<td class=\"number\">" << text << "</td>";
    os << "</tr>\n";
  }
  os << "</table>\n";
}

void pypto::execution::printHtml(const PlanReport &report, llvm::raw_ostream &os) {
  os << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>"
     << escape(report.title) << "</title><style>" << kStyle << "</style></head>\n<body>\n<h1>"
     << escape(report.title) << ": " << report.kernels.size() << " kernels in "
     << report.getNumGroups() << " groups</h1>\n";
  printGraph(report, os);
  printTimeline(report, os);
  printMemory(report, os);
  printTable(report, os);
  os << "</body></html>\n";
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessedStorage.h"

#include "llvm/ADT/STLExtras.h"

using namespace pypto;
using namespace pypto::runtime;

/// Each access of all columns costs a look at every lane.
static constexpr size_t kMaxLanes = 64;

static uintptr_t getBegin(const PyptoAccess &access) {
  return reinterpret_cast<uintptr_t>(access.begin);
}
static uintptr_t getEnd(const PyptoAccess &access) {
  return reinterpret_cast<uintptr_t>(access.end);
}

int64_t runtime::countBytes(const PyptoAccess &access) {
  int64_t span = static_cast<const char *>(access.end) - static_cast<const char *>(access.begin);
  if (access.pitch <= 0)
    return span;
  return (span + access.pitch - access.rowBytes) / access.pitch * access.rowBytes;
}

void runtime::split(Segments &segments, uintptr_t point) {
  auto next = segments.lower_bound(point);
  if (next == segments.begin())
    return;
  Segment &segment = std::prev(next)->second;
  if (segment.end <= point)
    return;
  Segment rest = segment;
  segment.end = point;
  segments.emplace_hint(next, point, std::move(rest));
}

//===- Parts ------------------------------------------------------------------------===//

AccessedStorage::Parts AccessedStorage::getParts(const PyptoAccess &access) const {
  uintptr_t begin = getBegin(access), end = getEnd(access);
  if (begin >= end)
    return {};
  if (pitch == 0 || static_cast<uintptr_t>(access.pitch) != pitch)
    return getParts(begin, end);
  uintptr_t column = (begin - base) % pitch;
  if (column + access.rowBytes > pitch)
    return getParts(begin, end);
  return {{column, column + access.rowBytes, (begin - base) / pitch, (end - 1 - base) / pitch + 1}};
}

/// A range of bytes is the end of a row, whole rows, and the beginning of a row.
AccessedStorage::Parts AccessedStorage::getParts(uintptr_t begin, uintptr_t end) const {
  if (pitch == 0)
    return {{0, 1, begin, end}};
  uintptr_t first = begin - base, last = end - base;
  if (first / pitch == (last - 1) / pitch)
    return {{first % pitch, (last - 1) % pitch + 1, first / pitch, first / pitch + 1}};
  Parts parts;
  uintptr_t firstWhole = (first + pitch - 1) / pitch, lastWhole = last / pitch;
  if (first % pitch != 0)
    parts.push_back({first % pitch, pitch, firstWhole - 1, firstWhole});
  if (firstWhole < lastWhole)
    parts.push_back({0, pitch, firstWhole, lastWhole});
  if (last % pitch != 0)
    parts.push_back({0, last % pitch, lastWhole, lastWhole + 1});
  return parts;
}

void AccessedStorage::visit(llvm::ArrayRef<Part> parts,
                            llvm::function_ref<void(Lane &, uintptr_t, uintptr_t)> visit) {
  for (const Part &part : parts) {
    auto lane = std::prev(lanes.upper_bound(part.firstColumn));
    for (; lane != lanes.end() && lane->first < part.lastColumn; ++lane)
      visit(lane->second, part.begin, part.end);
  }
}

void AccessedStorage::visitAll(llvm::function_ref<void(Segment &)> visit) {
  for (auto &[column, lane] : lanes)
    for (auto &[begin, segment] : lane.segments)
      visit(segment);
}

//===- The grid ----------------------------------------------------------------------===//

AccessedStorage::Parts AccessedStorage::prepare(const PyptoAccess &access) {
  if (getBegin(access) >= getEnd(access))
    return {};
  // Compiled code gives the allocation that the bytes are in.
  assert(getBegin(access) >= base && "expects bytes of the storage");
  if (access.pitch > 0 && mayHaveGrid) {
    if (pitch == 0)
      adoptPitch(access.pitch);
    else if (static_cast<uintptr_t>(access.pitch) != pitch)
      flatten();
  }
  Parts parts = getParts(access);
  if (pitch == 0)
    return parts;
  splitLanes(parts);
  if (lanes.size() <= kMaxLanes)
    return parts;
  flatten();
  return getParts(access);
}

void AccessedStorage::splitLanes(llvm::ArrayRef<Part> parts) {
  for (const Part &part : parts) {
    splitLane(part.firstColumn);
    splitLane(part.lastColumn);
  }
}

void AccessedStorage::splitLane(uintptr_t column) {
  auto next = lanes.lower_bound(column);
  if (next != lanes.end() && next->first == column)
    return;
  Lane &lane = std::prev(next)->second;
  if (lane.end <= column)
    return;
  Lane rest = lane;
  lane.end = column;
  lanes.emplace_hint(next, column, std::move(rest));
}

void AccessedStorage::adoptPitch(uintptr_t newPitch) {
  std::map<uintptr_t, Lane> flat = std::move(lanes);
  const Segments &old = flat.begin()->second.segments;
  pitch = newPitch;
  lanes.clear();
  lanes.emplace(0, Lane{pitch, {}});
  for (auto it = old.begin(); it != old.end() && lanes.size() <= kMaxLanes; ++it) {
    Parts parts = getParts(it->first, it->second.end);
    splitLanes(parts);
    visit(parts, [&](Lane &lane, uintptr_t begin, uintptr_t end) {
      Segment rows = it->second;
      rows.end = end;
      lane.segments.emplace(begin, std::move(rows));
    });
  }
  if (lanes.size() <= kMaxLanes)
    return;
  lanes = std::move(flat);
  pitch = 0;
  mayHaveGrid = false;
}

/// Adds those of `from` that are not there.
static void unite(Tasks &tasks, llvm::ArrayRef<TaskRef> from) {
  for (const TaskRef &task : from)
    if (!llvm::is_contained(tasks, task))
      tasks.push_back(task);
}

/// Whoever accessed `from` has accessed this range as well.
static void unite(Segments &segments, uintptr_t begin, const Segment &from) {
  split(segments, begin);
  split(segments, from.end);
  uintptr_t at = begin;
  auto fill = [&](Segments::iterator next, uintptr_t end) {
    if (at < end)
      segments.emplace_hint(next, at, from)->second.end = end;
  };
  auto it = segments.lower_bound(begin);
  for (; it != segments.end() && it->first < from.end; ++it) {
    Segment &segment = it->second;
    fill(it, it->first);
    at = segment.end;
    unite(segment.writers, from.writers);
    unite(segment.readers, from.readers);
    unite(segment.accumulators, from.accumulators);
    segment.isOrdered = false;
  }
  fill(it, from.end);
}

void AccessedStorage::flatten() {
  Lane flat{1, {}};
  for (auto &[column, lane] : lanes)
    for (auto &[row, rows] : lane.segments) {
      Segment bytes = rows;
      bytes.end = base + (rows.end - 1) * pitch + lane.end;
      unite(flat.segments, base + row * pitch + column, bytes);
    }
  lanes.clear();
  lanes.emplace(0, std::move(flat));
  pitch = 0;
  mayHaveGrid = false;
}

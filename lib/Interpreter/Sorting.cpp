// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting and merging of rows, the greatest first; equal values keep their order.
#include "Computation.h"

#include <algorithm>

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

namespace {
/// A value and where it comes from.
struct Entry {
  Number value;
  int64_t position;
};
} // namespace

/// Orders the entries of one row.
using OrderFn = llvm::function_ref<void(std::vector<Entry> &,
                                        llvm::function_ref<bool(const Entry &, const Entry &)>)>;

/// Rows are whole runs; indices are there for all values.
static LogicalResult checkRows(Machine &machine, Operation *op, const View &view, Value indices,
                               int64_t run) {
  if (view.shape.back() % run != 0)
    return machine.emitError(op, "expects rows of a multiple of ")
           << run << " elements, but got " << view.shape.back();
  if (!indices)
    return success();
  const View &places = machine.getView(indices);
  if (places.shape != view.shape)
    return machine.emitError(op, "expects indices of shape ")
           << execution::formatShape(view.shape) << ", but got "
           << execution::formatShape(places.shape);
  for (auto [dim, size, needed] : llvm::enumerate(places.valid, view.valid))
    if (size < needed)
      return machine.emitError(op, "expects a valid extent of the indices of at least ")
             << needed << " in dimension " << dim << ", but got " << size;
  return success();
}

/// Sorts each row of runs of `run` as `order` says. Without `indices` the positions are the
/// indices.
static LogicalResult sortRows(Machine &machine, Operation *op, Value indices, int64_t run,
                              OrderFn order) {
  View view = machine.getView(op->getOperand(0));
  if (failed(checkRows(machine, op, view, indices, run)))
    return failure();
  Reader values(machine, op, 0, view, getElement(op->getOperand(0)));
  FailureOr<View> sorted =
                      machine.allocate(op, getElement(op->getResult(0)), {view.shape, view.valid}),
                  places =
                      machine.allocate(op, getElement(op->getResult(1)), {view.shape, view.valid});
  if (failed(sorted) || failed(places))
    return failure();
  Format format(getElement(op->getResult(1)));
  auto isBefore = [&](const Entry &lhs, const Entry &rhs) {
    return isGreater(values.getFormat(), lhs.value, rhs.value);
  };
  Sizes outer(view.valid);
  int64_t length = outer.back();
  outer.back() = length == 0 ? 0 : 1;
  forEachIndex(outer, [&](ArrayRef<int64_t> row) {
    Sizes from(row), to(row);
    std::vector<Entry> entries;
    for (from.back() = 0; from.back() != length; ++from.back())
      entries.push_back({values(from), from.back()});
    order(entries, isBefore);
    for (to.back() = 0; to.back() != length; ++to.back()) {
      from.back() = entries[to.back()].position;
      moveElement(view, from, *sorted, to, values.getFormat().getSize());
      if (indices)
        moveElement(machine.getView(indices), from, *places, to, format.getSize());
      else
        store(*places, to, format, format.makeInteger(from.back()));
    }
  });
  return failed(machine.define(op->getResult(0), std::move(*sorted)))
             ? failure()
             : machine.define(op->getResult(1), std::move(*places));
}

template <typename OpTy> static LogicalResult runSort32(Machine &machine, OpTy op) {
  constexpr size_t run = 32;
  return sortRows(machine, op, op.getIndices(), run,
                  [&](std::vector<Entry> &entries, auto isBefore) {
                    for (size_t start = 0; start < entries.size(); start += run) {
                      auto begin = entries.begin() + start;
                      std::sort(begin, begin + std::min(run, entries.size() - start),
                                [&](const Entry &lhs, const Entry &rhs) {
                                  bool isEqual = !isBefore(lhs, rhs) && !isBefore(rhs, lhs);
                                  return isEqual ? lhs.position < rhs.position : isBefore(lhs, rhs);
                                });
                    }
                  });
}

/// Takes again and again the first of the entries in front of `runs`, of equal ones that of the
/// first run.
static void merge(SmallVectorImpl<ArrayRef<Entry>> &runs, std::vector<Entry> &merged,
                  llvm::function_ref<bool(const Entry &, const Entry &)> isBefore) {
  while (true) {
    ArrayRef<Entry> *best = nullptr;
    for (ArrayRef<Entry> &run : runs)
      if (!run.empty() && (!best || isBefore(run.front(), best->front())))
        best = &run;
    if (!best)
      return;
    merged.push_back(best->front());
    *best = best->drop_front();
  }
}

template <typename OpTy> static LogicalResult runMergeSort(Machine &machine, OpTy op) {
  constexpr size_t ways = 4;
  auto run = static_cast<size_t>(op.getRun());
  return sortRows(machine, op, op.getIndices(), run,
                  [&](std::vector<Entry> &entries, auto isBefore) {
                    std::vector<Entry> merged;
                    ArrayRef<Entry> rest(entries);
                    while (!rest.empty()) {
                      SmallVector<ArrayRef<Entry>, ways> runs;
                      for (size_t way = 0; way != ways && !rest.empty(); ++way) {
                        runs.push_back(rest.take_front(run));
                        rest = rest.drop_front(runs.back().size());
                      }
                      merge(runs, merged, isBefore);
                    }
                    entries = std::move(merged);
                  });
}

void interpreter::addSorting(Table &table) {
  table.add<pl::Sort32Op>(runSort32<pl::Sort32Op>);
  table.add<tile::Sort32Op>(runSort32<tile::Sort32Op>);
  table.add<pl::MrgsortOp>(runMergeSort<pl::MrgsortOp>);
  table.add<tile::MrgsortOp>(runMergeSort<tile::MrgsortOp>);
}

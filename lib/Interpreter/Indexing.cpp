// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements by index.
#include "Computation.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

/// A number of an index tensor; an error unless it is below `extent`.
static FailureOr<int64_t> readIndex(Machine &machine, Operation *op, const Reader &indices,
                                    ArrayRef<int64_t> at, unsigned dim, int64_t extent) {
  int64_t index = indices(at).getSigned();
  if (index < 0 || index >= extent)
    return machine.emitError(op, "is out of bounds: expects an index below ")
           << extent << " in dimension " << dim << ", but got " << index << " at "
           << execution::formatShape(at);
  return index;
}

template <typename OpTy> static LogicalResult runGather(Machine &machine, OpTy op) {
  const View &source = machine.getView(op.getSource());
  Reader indices(machine, op, 1, machine.getView(op.getIndices()), getElement(op.getIndices()));
  Type element = getElement(op.getSource());
  Extents extents{indices.getView().shape, indices.getView().valid};
  FailureOr<View> result = machine.allocate(op, element, extents);
  if (failed(result))
    return failure();
  unsigned size = Format(element).getSize(), dim = op.getDim();
  LogicalResult isInside = success();
  forEachIndex(extents.valid, [&](ArrayRef<int64_t> at) {
    if (failed(isInside))
      return;
    FailureOr<int64_t> index = readIndex(machine, op, indices, at, dim, source.shape[dim]);
    if (failed(index)) {
      isInside = failure();
      return;
    }
    Sizes from(at);
    from[dim] = *index;
    if (failed(machine.checkIndex(op, from, source.shape)))
      isInside = failure();
    else
      moveElement(source, from, *result, at, size);
  });
  return failed(isInside) ? failure() : machine.define(op.getResult(), std::move(*result));
}

//===- Scatters ---------------------------------------------------------------===//

/// What is written: a tensor itself, or a copy of a tile.
static FailureOr<View> getTarget(Machine &machine, Operation *op, Value target) {
  const View &view = machine.getView(target);
  if (isa<pl::TensorType>(target.getType()))
    return view;
  FailureOr<View> copied = machine.allocate(op, getElement(target), {view.shape, view.valid});
  if (succeeded(copied))
    machine.copy(view, *copied, view.valid, Format(getElement(target)).getSize());
  return copied;
}

/// A copy of an operand, which may be the storage that is written.
static FailureOr<View> snapshot(Machine &machine, Operation *op, Value value) {
  const View &view = machine.getView(value);
  FailureOr<View> copied = machine.allocate(op, getElement(value), {view.shape, view.valid});
  if (succeeded(copied))
    machine.copy(view, *copied, view.valid, Format(getElement(value)).getSize());
  return copied;
}

/// The places that are written are found, and checked, by `place` for each of `sizes` in order.
static LogicalResult
scatter(Machine &machine, Operation *op, Value target, const View &source, const Sizes &sizes,
        llvm::function_ref<LogicalResult(ArrayRef<int64_t>, Sizes &, Sizes &)> place) {
  FailureOr<View> result = getTarget(machine, op, target);
  if (failed(result))
    return failure();
  unsigned size = Format(getElement(target)).getSize();
  LogicalResult isInside = success();
  bool isTile = !isa<pl::TensorType>(target.getType());
  forEachIndex(sizes, [&](ArrayRef<int64_t> at) {
    Sizes from, to;
    if (failed(isInside) || failed(place(at, from, to)) ||
        failed(machine.checkIndex(op, to, result->shape))) {
      isInside = failure();
      return;
    }
    // What is not valid in a tile does not stay.
    if (!isTile || result->isValid(to))
      moveElement(source, from, *result, to, size);
  });
  return failed(isInside) ? failure() : machine.define(op->getResult(0), std::move(*result));
}

template <typename OpTy> static LogicalResult runScatter(Machine &machine, OpTy op, Value target) {
  FailureOr<View> source = snapshot(machine, op, op.getSource()),
                  numbers = snapshot(machine, op, op.getIndices());
  if (failed(source) || failed(numbers))
    return failure();
  Reader indices(machine, op, 1, *numbers, getElement(op.getIndices()));
  Sizes sizes;
  for (auto [left, right] : llvm::zip_equal(source->valid, numbers->valid))
    sizes.push_back(std::min(left, right));
  unsigned dim = op.getDim();
  int64_t extent = machine.getView(target).shape[dim];
  return scatter(machine, op, target, *source, sizes,
                 [&](ArrayRef<int64_t> at, Sizes &from, Sizes &to) -> LogicalResult {
                   FailureOr<int64_t> index = readIndex(machine, op, indices, at, dim, extent);
                   if (failed(index))
                     return failure();
                   from.assign(at.begin(), at.end());
                   to = from;
                   to[dim] = *index;
                   return success();
                 });
}

/// Row k goes with index k in row-major order of the whole extents.
template <typename OpTy>
static LogicalResult runScatterUpdate(Machine &machine, OpTy op, Value target) {
  FailureOr<View> source = snapshot(machine, op, op.getSource()),
                  numbers = snapshot(machine, op, op.getIndices());
  if (failed(source) || failed(numbers))
    return failure();
  if (int64_t count = execution::countElements(numbers->shape).value_or(0);
      count != source->shape[0])
    return machine.emitError(op, "expects as many indices as the source has rows, ")
           << source->shape[0] << ", but got " << count;
  if (int64_t length = machine.getView(target).shape[1]; length != source->shape[1])
    return machine.emitError(op, "expects rows of ")
           << length << " elements, but got " << source->shape[1];
  Reader indices(machine, op, 1, *numbers, getElement(op.getIndices()));
  Sizes sizes = numbers->valid, strides = getDenseStrides(numbers->shape);
  sizes.push_back(source->valid[1]);
  int64_t extent = machine.getView(target).shape[0];
  return scatter(machine, op, target, *source, sizes,
                 [&](ArrayRef<int64_t> at, Sizes &from, Sizes &to) -> LogicalResult {
                   ArrayRef<int64_t> position = at.drop_back();
                   FailureOr<int64_t> index = readIndex(machine, op, indices, position, 0, extent);
                   if (failed(index))
                     return failure();
                   int64_t row = 0;
                   for (auto [number, stride] : llvm::zip_equal(position, strides))
                     row += number * stride;
                   from = {row, at.back()};
                   to = {*index, at.back()};
                   return machine.checkIndex(op, from, source->shape);
                 });
}

void interpreter::addIndexing(Table &table) {
  table.add<pl::GatherOp>(runGather<pl::GatherOp>);
  table.add<tile::GatherOp>(runGather<tile::GatherOp>);
  table.add<pl::ScatterOp>(+[](Machine &machine, pl::ScatterOp op) {
    return runScatter(machine, op, op.getDestination());
  });
  table.add<tile::ScatterOp>(+[](Machine &machine, tile::ScatterOp op) {
    return runScatter(machine, op, op.getTarget());
  });
  table.add<pl::ScatterUpdateOp>(+[](Machine &machine, pl::ScatterUpdateOp op) {
    return runScatterUpdate(machine, op, op.getDestination());
  });
  table.add<tile::ScatterUpdateOp>(+[](Machine &machine, tile::ScatterUpdateOp op) {
    return runScatterUpdate(machine, op, op.getTarget());
  });
}

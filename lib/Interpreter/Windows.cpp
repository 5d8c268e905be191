// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Storage, windows of it, and what is said about elements.
#include "Machine.h"

#include <cstring>

using namespace mlir;
using namespace pypto;
using namespace pypto::interpreter;

FailureOr<View> Machine::allocate(Operation *op, Type element, const Extents &extents) {
  if (!Format::isElement(element))
    return emitError(op, "expects elements that a CPU knows, but got ") << element;
  std::shared_ptr<Storage> storage = Storage::create(Format(element).getSize(), extents.shape);
  if (!storage)
    return emitError(op, "cannot allocate a tensor of shape ")
           << execution::formatShape(extents.shape);
  return View{std::move(storage), 0, extents.shape, getDenseStrides(extents.shape), extents.valid};
}

FailureOr<View> Machine::allocate(Operation *op, pl::ExtentTypeInterface type, ValueRange dynamic) {
  FailureOr<Extents> extents = evaluateType(op, type, dynamic);
  if (failed(extents))
    return failure();
  return allocate(op, type.getElementType(), *extents);
}

LogicalResult Machine::checkIndex(Operation *op, unsigned dim, int64_t index, int64_t extent) {
  if (index >= 0 && index < extent)
    return success();
  return emitError(op, "is out of bounds: expects an index below ")
         << extent << " in dimension " << dim << ", but got " << index;
}

LogicalResult Machine::checkIndex(Operation *op, ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  for (auto [dim, position, extent] : llvm::enumerate(index, shape))
    if (failed(checkIndex(op, dim, position, extent)))
      return failure();
  return success();
}

FailureOr<View> Machine::getWindow(Operation *op, const View &view, ArrayRef<int64_t> offsets,
                                   ArrayRef<int64_t> sizes) {
  size_t numLeading = view.shape.size() - sizes.size();
  bool isEmpty = llvm::is_contained(sizes, 0);
  View window{view.storage, view.offset, Sizes(sizes), {}, Sizes(sizes)};
  for (size_t dim = 0; dim != view.shape.size(); ++dim) {
    int64_t size = dim < numLeading ? 1 : sizes[dim - numLeading];
    bool isInside = offsets[dim] >= 0 && offsets[dim] <= view.shape[dim] - size;
    if (!isInside)
      return emitError(op, "is out of bounds: expects a window inside of dimension ")
             << dim << ", which has " << view.shape[dim] << " elements, but got " << size
             << " from " << offsets[dim] << " on";
    // One without elements may end behind the storage.
    if (!isEmpty)
      window.offset += offsets[dim] * view.strides[dim];
    if (dim >= numLeading)
      window.strides.push_back(view.strides[dim]);
  }
  return window;
}

/// Copies elements that stand one behind the other in `count` places.
static void copyRun(const View &source, int64_t from, int64_t fromStride, const View &target,
                    int64_t to, int64_t toStride, int64_t count, unsigned elementSize) {
  if (fromStride == 1 && toStride == 1)
    std::memmove(target.storage->element(to), source.storage->element(from), count * elementSize);
  for (int64_t i = 0; i != count; ++i, from += fromStride, to += toStride) {
    if (fromStride != 1 || toStride != 1)
      std::memcpy(target.storage->element(to), source.storage->element(from), elementSize);
    target.storage->state(to) = source.storage->state(from);
  }
}

void Machine::copy(const View &source, const View &target, ArrayRef<int64_t> sizes,
                   unsigned elementSize) {
  Sizes kept;
  for (auto [size, valid] : llvm::zip_equal(sizes, source.valid))
    kept.push_back(std::min(size, valid));
  if (kept.empty())
    return copyRun(source, source.offset, 1, target, target.offset, 1, 1, elementSize);
  int64_t count = kept.back();
  kept.back() = count == 0 ? 0 : 1;
  forEachIndex(kept, [&](ArrayRef<int64_t> index) {
    copyRun(source, source.locate(index), source.strides.back(), target, target.locate(index),
            target.strides.back(), count, elementSize);
  });
}

void interpreter::moveElement(const View &source, ArrayRef<int64_t> from, const View &target,
                              ArrayRef<int64_t> to, unsigned elementSize) {
  int64_t position = target.locate(to);
  if (!source.isValid(from)) {
    std::memset(target.storage->element(position), 0, elementSize);
    target.storage->state(position) = State::Unset;
    return;
  }
  copyRun(source, source.locate(from), 1, target, position, 1, 1, elementSize);
}

void Machine::noteUndefined(Operation *op, const Twine &what,
                            std::optional<ArrayRef<int64_t>> index) {
  if (!options.warnUndefined || !reported.insert(op).second)
    return;
  InFlightDiagnostic diag = op->emitWarning("uses what nothing has given a value: ") << what;
  if (index)
    diag << " at " << execution::formatShape(*index);
}

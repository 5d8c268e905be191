// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Values.h"

#include "llvm/Support/MathExtras.h"
#include <cstdlib>

using namespace pypto;
using namespace pypto::interpreter;

std::shared_ptr<Storage> Storage::create(unsigned elementSize, llvm::ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = execution::countElements(shape);
  int64_t bytes;
  if (!count || llvm::MulOverflow<int64_t>(*count, elementSize, bytes))
    return nullptr;
  auto storage = std::make_shared<Storage>();
  storage->elementSize = elementSize;
  storage->owned.reset(static_cast<char *>(std::calloc(*count ? *count : 1, elementSize)));
  storage->states.reset(static_cast<State *>(std::calloc(*count ? *count : 1, sizeof(State))));
  storage->data = storage->owned.get();
  return storage->owned && storage->states ? storage : nullptr;
}

std::shared_ptr<Storage> Storage::wrap(std::shared_ptr<execution::Array> array) {
  auto storage = std::make_shared<Storage>();
  storage->elementSize = array->getDType().size;
  storage->data = array->data();
  int64_t count = array->getNumElements();
  storage->states.reset(static_cast<State *>(std::malloc(count ? count : 1)));
  if (!storage->states)
    return nullptr;
  std::fill_n(storage->states.get(), count, State::Set);
  storage->array = std::move(array);
  return storage;
}

Sizes interpreter::getDenseStrides(llvm::ArrayRef<int64_t> shape) {
  Sizes strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

bool interpreter::isDense(const View &view) {
  Sizes strides = getDenseStrides(view.shape);
  if (llvm::is_contained(view.shape, 0))
    return true;
  for (auto [extent, own, dense] : llvm::zip_equal(view.shape, view.strides, strides))
    if (extent != 1 && own != dense)
      return false;
  return true;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the values of a program are while it runs.
#ifndef PYPTO_LIB_INTERPRETER_VALUES_H
#define PYPTO_LIB_INTERPRETER_VALUES_H

#include "Elements.h"

#include "pypto/ExecutionEngine/Array.h"

#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <variant>

namespace pypto::interpreter {

using Sizes = llvm::SmallVector<int64_t, 4>;

/// Bytes, and for each element whether something has given it a value. What has none is zero.
class Storage {
public:
  /// Fails if there is no memory for it.
  static std::shared_ptr<Storage> create(unsigned elementSize, llvm::ArrayRef<int64_t> shape);
  /// Storage of the caller's, every element of which has a value. Null without memory for it.
  static std::shared_ptr<Storage> wrap(std::shared_ptr<execution::Array> array);

  char *element(int64_t number) { return data + number * elementSize; }
  State &state(int64_t number) { return states.get()[number]; }

private:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  char *data = nullptr;
  unsigned elementSize = 0;
  std::unique_ptr<char, Free> owned;
  std::unique_ptr<State, Free> states;
  std::shared_ptr<execution::Array> array;
};

/// A tensor, or a tile: storage seen under extents. Copies of a tensor see the same storage; the
/// storage of a tile is written only by the operation that makes it.
struct View {
  std::shared_ptr<Storage> storage;
  int64_t offset = 0;
  Sizes shape, strides, valid;

  int64_t getRank() const { return shape.size(); }
  int64_t locate(llvm::ArrayRef<int64_t> index) const {
    int64_t number = offset;
    for (auto [position, stride] : llvm::zip_equal(index, strides))
      number += position * stride;
    return number;
  }
  bool isValid(llvm::ArrayRef<int64_t> index) const {
    return llvm::all_of(llvm::zip_equal(index, valid),
                        [](auto pair) { return std::get<0>(pair) < std::get<1>(pair); });
  }
};

struct RuntimeValue;
/// A variable; nothing as long as it is not bound.
struct Cell {
  std::shared_ptr<RuntimeValue> value;
};

/// A scalar or the id of a task; a tensor or tile; a cell; a small array.
struct RuntimeValue
    : std::variant<Number, View, std::shared_ptr<Cell>, std::shared_ptr<std::vector<Number>>> {
  using variant::variant;
};

/// Strides of rows that follow one another.
Sizes getDenseStrides(llvm::ArrayRef<int64_t> shape);
/// True if the elements follow one another in row-major order.
bool isDense(const View &view);

/// Calls `fn` with each index below `sizes`, in row-major order.
template <typename Fn> void forEachIndex(llvm::ArrayRef<int64_t> sizes, Fn fn) {
  if (llvm::is_contained(sizes, 0))
    return;
  Sizes index(sizes.size(), 0);
  while (true) {
    fn(llvm::ArrayRef<int64_t>(index));
    size_t axis = sizes.size();
    while (axis-- > 0 && ++index[axis] == sizes[axis])
      index[axis] = 0;
    if (axis == static_cast<size_t>(-1))
      return;
  }
}

} // namespace pypto::interpreter

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_ARRAY_H
#define PYPTO_EXECUTIONENGINE_ARRAY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

namespace pypto::execution {

/// An error with one line of text.
llvm::Error makeError(const llvm::Twine &message);

/// An element type as NumPy names it: a kind (`b`, `i`, `u`, `f`, `c`) and a number of bytes.
struct DType {
  char kind = 'f';
  unsigned size = 4;

  bool operator==(const DType &) const = default;
  /// E.g. "float32".
  std::string str() const;
};

/// E.g. "(3, 4)".
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// Product of the extents; nothing if one is negative or the product does not fit.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// An array in host memory, in row-major order, 64-byte aligned.
class Array {
public:
  Array() = default;
  /// All zero. Fails if the size does not fit in memory.
  static llvm::Expected<Array> create(DType dtype, llvm::ArrayRef<int64_t> shape);

  /// Fails if memory runs out.
  llvm::Expected<Array> clone() const;

  DType getDType() const { return dtype; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getNumElements() const { return *countElements(shape); }
  int64_t getNumBytes() const { return getNumElements() * dtype.size; }
  char *data() { return buffer.get(); }
  const char *data() const { return buffer.get(); }
  /// Pointer to the element with this row-major number.
  char *element(int64_t index) { return buffer.get() + index * dtype.size; }
  const char *element(int64_t index) const { return buffer.get() + index * dtype.size; }

private:
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  DType dtype;
  llvm::SmallVector<int64_t> shape;
  std::unique_ptr<char, Free> buffer;
};

/// Reads a `.npy` file of versions 1 and 2: any byte order, C or Fortran order.
llvm::Expected<Array> readNpy(llvm::StringRef path);

/// Writes the bytes of a `.npy` file that holds `array`, little-endian and in C order.
void writeNpy(llvm::raw_ostream &os, const Array &array);

} // namespace pypto::execution

#endif

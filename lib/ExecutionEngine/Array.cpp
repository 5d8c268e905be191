// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Array.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <sys/mman.h>

using namespace pypto::execution;

llvm::Error pypto::execution::makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

std::string DType::str() const {
  std::string bits = std::to_string(size * 8);
  switch (kind) {
  case 'b':
    return "bool";
  case 'i':
    return "int" + bits;
  case 'u':
    return "uint" + bits;
  case 'f':
    return "float" + bits;
  case 'c':
    return "complex" + bits;
  default:
    return std::string(1, kind) + std::to_string(size);
  }
}

std::string pypto::execution::formatShape(llvm::ArrayRef<int64_t> shape) {
  std::string text = "(";
  text += llvm::join(llvm::map_range(shape, [](int64_t n) { return std::to_string(n); }), ", ");
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::optional<int64_t> pypto::execution::countElements(llvm::ArrayRef<int64_t> shape) {
  if (llvm::any_of(shape, [](int64_t n) { return n < 0; }))
    return std::nullopt;
  // An empty array has no elements, however large its other extents are.
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t n : shape)
    if (llvm::MulOverflow(count, n, count))
      return std::nullopt;
  return count;
}

llvm::Expected<Array> Array::create(DType dtype, llvm::ArrayRef<int64_t> shape) {
  constexpr int64_t hugePage = 2 << 20;
  std::optional<int64_t> count = countElements(shape);
  int64_t bytes = 0;
  bool fits = count && !llvm::MulOverflow<int64_t>(*count, dtype.size, bytes) &&
              bytes <= INT64_MAX - hugePage;
  // From this size on memory comes in huge pages.
  bool isHuge = bytes >= 2 * hugePage;
  int64_t alignment = isHuge ? hugePage : 64;
  char *memory = nullptr;
  if (fits)
    // At least one byte: an empty array has an address of its own, too.
    memory = static_cast<char *>(
        std::aligned_alloc(alignment, llvm::alignTo(bytes ? bytes : 1, alignment)));
  if (!memory)
    return makeError("cannot allocate an array of shape " + formatShape(shape) + " and dtype " +
                     dtype.str());
  if (isHuge)
    madvise(memory, bytes, MADV_HUGEPAGE);
  std::memset(memory, 0, bytes);
  Array array;
  array.dtype = dtype;
  array.shape.assign(shape.begin(), shape.end());
  array.buffer.reset(memory);
  return array;
}

llvm::Expected<Array> Array::clone() const {
  llvm::Expected<Array> copy = create(dtype, shape);
  if (copy)
    std::memcpy(copy->data(), data(), getNumBytes());
  return copy;
}

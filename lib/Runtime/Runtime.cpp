// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C ABI that compiled code calls.
#include "pypto/Runtime/Runtime.h"

#include "llvm/ADT/STLExtras.h"
#include <cstdint>
#include <cstring>

using namespace pypto;

//===- Copies between strided buffers ---------------------------------------===//

namespace {
/// What a descriptor of a ranked buffer looks like in memory; sizes and strides follow.
struct Descriptor {
  char *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};
struct UnrankedDescriptor {
  int64_t rank;
  Descriptor *descriptor;
};
} // namespace

static void copyStrided(int64_t elementSize, int64_t rank, const int64_t *sizes, const char *from,
                        const int64_t *fromStrides, char *to, const int64_t *toStrides) {
  if (rank == 0) {
    std::memcpy(to, from, elementSize);
    return;
  }
  if (rank == 1 && *fromStrides == 1 && *toStrides == 1) {
    std::memcpy(to, from, elementSize * *sizes);
    return;
  }
  for (int64_t i = 0; i < *sizes; ++i)
    copyStrided(elementSize, rank - 1, sizes + 1, from + i * *fromStrides * elementSize,
                fromStrides + 1, to + i * *toStrides * elementSize, toStrides + 1);
}

/// What the lowering of `memref.copy` calls for buffers that are not contiguous.
static void memrefCopy(int64_t elementSize, UnrankedDescriptor *from, UnrankedDescriptor *to) {
  int64_t rank = from->rank;
  const Descriptor &source = *from->descriptor, &target = *to->descriptor;
  copyStrided(elementSize, rank, source.sizesAndStrides,
              source.aligned + source.offset * elementSize, source.sizesAndStrides + rank,
              target.aligned + target.offset * elementSize, target.sizesAndStrides + rank);
}

//===- 8-bit floats -----------------------------------------------------------===//

/// The formats in the order of their numbers.
static llvm::ArrayRef<const llvm::fltSemantics *> getFloat8Formats() {
  static const llvm::fltSemantics *const formats[] = {
      &llvm::APFloat::Float8E5M2(),     &llvm::APFloat::Float8E4M3(),
      &llvm::APFloat::Float8E4M3FN(),   &llvm::APFloat::Float8E5M2FNUZ(),
      &llvm::APFloat::Float8E4M3FNUZ(), &llvm::APFloat::Float8E4M3B11FNUZ(),
      &llvm::APFloat::Float8E3M4(),     &llvm::APFloat::Float8E8M0FNU(),
  };
  return formats;
}

std::optional<unsigned> runtime::getFloat8Kind(const llvm::fltSemantics &semantics) {
  for (auto [kind, format] : llvm::enumerate(getFloat8Formats()))
    if (format == &semantics)
      return kind;
  return std::nullopt;
}

static double float8ToDouble(int32_t kind, uint8_t bits) {
  llvm::APFloat value(*getFloat8Formats()[kind], llvm::APInt(8, bits));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

/// What does not fit becomes an infinity, or a NaN in a format that has none.
static uint8_t doubleToFloat8(int32_t kind, double number) {
  llvm::APFloat value(number);
  bool losesInfo;
  value.convert(*getFloat8Formats()[kind], llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

llvm::ArrayRef<runtime::Symbol> runtime::getSymbols() {
  static const Symbol symbols[] = {
      {"memrefCopy", reinterpret_cast<void *>(&memrefCopy)},
      {"pypto_f8_to_f64", reinterpret_cast<void *>(&float8ToDouble)},
      {"pypto_f64_to_f8", reinterpret_cast<void *>(&doubleToFloat8)},
  };
  return symbols;
}

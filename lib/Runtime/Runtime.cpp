// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C ABI that compiled code calls.
#include "pypto/Runtime/Runtime.h"

#include <bit>
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

llvm::ArrayRef<runtime::Symbol> runtime::getSymbols() {
  static const Symbol symbols[] = {
      {"memrefCopy", reinterpret_cast<void *>(&memrefCopy)},
  };
  return symbols;
}

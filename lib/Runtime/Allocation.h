// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the JIT links in place of the C library's functions of these names.
#ifndef PYPTO_LIB_RUNTIME_ALLOCATION_H
#define PYPTO_LIB_RUNTIME_ALLOCATION_H

#include <cstddef>

namespace pypto::runtime {

void *allocate(size_t bytes);
void *allocateAligned(size_t alignment, size_t bytes);
void *allocateZeroed(size_t count, size_t bytes);
/// Bytes that are gained when this block is freed.
size_t getAllocatedBytes(void *memory);

} // namespace pypto::runtime

#endif

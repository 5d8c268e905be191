// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_TENSOR_MEMORY_H
#define PYPTO_LIB_TENSOR_MEMORY_H

#include <cstdint>

namespace pypto::lazy {

/// Memory for `bytes` bytes, at a multiple of 64; null if there is not enough.
char *allocateMemory(int64_t bytes);
/// Takes back what `allocateMemory` gave for as many bytes.
void freeMemory(char *memory, int64_t bytes);

} // namespace pypto::lazy

#endif

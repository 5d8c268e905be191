// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of tensors that are gone, for those that come.
#ifndef PYPTO_TENSOR_MEMORY_H
#define PYPTO_TENSOR_MEMORY_H

#include <cstdint>

namespace pypto::lazy {

/// Memory of buffers of 4 MiB and more goes to the next buffer that is as large, in place of pages
/// that the system would have to clear; what has been waiting longest goes back to the system where
/// this many bytes wait. At first an eighth of the memory of the machine (none in builds that look
/// for memory that is used after it was freed).
void setBufferCacheLimit(int64_t bytes);
int64_t getBufferCacheLimit();
/// Bytes that wait now.
int64_t getCachedBufferBytes();

} // namespace pypto::lazy

#endif

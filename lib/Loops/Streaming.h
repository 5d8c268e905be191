// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores past the caches.
#ifndef PYPTO_LOOPS_STREAMING_H
#define PYPTO_LOOPS_STREAMING_H

#include "mlir/IR/Value.h"
#include <optional>

namespace pypto::loops {

/// The size of the buffer that `memref` is a part of, if its lines have their place in memory at
/// multiples of vectors, so that they can go past the caches.
std::optional<int64_t> getUncachedBytes(mlir::Value memref, int64_t lanes);

} // namespace pypto::loops

#endif

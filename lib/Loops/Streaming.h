// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores past the caches.
#ifndef PYPTO_LOOPS_STREAMING_H
#define PYPTO_LOOPS_STREAMING_H

#include "mlir/IR/Value.h"

namespace pypto::loops {

/// True if the lines of `memref` are written once, have their place in memory at multiples of
/// vectors, and leave the caches anyway.
bool outgrowsCache(mlir::Value memref, int64_t lanes, int64_t minBytes);

} // namespace pypto::loops

#endif

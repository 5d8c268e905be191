// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of one long scan.
#ifndef PYPTO_LOOPS_SCANPARTS_H
#define PYPTO_LOOPS_SCANPARTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pypto::loops {

/// True if `op` is one long scan along `loop`, whose parts can be combined before they are scanned.
bool isLongScan(mlir::linalg::LinalgOp op, unsigned loop);
/// Replaces it: block by block of the row, threads combine parts of the block, and scan them from
/// what is in front of them. A block stays in the cache from one to the other.
void splitScan(mlir::linalg::LinalgOp op, unsigned loop);

} // namespace pypto::loops

#endif

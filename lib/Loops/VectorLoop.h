// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What there is to decide about the loop of an operation that goes along vectors.
#ifndef PYPTO_LOOPS_VECTORLOOP_H
#define PYPTO_LOOPS_VECTORLOOP_H

#include "VectorBody.h"

namespace pypto::loops {

/// The other loops of `op` as they are nested: those over sums innermost, so that sums along them
/// go from element to element in their order.
llvm::SmallVector<unsigned> getOuterLoops(mlir::linalg::LinalgOp op, unsigned loop);

/// True if `op` adds up floats in a loop that is left to the compiler, who may choose an order by
/// what is around it.
bool hasOpenOrder(mlir::linalg::LinalgOp op, int64_t vectorBits);
/// True if what lanes of `body` are combined to depends on how many there are.
bool hasFixedLanes(const VectorBody &body);
/// True if the only result is the greatest or least of floats.
bool isFloatExtreme(const VectorBody &body);
/// True if a row of `body` is searched block by block (see VectorSelection.h).
bool isBlockedSelection(const VectorBody &body);
/// Accumulators that each result along the loop has. It depends on the operation and the target
/// only, as the order of a sum does.
int64_t getNumAccumulators(const VectorBody &body);
/// Vectors of one step over `numRows` rows, no more than there are.
int64_t chooseUnroll(const VectorBody &body, int64_t numRows);

/// True if results stay in registers from one row along the loop `outer` to the next, so that
/// several can be worked on side by side.
bool canBlockRows(mlir::linalg::LinalgOp op, const VectorBody &body, unsigned outer);
/// The size of the buffer with this result, if that can go past the caches.
std::optional<int64_t> getStreamBytes(mlir::linalg::LinalgOp op, const VectorBody &body,
                                      unsigned result);

} // namespace pypto::loops

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that read the same tensor along the same loops.
#ifndef PYPTO_TRANSFORMS_SIBLINGS_H
#define PYPTO_TRANSFORMS_SIBLINGS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace pypto {

/// Most results, and most inputs, of an operation that is made of siblings. A result that is summed
/// up has accumulators for four vectors: those of four results are half of the registers that a
/// machine with vectors of 512 bits has. More streams than these are not all prefetched.
constexpr unsigned kMaxSiblingResults = 4, kMaxSiblingInputs = 8;

/// The loops of `other` in those of `op`, if both read one tensor whole, an iteration of one what
/// one iteration of the other reads, and if one operation may have the results of both: they sum
/// along the same loops, or one of them sums along none. Whether one needs the other is not looked
/// at.
std::optional<mlir::AffineMap> alignSiblings(mlir::linalg::GenericOp op,
                                             mlir::linalg::GenericOp other);

/// True if --fuse-siblings makes one loop of the two, whose loops are aligned so, if they are in
/// one block and nothing there is in the way. The order of sums of floats counts as open.
bool areWorthOneLoop(mlir::linalg::GenericOp op, mlir::linalg::GenericOp other,
                     mlir::AffineMap loops);

/// Marks sums and products of floats that `op` reduces to as such that may be added, or multiplied,
/// in any order.
void relaxReductions(mlir::linalg::LinalgOp op);

} // namespace pypto

#endif

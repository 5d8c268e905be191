// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --vectorize-elements makes of an operation.
#ifndef PYPTO_LOOPS_VECTORPLAN_H
#define PYPTO_LOOPS_VECTORPLAN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace pypto::loops {

/// What the order of a sum depends on.
struct VectorPlan {
  /// The loop that vectors go along, and how many elements of one are in each.
  unsigned loop;
  int64_t lanes;
  /// Vectors of one step, each with accumulators of its own.
  unsigned numVectors;
  /// Results that are combined along the loop, one by one.
  unsigned numCombined;
  /// Results that are also used at each iteration, or chosen together with their number.
  bool hasOthers;
};

/// The plan for `op` on buffers, or on tensors that become dense buffers; nothing if it stays as it
/// is. Sums of floats have a plan if their order is open.
std::optional<VectorPlan> getVectorPlan(mlir::linalg::LinalgOp op, int64_t vectorBits);

/// Operations on one element, a function counted as the polynomial that it becomes. How many
/// accumulators a sum has depends on it.
unsigned countOps(mlir::linalg::LinalgOp op);

} // namespace pypto::loops

#endif

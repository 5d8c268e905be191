// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions on the loops of a linalg operation, as its body computes them.
#ifndef PYPTO_LOOPS_CONDITIONS_H
#define PYPTO_LOOPS_CONDITIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <optional>

namespace pypto::loops {

/// Loops of an operation and variables of loops around it, each times a factor, and a constant.
struct IndexSum {
  llvm::SmallVector<std::pair<unsigned, int64_t>> loops;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> outer;
  int64_t constant = 0;

  int64_t getFactor(unsigned loop) const;
  /// Nothing if a factor or the constant gets so large that the sum might not fit into 64 bits.
  bool add(unsigned loop, int64_t factor);
  bool add(mlir::Value variable, int64_t factor);
  bool add(int64_t value);
  /// The sum with loops of another operation in place of these; nothing for a loop that has none.
  std::optional<IndexSum>
  replaceLoops(llvm::function_ref<std::optional<unsigned>(unsigned)> get) const;
  /// What does not depend on loops of the operation.
  mlir::OpFoldResult emitOuter(mlir::ImplicitLocOpBuilder &b) const;
};

/// The sum that `condition` in `body` holds for if, and only if, it is not negative.
std::optional<IndexSum> matchCondition(mlir::Value condition, mlir::Block *body);

/// Makes index arithmetic of the body out of operations that have a form on vectors.
void expandIndices(mlir::linalg::LinalgOp op);

/// For which of `lanes` iterations of `loop`, from `indices[loop]` on, a condition with this sum
/// holds; `indices` are of all loops, `extent` is that of the loop. Nothing unless the factor of
/// the loop is one or minus one, and its extent is known and takes few bits.
mlir::Value emitConditionMask(mlir::ImplicitLocOpBuilder &b, const IndexSum &sum, unsigned loop,
                              mlir::ArrayRef<mlir::OpFoldResult> indices, int64_t extent,
                              int64_t lanes);

} // namespace pypto::loops

#endif

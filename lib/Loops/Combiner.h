// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How results of a linalg operation are combined along a loop.
#ifndef PYPTO_LOOPS_COMBINER_H
#define PYPTO_LOOPS_COMBINER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <optional>

namespace pypto::loops {

/// How results of a reduction are combined along a loop: one by an operation whose order is open,
/// or an element and its number, of which the better one is kept, and the first of equal ones. A
/// scan also uses what is combined so far at each iteration.
struct Combiner {
  llvm::SmallVector<unsigned, 2> results;
  /// Of one result: the operation, its operand that is not the accumulator, and what combined with
  /// every number leaves it as it is.
  mlir::Operation *op = nullptr;
  mlir::Value term;
  mlir::TypedAttr neutral;
  /// Of two: whether the element is better than the accumulator, and its number.
  mlir::Value isBetter, element, number;
  mlir::BlockArgument best;
  bool isScan = false;

  bool isSelection() const { return results.size() == 2; }
};

/// The combiner of a result that `op` reduces to, if its terms may be combined in any order.
std::optional<Combiner> matchCombiner(mlir::linalg::LinalgOp op, unsigned result);
/// The combiner of a result that is also used in each iteration, in the same way.
std::optional<Combiner> matchScan(mlir::linalg::LinalgOp op, unsigned result);

/// `x` and `y` combined: vectors, or scalars.
llvm::SmallVector<mlir::Value> combine(mlir::ImplicitLocOpBuilder &b, const Combiner &combiner,
                                       mlir::ValueRange x, mlir::ValueRange y);
/// Whether `element` is better than `best`, as a selection decides it: vectors, or scalars.
mlir::Value emitIsBetter(mlir::ImplicitLocOpBuilder &b, const Combiner &combiner,
                         mlir::Value element, mlir::Value best);
/// All lanes of vectors combined, halves with halves.
llvm::SmallVector<mlir::Value> combineLanes(mlir::ImplicitLocOpBuilder &b, const Combiner &combiner,
                                            mlir::ValueRange vectors);
/// The lanes of `term` combined with all those before them, and with `known`, which all lanes have;
/// and what the last of them has, in all lanes. In groups of 2, 4, 8, … lanes the second half takes
/// what the first one has at its end. Nothing but one operation waits for `known`.
std::pair<mlir::Value, mlir::Value> emitScan(mlir::ImplicitLocOpBuilder &b,
                                             const Combiner &combiner, mlir::Value known,
                                             mlir::Value term);

} // namespace pypto::loops

#endif

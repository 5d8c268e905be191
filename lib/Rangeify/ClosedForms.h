// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over one loop that need no loop.
#ifndef PYPTO_LIB_RANGEIFY_CLOSEDFORMS_H
#define PYPTO_LIB_RANGEIFY_CLOSEDFORMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pypto::rangeify {

/// One loop of a reduction, taken apart.
struct Reduction {
  mlir::linalg::GenericOp nest;
  unsigned loop;
  int64_t extent;
  /// Joins the accumulator and `element`.
  mlir::Operation *combiner;
  mlir::Value element;

  /// True if `value` depends on the loop.
  bool isUsedBy(mlir::Value value) const;
  /// True for the loop itself, or for it as an integer that holds all of its values.
  bool isLoop(mlir::Value value) const;
  /// Clones `value` and what it needs from the nest, as far as it is not mapped.
  mlir::Value clone(mlir::OpBuilder &b, mlir::Value value, mlir::IRMapping &mapping) const;
  /// The same with the loop at `index`.
  mlir::Value cloneAt(mlir::OpBuilder &b, mlir::Value value, mlir::Value index,
                      mlir::IRMapping mapping) const;
};

/// The sum of integers over the loop, in closed form. Linear functions of the loop, conditions that
/// hold in an interval of it, and sums, differences and multiples of such have one.
class ClosedSum {
public:
  explicit ClosedSum(const Reduction &reduction) : reduction(reduction) {}
  /// True if there is one for the element of the reduction.
  bool exists() const { return hasSum(reduction.element); }
  /// Builds it. `mapping` has what stands for values of the nest.
  mlir::Value build(mlir::OpBuilder &b, mlir::IRMapping &mapping);

private:
  /// Iterations [low, high), low <= high.
  struct Interval {
    mlir::Value low, high;
  };
  struct Bound;

  bool hasSum(mlir::Value value) const;
  bool isInterval(mlir::Value condition) const;
  std::optional<Bound> matchBound(mlir::Value condition) const;
  std::optional<int64_t> getSlope(mlir::Value index) const;

  mlir::Value sum(mlir::Value value, Interval over);
  mlir::Value sumOfLine(mlir::Value value, int64_t slope, Interval over);
  mlir::Value sumOfSelect(mlir::Value condition, mlir::Value then, mlir::Value otherwise,
                          Interval over);
  Interval intersect(mlir::Value condition, Interval over);
  mlir::Value getCount(mlir::Type type, Interval over);
  mlir::Value constant(int64_t value);

  const Reduction &reduction;
  mlir::OpBuilder *builder = nullptr;
  mlir::IRMapping *mapping = nullptr;
};

} // namespace pypto::rangeify

#endif

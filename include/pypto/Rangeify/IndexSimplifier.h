// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_RANGEIFY_INDEXSIMPLIFIER_H
#define PYPTO_RANGEIFY_INDEXSIMPLIFIER_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace pypto::rangeify {

/// The values that an index can have, both ends included. An end that is not known is absent.
struct Bounds {
  std::optional<int64_t> low, high;

  static Bounds constant(int64_t value) { return {value, value}; }
  bool isConstant() const { return low && high && *low == *high; }
  /// True if every value is at least / at most this.
  bool isAtLeast(int64_t value) const { return low && *low >= value; }
  bool isAtMost(int64_t value) const { return high && *high <= value; }
};

/// Simplifies index expressions whose dimensions have known bounds. Division and remainder are
/// those of affine expressions: rounded down, and never negative. Every rule keeps the value for
/// all values within the bounds. Symbols have no bounds.
class IndexSimplifier {
public:
  IndexSimplifier(mlir::MLIRContext *context, llvm::ArrayRef<Bounds> dims)
      : context(context), dims(dims) {}

  /// Bounds of the value; absent ends also where the arithmetic would overflow.
  Bounds getBounds(mlir::AffineExpr expr) const;

  /// An equal expression with no more divisions and remainders.
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;

private:
  /// A sum of products with constants. The terms are sorted by first occurrence.
  struct Sum;
  Sum toSum(mlir::AffineExpr expr) const;
  mlir::AffineExpr toExpr(const Sum &sum) const;
  Bounds getBounds(const Sum &sum) const;
  /// Unites `x mod n` with `n * (x floordiv n)`.
  void recombine(Sum &sum) const;
  mlir::AffineExpr simplifyMod(Sum sum, int64_t divisor) const;
  mlir::AffineExpr simplifyFloorDiv(Sum sum, int64_t divisor) const;
  /// `expr` with one dimension that has two values, as a line through both.
  std::optional<mlir::AffineExpr> getLine(mlir::AffineExpr expr) const;

  mlir::MLIRContext *context;
  llvm::SmallVector<Bounds> dims;
};

/// Number of divisions and remainders in `expr`: what an index costs to compute.
int64_t countDivisions(mlir::AffineExpr expr);

} // namespace pypto::rangeify

#endif

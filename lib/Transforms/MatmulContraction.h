// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which linalg operations on buffers are matrix products, and which operations around one belong to
// it.
#ifndef PYPTO_TRANSFORMS_MATMULCONTRACTION_H
#define PYPTO_TRANSFORMS_MATMULCONTRACTION_H

#include "pypto/Loops/Conditions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace pypto::matmul {

/// One operand of a product: a buffer (or a tensor, until there are buffers), where its loops stand
/// in it, and the casts from an element to what is multiplied.
struct Factor {
  mlir::Value memref;
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Operation *> casts;
};

/// `out[outer…, m, n] += lhs[outer…, m, k] * rhs[outer…, k, n]`, maybe up to a `k` that grows with
/// `m`. The loops `m` and `k` may be absent; `outer` are all others, some of which may be
/// reductions.
struct Contraction {
  mlir::linalg::LinalgOp op;
  Factor lhs, rhs, out;
  std::optional<unsigned> m, k;
  unsigned n;
  llvm::SmallVector<unsigned> outerParallel, outerReduction;
  /// Products for which it is negative do not take part: minus `k`, maybe plus `m`, and what is the
  /// same for all.
  std::optional<loops::IndexSum> limit;

  mlir::Type getAccumulator() const {
    return llvm::cast<mlir::ShapedType>(out.memref.getType()).getElementType();
  }
};

/// `op` as a product; nothing if it is none, or one that plain loops serve better.
std::optional<Contraction> matchContraction(mlir::linalg::LinalgOp op);

/// What surrounds a product and can be done on its blocks.
struct Surroundings {
  /// Makes the output zero before; null if the product adds to what is there.
  mlir::Operation *fill = nullptr;
  /// Elementwise on the finished output; null if there is none.
  mlir::linalg::GenericOp epilogue;
  /// The operand of `epilogue` that is the output.
  unsigned epilogueOperand = 0;
  /// True if nothing but these operations looks at the output.
  bool isPrivate = false;
};

Surroundings matchSurroundings(const Contraction &product);

} // namespace pypto::matmul

#endif

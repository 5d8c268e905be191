// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Dialect/PL/IR/ExtentEvaluation.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

/// Applies `kind`; nothing when the result does not fit or does not exist.
static std::optional<int64_t> apply(AffineExprKind kind, int64_t lhs, int64_t rhs) {
  int64_t result;
  if (kind == AffineExprKind::Add)
    return llvm::AddOverflow(lhs, rhs, result) ? std::nullopt : std::optional(result);
  if (kind == AffineExprKind::Mul)
    return llvm::MulOverflow(lhs, rhs, result) ? std::nullopt : std::optional(result);
  if (rhs <= 0)
    return std::nullopt;
  if (kind == AffineExprKind::FloorDiv)
    return llvm::divideFloorSigned(lhs, rhs);
  if (kind == AffineExprKind::CeilDiv)
    return llvm::divideCeilSigned(lhs, rhs);
  return llvm::mod(lhs, rhs);
}

static std::optional<int64_t> evaluate(AffineExpr expr, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<int64_t> lhs = evaluate(binary.getLHS(), symbols);
  std::optional<int64_t> rhs = evaluate(binary.getRHS(), symbols);
  return lhs && rhs ? apply(expr.getKind(), *lhs, *rhs) : std::nullopt;
}

std::optional<int64_t> pl::evaluateExtent(ExtentAttr extent, ArrayRef<int64_t> symbols) {
  return extent.isDynamic() ? std::nullopt : evaluate(extent.getExpr(), symbols);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks at run time.
#include "pypto/Dialect/PL/IR/PLOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

LogicalResult CheckOp::verify() {
  bool isIndex = getKind() == CheckKind::Index;
  if (isIndex != getDim().has_value() || isIndex == getSubject().has_value())
    return emitOpError() << "C1: expects "
                         << (isIndex ? "a dimension and no subject" : "a subject and no dimension");
  return success();
}

LogicalResult CheckOp::canonicalize(CheckOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

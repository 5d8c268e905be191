// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelGroups.h"
#include "Elements.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pypto::rangeify;

static Value skipReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// An op that fills memory, other than with one scalar.
static bool isStore(Operation &op) {
  if (op.getNumResults() == 0 || !isa<RankedTensorType>(op.getResult(0).getType()))
    return false;
  return !isReshape(&op) && !isUniform(op.getResult(0)) && !op.hasTrait<OpTrait::ConstantLike>();
}

SmallVector<SmallVector<Value>> pypto::rangeify::groupKernels(func::FuncOp graph, bool single) {
  SmallVector<SmallVector<Value>> kernels;
  Block &body = graph.getBody().front();
  if (single) {
    SmallVector<Value> &results = kernels.emplace_back();
    for (Value result : body.getTerminator()->getOperands())
      results.push_back(skipReshapes(result));
    return kernels;
  }
  for (Operation &op : body)
    if (isStore(op))
      kernels.emplace_back(op.getResults());
  return kernels;
}

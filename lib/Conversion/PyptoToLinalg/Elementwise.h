// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_CONVERSION_PYPTOTOLINALG_ELEMENTWISE_H
#define PYPTO_LIB_CONVERSION_PYPTOTOLINALG_ELEMENTWISE_H

#include "Lowering.h"
#include "ScalarOps.h"

namespace pypto::lowering {

/// An operand of a compute operation: a tensor of its valid part, or a scalar.
struct Operand {
  mlir::Value value;
  /// As the program says, with its sign.
  mlir::Type element;
  /// Physical extents as the type says them, and as numbers. Empty for a scalar.
  llvm::SmallVector<pl::ExtentAttr> extents;
  llvm::SmallVector<mlir::OpFoldResult> physical;
  bool isShaped() const { return llvm::isa<mlir::RankedTensorType>(value.getType()); }
};

/// Reads a tensor, takes a tile or a scalar. `scalarElement` is the element type that a scalar
/// stands for.
Operand getOperand(Lowering &l, mlir::Value value, mlir::Type scalarElement);

struct BroadcastShape {
  llvm::SmallVector<mlir::OpFoldResult> physical, valid;
};

/// NumPy's broadcast of the shaped operands; the valid extents are what all of them define.
BroadcastShape broadcast(Lowering &l, llvm::ArrayRef<Operand> operands);

/// A tensor of `shape.valid`, each element computed by `body` from those of the operands, in
/// compute types.
mlir::Value emitMap(Lowering &l, llvm::ArrayRef<Operand> operands, const BroadcastShape &shape,
                    mlir::Type resultElement,
                    llvm::function_ref<mlir::Value(mlir::ValueRange)> body);

/// Makes `value`, of the valid sizes, the result of a compute operation: in fresh storage of
/// extents `physical` if the result is a tensor.
void mapComputed(Lowering &l, mlir::Operation *op, mlir::Value value,
                 llvm::ArrayRef<mlir::OpFoldResult> physical);

} // namespace pypto::lowering

#endif

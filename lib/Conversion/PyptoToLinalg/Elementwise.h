// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_CONVERSION_PYPTOTOLINALG_ELEMENTWISE_H
#define PYPTO_LIB_CONVERSION_PYPTOTOLINALG_ELEMENTWISE_H

#include "Lowering.h"
#include "ScalarOps.h"

namespace pypto::lowering {

/// An operand of a compute operation: a tensor of its valid part, or a scalar.
struct Operand {
  /// Null if only the shape takes part.
  mlir::Value value;
  /// As the program says, with its sign.
  mlir::Type element;
  bool isShaped = false;
  /// Physical extents as the type says them, and as numbers. Empty for a scalar.
  llvm::SmallVector<pl::ExtentAttr> extents;
  llvm::SmallVector<mlir::OpFoldResult> physical;
  /// Sizes of the value.
  llvm::SmallVector<mlir::OpFoldResult> valid;

  unsigned getRank() const { return extents.size(); }
};

/// Reads a tensor, takes a tile or a scalar. `scalarElement` is the element type that a scalar
/// stands for.
Operand getOperand(Lowering &l, mlir::Value value, mlir::Type scalarElement = {});
/// The shape of a tensor or tile alone.
Operand getShapeOperand(Lowering &l, mlir::Value value);
/// A value of one's own, everything in it valid.
Operand makeOperand(Lowering &l, mlir::Value value, mlir::Type element);
/// Says that the extents of the operands, all of one rank, are equal but in dimension `except`.
void unifyExtents(Lowering &l, llvm::MutableArrayRef<Operand> operands,
                  std::optional<unsigned> except = {});

struct BroadcastShape {
  llvm::SmallVector<mlir::OpFoldResult> physical, valid;
};

/// NumPy's broadcast of the shaped operands; the valid extents are what all of them define.
BroadcastShape broadcast(Lowering &l, llvm::ArrayRef<Operand> operands);

/// A tensor of `shape.valid`, each element computed by `body` from those of the operands that have
/// a value, in compute types.
mlir::Value emitMap(Lowering &l, llvm::ArrayRef<Operand> operands, const BroadcastShape &shape,
                    mlir::Type resultElement,
                    llvm::function_ref<mlir::Value(mlir::ValueRange)> body);
/// `value` with elements of type `to`.
mlir::Value convertElements(Lowering &l, mlir::Value value, mlir::Type from, mlir::Type to);

/// Makes `value`, of the valid sizes, the result of a compute operation: in fresh storage of
/// extents `physical` if the result is a tensor.
void mapComputed(Lowering &l, mlir::Value result, mlir::Value value,
                 llvm::ArrayRef<mlir::OpFoldResult> physical);

//===- Building blocks ------------------------------------------------------===//

mlir::OpFoldResult minimum(Lowering &l, mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
/// A tensor of the given sizes filled with an element, given in the compute type.
mlir::Value emitFilled(Lowering &l, llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element,
                       mlir::Value filling);
/// The first elements in each dimension, `sizes` of them; there are as many.
mlir::Value emitNarrowed(Lowering &l, mlir::Value value, llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// `value` cut or filled up to `sizes`.
mlir::Value emitResized(Lowering &l, mlir::Value value, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                        mlir::Type element, mlir::Value filling);
/// The operand's value in its physical extents: what is not valid is zero.
mlir::Value emitPhysical(Lowering &l, const Operand &operand);
/// `linalg.generic` with one output whose elements are stored as `init`'s are; `body` is given all
/// elements.
mlir::Value emitGeneric(Lowering &l, mlir::ValueRange inputs, mlir::Value init,
                        llvm::ArrayRef<mlir::AffineMap> maps,
                        llvm::ArrayRef<mlir::utils::IteratorType> iterators,
                        llvm::function_ref<mlir::Value(mlir::ValueRange)> body);

} // namespace pypto::lowering

#endif

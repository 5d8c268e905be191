// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_CONVERSION_PYPTOTOLINALG_SCALAROPS_H
#define PYPTO_LIB_CONVERSION_PYPTOTOLINALG_SCALAROPS_H

#include "pypto/Dialect/PL/IR/PLOps.h"

#include "mlir/IR/Builders.h"

// Arithmetic on one element: where the numerics of docs/numerics.md are written down. The element
// type says whether an integer is signed; values are in the compute type (getComputeElement).
namespace pypto::lowering {

enum class BinaryKind { Add, Sub, Mul, Div, Fmod, Maximum, Minimum, And, Or, Xor, Shl, Shr };
enum class UnaryKind { Exp, Log, Sqrt, Rsqrt, Recip, Sin, Cos, Neg, Abs, Relu, Not };

mlir::Value emitBinary(mlir::ImplicitLocOpBuilder &b, BinaryKind kind, mlir::Type element,
                       mlir::Value lhs, mlir::Value rhs);
mlir::Value emitUnary(mlir::ImplicitLocOpBuilder &b, UnaryKind kind, mlir::Type element,
                      mlir::Value source);
/// An `i1`.
mlir::Value emitCompare(mlir::ImplicitLocOpBuilder &b, pl::CmpKind kind, mlir::Type element,
                        mlir::Value lhs, mlir::Value rhs);
/// True if `candidate` takes the place of `best`, which comes before it: strictly better, or the
/// first NaN.
mlir::Value emitIsBetter(mlir::ImplicitLocOpBuilder &b, mlir::Type element, bool isMax,
                         mlir::Value candidate, mlir::Value best);
/// From the compute type of one element type to that of another.
mlir::Value emitCast(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::Type from,
                     mlir::Type to, pl::RoundMode mode = pl::RoundMode::None);

/// Between how an element is stored and what it is computed in.
mlir::Value loadElement(mlir::ImplicitLocOpBuilder &b, mlir::Value stored, mlir::Type element);
mlir::Value storeElement(mlir::ImplicitLocOpBuilder &b, mlir::Value computed, mlir::Type element);
/// Between a scalar of the program and what it is computed in.
mlir::Value scalarToCompute(mlir::ImplicitLocOpBuilder &b, mlir::Value scalar, mlir::Type element);
mlir::Value computeToScalar(mlir::ImplicitLocOpBuilder &b, mlir::Value computed,
                            mlir::Type element);

/// A constant of the compute type of `element`.
mlir::Value emitConstant(mlir::ImplicitLocOpBuilder &b, mlir::Type element, double value);
mlir::Value emitConstant(mlir::ImplicitLocOpBuilder &b, mlir::Type element,
                         const llvm::APInt &value);
/// The greatest or least value of `element`: of floats infinity, where the type has it.
mlir::Value emitLimit(mlir::ImplicitLocOpBuilder &b, mlir::Type element, bool isGreatest);

/// What changes nothing when combined: of a sum, product, maximum or minimum.
mlir::Value emitNeutral(mlir::ImplicitLocOpBuilder &b, BinaryKind kind, mlir::Type element);

/// `linalg.generic` over operands of one shape; `body` works on compute values of `element`.
mlir::Value emitElementwise(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange operands,
                            mlir::RankedTensorType type, mlir::Type element,
                            llvm::function_ref<mlir::Value(mlir::ValueRange)> body);

} // namespace pypto::lowering

#endif

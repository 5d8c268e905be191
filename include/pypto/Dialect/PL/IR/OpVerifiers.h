// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_OPVERIFIERS_H
#define PYPTO_DIALECT_PL_IR_OPVERIFIERS_H

#include "pypto/Dialect/PL/IR/TypeRules.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

// Checks, folds and assembly pieces that operations of the three dialects share.
namespace pypto::pl {

/// One operand per `?` of `type` (extents, then valid shape); `label` names the constraint.
llvm::LogicalResult verifyDynamicSizes(mlir::Operation *op, llvm::StringRef label, mlir::Type type,
                                       size_t numSizes);
/// The same for the valid shape alone.
llvm::LogicalResult verifyDynamicValid(mlir::Operation *op, llvm::StringRef label, mlir::Type type,
                                       size_t numSizes);
/// A list of constants and operands: `kDynamic` in `constants` stands for the next operand. The
/// verifiers that take one check that there are `numOperands` of those.
struct MixedIndices {
  llvm::ArrayRef<int64_t> constants;
  size_t numOperands;
};
/// `offsets` has one entry per dimension of `whole` (C1), `window` at most its rank (C2); where
/// constant (C4), the window of `window` (aligned to the last dimensions; missing leading ones are
/// of size one) lies inside `whole`.
llvm::LogicalResult verifyWindow(mlir::Operation *op, MixedIndices offsets,
                                 llvm::ArrayRef<ExtentAttr> whole,
                                 llvm::ArrayRef<ExtentAttr> window);
/// One index per dimension of `type` (C1); where constant, inside the constant extent (C2).
llvm::LogicalResult verifyElementIndices(mlir::Operation *op, MixedIndices indices,
                                         mlir::Type type);
/// A scalar of the element type of `shaped` (signless; C2).
llvm::LogicalResult verifyScalarOf(mlir::Operation *op, mlir::Type scalar, mlir::Type shaped);
/// C1 to C3 of `pl.set_validshape`.
llvm::LogicalResult verifySetValidShape(mlir::Operation *op, mlir::Type source, mlir::Type result,
                                        MixedIndices list);
/// C6 of `pl.matmul_acc`: the accumulator has the extents of the product.
llvm::LogicalResult verifyMatmulAcc(mlir::Operation *op, mlir::Type acc, mlir::Type product);
/// C1 to C5 of `pl.scatter`.
llvm::LogicalResult verifyScatter(mlir::Operation *op, mlir::Type source, mlir::Type indices,
                                  mlir::Type destination, int64_t dim);
/// C1 to C4 of `pl.scatter_update`.
llvm::LogicalResult verifyScatterUpdate(mlir::Operation *op, mlir::Type source, mlir::Type indices,
                                        mlir::Type destination);
/// C2 and C3 of `pl.arange`.
llvm::LogicalResult verifyArange(mlir::Operation *op, mlir::Type start, mlir::Type result);
/// `source` and `result` have equal element types (C1) and, if both are static, numbers of elements
/// (C2).
llvm::LogicalResult verifyReshape(mlir::Operation *op, mlir::Type source, mlir::Type result);
/// Yielded types equal the results of the scope; `label` names the constraint.
llvm::LogicalResult verifyScopeYield(mlir::Operation *scope, llvm::StringRef label);
/// A call or submit against the `pl.func` it names: C1 to C4 of `pl.call`.
llvm::LogicalResult verifyCall(mlir::Operation *call, mlir::FlatSymbolRefAttr callee,
                               mlir::OperandRange arguments, mlir::TypeRange results,
                               mlir::SymbolTableCollection &symbolTable);

/// `T` when both types are equal, `T -> U` otherwise.
mlir::ParseResult parseDestinationType(mlir::OpAsmParser &parser, mlir::Type &destination,
                                       mlir::Type &result);
void printDestinationType(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type destination,
                          mlir::Type result);
/// The body of a scope without its terminator when that yields nothing.
mlir::ParseResult parseScopeBody(mlir::OpAsmParser &parser, mlir::Region &body);
void printScopeBody(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Region &body);

/// Folds an operation that gives `source` another compatible type: away if the type is the same,
/// past another one of its kind, whose type claims nothing that anyone needs.
template <typename OpTy> mlir::OpFoldResult foldRetypeOfRetype(OpTy op) {
  mlir::Type type = op.getResult().getType();
  if (op.getSource().getType() == type)
    return op.getSource();
  auto inner = op.getSource().template getDefiningOp<OpTy>();
  if (!inner || !areCompatible(inner.getSource().getType(), type))
    return {};
  if (inner.getSource().getType() == type)
    return inner.getSource();
  op.getSourceMutable().assign(inner.getSource());
  return op.getResult();
}

} // namespace pypto::pl

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_ORCHESTRATION_IR_WINDOWS_H
#define PYPTO_DIALECT_ORCHESTRATION_IR_WINDOWS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"

// Windows in lowered programs: `memref.subview`, `tensor.extract_slice`, `tensor.insert_slice`.
// None of the three may begin, or end, behind the last element once its numbers are constants, not
// even if it has no element, or stands in code that is not reached: an empty window may (of no rows
// behind the last one, of a tensor without rows). So all are made here, and one for which that is
// certain is made in another way. What becomes certain later, by folding, is up to the
// canonicalization of the dialect.
namespace pypto::orchestration {

/// The window of the memref `source`, of type `type`, which may have fewer dimensions; null: what
/// the offsets and sizes say.
mlir::Value createSubView(mlir::OpBuilder &b, mlir::Location loc, mlir::Value source,
                          llvm::ArrayRef<mlir::OpFoldResult> offsets,
                          llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::MemRefType type = {});
/// The window as a memref of the shape `shape`, which may have fewer dimensions than `source`.
mlir::Value createSubView(mlir::OpBuilder &b, mlir::Location loc, mlir::Value source,
                          llvm::ArrayRef<mlir::OpFoldResult> offsets,
                          llvm::ArrayRef<mlir::OpFoldResult> sizes, llvm::ArrayRef<int64_t> shape);

/// The part of the tensor `source`, of type `type`, which may have fewer dimensions; null: what the
/// sizes say.
mlir::Value createExtractSlice(mlir::OpBuilder &b, mlir::Location loc, mlir::Value source,
                               llvm::ArrayRef<mlir::OpFoldResult> offsets,
                               llvm::ArrayRef<mlir::OpFoldResult> sizes,
                               mlir::RankedTensorType type = {});
/// The tensor `target` with `source`, which may have fewer dimensions, in it.
mlir::Value createInsertSlice(mlir::OpBuilder &b, mlir::Location loc, mlir::Value source,
                              mlir::Value target, llvm::ArrayRef<mlir::OpFoldResult> offsets,
                              llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Replaces each `memref.subview` that folding made one of those.
void populateEmptyWindowPatterns(mlir::RewritePatternSet &patterns);

} // namespace pypto::orchestration

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best element of a row and its number, in blocks.
#ifndef PYPTO_LOOPS_VECTORSELECTION_H
#define PYPTO_LOOPS_VECTORSELECTION_H

#include "VectorBody.h"

namespace pypto::loops {

/// True if `body` chooses the greatest or least of elements along its loop, as their maximum or
/// minimum does, and a number that follows from indices alone.
bool isExtremeSelection(const VectorBody &body);

/// The better of `known`, an element and its number, and the elements of a row of `size`; `indices`
/// are those of the row, `ahead` those of the next one, if that is near. Blocks of vectors are
/// compared by their extremes, and what is best is found again in its block.
llvm::SmallVector<mlir::Value>
emitExtremeSelection(mlir::ImplicitLocOpBuilder &b, const VectorBody &body,
                     llvm::ArrayRef<mlir::Value> indices, llvm::ArrayRef<mlir::Value> ahead,
                     mlir::OpFoldResult size, mlir::ValueRange known);

} // namespace pypto::loops

#endif

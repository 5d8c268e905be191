// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory a memref names, once programs are linalg on tensors over memrefs.
#ifndef PYPTO_LIB_TRANSFORMS_STORAGE_H
#define PYPTO_LIB_TRANSFORMS_STORAGE_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace pypto::transforms {

/// What `memref` is a view of, through views and casts: an allocation, a parameter of a function,
/// or anything else.
mlir::Value getStorage(mlir::Value memref);

/// False if no element of one is an element of the other: allocations are storage of their own, and
/// so is a parameter of a function with `llvm.noalias`. Windows of one memref are apart if their
/// constant offsets and sizes say so.
bool mayAlias(mlir::Value lhs, mlir::Value rhs);

/// True if `op`, or what is nested in it, may write (or read, or free) elements of `memref`. What
/// has no known effects may do so unless only known operations have seen the memory. Tensor values
/// are not memory.
bool mayWrite(mlir::Operation *op, mlir::Value memref);
bool mayAccess(mlir::Operation *op, mlir::Value memref);

/// True if the two are the same elements: one window of one memref, in SSA values and constants.
bool isSameWindow(mlir::Value lhs, mlir::Value rhs);

/// Moves the operations that say where `view` is, as far as they stand after `anchor` in `block`,
/// to right after it, or to the start of the block without one. Gives the last of them, else
/// `anchor`; failure if they cannot stand there.
llvm::FailureOr<mlir::Operation *> moveViewAfter(mlir::Value view, mlir::Block *block,
                                                 mlir::Operation *anchor);

} // namespace pypto::transforms

#endif

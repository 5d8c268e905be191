// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Squares of elements that are turned around in registers.
#ifndef PYPTO_LOOPS_TRANSPOSE_H
#define PYPTO_LOOPS_TRANSPOSE_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace pypto::loops {

/// As many vectors as they have elements, a power of two: element i of vector j and element j of
/// vector i change places.
void transpose(mlir::ImplicitLocOpBuilder &b, llvm::MutableArrayRef<mlir::Value> vectors);

} // namespace pypto::loops

#endif

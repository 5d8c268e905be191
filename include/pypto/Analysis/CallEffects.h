// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_ANALYSIS_CALLEFFECTS_H
#define PYPTO_ANALYSIS_CALLEFFECTS_H

#include "mlir/IR/SymbolTable.h"

namespace pypto {

/// What a call or a task does to one of its arguments: to the storage of a tensor, to a cell.
struct ArgumentEffects {
  bool reads = true;
  bool writes = true;
  bool operator==(const ArgumentEffects &) const = default;
};

/// The effects of a `pl.call` or `orchestration.submit` on its arguments, one entry each, as the
/// callee's parameter directions say: `in` reads, `out` writes, `inout` does both. Values that are
/// not handles are read only. Both where the directions are no promise: the callee is not a
/// `pl.func` of as many parameters, or it is an `inline` function, which may bind a tensor, an
/// array or a tile of its caller again whatever the direction. Empty if `call` is neither of the
/// two operations.
llvm::SmallVector<ArgumentEffects> getCallEffects(mlir::Operation *call,
                                                  mlir::SymbolTableCollection &symbolTable);

} // namespace pypto

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_INTERPRETER_PARAMETERS_H
#define PYPTO_LIB_INTERPRETER_PARAMETERS_H

#include "pypto/Dialect/PL/IR/PLOps.h"

#include "llvm/ADT/DenseMap.h"

namespace pypto::interpreter {

/// Says of the cell parameters of inline functions whether a call that gives them a cell gives them
/// the caller's own variable.
///
/// It does for arrays and for `out` and `inout` scalars. It does for a tensor or tile if everything
/// that the body binds to the parameter is certainly the same storage, or for a tile the same
/// place, as the parameter on entry.
class ParameterKinds {
public:
  using Lookup = std::function<pl::FuncOp(mlir::StringAttr)>;
  explicit ParameterKinds(Lookup lookup) : lookup(std::move(lookup)) {}

  bool isCallersCell(pl::FuncOp func, unsigned parameter);

private:
  /// One more than the parameter that a value certainly is; kNone or kMany.
  using Origin = int;
  static constexpr Origin kNone = 0, kMany = -1;
  struct Facts {
    llvm::SmallVector<bool> callersCells;
    llvm::SmallVector<Origin> returned;
    bool isComplete = false;
  };
  class Solver;

  const Facts &analyze(pl::FuncOp func);

  Lookup lookup;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Facts>> facts;
};

} // namespace pypto::interpreter

#endif

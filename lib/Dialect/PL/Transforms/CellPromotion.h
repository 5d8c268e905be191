// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces variables by SSA values.
#ifndef PYPTO_LIB_DIALECT_PL_TRANSFORMS_CELLPROMOTION_H
#define PYPTO_LIB_DIALECT_PL_TRANSFORMS_CELLPROMOTION_H

#include "CellAnalysis.h"

namespace pypto::pl::detail {

/// A launch bound an outer variable; the binding is gone, which is right if both values are the
/// same handle.
struct LaunchBinding {
  VarOp variable;
  mlir::Operation *launch;
  mlir::Location binding;
  mlir::Value entry, end;
};

/// Promotes the variables of `root`, which `analysis` has seen, in one walk: linear in the size of
/// `root` and of the values that it adds. The variables themselves stay, without uses. On failure,
/// which is reported, reads that have no value stay too. Adds to `launchBindings` what is to be
/// checked once all functions are in SSA form.
llvm::LogicalResult promoteCells(mlir::Operation *root, const CellAnalysis &analysis,
                                 llvm::SmallVectorImpl<LaunchBinding> &launchBindings);

/// Reports each binding whose values are not the same handle.
llvm::LogicalResult checkLaunchBindings(llvm::ArrayRef<LaunchBinding> bindings);

} // namespace pypto::pl::detail

#endif

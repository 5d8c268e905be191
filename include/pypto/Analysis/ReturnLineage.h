// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_ANALYSIS_RETURNLINEAGE_H
#define PYPTO_ANALYSIS_RETURNLINEAGE_H

#include "pypto/Dialect/PL/IR/PLOps.h"

namespace pypto {

/// Where a value that a function returns comes from.
struct ReturnSource {
  /// The parameter whose storage the value is, if it is the same one on every path. Views (slices,
  /// reshapes) are none, and so is a merge of branches in a `graph` function.
  std::optional<unsigned> parameter;
  /// False if the handle may have got another valid shape since it was that parameter.
  bool keepsValidShape = true;
};

/// For each function of a module, which returned values are parameters. Callees are looked at
/// first; functions that take part in recursion and declarations return nothing that is known.
/// Linear in the size of the module. Invalid once a function changes, except that replacing a
/// returned value by the parameter that it is changes no answer.
class ReturnLineage {
public:
  explicit ReturnLineage(mlir::ModuleOp module);

  /// One entry per result of `func`, or none at all for a function that nothing is known of.
  llvm::ArrayRef<ReturnSource> getSources(pl::FuncOp func) const;

  /// The parameter that may stand in place of value `index` that `func` returns: the value is that
  /// parameter's storage, has its type, and its valid shape.
  std::optional<unsigned> getWrittenBackParameter(pl::FuncOp func, unsigned index) const;

private:
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<ReturnSource>> sources;
};

/// True for the kinds of functions whose written-back parameters have to be explicit: kernels,
/// `group`, `spmd` and `graph`.
bool returnsParametersExplicitly(pl::FuncOp func);

/// Reads off which tensor parameter each value that `func` returns is, without any analysis. This
/// is all of them where the property `ReturnParamsExplicit` holds. One entry per result;
/// declarations have none that is known.
llvm::SmallVector<std::optional<unsigned>> getExplicitReturnedParams(pl::FuncOp func);

/// Where the results of `func` that were there before `--normalize-return-order` are now: result k
/// is result `permutation[k]`. Empty if the order never changed.
llvm::ArrayRef<int64_t> getReturnPermutation(pl::FuncOp func);

} // namespace pypto

#endif

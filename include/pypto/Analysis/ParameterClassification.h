// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_ANALYSIS_PARAMETERCLASSIFICATION_H
#define PYPTO_ANALYSIS_PARAMETERCLASSIFICATION_H

#include "pypto/Dialect/PL/IR/PLOps.h"

#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace pypto {

/// What a parameter of an inline function stands for in the body that replaces a call.
enum class ParameterBinding {
  /// The argument itself: the body never binds the name again.
  Argument,
  /// The caller's cell: what the body binds to the name, the caller sees.
  CallerCell,
  /// A cell of its own, which starts with the argument.
  LocalCell,
};

/// What a call of an inline function needs to know about the function's body.
struct InlineSummary {
  /// One entry per parameter.
  llvm::SmallVector<ParameterBinding, 4> parameters;
  /// For each result the parameter whose storage (for tiles: whose place) it certainly is.
  llvm::SmallVector<std::optional<unsigned>, 2> returned;
};

/// The summary of the inline function that a call names, or null if there is none.
using SummaryLookup = llvm::function_ref<const InlineSummary *(pl::CallOp)>;

/// Classifies the parameters of `func`, an inline function with a body.
///
/// A parameter that is a value is the argument. A parameter that is a cell of an array, or of an
/// `out` or `inout` scalar, is the caller's cell; of another scalar, a local one. The cell of a
/// tensor or tile is the caller's if each `pl.set` of it provably keeps the storage (for tiles: the
/// place) that the parameter has on entry. Storage is followed through operations that declare it
/// (`StorageAliasOpInterface`, `TiedOperandOpInterface` on tiles), through other cells all of whose
/// values agree, and through calls of inline functions by their summaries. Carries and results of
/// control flow, other calls, and copies that come around a loop prove nothing.
///
/// The order of statements does not matter otherwise. Linear in the size of the body.
InlineSummary classifyParameters(pl::FuncOp func, SummaryLookup lookup);

} // namespace pypto

#endif

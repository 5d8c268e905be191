// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_PROPERTIES_PASSOPTIONS_H
#define PYPTO_PROPERTIES_PASSOPTIONS_H

#include "mlir/Pass/Pass.h"
#include <limits>

namespace pypto {

/// Checks the values of a pass's options before it runs, in `initialize`. Errors name the pass and
/// the option; they have no better place than the pass.
class OptionChecker {
public:
  OptionChecker(mlir::MLIRContext *context, const mlir::Pass &pass)
      : context(context), pass(pass) {}

  OptionChecker &range(llvm::StringRef option, int64_t value, int64_t least,
                       int64_t most = std::numeric_limits<int64_t>::max());
  /// The width of a vector register: 128, 256 or 512.
  OptionChecker &vectorBits(llvm::StringRef option, int64_t value);

  operator llvm::LogicalResult() const { return llvm::success(isValid); }

private:
  mlir::InFlightDiagnostic report(llvm::StringRef option);

  mlir::MLIRContext *context;
  const mlir::Pass &pass;
  bool isValid = true;
};

} // namespace pypto

#endif

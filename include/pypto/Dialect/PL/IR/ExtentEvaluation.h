// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_EXTENTEVALUATION_H
#define PYPTO_DIALECT_PL_IR_EXTENTEVALUATION_H

#include "pypto/Dialect/PL/IR/PL.h"

namespace pypto::pl {

/// The number that an extent is where its names, in the order of `getSymbols()`, are these numbers.
/// Nothing for `?`, where the number does not fit 64 bits, and where a divisor is not positive.
std::optional<int64_t> evaluateExtent(ExtentAttr extent, llvm::ArrayRef<int64_t> symbols);

} // namespace pypto::pl

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Properties/PassOptions.h"

using namespace mlir;
using namespace pypto;

InFlightDiagnostic OptionChecker::report(StringRef option) {
  isValid = false;
  return emitError(UnknownLoc::get(context))
         << "option '" << option << "' of --" << pass.getArgument() << ' ';
}

OptionChecker &OptionChecker::range(StringRef option, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most)
    return *this;
  InFlightDiagnostic error = report(option);
  error << "expects ";
  if (most == std::numeric_limits<int64_t>::max())
    error << "at least " << least;
  else
    error << "a number from " << least << " to " << most;
  error << ", but got " << value;
  return *this;
}

OptionChecker &OptionChecker::vectorBits(StringRef option, int64_t value) {
  if (value != 128 && value != 256 && value != 512)
    report(option) << "expects 128, 256 or 512, but got " << value;
  return *this;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_CONVERSION_PYPTOTOLINALG_PASSES_H
#define PYPTO_CONVERSION_PYPTOTOLINALG_PASSES_H

#include "pypto/Properties/Properties.h"

namespace pypto {

/// What the name of the entry of a public function starts with; the name of the function follows.
inline constexpr llvm::StringLiteral kEntryPrefix = "pypto_entry_";

#define GEN_PASS_DECL
#include "pypto/Conversion/PyptoToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pypto/Conversion/PyptoToLinalg/Passes.h.inc"

} // namespace pypto

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops for the vectors and the threads of a machine.
#ifndef PYPTO_LOOPS_PASSES_H
#define PYPTO_LOOPS_PASSES_H

#include "pypto/Properties/Properties.h"

namespace pypto {

/// On a loop whose iterations work on rows of their own.
constexpr llvm::StringLiteral kRowsAttribute = "pypto.rows";
/// On an exponential of vectors that fill a register of AVX-512, on a machine that has it.
constexpr llvm::StringLiteral kHasScaleAttribute = "pypto.has_scale";

#define GEN_PASS_DECL
#include "pypto/Loops/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pypto/Loops/Passes.h.inc"

} // namespace pypto

#endif

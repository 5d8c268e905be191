// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimisation of linalg on tensors over memrefs, for the CPU.
#ifndef PYPTO_TRANSFORMS_PASSES_H
#define PYPTO_TRANSFORMS_PASSES_H

#include "pypto/Properties/Properties.h"

namespace pypto {

#define GEN_PASS_DECL
#include "pypto/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pypto/Transforms/Passes.h.inc"

} // namespace pypto

#endif

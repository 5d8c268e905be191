// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_CONVERSION_KERNELTOEMITC_PASSES_H
#define PYPTO_CONVERSION_KERNELTOEMITC_PASSES_H

#include "pypto/Properties/Properties.h"

namespace pypto {

#define GEN_PASS_DECL
#include "pypto/Conversion/KernelToEmitC/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pypto/Conversion/KernelToEmitC/Passes.h.inc"

} // namespace pypto

#endif
